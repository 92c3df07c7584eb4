"""Regexes that recognise a venue or publisher after the title of a reference string. The string
must not have double spaces.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

IN = re.compile(
    r"(?:in|In|IN|en|dans|em|Em|En|Dans)"
    r"(?: *:|"
    r" +(?=[\W\d]|[^\W\d_a-zß-öø-ÿ]|the\b|an?\b|press\b|preparation\b|(?:ar|bio|med)Xiv\b)|,)"
)
_CONTAINER = (
    r"Proc(?:eedings|s)?\b|Trans(?:actions)?\b|Journal\b|J\.|Annals?\b|Ann\.|Advances\b|Lecture"
    r" Notes|LNCS|"
    r"Conference\b|Conf\.|Symposium|Symp\.|Workshop|Congress|Annual\b|Bulletin|Bull\.|Archives?\b|"
    r"Arch\.|Acta\b|"
    r"Revue|Revista|Rev\.|Zeitschrift|Z\.|Letters|Lett\.|Quarterly|Magazine|Newsletter|"
    r"Encyclopa?edia|Handbook|"
    r"IEEE|ACM|SIAM|IFIP|USENIX|AAAI|Springer|Elsevier|Wiley|arXiv|bioRxiv|medRxiv|CoRR|SSRN|"
    r"Nature|PLoS|PloS|"
    r"Int\.|Intl?\.?"
    r" |International\b|European\b|American\b|Communications?\b|Comm(?:un)?\.|Comput\.|Phys\.|"
    r"Math\.|Appl\.|\d+(?:st|nd|rd|th)\b|(?:19|20)\d\d"
    r" +(?:IEEE|ACM|International|\d+(?:st|nd|rd|th))"
)
CONTAINER = re.compile(rf"(?:the +|The +)?(?:{_CONTAINER})")
_THESIS = re.compile(
    r"[(\[]?(?:(?:unpublished +|doctoral +|master[’'`]?s? +)?"
    r"(?:Ph\.? ?D\.?|M\.? ?Sc?\.?|doctoral|master[’'`]?s?|bachelor[’'`]?s?)"
    r" *(?:thesis|dissertation)|"
    r"(?:Technical|Tech\.|Research|Working|Internal|Final|Progress|Annual)"
    r" +(?:Report|Rep\.|Paper|Memo|Note)|"
    r"Tech(?:nical)?\.? *Rep(?:ort)?|TR\b|Dissertation|Diplomarbeit|Thesis|Th[èe]se|Report"
    r" |Manuscript|Unpublished|"
    r"Mimeo|Preprint|Draft|Software|Computer software|Paper presented|Presented at|Submitted|To"
    r" appear|In press|"
    r"Accepted|Forthcoming|Available|Retrieved|Accessed|Patent|U\.?S\.? Patent)",
    re.IGNORECASE,
)
_UP = r"[^\W\d_a-zß-öø-ÿ]"
_PLACE = re.compile(rf"{_UP}[\w.’'-]*(?:[ ,/–-]+(?:and +|& +)?{_UP}[\w.’'-]*){{0,5}} ?: (?={_UP})")
"""Regex for the place before a publisher: ``Cambridge, MA:`` in ``Cambridge, MA: MIT Press``."""
_WORDS: dict[str, list[str]] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
PUBLISHER_WORDS = frozenset(_WORDS["publisher_words"])
_CONTAINER_LIST = "Conference Symposium Workshop Proceedings Journal Transactions Congress Meeting"
CONTAINER_WORDS = frozenset(_CONTAINER_LIST.split())
# lower-case words that occur in titles and rarely in names of venues
TITLE_WORDS = frozenset(_WORDS["title_words"])
VENUE_WORDS = frozenset(("Journal", "Conference", "Symposium", "Letters", "Annals", "Proceedings"))
_NUMBERED = re.compile(
    r"[0-9nv](?<=[ ,.(:].)(?=(?:(?<=\d)|(?:(?<=v)ol(?:ume)?\.? *|(?<=n)(?:o\.? *|[°º] *))\(?\d)"
    r"\d{0,4}[A-Za-z]?\)?(?: *[(\[/.] *\d{1,4}(?: *[-–/] *\d{1,4})? *[)\]]?)? *"
    r"(?:[,:;(.]|pp|p\.|$| [-–]?\d| \())"
)
"""Regex for the first character of a volume number after a venue: ``2`` in
``Gondwana Research 21, 394-405``.
"""
_EDITION = re.compile(
    r"[(\[,. ]*+(?:\d++(?:st|nd|rd|th)|second|third|fourth|revised|rev\.?|new|[0-9]++\.?+)"
    r" *+(?:edn?\b|edition|ed\b|Auflage|Aufl|vyd)",
    re.IGNORECASE,
)
_YEAR = r"(?:1[89]|20)\d\d[a-z]?\b"
_ORDINALS = (
    r"(?:\d{1,2}(?:st|nd|rd|th)"
    r"|(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth))"
)
ORDINAL = re.compile(r" *(?:(?:[\w,]+ ){0,3}Aufl|Bd|Jg|Jahrg|edn|ed\.|Band)")
"""Regex for words that show that the number and the full stop before them are an ordinal number:
``Auflage`` in ``2. Auflage``.
"""
CITIES = frozenset(_WORDS["cities"])  # last words of names of publishers' cities, such as ``York``
_CITY = re.compile(
    rf"(?:New )?(?:{'|'.join(sorted(CITIES))})\b\.?"
    r"(?: ?(?:a\. ?M\.|am Main|/M\.|u\. ?a\.|et al\.))?(?=[,:/;. ]|$)"
)
BRACKET_MARK = re.compile(
    r" *\[(?:[JCMDRSPNGAZ]|[A-Z]{1,2}/OL|Online|online|Internet|in \w+|[A-Z][a-z]+ [a-z]+)\]"
)
"""Regex for a code in brackets for the type of a work, by the Chinese standard GB/T 7714, such as
``[J]`` for an article.
"""
_EDITED = re.compile(
    r"[.,; (]*(?:ed(?:s|ited|itor)?\b\.?(?: +by)?|trans(?:l|lated)?\b\.?(?:"
    r" +by)?|hrsg\b|herausgegeben|traduit|übers)",
    re.IGNORECASE,
)
EDITORS = re.compile(
    rf"(?:{_UP}\.[ -]?|{_UP}[\w’'-]+, {_UP}\.)[^()\[\]\d]{{0,200}}?[,("
    r" ]\(?(?:[Ee]ds?\b\.?|[Ee]ditors?\b)\)?[.,:]* +|"
    rf"{_UP}[^()\[\]\d]{{2,200}} \((?:[Ee]ds?|[ée]ds?|Hrsg|Hgg?|dir)\b\.?\)[.,:]* +"
)
"""Regex for editors before the venue, such as ``D. S. Touretzky, editor, ``."""
_NUMBERED_PARTS = (
    r"vol(?:ume)?|no|nr|pp?|pages?|issue|art(?:icle)?|suppl?|Pt|part|S|e|ix|iv|v|vi{1,3}|x+i*"
)
_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
AMONG_NUMBERS = re.compile(rf".*\d.*|{_NUMBERED_PARTS}|in|press|{_MONTHS}", re.IGNORECASE)
"""Regex for a word that a text of only numbers may contain, such as ``vol``."""
NOTHING_BUT_NUMBERS = re.compile(
    r"(?:\[[a-z-]+/\d+\]|[ ,.:;()\[\]–—/+-]|\d+|\b[A-Za-z]{1,2}\d+[A-Za-z]?|"
    rf"\b(?:{_NUMBERED_PARTS}|in press|{_MONTHS})\b)*+$",
    re.IGNORECASE,
)
"""Regex for a text that consists only of numbers and words such as ``vol.``: ``vol. 3, pp. 1-9``.

