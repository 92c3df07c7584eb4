"""Find DOIs and arXiv identifiers in running text, URLs and fields of references.

* A DOI is ``10.``, a registrant code (four or more digits, perhaps subdivided by dots), a slash and
  a suffix of printable characters. Case is ignored (DOI Handbook, 2.2-2.4). The regex is the one
  that Crossref recommends for DOIs in text, extended by suffixes with ``<>`` and brackets (SICI).
* An arXiv identifier is ``YYMM.NNNN`` from April 2007, ``YYMM.NNNNN`` from January 2015, and
  ``archive/YYMMNNN`` before April 2007. ``vN`` names a version. The subject class in
  ``math.GT/0309136`` is not a part of the identifier
  (https://info.arxiv.org/help/arxiv_identifier.html).
* arXiv's own DOIs are ``10.48550/arXiv.<identifier>`` (https://info.arxiv.org/help/doi.html).
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from citeproof.model.record import MatchKind
from citeproof.text.encodings import resolve_entities, without_invisibles
from citeproof.text.latex import latex_to_text

_CONTROLS = r"\x00-\x1f\x7f-\x9f"
"""Control characters, written for a character class of a regex."""
_DOI = re.compile(
    rf"(?<![0-9.])10\.[0-9]{{4,9}}(?:\.[0-9]+)*/[^\s{_CONTROLS}\"{{}}|^`´“”‘’]+", re.IGNORECASE
)
_DOI_SHAPE = re.compile(rf"10\.[0-9]{{4,9}}(?:\.[0-9]+)*/[^\s{_CONTROLS}]+")
_PLAIN_DOI = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/)?(10\.(?!48550/)[0-9]{4,9}/[A-Za-z0-9._()-]*[A-Za-z0-9])"
)
"""Regex for a DOI, or the URL of a DOI, that contains no escaped characters.

DOIs of arXiv do not match.
"""
# endings that may belong to a URL, not to the DOI
_DOUBTFUL = (".pdf", ".html", ".full", ".short", ".abstract")
_SHORT_DOI = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/)?10/[a-z0-9]{2,10}|https?://doi\.org/[a-z0-9]{2,10}"
    r"|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{5,7}",
    re.IGNORECASE,
)
"""Regex for a shortDOI, such as ``10/fg6rf9``.

