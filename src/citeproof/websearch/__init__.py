"""Web search services, one a file."""
