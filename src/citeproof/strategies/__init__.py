"""The links of the chain, one a file, each with the same shape: ``name`` and ``search``."""
