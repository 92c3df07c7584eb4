"""Evidence: all that a verdict was decided from, in a file, so that it can be decided again without any source."""
