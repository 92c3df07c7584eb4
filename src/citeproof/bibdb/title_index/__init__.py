"""The title index: the exact best match among millions of titles in milliseconds, so that a miss is proved.

``format`` is the file, ``signature``, ``keys`` and ``fingerprint`` are what stands in it. ``writer`` makes the file and
``reader`` answers from it; the reader never imports the writer.
"""