A shortDOI without ``10/`` must have letters and digits.
"""
_ASIDE = re.compile(r"10\.(?:48550/arxiv\.|5555/|5281/zenodo\.|13140/)", re.IGNORECASE)
"""Regex for DOIs that a work may have in addition to the publisher's DOI: DOIs of arXiv, Zenodo and
ResearchGate, and DOIs that begin with ``10.5555``.
"""
_PAPER = re.compile(r"([^/]+)/.*\.([^.]{5,})")
"""Regex for a DOI that ends in a point and the number of a paper. Group 1 is the registrant, such
as ``10.1145``, and group 2 the number of the paper.
"""
_LATEX = re.compile(r"[\\${}]")
_HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("\u200c\u200d"))
"""Table for ``str.translate`` that turns dashes into hyphens and removes zero-width joiners. Word
processors turn the hyphens of identifiers into dashes.
"""
_TRAILING = ".,;:!?'*\\/"
_PAIRS = {")": "(", "]": "[", ">": "<"}  # map from closing to opening bracket
_ARXIV_VERSION = re.compile(r"(10\.48550/arxiv\..*[0-9])v[0-9]{1,3}")
_PAGE_TAIL = re.compile(
    r"(?:[?&#].*|/(?:pdf|full|html|fulltext|abstract|abs|meta|epdf|epub|references|citations|"
    r"summary|tables|figures)"
    r"(?:/.*)?|\.(?:pdf|html|full|short|abstract)(?:\+html)?)$",
    re.IGNORECASE,
)
"""Regex for text that the websites of publishers append to the DOI in a URL, such as ``/pdf``."""

_NEW = r"(?P<new>[0-9]{2}(?:0[1-9]|1[0-2])\.[0-9]{4,5})"
_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|"
    "cond-mat|cs|"
    "dg-ga|funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|mtrl-th|nlin|nucl-ex|nucl-th|"
    "patt-sol|physics|"
    "plasm-ph|q-alg|q-bio|quant-ph|solv-int|supr-con"
)
_OLD = (
    rf"(?P<archive>{_ARCHIVES})(?:\.[A-Za-z]{{2}})?/"
    r"(?P<number>[0-9]{2}(?:0[1-9]|1[0-2])[0-9]{3})"
)
_VERSION = r"(?:v[0-9]{1,3})?"
_END = r"(?![0-9A-Za-z/]|\.[0-9])"
_MARKER = (
    r"(?:(?:arxiv|ar5iv|alphaxiv|ar5iv\.labs\.arxiv)\.org/[a-z]{2,8}/|huggingface\.co/papers/|"
    r"10\.48550/arxiv\."
    r"|(?<![\w/])abs/"
    r"|arxiv[\s:./]{0,4}(?:(?:pre-?|e-?)print|abs)?[\s:./]{0,4}(?:arxiv[\s:.]{0,3})?)"
)
_IN_TEXT = rf"{_MARKER}(?:{_NEW}|{_OLD}){_VERSION}{_END}"
# regex for the digits of an arXiv id
_ID_DIGITS = re.compile(r"[0-9]{2}(?:0[1-9]|1[0-2])(?:\.[0-9]{4}|[0-9]{3})")
_SUBJECT = r"\s{0,3}(?:\[[A-Za-z.-]+(?:, ?[A-Za-z.-]+)*\])?"
"""Regex for the subjects after an arXiv identifier: ``[cs.CL]``, or ``[cs, stat]`` in exports from
Zotero.
"""
_ALONE = rf"(?:{_NEW}|{_OLD}){_VERSION}{_SUBJECT}"
_OLD_ANYWHERE = rf"(?<![\w./-]){_OLD}{_VERSION}{_END}"
_LABEL = re.compile(r"^(?:doi|arxiv)\s*:\s*", re.IGNORECASE)
_LONGEST = 300  # maximum number of characters of an identifier, including its URL or label


def is_doi(text: str) -> bool:
    """Whether the whole ``text`` has the syntax of a DOI."""
    return _DOI_SHAPE.fullmatch(text) is not None


def is_short_doi(text: str) -> bool:
    """Whether ``text`` is a shortDOI such as ``10/abc123`` or ``abc123``, or the URL of a
    shortDOI.
    """
    return _SHORT_DOI.fullmatch(text.strip()) is not None


def is_aside(doi: str) -> bool:
    """Whether a work with the DOI ``doi`` may also have a DOI of its publisher. True for DOIs of
    arXiv and Zenodo, for example.
    """
    return bool(_ASIDE.match(doi))


def doi_says_nothing(doi: str) -> bool:
    """Whether a work with the DOI ``doi`` may also have a different DOI. If so, two different DOIs
    may belong to one work.

    True for shortDOIs, and for DOIs of arXiv and Zenodo.
    """
    return is_aside(doi) or is_short_doi(doi)


def find_doi(text: str) -> str:
    """Return the first DOI in ``text`` in lower case: ``https://a.example/10.1000/X(1)2/pdf`` gives
    ``10.1000/x(1)2``.

    The result is empty if there is no DOI. LaTeX, character references and percent-encoding are
    decoded, and dashes become hyphens. Punctuation, unpaired brackets and endings of URLs such as
    ``/pdf`` are removed from the end of the DOI.
    """
    if (plain := _PLAIN_DOI.fullmatch(text)) and not (doi := plain[1].lower()).endswith(_DOUBTFUL):
        return doi
    if "10." not in text and "10%2" not in text:
        return ""
    if _LATEX.search(text):
        text = latex_to_text(text.replace("\\/", "/"))  # JSON escapes a slash as ``\/``
    text = without_invisibles(resolve_entities(text)).translate(_HYPHENS)
    match = _DOI.search(text) or _DOI.search(unquote(text) if "%" in text else "")
    if not match:
        return ""
    doi = unquote(match[0].partition("](")[0])
    before = match.string[: match.start()]
    address = before[start:] if (start := before.lower().rfind("http")) >= 0 else ""
    # the publisher may append something to the DOI
    if "://" in address and not any(map(str.isspace, address)):
        for _ in range(3):
            doi = _PAGE_TAIL.sub("", without_trailing(doi))
    doi = _ARXIV_VERSION.sub(r"\1", without_trailing(doi).lower())
    return doi if is_doi(doi) else ""


def without_trailing(value: str, punctuation: str = _TRAILING) -> str:
    """Return a DOI or URL without final ``punctuation`` and unpaired closing brackets: ``x(1)2).``
    gives ``x(1)2``.
    """
    end = len(value)
    balance = {
        closing: value.count(opening) - value.count(closing) for closing, opening in _PAIRS.items()
    }
    while end and (value[end - 1] in punctuation or balance.get(value[end - 1], 0) < 0):
        end -= 1
        if value[end] in balance:
            balance[value[end]] += 1
    return value[:end]


def find_arxiv_id(text: str) -> str:
    """Return the first arXiv identifier in ``text`` without its version, or an empty string.

    A number such as ``2304.01234`` is found only in three cases: it is the whole ``text``, it
    follows ``arXiv``, ``arxiv.org/abs/`` or similar, or it is in an arXiv DOI. Older identifiers
    such as ``math/0309136`` are found anywhere in ``text``.
    """
    text = without_invisibles(text)
    if not _ID_DIGITS.search(text):  # a fast check before the other regexes
        return ""
    match = re.fullmatch(_ALONE, text.strip(), re.IGNORECASE) or re.search(
        _IN_TEXT, text, re.IGNORECASE
    )
    match = match or re.search(_OLD_ANYWHERE, text, re.IGNORECASE)
    if not match:
        return ""
    if new := match.groupdict().get("new"):
        month, _, number = new.partition(".")
        # Four digits for a month from April 2007 to 2014, five for a later month.
        return new if month >= "0704" and len(number) == (4 if month < "1501" else 5) else ""
    return f"{match['archive'].lower()}/{match['number']}"


class Identifier(NamedTuple):
    """A DOI in lower case, or an arXiv id without version."""

    kind: MatchKind
    value: str


def identifier_in(text: str) -> Identifier | None:
    """Parse ``text`` as a DOI or arXiv id, with or without a label such as ``doi:`` or the rest of
    a URL.

    None if ``text`` is anything else, such as a title.
    """
    text = text.strip()
    bare = _LABEL.sub("", text)
    if not bare or len(text) > _LONGEST or any(map(str.isspace, bare)):
        return None
    if arxiv_id := find_arxiv_id(text) or find_arxiv_id(bare):
        return Identifier(MatchKind.ARXIV_ID, arxiv_id)
    doi = find_doi(bare)
    return Identifier(MatchKind.DOI, doi) if doi else None


def are_twins(doi: str, other: str) -> bool:
    """Return whether two DOIs of one registrant end in the same paper number, as
    ``10.1145/253262.253332`` and ``10.1145/253260.253332`` do.
    """
    ours, theirs = (_PAPER.fullmatch(one.lower()) for one in (doi, other))
    return ours is not None and theirs is not None and ours.groups() == theirs.groups()
