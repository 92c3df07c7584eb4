"""Build a bibliographic database.

The module ``download`` downloads dumps. ``opening`` and ``sources`` read dumps. ``builder`` writes
the database.
"""
