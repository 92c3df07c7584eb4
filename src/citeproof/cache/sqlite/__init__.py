"""The cache in one SQLite file: table ``scholar_results`` for what was verified, ``search_results`` for answers."""
