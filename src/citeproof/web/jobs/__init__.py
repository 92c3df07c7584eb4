"""Verification jobs, independent of HTTP: the queue, the worker processes, and the reader of a
job's document.
"""
