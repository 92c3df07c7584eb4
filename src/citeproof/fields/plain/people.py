"""The people at the beginning of a reference string.

A list of names keeps to one form, with one exception: ``Family, Given`` may stand for the first person alone. Each form
is tried, and every place where the list may end is a proposal; which one is right depends on what follows it.
"""

from __future__ import annotations

import re
from operator import methodcaller
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTICLE = (
    r"(?:(?=[VvDdTtLlZzEeAaBbIi'])"
    r"(?:[Vv]an|[Vv]on|[Dd]e|[Dd]er|[Dd]en|[Dd]el|[Dd]ella|[Dd]i|[Dd]a|[Dd]os|[Dd]as|[Dd]u|[Ll]a|[Ll]e|"
    r"[Tt]en|[Tt]er|[Zz]u|[Zz]ur|[Ee]l|[Aa]l|[Bb]in|[Ii]bn|'t|[Dd]’|[Dd]') +)"
)
_UP = r"[^\W\d_a-zß-öø-ÿ]"
_WORD = (
    rf"(?>(?=\w['’´`‐‑–-]?\w)(?:[dDlLO]['’])?(?:{_UP}|[^\W\d_](?=['’]{_UP}))"
    r"[^\W\d_]*(?:['’´`][^\W\d_]+)*(?:[-‐‑–][^\W\d_]['’\w]*)*)"
)
_FAMILY = rf"{_PARTICLE}{{0,3}}(?:al-|Al-|el-)?{_WORD}(?: +{_PARTICLE}{{0,2}}{_WORD}){{0,2}}"
_SUFFIX = r"(?:,? +(?:Jr|Sr|III|II|IV)\b\.?)?"
_DOTTED = rf"{_UP}[a-z]?\.(?: ?(?:[-‐‑–] ?)?{_UP}[a-z]?\.)*(?: ?(?:de|van|von|der|la)\b)*"
_BARE = rf"{_UP}(?:[-‐‑– ]?{_UP}){{0,5}}\b(?!['’])"
_GIVEN = rf"{_WORD}(?:[ -]+{_WORD}){{0,2}}(?: +{_UP}(?:\.|(?=[ ,;]))){{0,3}}"
_TRAILING = r"(?: +(?:van|von|de|der|den|del|di|da|dos|du|la|le)(?: +(?:der|den|la))?(?=[,;&.(]))?"

FORMS = {
    # Knuth, D. E.
    "inverted": rf"{_FAMILY}{_SUFFIX}, *{_DOTTED}{_SUFFIX}{_TRAILING}",
    # Knuth, DE  Knuth, D E
    "inverted_bare": rf"(?P<family>{_FAMILY}){_SUFFIX}, *(?P<initials>{_BARE}){_SUFFIX}",
    # Knuth D. E.
    "dotted_behind": rf"(?P<family>{_FAMILY}){_SUFFIX} +(?P<initials>{_DOTTED}){_SUFFIX}",
    # Knuth DE, KNUTH D E
    "bare_behind": rf"(?P<family>{_FAMILY}){_SUFFIX} +(?P<initials>{_BARE}){_SUFFIX}",
    # D. E. Knuth, D. Ervin K. Knuth
    "initials_first": rf"{_DOTTED} ?(?:{_WORD} +{_UP}\. +)?{_FAMILY}{_SUFFIX}",
    # Donald Knuth, Donald E. Knuth
    "given_first": (
        rf"(?:{_WORD}|{_UP}(?= ))"
        rf"(?: +(?:{_UP}\.(?: ?-?{_UP}\.)*|{_PARTICLE}{{1,2}}{_WORD}|{_WORD}|{_UP}\b)){{1,4}}{_SUFFIX}"
    ),
    # Knuth, Donald E.
    "inverted_full": rf"{_FAMILY}{_SUFFIX}, *{_GIVEN}{_SUFFIX}{_TRAILING}",
    # Knuth, Donald E., of a list whose other names are not inverted
    "first_inverted": rf"{_FAMILY}{_SUFFIX}, *{_GIVEN}{_SUFFIX}{_TRAILING}",
    # D E Knuth
    "bare_first": rf"{_UP}{{1,2}}(?:-{_UP})? +(?:{_UP} +){{0,2}}{_FAMILY}",
    # KNUTH (D.E.)
    "in_brackets": rf"(?P<family>{_FAMILY}) *\((?P<initials>{_DOTTED})\)",
    # the same people as before
    "same": r"[—–_‒―-]{2,}(?: ?[—–_‒―-]{2,})*",
    # Radiological Society of North America, before a date; Anonymous
    "group": rf"(?:Anon(?:ymous)?\b|{_UP}[^.,;:()\[\]\"“‘]{{2,90}}(?=[.,]? *[(\[]?(?:1[89]|20)\d\d[a-z]?[)\].,]))",
    # 王伟
    "han": r"[\u4e00-\u9fff]{2,4}",
}
"""How one name may be written."""

