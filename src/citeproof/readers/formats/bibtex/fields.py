"""Read the key and the fields of a BibTeX entry, and the fields that the entry inherits.

Some errors at which BibTeX stops are tolerated: a missing comma or ``#``, a second comma, a comment
line, and quotation marks inside a quoted value. Inheritance follows *BibTeXing*, section 2.1, point
5, and the biblatex manual, sections 2.4.1 and 3.13.6 and appendix B.
"""

import re
from collections.abc import Mapping
from itertools import islice

from citeproof.model.reference import Span
from citeproof.readers.fields.bibtex import READ, Fields
from citeproof.text.tex_syntax import after_blank

_OWN = frozenset(
    {
        "title",
        "subtitle",
        "maintitle",
        "mainsubtitle",
        "booksubtitle",
        "doi",
        "url",
        "ee",
        "link",
        "biburl",
        "eprint",
        "eprinttype",
        "archiveprefix",
        "arxivid",
        "arxiv",
        "arxiv_id",
        "note",
        "howpublished",
        "annotation",
        "pages",
    }
)
"""Fields that an entry does not inherit from its ``crossref``, such as ``title`` and ``doi``."""
_PASSED_ON = READ - _OWN
_IN_VOLUMES = frozenset({"inproceedings", "conference", "incollection", "article", "inreference"})
"""Types of entries that do not inherit ``author``, because the author of a volume is not the author
of a paper in it.
"""
_MOST_PARENTS = 20  # maximum number of entries from which one entry inherits fields
_LONGEST_INHERITED = 2000  # maximum number of characters of an inherited value


def inherited(kind: str, fields: Fields, entries: Mapping[str, Fields]) -> dict[str, str]:
    """Return the fields of an entry of type ``kind``, and the fields that it inherits. ``entries``
    maps the key of each entry, in lower case, to its fields.
    """
    # @inproceedings{a, title = {Paper}, crossref = {v}} @proceedings{v, title = {Volume}, year =
    # 1999, doi = {10.1/v}} gives title = Paper, booktitle = Volume, year = 1999. The DOI of v is
    # not inherited. With xdata = {v} instead of crossref, a gets all fields of v that a lacks,
    # including the DOI.
    complete = {name: value for name, value in fields.items() if value}
    _add_data(complete, fields, entries)
    child, seen = fields, set[str]()
    while (
        (key := child.get("crossref", "").strip().lower())
        and key not in seen
        and len(seen) < _MOST_PARENTS
    ):
        seen.add(key)
        child = entries.get(key, {})
        parent: dict[str, str] = {}
        _add(parent, child, READ)
        _add_data(parent, child, entries)
        _pass_on(kind, parent, complete)
    return complete


def is_circular(key: str, entries: Mapping[str, Fields]) -> bool:
    """Whether ``crossref`` fields lead from the entry ``key`` back to itself, as if a names b and b
    names a. ``entries`` maps the key of each entry, in lower case, to its fields.
    """
    first = current = key.lower()
    for _ in range(_MOST_PARENTS):
        current = entries.get(current, {}).get("crossref", "").strip().lower()
        if not current or current == first:
            return bool(current)
    return False


def _add(fields: dict[str, str], source: Fields, names: frozenset[str]) -> None:
    for name in names:
        if (value := source.get(name)) and len(value) <= _LONGEST_INHERITED:
            fields.setdefault(name, value)


def _add_data(fields: dict[str, str], entry: Fields, entries: Mapping[str, Fields]) -> None:
    """Add to ``fields`` the fields of the entries that the field ``xdata`` of ``entry`` names."""
    keys = _xdata_keys(entry)
    for key in islice(keys, _MOST_PARENTS):  # the list grows in the loop
        container = entries.get(key, {})
        _add(fields, container, READ)
        keys += [further for further in _xdata_keys(container) if further not in keys]


def _xdata_keys(entry: Fields) -> list[str]:
    keys = entry.get("xdata", "")[:_LONGEST_INHERITED].split(",")[:_MOST_PARENTS]
    return list(dict.fromkeys(key.strip().lower() for key in keys if key.strip()))


