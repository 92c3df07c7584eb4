"""Bibliographic web services, one a file."""
