"""Make :class:`Reference` objects from reference strings. Many strings have several readings: they
can be parsed in several ways.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from citeproof.model.reference import NOWHERE, Place, Reference
from citeproof.readers.strings import (
    CLEAR,
    StringReading,
    begins_with_authors,
    best_reading,
    body_of,
    is_prose,
    read_reference,
    venue_of,
)
from citeproof.readers.strings.authors import SAME_AUTHORS, UP, AuthorList
from citeproof.readers.strings.combinations import (
    DATE,
    author_features,
    beginnings,
    feature_after_authors,
    year_of,
)
from citeproof.text.identifiers import find_arxiv_id, find_doi
from citeproof.text.normalize import normalize_title
from citeproof.text.venue_names import document_type

# regex for a word that is printed instead of authors
_NOBODY = re.compile(r"Anon(?:ymous)?\.?", re.IGNORECASE)
# maximum number of characters of a plausible title: 0.02 % of the titles in DBLP are longer
_LONGEST_TITLE = 300
_LONGEST_NAME = 60
_SENTENCE = re.compile(r"\b(?:is|are|was|were|the|this|that|which|we|can|will|has|have|been)\b")
"""Regex for lower-case words that occur in sentences but not in names, such as ``which``."""
_MOST_WORDS = 6  # maximum number of words in a person's name
_PAGES = re.compile(r"\b(?:pp|pages)\b\.?\s*\d+\s?[-–—]+\s?\d+")
_PAGED = re.compile(r" pp? \d[\d–-]*$| \d+ \d+–\d+$")
"""Regex for the end of a title that wrongly includes venue and pages: ``pp 144–7`` in
``Title Venue pp 144–7``.
"""
_PEOPLE_ALONE = re.compile(rf"{UP}[\w'’-]+ {UP}(?:[ -]{UP})*(?:,| and) ")
"""Regex for people without punctuation at the place where a title should begin:
``Plonka G and Ma J``.
"""
_DOI = re.compile(r"(?:doi\.org/|\bdoi:\s*)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_UNDATED = re.compile(
    r"\bn\.\s?d\.|no date|forthcoming|in press|to appear|submitted|in"
    r" preparation|unpublished|https?:|www\.",
    re.IGNORECASE,
)
"""Regex for texts that explain why there is no year: ``in press``, ``n.d.``, or the URL of a web
page.
"""
_NAME = rf"{UP}[\w’'-]+ (?:{UP}\. ?)*{UP}[\w’'-]+"
_PEOPLE = re.compile(
    rf"\bet\.? +al\b|(?<![\w.])(?!J\. ){UP}\. ?(?:-?{UP}\. ?)*{UP}[\w’'-]+|{UP}[\w’'-]+, {UP}\."
    rf"|{_NAME}(?:, | and | & |, and ){_NAME}|\bby {_NAME}"
    rf"|\|[ .,–—-]*{UP}[\w’'-]+\. {UP}"
)
"""Regex for names of people: a name with initials, ``et al.``, or two names in full."""
_TOKEN = re.compile(r"[^\W_]+")
_QUOTES = "“„«\"‘`'”’»"
SHORTEST = 12
"""Minimum number of letters of a title that is searched for, because shorter ones occur by
chance.
"""


def reference_of_string(
    text: str, key: str = "", place: Place = NOWHERE, raw: str = ""
) -> Reference:
    """Parse the reference string ``text`` and return its best reading as a reference. ``raw`` is
    the text as it is written in the document.

    The result keeps ``text``, so that :func:`likely_readings` can parse it in other ways.
    """
    best, is_clear = best_reading(text)
    doubts = tuple(_doubts(text, best, is_clear))
    return Reference(
        key,
        raw=raw or text,
        from_text=True,
        doubts=doubts,
        string=text,
        place=place,
        **_fields(best, text),
    )


def title_of_string(text: str, key: str = "", place: Place = NOWHERE, raw: str = "") -> Reference:
    """Return a reference whose title is the whole string ``text``, except for a label at its
    beginning.
    """
    title = body_of(text)[0].strip(_QUOTES + " .,;*")
    return Reference(key, title=title, raw=raw or text, from_text=True, string=text, place=place)


def likely_readings(reference: Reference, within: int = CLEAR) -> list[Reference]:
    """Return the other readings of the string of ``reference`` whose score is less than ``within``,
    in hundredths, below the score of the best reading.
    """
    best, *others = read_reference(reference.string) if reference.string else [StringReading()]
    read = Reference(reference.key, raw=reference.string, from_text=True, place=reference.place)
    return [
        replace(read, **_fields(one, reference.string))
        for one in others
        if best.score - one.score < within
    ]


def with_repeated_authors(references: Iterable[Reference]) -> Iterator[Reference]:
    """Yield ``references``. If the authors of a reference are ``———`` or ``Ders.``, they are
    replaced by those of the previous reference.
    """
    before = Reference("")
    for reference in references:
        repeated, before = before, reference
        if reference.authors and SAME_AUTHORS.fullmatch(reference.authors[0]):
            people = *repeated.authors, *reference.authors[1:]
            before = replace(
                reference, authors=people, and_others=reference.and_others or repeated.and_others
            )
        yield before


def _fields(reading: StringReading, text: str) -> dict[str, Any]:
    """Return ``reading``, a reading of ``text``, as the fields of a :class:`Reference`.

    A thesis or report has this entry type, and no venue.
    """
    fields = reading._asdict()
    if entry_type := document_type(reading.venue):
        fields |= {"entry_type": entry_type, "venue": ""}
    del fields["score"]
    if len(reading.authors) == 1 and _NOBODY.fullmatch(reading.authors[0]):
        fields["authors"] = ()
    unread = not fields["authors"] and _PEOPLE.search(text.replace(reading.title, " | ", 1))
    return fields | {
        "names_unread": bool(unread),
        "doi": find_doi(reading.doi),
        "arxiv_id": find_arxiv_id(reading.arxiv_id or reading.doi) or reading.arxiv_id,
    }


def _doubts(text: str, best: StringReading, is_clear: bool) -> Iterator[str]:
    """Yield short reasons why ``best``, the best reading of ``text``, may be wrong, such as
    ``there is no year``. ``is_clear`` says whether no other title is nearly as plausible.
    """
    if is_prose(text):
        yield "it is running text rather than a reference"
    if len(best.title) > _LONGEST_TITLE:
        yield f"the title has {len(best.title)} letters"
    elif (
        not is_clear
        or begins_with_authors(best.title)
        or (not best.authors and (begins_with_authors(text) or _PEOPLE_ALONE.match(best.title)))
        or _PAGED.search(best.title)
    ):
        yield "its title may begin or end elsewhere"
    long = [
        name
        for name in best.authors
        if len(name) > _LONGEST_NAME and len(name.split()) > _MOST_WORDS
    ]
    if any(map(_SENTENCE.search, long)):
        yield "the list of authors is a sentence"
    several_pages = text.count("pp") + text.count("pages") > 1 and len(_PAGES.findall(text)) > 1
    if several_pages or (text.count("10.") > 1 and len(set(_DOI.findall(text))) > 1):
        yield "it may hold parts of two entries"
    if best.year is None and best.title and not _UNDATED.search(text):
        yield "there is no year"


def reading_with_title(reference: Reference, title: str) -> Reference | None:
    """Parse the string of ``reference`` again with the title ``title``, which is known. None if the
    string does not contain the title as whole words.

    The authors are taken from the text before the title, and venue and year from the text after it.
    This helps with strings without punctuation after the title, such as
    ``Schneider D. Using Drosophila as a model insect Nat Rev Genet. 2000``.
    """
    body, links = body_of(reference.raw)
    if (place := _span_of(body, title)) is None:
        return None
    start, end = place
    group = _authors_before(body, start)
    dated = DATE.match(body, group.end) if group else None
    reading = links._replace(
        title=body[start:end],
        authors=group.names if group else (),
        and_others=bool(group and group.others),
        year=year_of(body[end:], dated[0] if dated and dated.end() <= start else ""),
        venue=venue_of(body[end:].lstrip(_QUOTES)),
    )
    return replace(reference, **_fields(reading, reference.raw))


def _span_of(body: str, title: str) -> tuple[int, int] | None:
    """Return start and end of ``title`` in ``body``, or None if it is not there. Only letters and
    digits are compared.

    >>> _span_of("Lee, A.: On Sheep-shearing, 2001", "On sheep shearing")
    (9, 26)
    """
    wanted = normalize_title(title).replace(" ", "")
    if len(wanted) < SHORTEST:
        return None
    letters, begins, ends = _letters_of(body)
    begin = letters.find(wanted)
    end = begin + len(wanted)
    return (begins[begin], ends[end]) if begin in begins and end in ends else None


@lru_cache(maxsize=1)  # a string is searched for several titles
def _letters_of(body: str) -> tuple[str, dict[int, int], dict[int, int]]:
    """Return the letters and digits of ``body`` as one text, and two maps from positions in this
    text to positions in ``body``: of the beginnings and of the ends of words.
    """
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    letters = ""
    for token in _TOKEN.finditer(body):
        begins[len(letters)] = token.start()
        letters += normalize_title(token[0]).replace(" ", "")
        ends[len(letters)] = token.end()
    return letters, begins, ends


def _authors_before(body: str, start: int) -> AuthorList | None:
    """Return the most plausible list of authors at the beginning of ``body`` if the title begins at
    ``start``. Only a date may stand between this list and the title.
    """
    before = body[:start].rstrip(_QUOTES + " ")
    found = [
        beginning.group
        for beginning in beginnings(before)
        if not _TOKEN.search(before, beginning.start)
    ]
    return max(
        found,
        key=lambda group: author_features(group, feature_after_authors(before, group))[1],
        default=None,
    )