def _pass_on(kind: str, parent: dict[str, str], child: dict[str, str]) -> None:
    """Add to ``child`` the fields that an entry of type ``kind`` inherits from ``parent``. The
    parent's title becomes ``booktitle`` or ``journaltitle``.
    """
    _add(child, parent, _PASSED_ON - {"author", "authors"} if kind in _IN_VOLUMES else _PASSED_ON)
    container, named = (
        ("journal", {"journal", "journaltitle"}) if kind == "article" else ("book", {"booktitle"})
    )
    if named.isdisjoint(child) and (title := parent.get("title")):
        child[f"{container}title"] = title
        if subtitle := parent.get("subtitle"):
            child[f"{container}subtitle"] = subtitle


MACROS = {
    "jan": "January",
    "feb": "February",
    "mar": "March",
    "apr": "April",
    "may": "May",
    "jun": "June",
    "jul": "July",
    "aug": "August",
    "sep": "September",
    "oct": "October",
    "nov": "November",
    "dec": "December",
    "acmcs": "ACM Computing Surveys",
    "acta": "Acta Informatica",
    "cacm": "Communications of the ACM",
    "ibmjrd": "IBM Journal of Research and Development",
    "ibmsj": "IBM Systems Journal",
    "ieeese": "IEEE Transactions on Software Engineering",
    "ieeetc": "IEEE Transactions on Computers",
    "ieeetcad": "IEEE Transactions on Computer-Aided Design of Integrated Circuits",
    "ipl": "Information Processing Letters",
    "jacm": "Journal of the ACM",
    "jcss": "Journal of Computer and System Sciences",
    "scp": "Science of Computer Programming",
    "sicomp": "SIAM Journal on Computing",
    "tocs": "ACM Transactions on Computer Systems",
    "tods": "ACM Transactions on Database Systems",
    "tog": "ACM Transactions on Graphics",
    "toms": "ACM Transactions on Mathematical Software",
    "toois": "ACM Transactions on Office Information Systems",
    "toplas": "ACM Transactions on Programming Languages and Systems",
    "tcs": "Theoretical Computer Science",
}
"""Map from a macro of BibTeX's standard styles to its value: ``jan`` to ``January``."""

MACRO_LENGTH = 2000
"""Maximum number of characters of the value of a macro. Longer values could fill the memory."""
# fields with names of people, in which undefined macros are dropped
_PEOPLE = frozenset({"author", "editor"})
_HEAD = re.compile(r"[^,=]*")
_AROUND_KEY = ' \t\n{}"'  # characters that are stripped from the ends of a key
_GAP = re.compile(r"(?:[\s,]+|%[^\n]*(?:\n|$))*")
_COMMENT = re.compile(r"%[^\n]*\n")
_NAME = re.compile(r"([^\W\d][^\s=,{}\"#%()\\]*)\s*=")
_NAME_BEFORE_VALUE = re.compile(r"([^\W\d][^\s=,{}\"#%()\\]*)\s*(?:=|(?=[{\"]))")
"""Regex for a field name and the ``=`` after it. The ``=`` may be missing before a brace or a
quotation mark.
"""
_GROUP = r"\{[^{}]*+\}"
for _ in range(3):
    _GROUP = rf"\{{[^{{}}]*+(?:{_GROUP}[^{{}}]*+)*+\}}"
_SIMPLE_FIELD = re.compile(
    r"[\s,]*+([^\W\d][^\s=,{}\"#%()\\]*+)\s*+=\s*+"
    rf"({_GROUP}|\"[^{{}}\"]*+(?:{_GROUP}[^{{}}\"]*+)*+\"|[^\s,#{{}}\"=%]++)\s*+(?=,|\Z)"
)
"""Regex for a well-formed field, such as ``year = {2001}``, with at most four levels of braces."""
_BRACE, _BRACE_OR_QUOTE = re.compile(r"[{}]"), re.compile(r'[{}"]')
_AFTER_QUOTE = re.compile(r"\s*(?:%[^\n]*\n\s*)?(?:[,#)}]|$|[A-Za-z_][\w:.+*/-]*\s*=)")
_WORD = re.compile(r"[^\s,#{}\"=]+")


class UnclosedQuoteError(ValueError):
    """Raised if a value begins with a quotation mark that is never closed."""


def read_key(body: str) -> tuple[str, int]:
    """Return the key at the beginning of ``body``, and the offset after it: ``("k", 2)`` for
    ``k, a = 1``. Without a key, return ``("", 0)``.
    """
    head = _HEAD.match(body)
    assert head is not None
    if head.end() == len(body) or body[head.end()] == ",":
        return head[0].strip(_AROUND_KEY), head.end() + 1
    words = head[0].rsplit(None, 1)
    return (
        (words[0].strip(_AROUND_KEY), body.index(words[1], len(words[0])))
        if len(words) == 2
        else ("", 0)
    )


