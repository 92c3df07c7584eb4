"""Whether a text is a reference string, by its beginning: rather than a title, and rather than running text."""

from __future__ import annotations

import re

_UP = r"[^\W\d_a-zß-öø-ÿ]"
_LABEL = r"\s*(?:\[[^\]\n]{1,40}\]|\(?\d{1,4}[.)])?\s*"
_PEOPLE = re.compile(
    rf"{_LABEL}(?:"
    rf"{_UP}[\w'’-]+(?:\s+{_UP}[\w'’-]+)?,\s+{_UP}\.|"
    rf"(?:{_UP}\.[ -]?){{1,3}}\s*{_UP}[\w'’-]+(?:\s{_UP}[\w'’-]+)?(?:,|\.\s|\s+(?:and|&|et al))|"
    rf"{_UP}[\w'’-]+\s+{_UP}{{1,3}}[,.;]\s)"
)
"""``Knuth, D.``, ``D. E. Knuth,``, ``Knuth DE,``"""
_DATED = re.compile(
    rf"[^?!():;]{{5,400}}?(?:\s\((?:19|20)\d\d[a-z]?\)[.,:]?|\.\s+(?:19|20)\d\d[a-z]?\.)\s+[\"“']?{_UP}"
)
"""``Donald Knuth and Ann Lee. 1984. The``, ``Donald Knuth (1984) The``"""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_INSTEAD_OF_YEAR = (
    "http", "www.", "10.", "doi", "arxiv", "n.d.", "n. d.", "no date", "in press", "to appear", "forthcoming",
    "submitted", "accepted", "unpublished", "in preparation", "thesis", "dissertation", "manuscript",
)  # fmt: skip
"""What references without a year have in its place."""
_LONGEST_UNDATED = 300
"""Letters; of the 4,605 labelled strings one without a year is longer, and it begins with people."""


def begins_with_people(text: str) -> bool:
    """Whether ``text`` begins with a person's name that has initials, behind a label or none."""
    return _PEOPLE.match(text) is not None


def is_reference_string(text: str) -> bool:
    """Whether ``text`` begins as reference strings do; False says little.

    Of 4,605 labelled strings 75 % are known by this, of the 473,596 titles of DBLP 58 are taken for one, most of them
    whole citations of reviewed books.
    """
    return bool(_YEAR.search(text) and (_PEOPLE.match(text) or _DATED.match(text)))


def is_prose(text: str) -> bool:
    """Whether ``text`` is too long for a reference that has no year, nothing in its place, and no people in front."""
    return (
        len(text) > _LONGEST_UNDATED
        and not _YEAR.search(text)
        and not begins_with_people(text)
        and not any(map(text.lower().__contains__, _INSTEAD_OF_YEAR))
    )
