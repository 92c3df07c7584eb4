"""Parse a printed reference string into authors, title, venue, year and links.

A string can be parsed in several ways, called readings: each possible end of the authors is
combined with each possible end of the title. The score of a reading says how plausible it is. It is
the sum of the weights of the reading's features, such as ``has:colon``: the title contains a colon.
A database record may confirm a reading that is not the most plausible one.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from citeproof.readers.strings import authors, venues
from citeproof.readers.strings.combinations import (
    MONTH,
    VISITS,
    YEAR,
    Combination,
    Combinations,
    year_of,
)
from citeproof.readers.strings.orders import in_usual_order, is_date_first
from citeproof.text.identifiers import without_trailing

_WIDE = str.maketrans(
    {
        "．": ". ",
        "。": ". ",
        "，": ", ",
        "：": ": ",
        "；": "; ",
        "（": " (",
        "）": ") ",
        "［": "[",
        "］": "]",
        "\u200b": "",
        "\ufeff": "",
        "\uf02d": " ",
    }
)
"""Table for ``str.translate`` that replaces full-width punctuation by ASCII characters, and removes
invisible characters.
"""
_HAS_WIDE = re.compile("[\uff01-\uff5e。\u200b\ufeff\uf02d]")
_SEE = re.compile(
    r"(?:[Vv]gl|[Ss]iehe(?: auch)?|[Cc]f|[Vv]oir|[Ss]ee(?: also)?|[Zz]it(?:iert)?\."
    r" nach|[Hh]ierzu|[Dd]azu)\b[.:]? +"
    r"(?=[^\W\d_a-z])"
)
"""Regex for words that introduce a reference in a footnote, such as ``See``."""
_LABEL = re.compile(
    r"\s*(?:\[\s*[^\]\s][^\]]{0,30}\]:?|\(\d{1,4}\)|\d{1,4}(?:[.)]\s?|\s(?=[^\W\d_]))|[•*–-]\s)\s*"
)
_SHORT_FORM = re.compile(r"([^\W\d_][\w’-]++)[^.():\d]{0,60}+(?:1[5-9]|20)\d\d[a-z]?:? +(?=\1\b)")
"""Regex for a short citation that stands before the full reference: ``Lee 2010:`` in
``Lee 2010: Lee, A. (2010)``.
"""
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-‐\u00ad]\s*\n\s*(?=[^\W\d_A-Z])")
_DIVIDED = re.compile(
    r"(?<=[^\W\d_]-) (?=[^\W\d_])(?!(?:and|or|und|oder|bzw|bis|to|et|ou|y|o|e)\b)"
)
"""Regex for the space in a word that was divided at a line end, as in ``Fran- cardi``. The space in
``pre- and`` does not match.
"""
_BROKEN_DOI = re.compile(r"(10\.\d{4,9}/[^\s]*[./(-])[^\S\n]*\n\s*(?=[^\s]*\d)")
_BROKEN_ADDRESS = re.compile(r"(?<=/)\s*\n\s*(?=\S)|(?<=http:)\s*\n\s*(?=/)")
_UP = authors.UP
_AUTHORS_AND_DATE = re.compile(
    rf"[^?!():;]{{5,400}}?(?:\s\((?:19|20)\d\d[a-z]?\)[.,:]?|\.\s+(?:19|20)\d\d[a-z]?\.)\s+[\"“']?{_UP}"
)
"""Regex for authors, a year and the beginning of a title:
``Donald Knuth and Ann Lee. 1984. The``.
"""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_PART = re.compile(r"(?<=[A-Za-z]) \(\d{1,2}\)(?=[.,]? (?:19|20)\d\d\b)")
"""Regex for the number of a part of proceedings before the year: ``(2)`` in ``ECCV (2), 2012``."""
_WITH_OTHERS = re.compile(r"\bet\.? +al\b|& +al\b|\band others\b")
_SENTENCES = re.compile(r"[^\W\d_]{3}[.?!] +\W?[^\W\d_]|[\"”»] *\S")
"""Regex for the end of a sentence that other text follows, or of a quotation that other text
follows.
"""
_INSTEAD_OF_YEAR = (
    "http",
    "www.",
    "10.",
    "doi",
    "arxiv",
    "n.d.",
    "n. d.",
    "no date",
    "in press",
    "to appear",
    "forthcoming",
    "submitted",
    "accepted",
    "unpublished",
    "in preparation",
    "thesis",
    "dissertation",
    "manuscript",
)
"""Lower-case texts that references without a year often contain, such as ``in press`` and
``doi``.
"""
_LONGEST_UNDATED = 300  # maximum number of characters of a reference without a year
CLEAR = 150
"""Minimum difference in score, in hundredths, between the best reading of a string and the best
reading with another title.

