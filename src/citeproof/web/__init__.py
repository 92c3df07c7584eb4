"""The web lookup service."""
