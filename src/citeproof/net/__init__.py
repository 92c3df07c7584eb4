"""The only modules that import an HTTP library."""
