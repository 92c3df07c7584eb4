"""Bring the parts of a reference string into the usual order: people, title, venue, year.

People and chat answers write references in other orders: ``"Title", A. Lee, Venue 2019``,
``Title (Ann Lee, Bo Ray, Venue 2019)``, ``Title by Ann Lee. Venue, 2019``,
``2019. Ann Lee. Title. Venue``. A string in one of these orders is rewritten in the usual order, so
that it can be parsed like other strings. A string that begins with people is not changed. A string
in which no people follow the title is not changed either.
"""

import re
from itertools import islice
from typing import NamedTuple

from citeproof.readers.strings import authors, possible_titles, venues

_UP = authors.UP
_YEAR = r"(?:1[5-9]|20)\d\d"
_DATED = re.compile(rf"(?<!\d)(?<!\d[–-]){_YEAR}(?![–-]?\d)")
_YEAR_FIRST = re.compile(
    rf"[(\[]?({_YEAR})[a-z]?(?:[)\]][.,:]?|[.,:]| [–—-]|(?= {_UP}[\w’'-]+, {_UP}))\s+(?=\W?\w)"
)
_VENUE_FIRST = re.compile(
    rf"[(\[]?((?:(?:{_UP}[\w/.+-]*|&|and|of|on|in)[ ’']+){{1,7}}(?:{_YEAR}|(?<=[’'])\d\d))"
    r"(?:[)\]][.,:]?|[:.]| [–—-])\s+(?=\W?\w)"
)
_VENUE_WORD = re.compile(r"\w*[A-Z]\w*[A-Z]|\b(?:Conf|Symp|Trans|J|Comput|Letters|Informatics)\b")
_BRACKETED_FIRST = re.compile(rf"\[([^\]\d]{{2,80}}[ ’'](?:{_YEAR}|\d\d))\][.,:]?\s+(?=\W?\w)")
"""Regex for a venue and a year in brackets at the beginning of a string: ``[NeurIPS 2017]``."""
_AUTHOR_AND_YEAR = re.compile(rf"[^\W\d_]\. {_YEAR}\.")
"""Regex for the end of an organisation's name and a year: ``n. 2013.`` in
``World Health Organization. 2013.``.
"""
_BEFORE_PEOPLE = re.compile(
    r"(?:(?P<sure>(?<=[^\s.,]),? +[–—-]+ +(?:by +)?| *\((?:by +)?|[.,]? +[Bb]y:? +| \| )"
    rf"|(?P<stop>[.?!] +)|(?P<comma>[,;] +))(?={_UP}(?:\.|[\w’'-]*(?: |,|\+)|['’]))"
)
"""Regex for the text between a title and people. The first letter of a name must follow."""
_BEHIND_QUOTE = re.compile(r"[ ,.;:–—|-]*\(?(?:[Bb]y:? +)?")
_FAMILY_FIRST = frozenset(("inverted_full", "first_inverted"))
_IN_FULL = _FAMILY_FIRST | {"given_first"}
_FORMS = _IN_FULL | {"initials_first", "inverted", "surnames"}
"""Ways to write names in which people after a title are recognised."""
_ENDS_PEOPLE = re.compile(
    r"[ .,;)\]]*$|[.,;)\]]+ *(?:[–—|-]+ +)?(?:[Ii]n:? +)?[(\[]?(?:the +)?[*\"“]?"
    r"(?:[a-z]?[^\W\d_a-z]|\d|arXiv)"
    r"| +(?:[–—|-]+ +|[(\[])?[*\"“]?(?:[^\W\d_a-z]|\d)"
)
"""Regex for the text that must follow a list of people: a venue, a year, or the end of the
string.
"""
_NOUNS = (
    r"\w{4,}(?:ics|logy|tions?|ments?|ware|works|graphy|"
    r"ysis|tems|ithms|cessing|tional|tical)|Proc|Conf|Trans|Symp|Springer|Elsevier|Wiley|Letters|"
    r"Magazine|Bulletin|Annals|Mathematics|Computing|Intelligence|Recognition|Vision|Nature|"
    r"Robotics|Part|Volume|Drawing|Notes|Abstract"
)
_NOUN = re.compile(rf"\b(?:{_NOUNS})\b")
_NO_PERSON = re.compile(rf"\b(?:(?!I{{2,3}}\b)[A-Z]{{3,}}\w*|\w*[a-z][A-Z]{{2,}}\w*|{_NOUNS})\b")
"""Regex for words that do not occur in names of people: acronyms, and words such as
``Mathematics``.
"""
_SMALL = r"(?:v[ao]n|vom|de[rnl]?|d[aiou]s?|la|al|bin|y)"
_WORD = rf"{_UP}[\w’'.-]*(?: {_SMALL}\b)*"
_INITIAL = rf"{_UP}\.(?:-?{_UP}\.)?"
_NAME = (  # given and family names
    rf"(?:{_SMALL} )*(?:{_WORD}(?: {_WORD}){{0,2}} {_INITIAL}(?: {_WORD}){{1,2}}|"
    rf"{_WORD}(?: {_WORD}){{1,2}})"
)
_FAMILY = rf"(?:{_SMALL} )*{_UP}[\w’'-]+"
_JOINED = r"(?:and|und|et|y|e|&)"
_FIRST_PERSON = re.compile(
    rf"{_NAME}(?:(?<=\.)| ?[.,;/(\[\d]| {_JOINED} {_NAME}(?:(?<=\.)| ?[.,;:/(\[\d]| {_JOINED} ))|"
    rf"{_FAMILY} {_FAMILY}(?: {_FAMILY})?:|"
    rf"{_FAMILY}, (?:{_WORD} ?){{1,4}}(?:(?<=\.)|[.,;/(\[:\d]|{_JOINED} )|{_FAMILY}\. |"
    rf"(?:{_FAMILY}, )*{_FAMILY},? (?:and|&) {_FAMILY}(?:[.,]? [(\[]?\d|\. |[,:] )"
)
"""Regex for a person's name, or for family names without initials, at the beginning of a string."""
_WITH_OTHERS = re.compile(
    rf"(?:{_NAME}|{_FAMILY}(?:, {_FAMILY})*),? *(?:\+|& *al\b|et\.? *al\b|and others\b)|"
    rf"{_FAMILY},? {_UP}\.?,? et\b"
)
"""Regex for a person's name and words such as ``et al.`` at the beginning of a string."""
_INSIDE = re.compile(r"[,.?!] ")
_NO_TITLE = re.compile(
    rf"^{_UP}\.|[,(] *{_UP}\.|[(.,] ?{_YEAR}[).:,]|"
    r"(?:^|[.,] )(?:[Ee]d(?:s|ited)?|Trans(?:lat\w+)?|Illustrated|Reviewed|Dir|Perf|Hrsg)\b|"
    r"\b(?:[Ee]ditors?|with|In|in|Accessed)$"
)
"""Regex for texts before people that are not a title, because they have initials, a date, or words
for editors.
"""
_INITIALS = re.compile(rf"(?<!\w){_UP}\.")
_VENUE_ALONE = re.compile(rf"(?:(?:{_UP}[\w.&/-]*|of|on|and|&|in),? ?){{1,8}}[(’']?{_YEAR}\W*")
"""Regex for a text that is only a venue and a year."""
_YEAR_THEN_VENUE = re.compile(rf",? \({_YEAR}\)[.,:]? [*_“\"]*[a-z]?{_UP}")
"""Regex for a year in brackets and a venue that follow people: ``(2019), SnowConf``."""
_AND = re.compile(r",? (?:and|&) ")
_TITLE_WORD = re.compile(r"(?<![\w.’'-])[^\W\d_A-Z][\w-]*")
_MOST_JOINTS = 25  # maximum number of positions at which people are searched for
_MOST_LETTERS = 2000  # maximum number of characters of people and of the text after them
_SURE = 2  # value of ``_People.certainty`` for several people, or a person with initials
# minimum number of words of a title without quotation marks. It is one less if ``(`` or a dash
# follows, and then people that are certain.
_SHORTEST = 3
_LONG_ENOUGH = 4  # number of words that a title must exceed if all its words are capitalised
_GOES_ON_ABBREVIATED = re.compile(r"\d|[^\W\d_a-z][^\W\d_]{2,}\.")
"""Regex for a text that continues a venue whose first word is abbreviated: ``Appl.`` after
``Expert Syst.``.
"""
_ABBREVIATED = 6  # maximum number of letters of an abbreviated word of a venue, such as ``Expert``


