"""DBLP's keys: which stream a record belongs to, and whether a volume is the venue's own or beside it.

``conf/icml/2021`` is the volume of stream ``conf/icml`` for 2021; ``conf/cvpr/2021w`` and
``conf/mm/2014wismm`` lie beside their streams' own. https://dblp.org/faq/How+to+use+the+dblp+keys
"""

from __future__ import annotations

import re

from citeproof.text.venue_names import is_beside, says_beside

_TAIL = re.compile(r"(?P<name>[a-z]*?)(?P<year>(?:19|20)\d\d|\d\d)(?P<tag>[a-z][a-z0-9]*)?(?:-\w+)?$", re.IGNORECASE)
_STREAM = re.compile(r"(?:conf|journals)/[^/]+(?=/)")
_BESIDE = ":"


def stream_of(key: str) -> str:
    """Return ``conf/icml`` or ``journals/jmlr``; empty for books, theses and keys of other sources."""
    found = _STREAM.match(key)
    return found[0] if found else ""


def venue_of(volume_key: str, booktitle: str, title: str) -> str:
    """Return the venue of a volume: its stream, with a tag where the volume lies beside the stream's own.

    ``booktitle`` is what its papers state, ``title`` that of the proceedings; either may be empty.
    """
    stream = stream_of(volume_key)
    if not stream:
        return ""
    found = _TAIL.match(volume_key.rsplit("/", 1)[-1])
    tag = (found["tag"] or "") if found else ""
    if not tag and (is_beside(booktitle) or says_beside(booktitle, title)):
        tag = "w"
    return f"{stream}{_BESIDE}{tag.lower()}" if tag else stream


def stream_of_venue(venue: str) -> str:
    """Return the stream that a venue belongs to."""
    return venue.partition(_BESIDE)[0]