If the difference is smaller, the best reading is marked as doubtful. The title is right in 66 % of
the references marked as doubtful, and in 97 % of all other references: see ``docs/accuracy.md``.
"""
_LONGEST = 3000  # maximum number of characters of a reference after its list of authors
# maximum number of characters of a reference that are parsed: enough for 3,000 authors
_MOST_LETTERS = 60_000
_VENUE_END = re.compile(
    r"(?=[,.;:(\s]|$)(?:[,.;:(]\s*(?i:vol(?:ume)?|no|number|pp?|pages?|article)?\b\.?\s*\d|"
    r"\s\d+\s*[(:,]|\s(?:pp?\.? ?\d|\d+ \w?\d[\w–-]*$)|\.\s|$|\(|;)"
)
_NO_VENUE = re.compile(
    r"\d*|(?:vol(?:ume)?|band|bd|tome?|part|number|no|nr|issue)\b\.?\s*(?:\d+|[ivxlc]+)?"
    rf"|(?:{'|'.join(VISITS)})\s+(?:on\s+)?(?:{MONTH}|\d).*",
    re.IGNORECASE,
)
"""Regex for texts after a title that are not a venue: a number, the number of a volume, such as
``Vol. 1``, or the date of a visit to a web page, such as ``accessed 3 May 2022``.
"""
_DATE = re.compile(
    rf"\(?(?:{MONTH}\.? )?{YEAR}[a-z]?(?:, {MONTH}\.?(?: \d[\d–-]*)?)?\)?(?:[.,;:]\s*|$)"
)
_DATE_BEHIND = re.compile(rf"[., ]+\({YEAR}, {MONTH}[^()]*\)$")
_DOI = re.compile(
    r"(?:(?:https?\s?:\s?//\s?)?(?:dx\.)?doi\.org/\s?|doi\s?[:=]?\s*(?:https?://(?:dx\.)?doi\.org/)?)?\b(10\.\d{4,9}/(?:\s(?=\S+[\d/]))?[^\s\"<>]+)",
    re.IGNORECASE,
)
_DOI_BEGINS = re.compile(r"10(?<!\w10)\.\d{4,9}/")
# regex for ``http``, ``dx.`` or ``doi``
_DOI_LABEL = re.compile(r"[hHdD](?:[tT][tT][pP]|[xX]\.|[oO][iI])")
# maximum number of characters of a label before a DOI, such as ``https://dx.doi.org/``
_LONGEST_LABEL = 60
_ARXIV = re.compile(
    r"(?:https?://)?(?:arxiv\.org/(?:abs|pdf)/|\barxiv\s?(?:preprint|"
    r"e-prints?)?\s*(?:,\s*)?(?:arxiv)?\s*[:.]?\s*)\s*"
    r"(?:abs/)?((?:[\dX]{4}\.[\dX]{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7}))(?:v\d+)?(?:\s*\[[\w.-]+\])?",
    re.IGNORECASE,
)
"""Regex for an arXiv id with a label, such as ``arXiv:2304.01234``. A placeholder such as
``arXiv:2304.XXXX`` matches too.
"""
_URL = re.compile(r"(?:https?\s?:\s?//|ftp://|www\.)\s?[^\s<>\"]+", re.IGNORECASE)
_SPREAD = re.compile(
    r"https?\s?:\s?/ ?/\s?[^\s<>\"]+(?:(?: / ?| \. ?|(?<=\d\.) (?=\d))[^\s<>\"]+)*", re.IGNORECASE
)
"""Regex for a URL that contains spaces, as in justified lines:
``http : / / www . example . org / paper.pdf``.
"""
_LEAD = re.compile(
    r"[\s,.;(\[]*(?:\b(?:available\s+(?:from|at|online|on)|retrieved\s+(?:on\s+)?(?:[\w\s,]{0,30}\s)?from|accessed\s+(?:on|at)?|url|online(?:\s+at)?|see|doi|"
    r"https?|link)\s*:?\s*)+$",
    re.IGNORECASE,
)
"""Regex for words that introduce a link, such as ``Available at``."""
_LEAD_ENDS = (
    "from",
    "at",
    "on",
    "online",
    "accessed",
    "url",
    "see",
    "doi",
    "http",
    "https",
    "link",
)
"""Last words of phrases that introduce a link, such as ``at`` in ``Available at``."""


_NEAR = 400
"""Maximum difference in score, in hundredths, between the best list of authors of a string and any
other list that is combined with titles.