_PAGES_FIRST = re.compile(r",? (pp?\. ?\d[\w–-]*)\. ([Ii]n:? [^.].*?)\.?$")
"""Regex for pages between a title and the volume: ``pp. 144–147`` in
``Title, pp. 144–147. In SnowConf.``.
"""


class _People(NamedTuple):
    """People that may follow the title of a reference string."""

    names: str
    end: int  # offset after the people
    certainty: int  # 2 for initials or several people, else 1


class _Order(NamedTuple):
    """The parts of a reference string in which the title stands before the people."""

    title: str
    people: str
    rest: str


def in_usual_order(body: str) -> str:
    """Return ``body`` with its parts in the usual order: first the people, then the title in
    quotation marks, then the rest.

    >>> in_usual_order("On winter in old towns, A. Lee and B. Ray, Snow 2019")
    'A. Lee and B. Ray. “On winter in old towns.” Snow 2019'
    """
    if "p." in body:
        body = _PAGES_FIRST.sub(r". \2, \1.", body)
    if first := _date_first(body):
        rest = body[first.end() :].rstrip(" .,;")
        body = f"{rest}{', ' if first.re is _YEAR_FIRST else '. '}{first[1]}."
    if (
        authors.INITIALED.match(body)
        or _WITH_OTHERS.match(body)
        or authors.SAME_AUTHORS.match(body)
    ):
        return body
    if found := _title_first(body):
        opening, closing = "«»" if "“" in found.title or "”" in found.title else "“”"
        return f"{found.people}. {opening}{found.title}.{closing} {found.rest}".rstrip()
    return body


