"""Verification jobs: the queue, the worker processes, and reading the document of a job.

The runtime store contains the jobs. This package knows nothing of HTTP.
"""
