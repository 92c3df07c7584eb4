"""Turn a reference and its findings into a verdict."""