def is_date_first(body: str) -> bool:
    """Return whether ``body`` begins with its only year, or with a venue and its only year, such as
    ``[OSDI 2004]``.
    """
    return _date_first(body) is not None


def _date_first(body: str) -> re.Match[str] | None:
    for form in (_YEAR_FIRST, _BRACKETED_FIRST, _VENUE_FIRST):
        first = form.match(body)
        if not first or _DATED.search(body, first.end()):
            continue
        if form is _VENUE_FIRST and (
            authors.INITIALED.match(body) or _AUTHOR_AND_YEAR.search(first[0])
        ):
            continue
        if (
            form is not _VENUE_FIRST
            or _VENUE_WORD.search(first[1])
            or authors.NO_NAME.search(first[1])
        ):
            return first
    return None


def _begins_with_person(body: str) -> bool:
    """Return whether the first words of ``body`` may be the name of a person, and not a title."""
    found = _FIRST_PERSON.match(body)
    return bool(found and not (authors.NO_NAME.search(found[0]) or _NOUN.search(found[0])))


def _title_first(body: str) -> _Order | None:
    """Return the parts of ``body`` if people follow its title, and otherwise None.

    If people may begin at several positions, the most certain position is used.
    """
    if quoted := possible_titles.quoted_title(body, 0):
        joint = _BEHIND_QUOTE.match(body, quoted.end)
        people = _people_at(body, joint.end() if joint else quoted.end, alone=True)
        return _Order(quoted.text, people.names, _rest(body, people.end)) if people else None
    person_first = _begins_with_person(body)
    best: tuple[int, _Order] | None = None
    for joint in islice(_BEFORE_PEOPLE.finditer(body), _MOST_JOINTS):
        title = body[: joint.start()].rstrip(" ,;:–—-.")
        words = len(title.split())
        is_sure = bool(joint["sure"])
        if words < _SHORTEST - is_sure or _NO_TITLE.search(title):
            continue
        if person_first and (_INSIDE.search(title) or _INITIALS.search(title)):
            continue
        unclear = not is_sure and (
            person_first or (words <= _LONG_ENOUGH and not _TITLE_WORD.search(title))
        )
        people = _people_at(body, joint.end(), alone=is_sure)
        if people and words < _SHORTEST and people.certainty < _SURE:
            continue
        if people and (not best or 2 * people.certainty + is_sure > best[0]):
            order = _Order(title, people.names, _rest(body, people.end))
            if unclear and (people.certainty < _SURE or not _VENUE_ALONE.fullmatch(order.rest)):
                continue
            best = 2 * people.certainty + is_sure, order
    return best[1] if best else None


def _rest(body: str, end: int) -> str:
    """Return the text of ``body`` after the people, which end at ``end``, without a bracket that
    encloses only this text.
    """
    rest = body[end:].strip(" .,;:–—|-")
    if rest.endswith(")") and rest.count("(") < rest.count(")"):
        rest = rest[:-1]
    return rest.removeprefix(")").lstrip(" ,.;:")


def _people_at(body: str, start: int, *, alone: bool) -> _People | None:
    """Return the people that begin at ``start``, or None if no people begin there.

    A single full name without initials is accepted only if ``alone`` is true, or if a venue and a
    year follow it.
    """
    best: _People | None = None
    for group in authors.proposals(body[start : start + _MOST_LETTERS]):
        end, names = start + group.end, group.names
        if group.form not in _FORMS or (best and end <= best.end):
            continue
        if not _ENDS_PEOPLE.match(body, end) or any(map(_NO_PERSON.search, names)):
            continue
        listed, rest = body[start:end], body[end:].lstrip(" ,.;:()")
        joints = len(_AND.findall(listed))
        if group.form in _FAMILY_FIRST and joints + listed.count(";") < len(names) - (
            len(names) > 1
        ):
            continue
        if group.form in _IN_FULL and any(map(venues.CONTAINER.match, names)):
            continue
        last = listed.rpartition(",")[2]
        if len(names) > 1 and not group.others and not _AND.search(last):
            is_short = body[end : end + 1] == "." and len(last.split()[-1]) <= _ABBREVIATED
            abbreviated = is_short and _GOES_ON_ABBREVIATED.match(rest)
            is_before_year = rest[:1].isdigit() and not _YEAR_THEN_VENUE.match(body, end)
            if joints or not rest or is_before_year or abbreviated:
                continue  # the last name is the venue
        if group.form == "surnames" and not (group.others or alone or " & " in listed):
            continue
        if len(names) == 1 and not group.others and not (alone and rest):
            if names[0].split()[-1] in venues.CITIES:
                continue
            is_journal = names[0].startswith(("J. ", "Int. ")) and body[end : end + 1] == "."
            if is_journal or not rest or rest[0].isdigit() or not _DATED.search(rest):
                continue
        one_of_many = len(names) > 1 and group.form != "surnames"
        certainty = 2 if one_of_many or group.others or group.form == "initials_first" else 1
        others = " et al" if group.others else ""
        best = _People(" and ".join(names) + others, end, certainty)
    return best
