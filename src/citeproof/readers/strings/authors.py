"""Find the lists of authors with which a reference string may begin.

Most references write all names in the same way, but some write ``Family, Given`` for the first
author only. Each way to write names is tried. Several lists are returned, because the list of
authors may end after any name.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from citeproof.readers.fields.document_entries import MOST_NAMES

SAME_AUTHORS = re.compile(
    r"[—–_‒―-]{2,}(?: ?[—–_‒―-]{2,})*|[—―](?=[ ,.:(]|$)|"
    r"(?:(?:Ders|Dies|Id|Ead)\b\.?|(?:Derselbe|Dieselben?|Idem|Eadem)\b)(?= ?[,:(/]|$)"
)
"""Regex for a mark that stands for the authors of the previous reference: ``———`` or ``Ders.``."""
_PARTICLE = (
    r"(?:(?=[VvDdTtLlZzEeAaBbIi'])(?:[Vv]an|[Vv]o[mn]|[Dd]e|[Dd]er|[Dd]en|[Dd]el|[Dd]ella|[Dd]i|[Dd]a|"
    r"[Dd]os|[Dd]as|[Dd]u|"
    r"[Ll]a|[Ll]e|[Tt]en|[Tt]er|[Zz]u|[Zz]ur|[Ee]l|[Aa]l|[Bb]in|[Ii]bn|'t|[Dd]’|[Dd]') +)"
)
"""Regex for a particle before a family name: ``van``, ``de``."""
# Regex for an upper-case letter, in two variants: for all texts, and for texts without East Asian
# characters. Python takes a millisecond to compile the large range of these characters, and the
# regexes below contain it a hundred times.
_UP, _UP_ELSEWHERE = r"[^\W\d_a-zß-öø-ÿ\u3040-\u9fff]", r"[^\W\d_a-zß-öø-ÿ]"
_WORD = (
    rf"(?>(?=\w['’´`‐‑–-]?\w)(?!(?:Jr|Sr|II|III|IV)\b)(?:[dDlLO]['’]|[aeAE]l['’-])?(?:{_UP}|"
    rf"[^\W\d_](?=['’]{_UP}))"
    r"[^\W\d_]*(?:['’´`][^\W\d_]+)*(?:[-‐‑–][^\W\d_]['’\w]*)*)"
)
"""Regex for a capitalised word of a name: ``O’Neill``, ``al-Khwarizmi``, ``Jean-Luc``."""
_FAMILY = rf"{_PARTICLE}{{0,3}}(?:al-|Al-|el-)?{_WORD}(?: +{_PARTICLE}{{0,2}}{_WORD}){{0,2}}"
"""Regex for a family name of one to three words, perhaps with particles: ``van der Waals``."""
_SUFFIX = r"(?:,? +(?:Jr|Sr|III|II|IV)\b\.?)?"  # regex for a suffix after a name: ``, Jr.``
_DOTTED = (
    rf"{_UP}[a-z]?\.(?: ?(?:[-‐‑–] ?[^\W\d_]|{_UP}|d(?=\.))[a-z]?\.)*(?: ?{_UP}(?=,| and\b| &))?"
    r"(?: ?(?:de|van|von|der|la)\b)*"
)
"""Regex for initials with full stops: ``D. E.``. The last full stop may be missing before a comma:
``J.P,``.
"""
# regex for initials without full stops: ``DE``, ``D E``
_BARE = rf"{_UP}(?:[-‐‑– ]?d?{_UP}){{0,5}}\b(?!['’])"
_GIVEN = (
    rf"(?:{_UP}\. {_WORD}(?=;| /| \(|,? and (?:{_WORD} )?{_UP}\. {_WORD})|"
    rf"{_WORD}(?:[ -]+{_WORD}){{0,2}}"
    rf"(?: +{_UP}(?:\.(?:-{_UP}\.)?|(?=[ ,;:/]))){{0,3}})(?: \({_WORD}\)(?=[.,;]))?"
)
"""Regex for given names in full, perhaps with initials or a nickname: ``Terry K.-F.``, ``F. Max``,
``Joshua (Jed)``.
"""
_BODY = (
    r"(?:Group|Library|Institute|Institut|Association|Committee|Society|Organi[sz]ation|Ministry|"
    r"Minist[èe]re|"
    r"Ministerium|Department|Commission|Council|University|Cent(?:er|re)|Office|Agency|Bureau|"
    r"Foundation|Team|"
    r"Consortium|Collaboration|Corporation|Company|Inc|Academy|Federation|Union|Bank|Board|"
    r"Authority|Administration|"
    r"Service|Bundesamt|Bundesministerium|Universität|OECD|UNESCO|UNICEF|WHO)\b"
)
"""Regex for a word that only names of organizations contain, such as ``Ministry``."""
# lower-case words in names of organizations
_INSIDE = r"(?:of|for|and|the|on|&|in|de|du|des|der|für|et|la)"
_TRAILING = (
    r"(?: +(?:van|von|de|der|den|del|di|da|dos|du|la|le)(?: +(?:der|den|la))?(?=[,;&.(:/]|"
    r" (?:and|und|et|y|&) ))?"
)
"""Regex for particles that follow the initials: ``van der`` in ``Waals, J. van der``."""
_SHORT_SURNAME = rf"{_PARTICLE}{{0,3}}{_WORD}"
_SURNAME = rf"{_SHORT_SURNAME}(?: (?!{_UP}{{1,4}}\b){_WORD})?"
_AND_OTHERS = r"(?:\+(?![\w:])|,? *(?:& *al\b|et\.? +al\b|and +others\b))"
_ENDS_LIST = rf"(?:{_AND_OTHERS}|[.?!]? *$|\. |,? [(\[]?(?:1[89]|20)\d\d|, [\"“]|,? [(]?{_UP})"
"""Regex for the text that may follow a list of family names without initials."""
UP = r"[^\W\d_a-zß-öø-ÿ]"
_NUMBER = r"\s*(?:\[[^\]\n]{1,40}\]:?|\(?\d{1,4}[.)])?\s*"
INITIALED = re.compile(
    rf"{_NUMBER}{_PARTICLE}{{0,2}}(?:"
    rf"{UP}[\w'’-]+(?:\s+{UP}[\w'’-]+)?,\s+{UP}\.|"
    rf"(?:{UP}\.[ -]?){{1,3}}\s*{UP}[\w'’-]+(?:\s{UP}[\w'’-]+)?(?:,|\.\s|\s+(?:and|&|et al))|"
    rf"(?!(?:ACM|EURASIP|IBM|IEEE|IEICE|IET|SIAM|VLDB) J\.){UP}[\w'’-]+\s+{UP}{{1,3}}[,.;]\s)"
)
"""Regex for the first author of a reference, with initials, perhaps after a label: ``Knuth, D.``,
``D. E. Knuth,`` or ``Knuth DE,``.
"""
FORMS = {
    # Knuth, D. E.
    "inverted": (
        rf"{_FAMILY}{_SUFFIX}(?:, *{_DOTTED}|\. {_UP}\.(?=[,;])|, {_UP}"
        rf" {_UP}\.){_SUFFIX}{_TRAILING}"
    ),
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
        rf"(?: +(?:{_UP}\.(?:"
        rf" ?-?{_UP}\.)*|[CT]h\.|\({_WORD}\)|{_PARTICLE}{{1,2}}{_WORD}|{_WORD}|{_UP}\b)){{1,5}}"
        rf"{_SUFFIX}"
    ),
    # Knuth, Donald E.
    "inverted_full": rf"{_FAMILY}{_SUFFIX}, *{_GIVEN}{_SUFFIX}{_TRAILING}",
    # Knuth, Donald E., in a list whose other names are not inverted
    "first_inverted": rf"{_FAMILY}{_SUFFIX}, *{_GIVEN}{_SUFFIX}{_TRAILING}",
    # D E Knuth
    "bare_first": rf"{_UP}{{1,2}}(?:-{_UP})? +(?:{_UP} +){{0,2}}{_FAMILY}",
    # Knuth et al., Knuth+, Knuth & Lee; in a list with these names, also Lee. In ``Li, Wei, and Ann
    # Lee``, only the first name is inverted
    "surnames": (
        rf"{_SURNAME}(?=(?:(?:, {_SURNAME}){{2,}})?{_AND_OTHERS}|"
        rf"(?:(?:, {_SHORT_SURNAME}){{2,}})?,? (?:&|and) {_SHORT_SURNAME}{_ENDS_LIST})"
    ),
    "last_surname": rf"{_SURNAME}(?={_ENDS_LIST})",
    # KNUTH (D.E.)
    "in_brackets": rf"(?P<family>{_FAMILY}) *\((?P<initials>{_DOTTED})\)",
    # a mark for the authors of the previous reference
    "same": SAME_AUTHORS.pattern,
    # Radiological Society of North America, before a date; Anonymous
    "group": (
        rf"(?:Anon(?:ymous)?\b|{_UP}[^.,;:()\[\]\"“‘]{{2,90}}(?=[.,]?"
        r" *[(\[]?(?:1[89]|20)\d\d[a-z]?[)\].,]))"
    ),
    # Ovid, before a title
    "single": rf"{_WORD}(?=\. +[^\W\d_A-Z]*{_UP}[a-z'’ ])",
    # U.S. National Library of Medicine, before a title
    "organization": (
        rf"(?:U\.? ?[SKN]\.? )?(?:{_UP}[\w’'&-]*,? (?:{_INSIDE} )*){{0,9}}{_BODY}"
        rf"(?: (?:{_INSIDE}|{_UP}[\w’'&-]*)){{0,9}}(?: \([A-Z]{{2,8}}\))?(?=[.,:] +[\"“‘]?{_UP})"
    ),
    # 王伟
    "han": r"[\u4e00-\u9fff]{2,4}",
}
"""Map from the name of a way to write names, such as ``inverted`` for ``Knuth, D. E.``, to the
regex for one name written in this way.
"""
_MIXED = {
    "inverted": (
        "inverted",
        "inverted_bare",
        "initials_first",
        "dotted_behind",
        "inverted_full",
        "given_first",
    ),
    "inverted_bare": ("inverted_bare", "inverted", "bare_behind"),
    "dotted_behind": ("dotted_behind", "inverted", "bare_behind"),
    "bare_behind": ("bare_behind", "initials_first"),
    "initials_first": ("initials_first", "given_first"),
    "surnames": ("surnames", "last_surname"),
    "given_first": ("given_first", "initials_first"),
    "inverted_full": ("inverted_full", "initials_first", "inverted"),
    "first_inverted": ("given_first", "initials_first"),
    "in_brackets": ("in_brackets", "initials_first"),
    "same": ("inverted", "initials_first", "given_first"),
}
"""Map from the way in which the first author's name is written to the ways in which later names of
the list may be written.
"""
_AND = r"(?:[Aa]nd|AND|und|y|et|e|en|a|i|og|och|ve|és|и)"
"""Regex for the word before the last name of a list, in several languages."""
_SEPARATOR = re.compile(
    rf" *(?:[,;]? *(?:…|\. ?\. ?\.) *,? *&? *|[,;] *(?:{_AND}|&) +|[,;] *& *|"
    rf" {_AND} +| *& *|,, *|[,;/] *| / +|，|、| +[-–] +)"
)
"""Regex for the punctuation or the word between two names: a comma, or ``and`` between spaces."""
_LEFT_OFF = re.compile(r"…|\. ?\.")  # regex for dots that replace names: ``Lee, ... & Ray``
_OTHERS = re.compile(
    r"(?=[,;]? *[aeocu&等+])[,;]? *(?:\+(?= )|& *al\b\.?,?|(?:\band +|& *)?(?:\bet\.?"
    r" *(?:al|coll)\b\.?,?|\bothers\b|\bcolleagues\b|等\.?|"
    r"\ba kol\b\.?|\bu\. ?a\.|\band +\d+ +(?:others|more|coauthors)))",
    re.IGNORECASE,
)
"""Regex for words that stand for further authors: ``et al.``, ``and others``, ``u. a.``,
``a kol.``.
"""
_OTHERS_LAST = re.compile(
    r"(?:[,;]? *(?:(?:\band +|& *)?\bet\.? *al\b\.?|& *al\b\.?|\band +others)|\+),?$"
)
_LONGEST_OTHERS = 20  # maximum number of characters of words for further authors
_ET_AL = re.compile(r"\bet\.? +al\b")  # regex for words that end a list of authors
_EDITORS = re.compile(
    r"(?=[,.]? *[([]? *[eédhcobürz])[,.]? *[([]?"
    r" *\b(?-i:(?!Ed +[A-Z]))(?:[eé]dd?s?|editors?|hrsg|hgg?|dir|coords?|comps?|org|bearb|übers|"
    r"red|zus)\b\.?(?: by)? *[)\]]?\.?(?=[ ,.:(]|$)",
    re.IGNORECASE,
)
"""Regex for words that say that the names before them are editors: ``(Eds.)``, ``(Hg.)``,
``(ed. by)``.
"""
_IN_FULL = frozenset({"given_first", "inverted_full", "first_inverted", "bare_first"})
"""Ways to write names in which given names are in full. The regexes for these ways also match
titles such as ``Deep Learning``.
"""
_INITIALS_LAST = re.compile(
    r"(?:[^\W\d_]*[a-zß-öø-ÿ].* [A-Z]{1,3}(?:-[A-Z])?|.* [A-Z](?:[ -][A-Z])*)$"
)
"""Regex for a name that ends with initials, such as ``Oman CM`` and ``LU L``."""
_FAMILY_OF_TWO = rf"(?<=\. {_UP}[a-z])(?=\. +{_UP})"
"""Regex for the end of a family name of two letters, which looks like an initial: ``Ma`` in
``C. Ma. The Title``.
"""
# regex for a full stop between two words
_SENTENCE_INSIDE = re.compile(r"[^\W\d_]{3}\. +[^\W\d_]{3}")
NO_NAME = re.compile(
    r"(?=[A-Z])(?:\b(?:Proceedings|Proc|Journal|Conference|Workshop|Symposium|Transactions|"
    r"University|Press|Report|International|"
    r"IEEE|ACM|Introduction|Theory|Analysis|Learning|Networks?|Systems?|Models?|Models|Using|"
    r"Advances|Handbook|Institute|Department|Society|"
    r"Association|Committee|Organization|Organisation|Ministry|Research|Science|Studies|Survey|"
    r"Review|Data|Computer|"
    r"Information)\b|(?<![-‐])\b(?:Towards?|The|An|On|In|Of|For|With|From) +\w)"
)
"""Regex for words that occur in titles and venues but not in names, such as ``Journal``."""
# regex for a date
_DATE = re.compile(r"[(\[] *(?:(?:1[89]|20)\d\d[a-z]?\b|n\. ?d\.|in press|forthcoming)")
_QUOTE = re.compile(r"[“„«\"‘]")  # regex for an opening quotation mark
_COLON = re.compile(r"[:“„«\"]")  # regex for a colon or an opening quotation mark
_SHORTEST, _LONGEST, _LONGEST_QUOTED = 2, 400, 300
"""Lengths of a list of authors in characters: the minimum, the maximum before a date or colon, and
the maximum before a quotation.
"""
_ANY_SEPARATOR = re.compile(
    r"[,;& ](?:(?<=\.,) *&? *|(?<=[;&]) *|(?<= ) *[;&] *|(?<=,) +and +|(?<= ) *and +)"
)
"""Regex for the separator between two names, if it is unknown in which way the names are
written.
"""


class AuthorList(NamedTuple):
    """A possible list of the authors of a reference string, which ends at the position ``end``."""

    names: tuple[str, ...]
    end: int
    form: str
    others: bool = False  # whether the list ends with words such as "et al."
    editors: bool = False
    # number of texts directly after the list that also look like names, but may belong to the title
    left_out: int = 0
    has_sentence: bool = False  # whether a sentence seems to end inside the list


class _Regexes:
    """The compiled regexes for names, either for all texts or for texts without East Asian
    characters.
    """

    def __init__(self, up: str) -> None:
        """``up`` is the regex for an upper-case letter, in one of its two variants."""

        def compiled(pattern: str) -> re.Pattern[str]:
            return re.compile(pattern.replace(_UP, up))

        self.names = {form: compiled(pattern) for form, pattern in FORMS.items()}
        self.later_names = {
            form: [self.names[later].match for later in _MIXED.get(form, (form,))] for form in FORMS
        }
        self.family_of_two = compiled(_FAMILY_OF_TWO)


@cache
def _regexes(up: str) -> _Regexes:
    return _Regexes(up)


def proposals(text: str) -> Iterator[AuthorList]:
    """Yield every possible list of the authors at the beginning of ``text``. The first list is
    empty.
    """
    yield AuthorList((), 0, "")
    ends = set()
    is_latin = text.isascii() or max(text) < "\u3040"
    regexes = _regexes(_UP_ELSEWHERE if is_latin else _UP)
    for form, pattern in regexes.names.items():
        if form != "last_surname" and (first := pattern.match(text)):
            for found in _lists(text, form, first, regexes):
                ends.add(found.end)
                yield found
    for form, end in _ends_of_any_form(text):
        written = text[:end]
        cut = _OTHERS_LAST.search(written, end - _LONGEST_OTHERS)
        if end not in ends and (cut or not _ET_AL.search(written)):
            listed = written[: cut.start()] if cut else written
            names = tuple(filter(None, map(_tidy, _ANY_SEPARATOR.split(listed))))
            has_sentence = ". " in written and _SENTENCE_INSIDE.search(written) is not None
            yield AuthorList(names, end, form, cut is not None, has_sentence=has_sentence)


def _ends_of_any_form(text: str) -> Iterator[tuple[str, int]]:
    """Yield the positions at which authors may end, whatever the way in which names are written:
    before a date, quotation mark or colon. Example: ``("until_date", 12)``.
    """
    date = _DATE.search(text, _SHORTEST) if "(" in text or "[" in text else None
    if date and (end := _before(text, date.start())) <= _LONGEST:
        yield "until_date", end
    quote, colon = _QUOTE.search(text), _COLON.search(text)
    if (
        quote
        and quote.start() >= _SHORTEST
        and (end := _before(text, quote.start())) <= _LONGEST_QUOTED
    ):
        yield "until_quote", end
    if colon and colon.start() >= _SHORTEST and text.startswith(": ", colon.start()):
        end = max(_SHORTEST, colon.start() - (text[colon.start() - 1] == " "))
        if end <= _LONGEST:
            yield "until_colon", end


def _before(text: str, start: int) -> int:
    """Return the position at which the punctuation before ``start`` begins. The result is at least
    ``_SHORTEST``.
    """
    return max(_SHORTEST, len(text[:start].rstrip(" ,.;:")))


def _lists(text: str, form: str, first: re.Match[str], regexes: _Regexes) -> Iterator[AuthorList]:
    """Yield up to four lists of authors, which end at different positions of ``text``.

    ``form`` is the way in which the names are written, and ``first`` is the match of the first
    author.
    """
    names: list[str] = []
    ends: list[tuple[int, int, bool, bool]] = []
    at, before, left_off = 0, 0, False
    match: re.Match[str] | None = first
    last, in_full = first, form in _IN_FULL
    while match:
        before, last = len(names), match
        # words of titles, such as ``An`` and ``On``, are also names: ``An, X.``, ``On, K.``
        if (in_full or at) and NO_NAME.search(match[0], 0 if in_full else 2):
            break
        if in_full and "A" <= match[0][-1] <= "Z" and _INITIALS_LAST.match(match[0].split(",")[0]):
            break
        if len(names) < MOST_NAMES:
            names.append(_written_out(match))
        at = match.end()
        others = _OTHERS.match(text, at)
        editors = _EDITORS.match(text, others.end() if others else at)
        end = editors or others
        with_others = left_off or others is not None
        ends.append((len(names), end.end() if end else at, with_others, editors is not None))
        separator = _SEPARATOR.match(text, at)
        if end or not separator:
            break
        left_off = left_off or _LEFT_OFF.search(separator[0]) is not None
        at = separator.end()
        if others := _OTHERS.match(text, at):
            ends.append((len(names), others.end(), True, False))
            break
        following = [matches(text, at) for matches in regexes.later_names[form]]
        match = max(filter(None, following), key=re.Match.end, default=None)
    if cut := regexes.family_of_two.search(text, last.start(), last.end()):
        yield AuthorList(
            (*names[:before], _tidy(text[last.start() : cut.start()])), cut.start(), form
        )
    likely = ends[-1:] if ends and any(ends[-1][2:]) else ends[-3:]
    for left_out, (count, stop, with_others, with_editors) in zip(
        range(len(likely))[::-1], likely, strict=True
    ):
        yield AuthorList(
            tuple(names[:count]),
            stop,
            form,
            with_others or count == MOST_NAMES,
            with_editors,
            left_out,
        )


def _written_out(match: re.Match[str]) -> str:
    """Return the matched name in the usual notation: ``De Rijke, M. J.`` for ``DE RIJKE MJ``."""
    if not match.lastgroup:
        return _tidy(match[0])
    parts = match.groupdict()
    family = _tidy(parts["family"])
    initials = " ".join(f"{letter}." for letter in re.findall(r"[^\W\d_]", parts["initials"]))
    rest = match[0][match.end("initials") - match.start() :].strip(" ,").strip(")")
    return f"{family.title() if family.isupper() else family}, {initials} {rest}".rstrip(" ")


def _tidy(name: str) -> str:
    return (" ".join(name.split()) if "  " in name else name.strip()).rstrip(",")
