"""Verification jobs, independent of HTTP: the queue, the worker processes, and reading the document
of a job.
"""
