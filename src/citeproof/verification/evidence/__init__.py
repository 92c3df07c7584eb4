"""Evidence files: one verdict per line, with all that it was decided from, so that it can be decided again offline."""
