"""Build a bibliographic database.

The module ``download`` downloads dumps. ``source`` and ``sources`` read dumps. ``builder`` writes
the database.
"""
