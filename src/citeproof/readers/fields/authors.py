"""Split author fields into names, and convert the names to plain text.

BibTeX separates names by ``and`` outside braces, and reads a name as ``First von Last``,
``von Last, First`` or ``von Last, Jr, First`` (O. Patashnik, *BibTeXing*, section 4). Here,
semicolons separate names too. Commas, ``&``, ``|``, ``/``, words for ``and`` in other languages,
and ``and`` in braces separate names if the texts between them look like complete names. A name may
be in biblatex's extended format: ``family=Lee, given=Ann, prefix=van``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from citeproof.text.encodings import without_invisibles
from citeproof.text.names import PARTICLES
from citeproof.text.normalize import plain_text

_AND = re.compile(r"[{}]|\\and(?![^\W\d_])|(?<![^\s}])and(?![^\s{])|;", re.IGNORECASE)
# regex for an HTML character reference without the semicolon: ``&eacute``
_ENTITY = re.compile(r"&#?\w{1,8}\Z")
_OTHERS = re.compile(
    r"(?:^(?:\d+\s|several\s|many\s)?(?:others?|more(?: authors)?|co-?authors|colleagues"
    r"|co-?workers|collaborators)[.,]?|^al\.?, et\.?|"
    r"[,;]?\s?(?:\bet\.?\s?al\b\.?|\band others|\b(?-i:[ue]\.\s?a)\.|…|\.\.\.))$",
    re.IGNORECASE,
)
_INITIAL_FIRST = re.compile(
    r"(?:(?:[^\W\d_]\.[\s~-]*)+|[A-Z]{1,3}\s(?=\w+$))[^\W\d_][^\s.]+(?:\s[^\s.]+)?"
)
_INITIALS_LAST = re.compile(
    r"[^\W\d_][\w'’-]+(?:\s[^\W\d_][\w'’-]+){0,3}\s[A-Z](?:[.-]?[A-Z]){0,2}\.?"
)
_SUFFIX = re.compile(r"\s(?:II|III|IV|[JS]R)\.?$")  # regex for a name suffix: ``III``, ``Jr.``
_MARKS = re.compile(r"(?<=[^\W\d_A-Z])[\d*†‡§¶]+(?:,[\d*†‡§¶]+)*(?=\s*(?:,|$))")
"""Regex for affiliation marks after a name: ``1,2*`` in ``Ann Lee1,2*``. The 3 in
``Web3 Foundation`` does not match.
"""
_USUAL = re.compile(
    r"(?!(?i:al|others?),)[^\W\d_]++(?:['-][^\W\d_]++)*+,"
    r"(?!-|.*(?i:al|others)\.?$)(?:[ -](?!(?i:and)(?: |$))[^\W\d_]++\.?)++"
)
"""Regex for names that need no conversion, such as ``Lee, Ann B.``. The texts ``Lee, et al.`` and
``al, et`` do not match.
"""
_UNCHANGED = re.compile(
    _USUAL.pattern
    + r"|(?!.*\b(?:(?i:(?:et)?al|others?|more|(?:co)?authors|colleagues|(?:co)?workers"
    r"|collaborators)\b|[ue]\.))(?=..)(?:(?:^| )(?!(?i:and|und|et|y|och)(?: |$))[^\W\d_]++"
    r"(?:\.?[-.'](?<!\.\.)[^\W\d_]++)*+(?:\.(?!\.))?)++"
)
"""Regex for names that need no conversion in BibTeX: names that match :data:`_USUAL`, and names
such as ``Ann B. Lee``.
"""
_KEYED = re.compile(r"\s*([a-z][\w-]*)\s*=\s*(.*)", re.IGNORECASE | re.DOTALL)
"""Regex for a part of a name in biblatex's extended format: ``family=Lee``, ``useprefix=true``."""
_SEMICOLONS = re.compile(
    r"\{([^{}]*;[^{}]*)\}"
)  # regex for names between braces: ``{Lee, A.; Kim}``
_BETWEEN = re.compile(r"\s(?:\\{0,2}&|\||und|et|y|och)\s")
"""Regex for words and signs that may stand between two names and separate them."""
_GROUP = re.compile(
    r"\b(?:administration|agency|association|board|bureau|cent(?:er|re)|collaboration|college"
    r"|commission|committee|company|consortium|corporation|council|department|foundation|group|inc"
    r"|institut\w*|laborator\w+|library|ltd|minist\w+|museum|nation(?:al|s)|office|organi[sz]ation"
    r"|press|school|society|team|universit\w+)\b|\bU\.\s?[KS]\.",
    re.IGNORECASE,
)
"""Regex for a word that occurs in names of groups but not of people."""
# regex for a list in the notation of Python or JSON: ``['Ann Lee', 'Bo Kim']``
_LISTED = re.compile(r"\s*\[\s*(['\"])(.+)\1\s*\]\s*", re.DOTALL)


