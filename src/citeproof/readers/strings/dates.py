"""The year of a reference string, and the date between its authors and its title."""

import re
from functools import lru_cache

MONTH = (
    r"(?:Jan(?:uary?|uar|vier)?|Feb(?:ruary?|ruar)?|Mar(?:ch|s)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:emb(?:er|re))?|O[ck]t(?:ob(?:er|re))?|Nov(?:emb(?:er|re))?|De[cz](?:ember)?|"
    r"Jänner|März|Mai|Juni|Juli|févr?(?:ier)?|avril|juin|juillet|août|déc(?:embre)?|"
    r"Spr(?:ing)?|Sum(?:mer)?|Fall|Aut(?:umn)?|Win(?:ter)?|Frühjahr|Sommer|Herbst)"
)
"""Regex of a month or season in English, German or French."""
YEAR = r"(?:1[5-9]|20)\d\d"
_UNDATED = (
    r"(?:n\. ?d\.?|no date|in press|forthcoming|to appear|submitted|im Druck|im Erscheinen|i\. ?E\.|s\. ?d\.|"
    r"o\. ?[JD]\.|sous presse|à paraître)"
)
_DAY = rf"(?:\d{{1,2}}\.? +)?{MONTH}\b\.?(?: +\d{{1,2}},)? +"  # day and month: ``6. März ``, ``Sept. 2, ``

AFTER_AUTHORS = re.compile(
    rf"[ .,:;]*+(?=[(\[12jfmasondwitàé])(?:\( *(?:\[?(?:ca?\. ?)?(?:{_DAY})?{YEAR}[a-z]?|{_UNDATED})[^()]{{0,40}}\)|"
    rf"\[ *{YEAR}[a-z]? *\]|"
    rf"(?:{MONTH}\.? +)?{YEAR}[a-z]?\b(?:[-–/]\d{{2,4}}(?=[.:)]))?(?![-–]\d)|{_UNDATED}) *[.,:;]* *",
    re.IGNORECASE,
)
"""Regex of a date between authors and title: ``(2010, May).``, ``(6. März 1939)``, ``, 1981.``"""

_ANY = re.compile(r"[12](?<![\w/.–-].)(?:(?<=1)[5-9]|(?<=2)0)\d\d(?=[a-z]?(?![\w/]|\.\d{4}))")
_YEAR = re.compile(YEAR)
_GLUED = re.compile(rf"(?<!\d){YEAR}(?!\d)")
_IN_BRACKETS = re.compile(rf"[(\[] *(?:{MONTH}\.? *)?(?:\d{{1,2}},? *)?({YEAR})[a-z]? *(?:[,;] *[^()]{{0,30}})?[)\]]")
_BEHIND_EDITION = re.compile(rf"(?<!\d)\d{{1,2}}({YEAR})(?!\d)")
"""Regex of a year with the raised number of an edition before it: ``Boston 72004`` is the seventh edition, of 2004."""
_IN_ORDER = (_IN_BRACKETS, _ANY, _GLUED, _BEHIND_EDITION)
_VISITS = (
    "accessed", "retrieved", "cited", "visited", "viewed", "abgerufen", "consult", "besucht", "zugriff", "aufgerufen",
    "eingesehen", "geprüft",
)  # fmt: skip
_ACCESSED = re.compile(rf"\b(?:{'|'.join(_VISITS)})\b(?:[^.;)\]]|(?<=\d)\.){{0,40}}", re.IGNORECASE)
_PAGES = re.compile(
    r"[PpSs:](?:(?<=:)|(?<!\w.)(?:(?<=[Pp])(?:[Pp]?\.?|[Aa][Gg][Ee][Ss]?)|(?<=[Ss])\.)) *\d++ *[-–—]++ *\d+"
)


@lru_cache(maxsize=16)  # several possible titles of a string begin at one place
def year_of(text: str, dated: str) -> int | None:
    """Return the year of publication. ``dated`` is the date between authors and title, if there is one.

    The year in ``dated`` is preferred, then the last year of ``text`` in brackets, then its last year of all. Access
    dates and page numbers do not count.
    """
    if dated and (match := _ANY.search(dated) or _YEAR.search(dated)):
        return int(match[0])
    if any(map(text.lower().__contains__, _VISITS)):
        text = _ACCESSED.sub(" ", text)
    rest = _PAGES.sub(" ", text)
    years = next(filter(None, (pattern.findall(rest) for pattern in _IN_ORDER)), None)
    return int(years[-1]) if years else None
