"""Tell reference strings from titles and running text by how they begin."""

import re

_UP = r"[^\W\d_a-zß-öø-ÿ]"
SAME_AUTHORS = re.compile(
    r"[—–_‒―-]{2,}(?: ?[—–_‒―-]{2,})*|[—―](?=[ ,.:(]|$)|"
    r"(?:(?:Ders|Dies|Id|Ead)\b\.?|(?:Derselbe|Dieselben?|Idem|Eadem)\b)(?= ?[,:(/]|$)"
)
"""Regex of what citation styles print for the same authors as in the previous reference: ``———``, ``Ders.``"""
_LABEL = r"\s*(?:\[[^\]\n]{1,40}\]|\(?\d{1,4}[.)])?\s*"
_AUTHORS = re.compile(
    rf"{_LABEL}(?:"
    rf"{_UP}[\w'’-]+(?:\s+{_UP}[\w'’-]+)?,\s+{_UP}\.|"
    rf"(?:{_UP}\.[ -]?){{1,3}}\s*{_UP}[\w'’-]+(?:\s{_UP}[\w'’-]+)?(?:,|\.\s|\s+(?:and|&|et al))|"
    rf"{_UP}[\w'’-]+\s+{_UP}{{1,3}}[,.;]\s)"
)
"""Regex of a first author with initials: ``Knuth, D.``, ``D. E. Knuth,``, ``Knuth DE,``"""
_AUTHORS_AND_DATE = re.compile(
    rf"[^?!():;]{{5,400}}?(?:\s\((?:19|20)\d\d[a-z]?\)[.,:]?|\.\s+(?:19|20)\d\d[a-z]?\.)\s+[\"“']?{_UP}"
)
"""Regex of authors, a date and a title: ``Donald Knuth and Ann Lee. 1984. The``, ``Donald Knuth (1984) The``"""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_INSTEAD_OF_YEAR = (
    "http", "www.", "10.", "doi", "arxiv", "n.d.", "n. d.", "no date", "in press", "to appear", "forthcoming",
    "submitted", "accepted", "unpublished", "in preparation", "thesis", "dissertation", "manuscript",
)  # fmt: skip
"""Texts in lower case that show a reference although it has no year, such as ``in press`` and ``doi``."""
_LONGEST_UNDATED = 300  # maximum length of a reference without a year. Only one of 4,605 labelled strings is longer


def begins_with_authors(text: str) -> bool:
    """Return whether ``text`` begins with a name that has initials, perhaps after a label."""
    return _AUTHORS.match(text) is not None


def is_reference_string(text: str) -> bool:
    """Return whether ``text`` begins like a reference string. Many reference strings are not recognized.

    The result is True for 75 % of 4,605 labelled strings. It is wrongly True for 58 of 473,596 titles in DBLP, most of
    which are whole citations of reviewed books.
    """
    return bool(_YEAR.search(text) and (_AUTHORS.match(text) or _AUTHORS_AND_DATE.match(text)))


def is_prose(text: str) -> bool:
    """Return whether ``text`` is running text: long, without authors in front, and without a year or its substitute."""
    return (
        len(text) > _LONGEST_UNDATED
        and not _YEAR.search(text)
        and not begins_with_authors(text)
        and not any(map(text.lower().__contains__, _INSTEAD_OF_YEAR))
    )