def split_authors(field: str) -> tuple[tuple[str, ...], bool]:
    """Return the names in an author field, and whether the field ends in ``and others`` or
    ``et al.``.
    """
    usual = " ".join(field.split()).split(" and ") if field else []
    if all(map(_UNCHANGED.fullmatch, usual)):
        return tuple(usual), False
    if listed := _LISTED.fullmatch(field):
        return arrange_authors(re.split(rf"{listed[1]}\s*,\s*{listed[1]}", listed[2]))
    if ";" in field:
        field = _SEMICOLONS.sub(r"\1", field.strip().removeprefix("[").removesuffix("]"))
    return arrange_authors([written for part in _parts(field) for written in _people(part)])


def arrange_authors(
    people: Iterable[str], notation: Callable[[str], str] = str
) -> tuple[tuple[str, ...], bool]:
    """Return the names ``people`` as plain text, and whether ``et al.`` or ``others`` was among
    them.

    ``notation`` is a function that converts a name from another notation to that of BibTeX. It must
    return ``Lee, Ann B.`` unchanged.
    """
    names: list[str] = []
    others = False
    people = list(people)
    if len(people) > 2 and all(len(piece.strip()) < 2 for piece in people):
        # Some programs split the text ``['Lee', ...]`` into characters: ``[``, ``'``, ``L``, ``e``,
        # ``e``...
        listed = _LISTED.fullmatch("".join(people))
        people = listed[2].split(f"{listed[1]},{listed[1]}") if listed else []
    for written in people:
        if _USUAL.fullmatch(written := written.strip()):
            names.append(written)
            continue
        person = notation(without_invisibles(written))
        name = " ".join(plain_text(person).split())
        if cut := _OTHERS.search(name):
            name, others = name[: cut.start()], True
        if name := name.strip(" ,;"):
            is_group = re.fullmatch(r"\s*\{[^}]*\}\s*", person)  # ``{Barnes and Noble, Inc.}``
            names.append(name if is_group else _arranged(_MARKS.sub("", name)))
    return tuple(names), others


def separated(name: str) -> list[str]:
    """Return the names in ``name``, which a program stated as one name although it may contain
    several: two for ``Lee, Ann and Kim, Bo``.
    """
    if _USUAL.fullmatch(name.strip()):
        return [name]
    people = [one for part in _parts(name) for one in _people(part)]
    return people if all(map(_is_person, people)) else [name]


