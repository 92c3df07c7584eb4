"""From a reference and findings to a verdict: one subject a file."""
