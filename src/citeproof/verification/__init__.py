"""Verify references: search for each reference, and decide a verdict.

Start with ``pipeline.py``.
"""
