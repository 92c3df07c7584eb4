"""What shows that a stretch of a reference string names where a work appeared, not the work.

All patterns are for a text whose words are parted by single spaces, and look for these alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

IN = re.compile(
    r"(?:in|In|IN|en|dans|em|Em|En|Dans)(?: *:| +(?=[\W\d]|[^\W\d_a-zß-öø-ÿ]|the\b|an?\b|press\b|preparation\b)|,)"
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
"""``Cambridge, MA: MIT Press``"""
PUBLISHER_WORDS = frozenset(
    (
        "Press", "Presses", "Verlag", "Publish", "Publishers", "Publishing", "Published", "Publication", "Publications",
        "Books", "Edition", "Editions", "Éditions", "Editorial", "Springer", "Elsevier", "Wiley", "Academic", "McGraw",
        "Prentice", "Addison", "Kluwer", "Routledge", "Sage", "SAGE", "Blackwell", "Harper", "Penguin", "Norton",
        "Macmillan", "Palgrave", "Erlbaum", "Birkh", "Gallimard", "Oxford", "Cambridge", "University", "Inc", "Ltd",
        "Company", "Institute", "Laboratory", "Lab", "Department", "Dept",
    )
)  # fmt: skip
PUBLISHER = re.compile(rf"[^.,;:()]{{0,60}}\b(?:{'|'.join(sorted(PUBLISHER_WORDS))})\b")
CONTAINER_WORDS = frozenset(
    ("Conference", "Symposium", "Workshop", "Proceedings", "Journal", "Transactions", "Congress", "Meeting")
)
VENUE_WORDS = frozenset(("Journal", "Conference", "Symposium", "Letters", "Annals", "Proceedings"))
_NUMBERED = re.compile(
    r"[0-9nv](?<=[ ,.(:].)(?=(?:(?<=\d)|(?:(?<=v)ol(?:ume)?\.? *|(?<=n)(?:o\.? *|[°º] *))\(?\d)"
    r"\d{0,4}[A-Za-z]?\)?(?: *[(\[/.] *\d{1,4}(?: *[-–/] *\d{1,4})? *[)\]]?)? *"
    r"(?:[,:;(.]|pp|p\.|$| [-–]?\d| \())"
)
"""Numbers that follow a name: ``Gondwana Research 21, 394-405``, ``Journal of Finance 4: 1593``"""


def before_numbers(text: str) -> list[int]:
    """Return where signs stand before numbers that may follow the name of a venue."""
    places: list[int] = []
    for match in _NUMBERED.finditer(text):
        start = end = match.start()
        while start and text[start - 1] in " ,.(:":
            start -= 1
        places += range(start, end)
    return places


@dataclass(frozen=True, slots=True)
class Reach:
    """How far behind a title something may stand that shows it, in characters."""

    farthest: int
    parts: re.Pattern[str]
    """A sign that parts them."""
    nearest: int = 0
    named: bool = False
    """A letter must come first."""


SOON = {
    "container_soon": Reach(60, re.compile(r"\.")),
    "numbered": Reach(111, re.compile(r"[;:!?\"“”]"), nearest=2, named=True),
    "publisher": Reach(60, re.compile(r"[.,;:()]")),
}
"""What may stand not far behind a title: one of ``CONTAINER_WORDS``, numbers, one of ``PUBLISHER_WORDS``."""
NUMBERS = re.compile(
    r"[ ,.:;(]*(?:(?:vol(?:ume)?|no|pp?|pages?|issue|ch|chapter|art|Bd|Nr|S)\b\.? *)?[(\[]?\d", re.IGNORECASE
)
"""Numbers at once: a volume, pages, a year."""
EDITION = re.compile(
    r"[(\[,. ]*+(?:\d++(?:st|nd|rd|th)|second|third|fourth|revised|rev\.?|new|[0-9]++\.?+)"
    r" *+(?:edn?\b|edition|ed\b|Auflage|Aufl)",
    re.IGNORECASE,
)
BRACKET_MARK = re.compile(r" *\[(?:[JCMDRSPNGAZ]|[A-Z]{1,2}/OL|Online|online|Internet|in \w+|[A-Z][a-z]+ [a-z]+)\]")
"""GB/T 7714's mark of the kind of work: ``[J]``, ``[C/OL]``."""
EDITED = re.compile(
    r"[.,; (]*(?:ed(?:s|ited|itor)?\b\.?(?: +by)?|trans(?:l|lated)?\b\.?(?: +by)?|hrsg\b|herausgegeben|traduit|übers)",
    re.IGNORECASE,
)
EDITORS_SOON = re.compile(r"[^()]{0,80}\(?\b[Ee]d(?:s|itors?)?\b")
NOTHING_BUT_NUMBERS = re.compile(
    r"(?:\[[a-z-]+/\d+\]|[ ,.:;()\[\]–—/+-]|\d+|\b[A-Za-z]{1,2}\d+[A-Za-z]?|"
    r"\b(?:vol(?:ume)?|no|nr|pp?|pages?|issue|art(?:icle)?|suppl?|Pt|part|in press|S|e|ix|iv|v|vi{1,3}|x+i*)\b|"
    r"\barXiv:[\w./-]+(?: *\[[\w.-]+\])?|"
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b)*+$",
    re.IGNORECASE,
)
"""It gives nothing back that it has taken: forty digits can be parted in 2 to the 39th ways."""
ABBREVIATED = re.compile(r"[^\W\d_a-z](?<!\w.)(?=([a-z]{0,6}\. ?[^\W\d_a-z]\w*)(\.?))")
"""Two abbreviated words, the second with its full stop or without; also where the pair before ends in the first."""
ABBREVIATED_WORDS = frozenset(
    (
        "Proc", "Trans", "T", "J", "Int", "Intl", "Conf", "Symp", "Commun", "Comm", "Rev", "Lett", "Ann", "Bull",
        "Mag", "Soc", "Assoc", "Acad", "Natl", "Nat", "Am", "Amer", "Eur", "Comput", "Softw", "Eng", "Syst", "Appl",
        "Sci", "Math", "Phys", "Chem", "Biol", "Med", "Psychol", "Educ", "Stat", "Theor", "Res", "Inf", "Inform",
        "Electron", "Electr", "Mach", "Learn", "Intell", "Artif", "Netw", "Process", "Anal", "Vis", "Mech", "Autom",
        "Robot", "Technol", "Manag", "Manage", "Dev", "Surv", "Wirel", "Mob", "Multimed", "Discret", "Opt", "Optim",
        "Archit", "Secur", "Parallel", "Distrib", "Signal", "Lang", "Linguist", "Program", "Oper", "Knowl", "Geosci",
        "Remote",
    )
)  # fmt: skip
"""Words of venues' names that are written so in front of a full stop."""
BEGUN = re.compile(rf"[.?!][”’\")]? +(?:[^\W\d_]{{1,12}}\.? +){{0,3}}?\b(?:{'|'.join(sorted(ABBREVIATED_WORDS))})$")
"""The end of a sentence and an abbreviated word or more: ``... learnable. Commun``, before ``. ACM``."""


def is_abbreviated(text: str, end: int) -> bool:
    """Whether the word of ``text`` that ends at ``end`` is one of venues' names, abbreviated."""
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:end] in ABBREVIATED_WORDS
