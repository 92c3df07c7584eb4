"""Verification jobs: the queue, the worker processes, and reading the document of a job.

The jobs are in the runtime store. This package knows nothing of HTTP.
"""
