"""What one job may be, and how long it may take."""

from __future__ import annotations

MAX_DOCUMENT_BYTES = 32 * 2**20
MAX_REFERENCES = 5_000
"""References a job; the command line has no such limit."""
MOST_WAITING = 100
"""Jobs that wait; one more is refused until others are done."""
MOST_AT_ONCE = 4
"""Jobs that one worker process of the service has at work at a time."""
JOB_SECONDS = 600.0
"""After so long a job ends with the verdicts that it has."""
HARD_SECONDS = 630
"""After so long the system ends the job's process, whatever it does: reading a document may hang."""
MOST_BYTES_OF_MEMORY = 2 * 2**30
"""What a job's process may take beside the files that it has mapped."""
SMALL_REFERENCES = 50
"""So many references are waited for, and answered at once."""
SMALL_SECONDS = 2.0
"""How long."""
