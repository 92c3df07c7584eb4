"""The addresses of the service, one subject a file; each file has a function ``routes(service)``."""