Its possessive quantifier prevents backtracking.
"""
ABBREVIATED = re.compile(r"[^\W\d_a-z](?<!\w.)(?=([a-z]{0,6}\. ?[^\W\d_a-z]\w*)(\.?))")
"""Regex for two abbreviated words, such as ``Phys. Rev.``. The last full stop may be missing.
Matches may overlap.
"""
# abbreviations in names of venues, such as ``Proc``
ABBREVIATED_WORDS = frozenset(_WORDS["abbreviated_words"])
BEGUN = re.compile(
    rf"[.?!][”’\")]? +(?:[^\W\d_]{{1,12}}\.? +){{0,3}}?\b(?:{'|'.join(sorted(ABBREVIATED_WORDS))})$"
)
"""Regex for the end of a title and the beginning of a venue: ``. Commun`` in
``learnable. Commun. ACM``.
"""
_CUT_WORD = re.compile(r"[^\W\d_a-z](?:[^\W\d_A-Z]{0,4}[b-df-hj-np-tv-z])?")
"""Regex for a short word that ends in a consonant, as abbreviations do: ``Numer`` in ``Numer.``,
``Rpt``, ``D``.
"""
_NAME_GOES_ON = re.compile(rf"\. (?:of |and |& |in )?{_UP}[\w-]*[^\W\d_]")
BEHIND = {
    "in_colon": re.compile(r"[Ii]n *: "),
    "in_container": re.compile(rf"{IN.pattern} *(?:{CONTAINER.pattern})"),
    "in_edited": re.compile(rf"{IN.pattern}[^()]{{0,80}}\(?\b[Ee]d(?:s|itors?)?\b"),
    "in": IN,
    "container": CONTAINER,
    "thesis": _THESIS,
    "place": _PLACE,
    "edition": _EDITION,
    "ordinal": re.compile(rf"{_ORDINALS}\. (?={_UP})"),  # an edition: ``Second. New York: Wiley``
    # a publisher and an edition: ``Wiley, New York, second edition, 2004``
    "house_edition": re.compile(rf"{_UP}[^.:;()\d]{{2,60}}, (?i:{_ORDINALS}) edition, {_YEAR}"),
    # a place, a publisher and a year: ``New York: Hafner, 1935``
    "place_house": re.compile(
        rf"(?![^:]*[a-z]{{3}}\. ){_PLACE.pattern}[^.:;()\d]{{2,50}}\.?, {_YEAR}(?=[.;]|$)"
    ),
    # proceedings and a publisher: ``in Advances in Logic (Springer, 2008), 337–348``
    "in_printed": re.compile(
        r"in (?:[A-Z]\w+ [’']\d\d|(?:(?:the )?(?:Proceedings|Proc\.|Advances in|Lecture Notes"
        r" in)[^()\[]*|"
        rf"[^().,:\[]*\b(?:Conference|Symposium|Workshop)\b)[^().\[]*) \((?:[A-Z]|{_YEAR}\))"
    ),
    # a part of a work: ``VIII. A theorem``, ``Part II.``
    "part": re.compile(
        r"(?:(?:Part|Teil|Tome|Partie|Book) )?[IVX]{1,5}\b[.:,]|(?:Part|Teil|Tome) \d"
    ),
    "volume_of": re.compile(r"vol(?:ume|\.) *\d+ of (?:the )?[A-Z]"),
    "edited": _EDITED,
    "numbers": re.compile(  # a volume, pages, a year
        r"[ ,.:;(]*(?:(?:vol(?:ume)?|no|pp?|pages?|issue|ch|chapter|art|Bd|Nr|S)\b\.? *)?[(\[]?\d",
        re.IGNORECASE,
    ),
    "joined": re.compile(r"(?:and|or|und|et|&|y|ou|oder) "),
    "lower": re.compile(r"(?!(?:in|ed|eds|pp|vol|no)\b)[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-zß-öø-ÿ]"),
    "abbreviations": re.compile(r"(?:[^\W\d_]{1,9}+\. ?+){2}|[^\W\d_a-z][^\W\d_]{0,8}+\.,? \d"),
    "short_then_number": re.compile(r"(?:[^\W\d_]++[ .,]++){1,4}+\d"),
    "year_first": re.compile(r"\(?(?:1[89]|20)\d\d"),
    "city": _CITY,
    "then_city": re.compile(rf"[^.,;:()\d]{{3,90}}[.,] {_CITY.pattern}"),
    "list": re.compile(r"(?:[^\W\d_][\w’'-]* ){0,4}(?:[^\W\d_][\w’'-]*,? )(?:and|or|und|et) "),
}
"""Map from a feature, such as ``capital``, to a regex. A text after a title has the feature if the
regex matches at its beginning.
"""
FIRST = {
    "in_colon": re.compile(r"[Ii]n"),
    **dict.fromkeys(("in_container", "in_edited", "in"), re.compile(r"[Ii]n|IN|[Ee][mn]|[Dd]a")),
    "container": re.compile(
        r"[Tt]h|Pr|Tr|Jo|J\.|A[cdmnpr]|Le|LN|Co|S[py]|Wo|Bu|Re|Z[e.]|Qu|Ma|N[ae]|E[lnu]|Ha|I[EFn]|"
        r"AC|AA|S[IS]|US|Wi|ar|bi|"
        r"me|P[Llh]|\d"
    ),
    "thesis": re.compile(
        r"[(\[]|ph|m[."
        r" aist]|[dsw]o|ba|te|[rd]e|i?n|[fd]i|p[ra]|a[nvc]|tr|t[ho]|u[n.s]|dr|[cf]o|su|re",
        re.IGNORECASE,
    ),
    "edition": re.compile(r"[(\[\d]|[snr]e|th|fo", re.IGNORECASE),
    "ordinal": re.compile(r"[1-9][snrt]|1[0-7]|Fi|Se|Th|Fo|Si|Ei|Ni|Te"),
    "part": re.compile(r"Pa|Te|To|Bo|[IVX]"),
    "volume_of": re.compile("vo"),
    "edited": re.compile(r"\(|ed|tr|h[re]|üb", re.IGNORECASE),
    "numbers": re.compile(r"[(\[\d]|[vn]o|p[ap. (\[]|is|ch|ar|bd|nr|s[. (\[]", re.IGNORECASE),
    "joined": re.compile(r"an|or|un|et|& |y |ou|od"),
    "lower": re.compile(r"[^\W\d_A-Z]"),
    "capital": re.compile(r"[^\W\d_a-z]"),
    "year_first": re.compile(r"[(12]"),
    "city": re.compile("|".join(sorted({city[:2] for city in {*CITIES, "New"} - {"York"}}))),
}
"""Map from a feature to a fast regex for the first letters of a text, which is tried before the
regex in :data:`BEHIND`.
"""
BRACKETED = {
    "bracketed:ordinal": re.compile(rf"{_ORDINALS}$"),
    "bracketed:edition": _EDITION,
    "bracketed:edited": _EDITED,
    "bracketed:thesis": _THESIS,
    "bracketed:publisher": re.compile(
        rf"[^.,;:()]{{0,60}}\b(?:{'|'.join(sorted(PUBLISHER_WORDS))})\b"
    ),
    "bracketed:place": _PLACE,
    "bracketed:numbers": re.compile(r"(?:vol|pp?\b|pages|no\b)", re.IGNORECASE),
    "bracketed:year": re.compile(
        r"(?:[\w.,]+ ){0,3}(?:1[5-9]|20)\d\d[a-z]?(?:, [A-Z][a-z]+\.?(?: \d[\d–-]*)?)?$"
    ),
    "bracketed:in": re.compile(r"[Ii]n "),
    "bracketed:series": re.compile(
        r"[^\W\d_a-z](?!(?:art|ersion|hase|tage)\b)[^\d():]{2,60} \d{1,3}$"
    ),
    "bracketed:acronym": re.compile(r"[A-Z][A-Za-z0-9-]{1,9}$"),
}
"""Map from a feature to a regex. A text in brackets after a title has the feature if the regex
matches at its beginning.
"""


def before_numbers(text: str) -> list[int]:
    """Return the positions of the punctuation and spaces before numbers, such as that of the comma
    in ``Science, 21``.
    """
    numbers = [match.start() for match in _NUMBERED.finditer(text)]
    return [
        place for number in numbers for place in range(len(text[:number].rstrip(" ,.(:")), number)
    ]


class Distance(NamedTuple):
    """Range of distances after a title, in characters. If a word or number begins within this
    range, it is a feature of the text after the title.
    """

    farthest: int
    parts: re.Pattern[str]  # regex for punctuation that must not occur before the word or number
    nearest: int = 0
    named: bool = False  # whether the text after the title must begin with a letter

    def includes_any(self, places: Sequence[int], text: str, begin: int) -> bool:
        """Return whether any of ``places``, the sorted positions of words or numbers in ``text``,
        is in this range after a title that ends at ``begin``.
        """
        at = bisect_left(places, begin + self.nearest)
        return (
            at < len(places)
            and places[at] <= begin + self.farthest
            and not self.parts.search(text, begin, places[at])
            and (not self.named or text[begin].isalpha())
        )


SOON = {
    "container_soon": Distance(60, re.compile(r"\.")),
    "numbered": Distance(111, re.compile(r"[;:!?\"“”]"), nearest=2, named=True),
    "publisher": Distance(60, re.compile(r"[.,;:()]")),
    "title_words": Distance(90, re.compile(r"[.,;:()\[]")),
}
"""Map from a feature, such as ``publisher``, to a range of distances after a title. The text after
the title has the feature if the word or number, such as a word of a publisher's name, begins within
this range.
"""


def is_abbreviated(text: str, end: int) -> bool:
    """Return whether the word of ``text`` that ends at ``end`` is an abbreviation in the name of a
    venue, such as ``Proc``.
    """
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    word = text[start:end]
    return word in ABBREVIATED_WORDS or bool(
        _CUT_WORD.fullmatch(word) and _NAME_GOES_ON.match(text, end)
    )