_MIXED = {
    "inverted": ("inverted", "inverted_bare", "initials_first", "dotted_behind", "inverted_full", "given_first"),
    "inverted_bare": ("inverted_bare", "inverted", "bare_behind"),
    "dotted_behind": ("dotted_behind", "inverted", "bare_behind"),
    "bare_behind": ("bare_behind", "initials_first"),
    "initials_first": ("initials_first", "given_first"),
    "given_first": ("given_first", "initials_first"),
    "inverted_full": ("inverted_full", "initials_first", "inverted"),
    "first_inverted": ("given_first", "initials_first"),
    "han": ("han",),
    "bare_first": ("bare_first",),
    "in_brackets": ("in_brackets", "initials_first"),
    "same": ("inverted", "initials_first", "given_first"),
    "group": ("group",),
}
"""The form of a list's first name, to those of the others."""

_NAMES = {form: re.compile(pattern) for form, pattern in FORMS.items()}
_FAMILY_FIRST = ("inverted", "inverted_bare", "inverted_full", "first_inverted")
_BEGIN_ALIKE = {
    re.compile(r"\A.[^.]"): (*_FAMILY_FIRST, "dotted_behind", "bare_behind", "in_brackets"),
    re.compile(rf"\A{_FAMILY}{_SUFFIX},"): _FAMILY_FIRST,
    re.compile(rf"\({_UP}[a-z]?\."): ("in_brackets",),
}
"""What must be found in a text that some forms may begin: it is looked for once for all of them."""
_END = methodcaller("end")
_SEPARATOR = re.compile(
    r" *(?:[,;]? *(?:…|\. ?\. ?\.) *,? *&? *|[,;] *(?:and|AND|&|und|y|et|e|en) +|[,;] *& *|"
    r" (?:and|AND|und|y|et|e|en) +| *& *|[,;/] *|，|、| +- +)"
)
_OTHERS = re.compile(
    r"(?=[,;]? *[aeoc&等])[,;]? *(?:\band +|& *)?(?:\bet\.? *al\b\.?,?|\bothers\b|\bcolleagues\b|等\.?|"
    r"\band +\d+ +(?:others|more|coauthors))",
    re.IGNORECASE,
)
_EDITORS = re.compile(
    r"(?=[,.]? *[([]? *[edhco])[,.]? *[([]? *\b(?:eds?|editors?|hrsg|hg|dir|coords?|org)\b\.? *[)\]]?\.?(?=[ ,.:(]|$)",
    re.IGNORECASE,
)
_MOST = 1000
_IN_FULL = frozenset({"given_first", "inverted_full", "first_inverted", "bare_first"})
"""Forms that any words with capitals may seem to have."""
_INITIALS_LAST = re.compile(r"(?:[^\W\d_]*[a-zß-öø-ÿ].* [A-Z]{1,3}(?:-[A-Z])?|.* [A-Z](?:[ -][A-Z])*)$")
"""``Oman CM`` and ``LU L`` have their initials behind the family name, and are nobody called CM or L."""
_SENTENCE_INSIDE = re.compile(r"[^\W\d_]{3,}\. +[^\W\d_]{3,}")
_NO_NAME = re.compile(
    r"(?=[A-Z])(?:\b(?:Proceedings|Proc|Journal|Conference|Workshop|Symposium|Transactions|University|Press|Report|International|"
    r"IEEE|ACM|Introduction|Theory|Analysis|Learning|Networks?|Systems?|Models?|Models|Using|Advances|Handbook|Institute|Department|Society|"
    r"Association|Committee|Organization|Organisation|Ministry|Research|Science|Studies|Survey|Review|Data|Computer|"
    r"Information)\b|(?<![-‐])\b(?:Towards?|The|An|On|In|Of|For|With|From) +\w)"
)


_DATE = re.compile(r"[(\[] *(?:(?:1[89]|20)\d\d[a-z]?\b|n\. ?d\.|in press|forthcoming)")
_QUOTE = re.compile(r"[“„«\"‘]")
_COLON = re.compile(r"[:“„«\"]")
_SIGN = re.compile(r"[:“„«\"‘]")
"""Both: most texts have none, or none behind the first colon."""
_SHORTEST, _LONGEST, _LONGEST_QUOTED = 2, 400, 300
"""Letters of people who stand before a date, a quotation mark or a colon."""
_ANY_SEPARATOR = re.compile(r"[,;& ](?:(?<=\.,) *&? *|(?<=[;&]) *|(?<= ) *[;&] *|(?<=,) +and +|(?<= ) *and +)")


class People(NamedTuple):
    """A proposal: these are the people, and they end here."""

    names: tuple[str, ...]
    end: int
    form: str
    others: bool = False
    """The list says that it goes on."""
    editors: bool = False
    left_out: int = 0
    """So many names more would fit, which may be the beginning of the title instead."""
    has_sentence: bool = False
    """A sentence ends inside a name."""


