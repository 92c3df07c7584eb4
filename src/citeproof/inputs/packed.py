"""How packed files begin. What reads them is in :mod:`citeproof.inputs.archive`, with libraries that few runs need."""

from __future__ import annotations

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
GZIP = b"\x1f\x8b"
TAR, TAR_AT = b"ustar", 257


def is_archive(beginning: bytes) -> bool:
    """Whether a file that begins so is packed in a form that ``open_archive`` knows; 262 bytes are enough."""
    return beginning.startswith((*ZIP, GZIP)) or beginning[TAR_AT : TAR_AT + len(TAR)] == TAR
