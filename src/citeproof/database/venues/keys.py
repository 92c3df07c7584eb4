"""Find the venue and the volume of a record from DBLP's keys and from DOIs.

``conf/icml/2021`` is the volume for 2021 of ``conf/icml``, the *stream* (DBLP's word for a conference series or
journal). ``conf/cvpr/2021w`` and ``conf/mm/2014wismm`` are volumes of workshops, which are venues of their own.
https://dblp.org/faq/How+to+use+the+dblp+keys
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from citeproof.text.venue_names import is_beside, says_beside

T = TypeVar("T")
_TAIL = re.compile(r"(?P<name>[a-z]*?)(?P<year>(?:19|20)\d\d|\d\d)(?P<tag>[a-z][a-z0-9]*)?(?:-\w+)?$", re.IGNORECASE)
_STREAM = re.compile(r"(?:conf|journals)/[^/]+(?=/)")
_BESIDE = ":"


def stream_of(key: str) -> str:
    """Return the stream of a DBLP key, such as ``conf/icml``; empty for books, theses and keys of other sources."""
    found = _STREAM.match(key)
    return found[0] if found else ""


def venue_of(volume_key: str, booktitle: str, title: str) -> str:
    """Return the venue of a volume: its stream, with a suffix if the volume is that of a workshop or companion.

    ``booktitle`` is what its papers state, ``title`` the title of the proceedings. Either may be empty.
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


_LETTERS = re.compile(r"\D*")
_TO_SEPARATOR = re.compile(r"^(?:.*[./-])?", re.MULTILINE)
_TO_DIGIT = re.compile(r"^[^/\n]*/?[^\d\n]*", re.MULTILINE)
_STEM_SHARE = 0.9  # minimum share of the DOIs of a volume that begin with their common prefix
_STEM_CHARS = 6  # minimum letters and digits of a common prefix after the registrant; many share ``10.1117/12.``
_STEM_DOIS = 10  # minimum DOIs of a volume for a common prefix


def stem(dois: Sequence[str]) -> str:
    """Return the prefix, up to a separator, that nearly all DOIs of a volume share; empty if there is none."""
    if len(dois) < _STEM_DOIS:
        return ""
    stems = counted(_TO_SEPARATOR.findall("\n".join(dois)))
    found = commonest(stems)
    own = sum(char.isalnum() for char in found.partition("/")[2])
    return found if own >= _STEM_CHARS and stems[found] >= _STEM_SHARE * len(dois) else ""


def head(dois: Sequence[str]) -> str:
    """Return the most frequent :func:`doi_head` of ``dois``; empty if there are none."""
    return doi_head(commonest(counted(_TO_DIGIT.findall("\n".join(dois))))) if dois else ""


def doi_head(doi: str) -> str:
    """Return a DOI up to the first digit after its registrant: ``10.1609/aaai.v`` for ``10.1609/aaai.v34i01.5332``."""
    registrant, _, suffix = doi.partition("/")
    return f"{registrant}/{_LETTERS.match(suffix)[0]}"  # type: ignore[index]


def counted(values: Sequence[T]) -> dict[T, int]:
    """Return how often each of ``values`` (one or more) occurs, in order of first occurrence; fast if all are equal."""
    every = values.count(values[0]) == len(values)
    return {values[0]: len(values)} if every else Counter(values)


def commonest(counts: dict[T, int]) -> T:
    """Return the value with the highest count; of equal counts, the first value."""
    return max(counts, key=counts.__getitem__)
