"""The JSON interface: one subject a file, each with a function ``routes(backend)``, and the shapes of all bodies."""