def _parts(field: str) -> Iterator[str]:
    r"""Split an author field at each ``and``, ``\and`` and semicolon that is outside braces."""
    depth = start = 0
    for match in _AND.finditer(field):
        sign = match[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and not (
            sign == ";" and _ENTITY.search(field[max(0, match.start() - 10) : match.start()])
        ):
            yield field[start : match.start()]
            start = match.end()
    yield field[start:]


def _people(part: str) -> list[str]:
    """Split ``part`` at commas, ``&`` or ``/`` if these separate complete names. Otherwise return
    ``part`` as one name.
    """
    # ``Lee, Ann`` is one name. ``A. Lee, B. Kim`` and ``Lee AB, Kim C`` are two names, because each
    # piece has initials. ``Ann Lee, Bo Kim, Cy Roe, Di Ray`` are four names, because every piece
    # has a space. ``Lee, Ann, Kim, Bo`` are two names, because an even number of single words are
    # pairs of family and given name.
    inner = part.strip().removeprefix("{").removesuffix("}")
    if len(inner) + 2 == len(part.strip()) and " and " in inner:
        # ``{{Ann Lee and Bo Kim}}`` are two people, ``{{Barnes and Noble}}`` is a company.
        sides = list(_parts(inner))
        return sides if all(map(_is_person, sides)) and not _GROUP.search(inner) else [part]
    if "{" in part or "=" in part or _USUAL.fullmatch(part.strip()):
        return [part]
    sides = _BETWEEN.split(part)
    if len(sides) > 1 and all(
        _is_person(side) or ("&" in part and ("," in side or _is_full(side))) for side in sides
    ):
        return [name for side in sides for name in _people(side)]
    sides = part.split("/")
    if len(sides) > 1 and all(map(_is_full, sides)):
        return sides
    pieces = [piece for piece in part.split(",") if piece.strip()]
    if (len(pieces) > 1 and _have_initials(pieces)) or (len(pieces) == 3 and _are_three(*pieces)):
        return pieces
    are_full = all(" " in piece.strip() or "." in piece for piece in pieces)
    if len(pieces) > 3 and (
        are_full or _are_mostly(_INITIAL_FIRST, pieces) or _are_mostly(_INITIALS_LAST, pieces)
    ):
        return pieces
    if len(pieces) > 3 and len(pieces) % 2 == 0:
        return [
            f"{family},{given}" for family, given in zip(pieces[::2], pieces[1::2], strict=True)
        ]
    return [part]


def _has_initials(piece: str) -> bool:
    """Whether ``piece`` is a family name with initials: ``A. B. Lee`` or ``Lee AB``."""
    piece = piece.strip()
    return not _SUFFIX.search(piece) and bool(
        _INITIAL_FIRST.fullmatch(piece) or _INITIALS_LAST.fullmatch(piece)
    )


def _is_full(piece: str) -> bool:
    """Whether ``piece`` looks like given and family name: ``Ann Lee``, ``A. B. Lee``,
    ``Ann Lee Jr.``.
    """
    words = [word for word in piece.split() if not _SUFFIX.search(f" {word.upper()}")]
    return len(words) > 1 and words[0][:1].isupper()


def _is_person(piece: str) -> bool:
    """Whether ``piece`` looks like the name of a person and not of a group. True for
    ``Ann van der Lee`` and ``Lee, Ann``, false for ``Ministry of Science``.
    """
    family, comma, given = piece.partition(",")
    written = f"{given} {family}" if comma and "," not in given else piece
    if _GROUP.search(piece):
        return False
    small = [word.strip(".") for word in written.split() if word[0].islower()]
    return (_has_initials(piece) or _is_full(written)) and PARTICLES.issuperset(small)


def _are_three(first: str, middle: str, last: str) -> bool:
    """Whether three texts between commas are three authors. False if they are one name, such as
    ``von Last, Jr, First``.
    """
    return (
        not _SUFFIX.search(f" {last.strip().upper()}")
        and _is_full(middle)
        and (_is_full(first) or _is_full(last))
    )


def _are_mostly(written: re.Pattern[str], pieces: Sequence[str]) -> bool:
    """Whether more than half of ``pieces`` match the regex ``written``, and each of the others has
    at least 3 letters and no full stop.
    """
    others = [piece.strip() for piece in pieces if not written.fullmatch(piece.strip())]
    return 2 * len(others) < len(pieces) and all(
        len(piece) > 2 and "." not in piece for piece in others
    )


def _have_initials(pieces: Sequence[str]) -> bool:
    """Whether all ``pieces`` are names with initials, and the initials are all before or all after
    the family name.
    """
    names = [piece.strip() for piece in pieces]
    at_same_end = any(
        all(map(pattern.fullmatch, names)) for pattern in (_INITIAL_FIRST, _INITIALS_LAST)
    )
    return at_same_end and all(map(_has_initials, names))


def _arranged(name: str) -> str:
    """Convert a name from ``von Last, Jr, First`` or biblatex's ``family=..., given=...`` to
    ``Family, Given``.
    """
    pieces = [piece.strip() for piece in name.split(",")]
    keyed = [match for piece in pieces if (match := _KEYED.fullmatch(piece))]
    if len(keyed) == len(pieces):
        parts = {match[1].lower(): match[2].strip(' "') for match in keyed}
        return name_of_parts(parts) or name
    if len(pieces) == 3:
        return f"{pieces[0]}, {pieces[2]} {pieces[1]}".strip()
    return name


def name_of_parts(said: Mapping[str, str]) -> str:
    """Return a name as ``Family, Given``. ``said`` maps ``prefix``, ``family``, ``given`` and
    ``suffix`` to the parts of the name.
    """
    family = f"{said.get('prefix', '')} {said.get('family', '')}".strip()
    given = f"{said.get('given', '')} {said.get('suffix', '')}".strip()
    return f"{family}, {given}" if family and given else family or given
