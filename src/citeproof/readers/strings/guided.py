"""Read a reference string with the help of a record: find the known title in the text.

``Schneider D. Using Drosophila as a model insect Nat Rev Genet. 2000`` has no sign at the end of the title. With the
record ``Using Drosophila as a model insect``, the authors are the text before it and the venue the text after it.
"""

import re

from citeproof.readers.strings import Reading, authors, body_of, dates, venue_of
from citeproof.readers.strings.combinations import author_signs, sign_after_authors
from citeproof.text.normalize import normalize_title

_TOKEN = re.compile(r"[^\W_]+")
_QUOTES = "“„«\"‘`'”’»"
_SHORTEST = 12  # minimum letters of a title that is searched in a text. Shorter ones occur by chance


def reading_with_title(text: str, title: str) -> Reading | None:
    """Return the reading of ``text`` whose title is ``title``; None if the text does not contain it as whole words."""
    body, links = body_of(text)
    if (place := _stretch(body, title)) is None:
        return None
    start, end = place
    group = _authors_before(body, start)
    dated = dates.AFTER_AUTHORS.match(body, group.end) if group else None
    return links._replace(
        title=body[start:end],
        authors=group.names if group else (),
        and_others=bool(group and group.others),
        year=dates.year_of(body[end:], dated[0] if dated and dated.end() <= start else ""),
        venue=venue_of(body[end:].lstrip(_QUOTES)),
    )


def _stretch(body: str, title: str) -> tuple[int, int] | None:
    """Return start and end of ``title`` in ``body``, ignoring everything but letters and digits.

    >>> _stretch("Lee, A.: On Sheep-shearing, 2001", "On sheep shearing")
    (9, 26)
    """
    wanted = normalize_title(title).replace(" ", "")
    if len(wanted) < _SHORTEST:
        return None
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    letters = ""
    for token in _TOKEN.finditer(body):
        begins[len(letters)] = token.start()
        letters += normalize_title(token[0]).replace(" ", "")
        ends[len(letters)] = token.end()
    begin = letters.find(wanted)
    end = begin + len(wanted)
    return (begins[begin], ends[end]) if begin in begins and end in ends else None


def _authors_before(body: str, start: int) -> authors.AuthorList | None:
    """Return the likeliest list of authors that ends directly before ``start``; a date and signs may come between."""
    before = body[:start].rstrip(_QUOTES + " ")
    found = []
    for group in authors.proposals(before):
        dated = dates.AFTER_AUTHORS.match(before, group.end)
        if not _TOKEN.search(before[dated.end() if dated else group.end :]):
            found.append(group)
    return max(found, key=lambda group: author_signs(group, sign_after_authors(before, group))[1], default=None)
