"""Regexes that show that a part of a reference string is the venue and not the title.

All of them expect words separated by single spaces.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

IN = re.compile(
    r"(?:in|In|IN|en|dans|em|Em|En|Dans)"
    r"(?: *:| +(?=[\W\d]|[^\W\d_a-zß-öø-ÿ]|the\b|an?\b|press\b|preparation\b|(?:ar|bio|med)Xiv\b)|,)"
)
IN_COLON = re.compile(r"[Ii]n *: ")
_CONTAINER = (
    r"Proc(?:eedings|s)?\b|Trans(?:actions)?\b|Journal\b|J\.|Annals?\b|Ann\.|Advances\b|Lecture Notes|LNCS|"
    r"Conference\b|Conf\.|Symposium|Symp\.|"
    r"Workshop|Congress|Annual\b|Bulletin|Bull\.|Archives?\b|Arch\.|Acta\b|Revue|Revista|Rev\.|Zeitschrift|Z\.|"
    r"Letters|Lett\.|Quarterly|Magazine|"
    r"Newsletter|Encyclopa?edia|Handbook|IEEE|ACM|SIAM|IFIP|USENIX|AAAI|Springer|Elsevier|Wiley|"
    r"arXiv|bioRxiv|medRxiv|CoRR|SSRN|Nature|PLoS|PloS|"
    r"Int\.|Intl?\.? |International\b|European\b|American\b|Communications?\b|Comm(?:un)?\.|Comput\.|Phys\.|"
    r"Math\.|Appl\.|"
    r"\d+(?:st|nd|rd|th)\b|(?:19|20)\d\d +(?:IEEE|ACM|International|\d+(?:st|nd|rd|th))"
)
CONTAINER = re.compile(rf"(?:the +|The +)?(?:{_CONTAINER})")
THESIS = re.compile(
    r"[(\[]?(?:(?:unpublished +|doctoral +|master[’'`]?s? +)?"
    r"(?:Ph\.? ?D\.?|M\.? ?Sc?\.?|doctoral|master[’'`]?s?|bachelor[’'`]?s?) *(?:thesis|dissertation)|"
    r"(?:Technical|Tech\.|Research|Working|Internal|Final|Progress|Annual) +(?:Report|Rep\.|Paper|Memo|Note)|"
    r"Tech(?:nical)?\.? *Rep(?:ort)?|TR\b|"
    r"Dissertation|Diplomarbeit|Thesis|Th[èe]se|Report |Manuscript|Unpublished|Mimeo|Preprint|Draft|Software|"
    r"Computer software|Paper presented|Presented at|"
    r"Submitted|To appear|In press|Accepted|Forthcoming|Available|Retrieved|Accessed|Patent|U\.?S\.? Patent)",
    re.IGNORECASE,
)
_UP = r"[^\W\d_a-zß-öø-ÿ]"
PLACE = re.compile(rf"{_UP}[\w.’'-]*(?:[ ,/–-]+(?:and +|& +)?{_UP}[\w.’'-]*){{0,5}} ?: (?={_UP})")
"""Regex of a place before a publisher: ``Cambridge, MA: MIT Press``"""
_WORDS: dict[str, list[str]] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
PUBLISHER_WORDS = frozenset(_WORDS["publisher_words"])
PUBLISHER = re.compile(rf"[^.,;:()]{{0,60}}\b(?:{'|'.join(sorted(PUBLISHER_WORDS))})\b")
CONTAINER_WORDS = frozenset(
    ("Conference", "Symposium", "Workshop", "Proceedings", "Journal", "Transactions", "Congress", "Meeting")
)
TITLE_WORDS = frozenset(_WORDS["title_words"])
"""Lower-case words that are common in titles and rare in names of venues."""
VENUE_WORDS = frozenset(("Journal", "Conference", "Symposium", "Letters", "Annals", "Proceedings"))
_NUMBERED = re.compile(
    r"[0-9nv](?<=[ ,.(:].)(?=(?:(?<=\d)|(?:(?<=v)ol(?:ume)?\.? *|(?<=n)(?:o\.? *|[°º] *))\(?\d)"
    r"\d{0,4}[A-Za-z]?\)?(?: *[(\[/.] *\d{1,4}(?: *[-–/] *\d{1,4})? *[)\]]?)? *"
    r"(?:[,:;(.]|pp|p\.|$| [-–]?\d| \())"
)
"""Regex of numbers after a name: ``Gondwana Research 21, 394-405``, ``Journal of Finance 4: 1593``"""
NUMBERS = re.compile(
    r"[ ,.:;(]*(?:(?:vol(?:ume)?|no|pp?|pages?|issue|ch|chapter|art|Bd|Nr|S)\b\.? *)?[(\[]?\d", re.IGNORECASE
)
"""Regex of numbers directly after a title: a volume, pages, a year."""
EDITION = re.compile(
    r"[(\[,. ]*+(?:\d++(?:st|nd|rd|th)|second|third|fourth|revised|rev\.?|new|[0-9]++\.?+)"
    r" *+(?:edn?\b|edition|ed\b|Auflage|Aufl|vyd)",
    re.IGNORECASE,
)
_UP_TO_YEAR = r"(?:1[89]|20)\d\d[a-z]?\b"
ORDINALS = r"(?:\d{1,2}(?:st|nd|rd|th)|(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth))"
ORDINAL_ALONE = re.compile(rf"{ORDINALS}\. (?={_UP})")
"""Regex of an edition that lacks the word "edition": ``Second. New York: Wiley``"""
HOUSE_EDITION = re.compile(rf"{_UP}[^.:;()\d]{{2,60}}, (?i:{ORDINALS}) edition, {_UP_TO_YEAR}")
"""Regex of a publisher followed by an edition: ``Wiley, New York, second edition, 2004``"""
PLACE_HOUSE = re.compile(rf"(?![^:]*[a-z]{{3}}\. ){PLACE.pattern}[^.:;()\d]{{2,50}}\.?, {_UP_TO_YEAR}(?=[.;]|$)")
"""Regex of a place, a publisher and a year: ``New York: Hafner, 1935``"""
IN_PRINTED = re.compile(
    r"in (?:[A-Z]\w+ [’']\d\d|(?:(?:the )?(?:Proceedings|Proc\.|Advances in|Lecture Notes in)[^()\[]*|"
    rf"[^().,:\[]*\b(?:Conference|Symposium|Workshop)\b)[^().\[]*) \((?:[A-Z]|{_UP_TO_YEAR}\))"
)
"""Regex of proceedings with the publisher in brackets: ``in Advances in Logic (Springer, 2008), 337–348``"""
ORDINAL = re.compile(r" *(?:(?:[\w,]+ ){0,3}Aufl|Bd|Jg|Jahrg|edn|ed\.|Band)")
"""Regex of a word that follows a German ordinal: ``2. Auflage``"""
CITIES = frozenset(_WORDS["cities"])
"""Cities of publishers: only the last word of each name, such as ``York``."""
CITY = re.compile(
    rf"(?:New )?(?:{'|'.join(sorted(CITIES))})\b\.?"
    r"(?: ?(?:a\. ?M\.|am Main|/M\.|u\. ?a\.|et al\.))?(?=[,:/;. ]|$)"
)
BRACKET_MARK = re.compile(r" *\[(?:[JCMDRSPNGAZ]|[A-Z]{1,2}/OL|Online|online|Internet|in \w+|[A-Z][a-z]+ [a-z]+)\]")
"""Regex of the mark for the kind of work that the Chinese standard GB/T 7714 prints: ``[J]``, ``[C/OL]``."""
EDITED = re.compile(
    r"[.,; (]*(?:ed(?:s|ited|itor)?\b\.?(?: +by)?|trans(?:l|lated)?\b\.?(?: +by)?|hrsg\b|herausgegeben|traduit|übers)",
    re.IGNORECASE,
)
EDITORS = re.compile(
    rf"(?:{_UP}\.[ -]?|{_UP}[\w’'-]+, {_UP}\.)[^()\[\]\d]{{0,200}}?[,( ]\(?(?:[Ee]ds?\b\.?|[Ee]ditors?\b)\)?[.,:]* +|"
    rf"{_UP}[^()\[\]\d]{{2,200}} \((?:[Ee]ds?|[ée]ds?|Hrsg|Hgg?|dir)\b\.?\)[.,:]* +"
)
"""Regex of editors before the venue: ``D. S. Touretzky, editor, ``"""
EDITORS_SOON = re.compile(r"[^()]{0,80}\(?\b[Ee]d(?:s|itors?)?\b")
NOTHING_BUT_NUMBERS = re.compile(
    r"(?:\[[a-z-]+/\d+\]|[ ,.:;()\[\]–—/+-]|\d+|\b[A-Za-z]{1,2}\d+[A-Za-z]?|"
    r"\b(?:vol(?:ume)?|no|nr|pp?|pages?|issue|art(?:icle)?|suppl?|Pt|part|in press|S|e|ix|iv|v|vi{1,3}|x+i*)\b|"
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b)*+$",
    re.IGNORECASE,
)
"""Regex of nothing but numbers up to the end. It is possessive: forty digits can be split in 2 to the 39th ways."""
ABBREVIATED = re.compile(r"[^\W\d_a-z](?<!\w.)(?=([a-z]{0,6}\. ?[^\W\d_a-z]\w*)(\.?))")
"""Regex of two abbreviated words, the second one with or without its full stop; matches may overlap."""
ABBREVIATED_WORDS = frozenset(_WORDS["abbreviated_words"])
"""Abbreviations that names of venues contain."""
BEGUN = re.compile(rf"[.?!][”’\")]? +(?:[^\W\d_]{{1,12}}\.? +){{0,3}}?\b(?:{'|'.join(sorted(ABBREVIATED_WORDS))})$")
"""Regex of a title's end and a venue's first, abbreviated words: ``. Commun`` in ``learnable. Commun. ACM``."""
_CUT_WORD = re.compile(r"[^\W\d_a-z](?:[^\W\d_A-Z]{0,4}[b-df-hj-np-tv-z])?")
"""Regex of a short word that ends in a consonant, as abbreviations do: ``Numer.``, ``Rpt.``, ``D.``"""
_NAME_GOES_ON = re.compile(rf"\. (?:of |and |& |in )?{_UP}[\w-]*[^\W\d_]")


def before_numbers(text: str) -> list[int]:
    """Return the positions of punctuation before numbers, such as the comma after a venue in ``Science, 21``."""
    places: list[int] = []
    for match in _NUMBERED.finditer(text):
        start = end = match.start()
        while start and text[start - 1] in " ,.(:":
            start -= 1
        places += range(start, end)
    return places


class Reach(NamedTuple):
    """Distances after a title, in characters, at which a word or number counts as a feature."""

    farthest: int
    parts: re.Pattern[str]  # regex of punctuation that must not occur in this distance
    nearest: int = 0
    named: bool = False  # true if the text after the title must begin with a letter


SOON = {
    "container_soon": Reach(60, re.compile(r"\.")),
    "numbered": Reach(111, re.compile(r"[;:!?\"“”]"), nearest=2, named=True),
    "publisher": Reach(60, re.compile(r"[.,;:()]")),
    "title_words": Reach(90, re.compile(r"[.,;:()\[]")),
}
"""Map from feature to the reach of its ``CONTAINER_WORDS``, numbers, ``PUBLISHER_WORDS`` or ``TITLE_WORDS``."""


def is_abbreviated(text: str, end: int) -> bool:
    """Return whether the word that ends at ``end`` is an abbreviation inside the name of a venue."""
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    word = text[start:end]
    return word in ABBREVIATED_WORDS or bool(_CUT_WORD.fullmatch(word) and _NAME_GOES_ON.match(text, end))