The list of the best reading is within this difference in all but 4 of 9,341 references, and in all
of 9,450 works that were printed in 27 styles.
"""
_READINGS = 5  # maximum number of readings of a string that are returned
# number that is subtracted from the score of readings of a string in its original order, if its
# parts were reordered
_REORDERED = 1000


class StringReading(NamedTuple):
    """A reading: one way to parse a reference string.

    This is a named tuple, because a named tuple is created ten times as fast as a dataclass.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    and_others: bool = False
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv_id: str = ""
    url: str = ""
    # plausibility, in hundredths; comparable only with other readings of the same string
    score: int = 0


# cached, because a reference is parsed when a list is split, and again when the entry is read
@lru_cache(maxsize=8192)
def best_reading(text: str) -> tuple[StringReading, bool]:
    """Return the best reading of a reference string, and whether it is clear: no reading with
    another title has nearly the same score.
    """
    body, links = body_of(text)
    best: Combination | None = None
    combinations = () if is_prose(text) else Combinations(body, _NEAR).heaviest_first(within=CLEAR)
    for combination in combinations:
        if best is None:
            best = combination
        elif best.weight - combination.weight >= CLEAR:
            break
        elif _title(combination) != _title(best):
            return _reading(best, body, links), False
    return _reading(best, body, links) if best else links, True


def read_reference(text: str) -> list[StringReading]:
    """Return the most plausible readings of a reference string, one to five. They differ in title
    or first author.
    """
    written, links = _body_as_written(text)
    body = in_usual_order(written)
    chosen: dict[tuple[str, tuple[str, ...]], StringReading] = {}
    # The string is also read in its original order, because that may already be the usual order.
    for one, most in (
        (body, _READINGS if body == written else _READINGS - 2),
        (written, _READINGS),
    ):
        for combination in () if is_prose(text) else Combinations(one).heaviest_first():
            reading = _reading(combination, one, links)
            if one != body:
                reading = reading._replace(score=reading.score - _REORDERED)
            chosen.setdefault((reading.title, reading.authors[:1]), reading)
            if len(chosen) >= most:
                break
        if body == written:
            break
    return list(chosen.values()) or [links]


def _title(combination: Combination) -> str:
    """Return the title of ``combination`` without a date after it: ``Good chemistry`` for
    ``Good chemistry. (1996, September)``.
    """
    text = combination.title.text if combination.title.is_title else ""
    date = _DATE_BEHIND.search(text) if text.endswith(")") else None
    return text[: date.start()] if date else text


def begins_with_authors(text: str) -> bool:
    """Return whether ``text`` begins with a name that has initials, perhaps after a label:
    ``Knuth, D.``, ``[3] Knuth, D.``.
    """
    return authors.INITIALED.match(text) is not None


@lru_cache(maxsize=8192)  # asked when the lines of a list are classified, and again for entries
def is_reference_string(text: str) -> bool:
    """Return whether ``text`` is a whole reference and not a title: it has a year, and begins with
    authors.

    The result is True for 75 % of 4,605 references, and wrongly True for 58 of 473,596 titles in
    DBLP.
    """
    return bool(
        _YEAR.search(text) and (authors.INITIALED.match(text) or _AUTHORS_AND_DATE.match(text))
    )


def is_title(text: str) -> bool:
    """Return whether ``text`` is only a title: one sentence without people, year and identifier."""
    label = _LABEL.match(text)
    if _YEAR.search(text, label.end() if label else 0):
        return False
    body, links = body_of(text)
    return (
        not (_YEAR.search(body) or links.doi or links.arxiv_id or links.url)
        and not (begins_with_authors(body) or _WITH_OTHERS.search(body))
        and _SENTENCES.search(body) is None
    )


def is_prose(text: str) -> bool:
    """Return whether ``text`` is prose and not a reference: it is long, has no year, and does not
    begin with authors.
    """
    return (
        len(text) > _LONGEST_UNDATED
        and not _YEAR.search(text)
        and not begins_with_authors(text)
        and not any(map(text.lower().__contains__, _INSTEAD_OF_YEAR))
    )


def is_too_long(text: str) -> bool:
    """Return whether ``text`` is too long to be one reference: more than 3,000 characters follow
    its list of authors.
    """
    if len(text) <= _LONGEST:
        return False
    return len(text) - max(group.end for group in authors.proposals(body_of(text)[0])) > _LONGEST


def candidates(text: str) -> list[tuple[StringReading, tuple[str, ...]]]:
    """Return all readings of the reference ``text``, each in a pair with the features that make up
    its score, such as ``has:colon`` (the title contains a colon).
    """
    body, links = body_of(text)
    combinations = Combinations(body)
    return [
        (_reading(one, body, links), combinations.features_of(one)) for one in combinations
    ] or [(links, ())]


