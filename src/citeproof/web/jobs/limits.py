"""What one job may be, and how long it may take."""

from __future__ import annotations

MAX_DOCUMENT_BYTES = 32 * 2**20
MOST_UNPACKED = 256 * 2**20
"""Bytes that an archive that was sent may become, with those inside it; on the command line 4 GB."""
LARGEST_MEMBER = 64 * 2**20
"""Bytes of one document in such an archive; elsewhere 256 MB."""
MOST_MEMBERS = 10_000
"""Files of such an archive that are looked at; elsewhere 100,000."""
READING_SECONDS = 300.0
"""How long an archive may take to be read; the rest of its job's time is for verifying."""
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