def read_fields(
    body: str, position: int, macros: Fields, offset: int = 0
) -> tuple[Fields, Mapping[str, Span]]:
    """Return two maps from field name: to the values of the fields in ``body`` after ``position``,
    and to the span of each value, increased by ``offset``. ``macros`` maps the names of macros to
    their values.

    Field names are in lower case. If a name is repeated, the first field with a value is used. A
    span includes the braces: 10 to 16 for ``2001`` in ``k, year = {2001},``. Raises
    :class:`UnclosedQuoteError` if a quotation mark is not closed.
    """
    fields: dict[str, str] = {}
    spans: dict[str, Span] = {}
    last = len(body.rstrip(", \t\n"))
    span_of = tuple.__new__  # faster than calling Span
    while position < last:
        if simple := _SIMPLE_FIELD.match(body, position):
            name, value = simple.groups()
            position = simple.end()
            if not fields.get(key := name.lower()):
                if value[0] in '{"':
                    value = value[1:-1]
                elif not value.isdigit():
                    value = macros.get(value.lower(), "" if key in _PEOPLE else value)
                fields[key] = value
                start, end = simple.span(2)
                spans[key] = span_of(Span, (offset + start, offset + end))
            continue
        gap = _GAP.match(body, position)
        position = gap.end() if gap else position
        found = _NAME_BEFORE_VALUE.match(body, position)
        if not found:
            comma = body.find(",", position)
            position = len(body) if comma < 0 else comma + 1
            continue
        start = after_blank(body, found.end())
        value, undefined, end, position = _read_value(body, start, macros)
        if not fields.get(key := found[1].lower()):
            fields[key] = "" if undefined and key in _PEOPLE else value
            spans[key] = Span(offset + start, offset + start + len(body[start:end].rstrip()))
    return fields, spans


def _read_value(body: str, position: int, macros: Mapping[str, str]) -> tuple[str, bool, int, int]:
    """Return a tuple: the value at ``position``, whether it contains an undefined macro, the offset
    of its end, and the offset of the next field.

    The value of an undefined macro is its name, between spaces. Strings without ``#`` between them
    are joined by a space.
    """
    # 'jan # "~1", year' gives January~1 and stops at the comma.
    # '{2001} % checked\n, pages' gives 2001: a comment after a value ends with its line.
    # '{2001} pages = 1' gives 2001 and stops at pages: the comma is missing.
    texts: list[str] = []
    joined, undefined = True, False
    end = position
    while True:
        position = after_blank(body, position)
        if position >= len(body) or body[position] == ",":
            break
        sign = body[position]
        if texts and (comment := _COMMENT.match(body, position)):
            position = comment.end()
            continue
        if sign == "#":
            joined, position = True, position + 1
            continue
        if texts and not joined and _NAME.match(body, position):
            break
        text: str | None = None
        if sign in '{"':
            text, position = _read_enclosed(body, position)
        elif word := _WORD.match(body, position):
            position = word.end()
            undefined = not word[0].isdigit() and word[0].lower() not in macros
            text = f" {word[0]} " if undefined else macros.get(word[0].lower(), word[0])
        else:
            position += 1
        if text is not None:
            texts += [text] if joined or not texts else [" ", text]
        joined, end = False, position
    return "".join(texts).strip(), undefined and len(texts) == 1, end, position


def _read_enclosed(body: str, position: int) -> tuple[str, int]:
    """Return the text in the braces or quotation marks that begin at ``position``, and the offset
    after the closing brace or mark.
    """
    is_quoted = body[position] == '"'
    depth = 0
    for match in (_BRACE_OR_QUOTE if is_quoted else _BRACE).finditer(body, position + 1):
        sign = match[0]
        depth += (sign == "{") - (sign == "}")
        if (depth < 0 and not is_quoted) or (
            sign == '"' and depth <= 0 and _AFTER_QUOTE.match(body, match.end())
        ):
            return body[position + 1 : match.start()], match.end()
    if is_quoted:
        raise UnclosedQuoteError
    return body[position + 1 :], len(body)
