"""Web search engines, off unless configured: one a file, each with the same ``search(reference) -> findings``."""
