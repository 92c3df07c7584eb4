"""Build a bibliographic database: ``download`` fetches dumps, ``opening`` and ``sources`` read them, ``builder``
writes records and indexes, some of them in child processes. Commands and the sample database import it; look-ups do
not.
"""