@lru_cache(maxsize=64)  # cached, because it is called to classify a string and again to parse it
def body_of(text: str) -> tuple[str, StringReading]:
    """Return a reference string in the usual order, without label, line breaks and links, and a
    reading that has only the links.
    """
    body, links = _body_as_written(text)
    return in_usual_order(body), links


def _body_as_written(text: str) -> tuple[str, StringReading]:
    whole = text[:_MOST_LETTERS]
    if "\n" in whole:
        whole = _HYPHENATED.sub("", _BROKEN_ADDRESS.sub("", _BROKEN_DOI.sub(r"\1", whole)))
    if not whole.isascii():
        whole = (
            normalize("NFKC", whole.translate(_WIDE))
            if _HAS_WIDE.search(whole)
            else normalize("NFC", whole)
        )
    whole = " ".join(whole.split())
    if "- " in whole:
        whole = _DIVIDED.sub("", whole)
    rest, links = take_links(_PART.sub("", whole))
    label = _LABEL.match(rest)
    if label and is_date_first(rest):
        label = None
    body = rest[label.end() if label else 0 :].strip()
    before = _SEE.match(body) or _SHORT_FORM.match(body)
    return (body[before.end() :] if before else body), links


def _reading(combination: Combination, body: str, links: StringReading) -> StringReading:
    weight, beginning, title = combination
    return links._replace(
        title=_title(combination),
        authors=beginning.group.names,
        and_others=beginning.group.others,
        year=year_of(body[beginning.start :], beginning.dated),
        venue=venue_of(body[title.end :]) if title.is_title else title.text,
        score=weight,
    )


@lru_cache(maxsize=16)  # cached, because the title of several readings ends at the same position
def venue_of(rest: str) -> str:
    """Return the venue in ``rest``, the text after a title: ``Nature`` for ``. Nature 3(4), 1-9``.
    The result is empty if there is no venue.
    """
    rest = rest.lstrip(" ,.;:)")
    if date := _DATE.match(rest):
        rest = rest[date.end() :]
    if mark := venues.BRACKET_MARK.match(rest):
        rest = rest[mark.end() :].lstrip(" ,.;:/")
    while match := venues.IN.match(rest):
        rest = rest[match.end() :].lstrip(" ,.;:")
    if editors := venues.EDITORS.match(rest):
        rest = rest[editors.end() :]
    for end in _VENUE_END.finditer(rest):
        if end[0].strip() != "." or not venues.is_abbreviated(rest, end.start()):
            venue = rest[: end.start()].strip(" ,.;:")
            return "" if _NO_VENUE.fullmatch(venue) else venue
    return ""


def take_links(text: str) -> tuple[str, StringReading]:
    """Return ``text`` without its links, and a reading that has only the links. ``text`` must not
    have double spaces.
    """
    doi = arxiv_id = url = ""
    if "/ /" in text:
        text = _SPREAD.sub(lambda match: match[0].replace(" ", ""), text)
    if "10." in text and (begin := _DOI_BEGINS.search(text)):
        label = _DOI_LABEL.search(text, max(0, begin.start() - _LONGEST_LABEL), begin.start())
        if match := _DOI.search(text, label.start() if label else begin.start()):
            doi = _trimmed(match[1].replace(" ", ""))
            text = _without(text, match.start(), match.start(1) + len(_trimmed(match[1])))
    if "arxiv" in text.lower() and (match := _ARXIV.search(text)):
        arxiv_id = match[1]
        if match[0].lower().startswith(("http", "arxiv.org")):
            text = _without(text, match.start(), match.end())
    while ("//" in text or "www." in text.lower()) and (match := _URL.search(text)):
        url = url or _trimmed(match[0].replace(" ", ""))
        text = _without(text, match.start(), match.start() + len(_trimmed(match[0])))
    rest = " ".join(text.split()) if doi or arxiv_id or url else text
    return rest, StringReading(doi=doi, arxiv_id=arxiv_id, url=url)


def _without(text: str, start: int, end: int) -> str:
    """Return ``text`` without the link from ``start`` to ``end``, and without words such as
    ``Available at`` before the link.
    """
    before = text[:start]
    last = before.rstrip().removesuffix(":").rstrip()
    if last[-8:].lower().endswith(_LEAD_ENDS) and (lead := _LEAD.search(before)):
        before = before[: lead.start()] + "."
    return f"{before} {text[end:]}"


def _trimmed(value: str) -> str:
    return without_trailing(value, ".,;:'\"”’")
