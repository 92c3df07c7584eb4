"""Verification jobs: a process that forks one worker a job, and what a worker does."""