def proposals(text: str) -> Iterator[People]:
    """Yield every list of names that ``text`` may begin with, and none: an empty list that ends where it begins."""
    yield People((), 0, "")
    ends = set()
    impossible: set[str] = set()
    for begin, forms in _BEGIN_ALIKE.items():
        if not impossible.issuperset(forms) and not begin.search(text):
            impossible.update(forms)
    for form, pattern in _NAMES.items():
        first = pattern.match(text) if form not in impossible else None
        if first:
            for found in _lists(text, form, first):
                ends.add(found.end)
                yield found
    for form, end in _ends_by_sign(text):
        if end not in ends:
            names = tuple(filter(None, map(_tidy, _ANY_SEPARATOR.split(text[:end]))))
            yield People(names, end, form, has_sentence=_has_sentence(text[:end]))


def _ends_by_sign(text: str) -> Iterator[tuple[str, int]]:
    """Yield where whoever stands there ends before what hardly can be anything but the end of people.

    So groups are found, and names that were damaged.
    """
    date = _DATE.search(text, _SHORTEST) if "(" in text or "[" in text else None
    if date and (end := _before(text, date.start(), " ,.;:")) <= _LONGEST:
        yield "until_date", end
    sign = _SIGN.search(text)
    begin = sign.start() if sign else len(text)
    quote = _QUOTE.search(text, begin)
    if quote and quote.start() >= _SHORTEST and (end := _before(text, quote.start(), " ,.;:")) <= _LONGEST_QUOTED:
        yield "until_quote", end
    colon = _COLON.search(text, begin)
    if colon and colon.start() >= _SHORTEST and text.startswith(": ", colon.start()):
        before = colon.start() - (text[colon.start() - 1] == " ")
        if (end := max(_SHORTEST, before)) <= _LONGEST:
            yield "until_colon", end


def _before(text: str, start: int, signs: str) -> int:
    """Return where the ``signs`` before ``start`` begin."""
    return max(_SHORTEST, len(text[:start].rstrip(signs)))


def _has_sentence(written: str) -> bool:
    return ". " in written and _SENTENCE_INSIDE.search(written) is not None


def _lists(text: str, form: str, first: re.Match[str]) -> Iterator[People]:
    """Yield the longest list of names of one form, and the same without its last one or two: the title's, perhaps."""
    names: list[str] = []
    ends: list[tuple[int, int, bool, bool]] = []
    at = 0
    match: re.Match[str] | None = first
    while len(names) < _MOST:
        if not match or ((form in _IN_FULL or at) and _is_no_name(match[0], form)):
            break
        if form in _IN_FULL and "A" <= match[0][-1] <= "Z" and _INITIALS_LAST.match(match[0]):
            break
        names.append(_written_out(match))
        at = match.end()
        others, editors = _OTHERS.match(text, at), _EDITORS.match(text, at)
        end = others or editors
        ends.append((len(names), end.end() if end else at, others is not None, editors is not None))
        separator = _SEPARATOR.match(text, at)
        if end or not separator:
            break
        at = separator.end()
        if others := _OTHERS.match(text, at):
            ends.append((len(names), others.end(), True, False))
            break
        matches = [match for name in _MIXED[form] if (match := _NAMES[name].match(text, at))]
        match = max(matches, key=_END, default=None)
    if len(names) == _MOST:
        return
    marked = bool(ends) and (ends[-1][2] or ends[-1][3])
    shortest = max(0, len(ends) - (1 if marked else 3))
    for place, (count, stop, with_others, with_editors) in enumerate(ends[shortest:], start=shortest):
        yield People(tuple(names[:count]), stop, form, with_others, with_editors, left_out=len(ends) - 1 - place)


def _is_no_name(written: str, form: str) -> bool:
    """Whether a word of a name is one of titles and venues; ``An, X.`` and ``On, K.`` are families with initials."""
    return _NO_NAME.search(written, 0 if form in _IN_FULL else 2) is not None


def _written_out(match: re.Match[str]) -> str:
    """Return a name with a comma behind the family and full stops behind initials, where its form tells them apart.

    ``Wong JDJJ`` becomes ``Wong, J. D. J. J.``, and ``DE RIJKE M`` becomes ``De Rijke, M.``
    """
    if not match.lastgroup:
        return _tidy(match[0])
    parts = match.groupdict()
    family = _tidy(parts["family"])
    initials = " ".join(f"{letter}." for letter in re.findall(r"[^\W\d_]", parts["initials"]))
    rest = match[0][match.end("initials") - match.start() :].strip(" ,")
    return " ".join(filter(None, (f"{family.title() if family.isupper() else family}, {initials}", rest.strip(")"))))


def _tidy(name: str) -> str:
    return " ".join(name.split()).rstrip(",")
