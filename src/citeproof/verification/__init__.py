"""Verify references: search for each reference, and decide a verdict.

Read ``pipeline.py`` first.
"""
