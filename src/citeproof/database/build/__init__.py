"""Builds a bibliographic database: ``download`` fetches dumps, ``opening`` and ``sources`` read them, ``builder``
writes records and indexes, some of them in child processes. Only commands and the sample database import it, never a
look-up.
"""
