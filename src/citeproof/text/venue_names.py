"""Compare names of journals and conferences, which are written in many ways.

``Proceedings of the 36th International Conference on Machine Learning (ICML)``,
``Proc. Int. Conf. Mach. Learn.`` and ``ICML 2019`` mean one venue. Names are split at punctuation.
Numbers and common words such as ``of`` are left out. Two words agree if one abbreviates the other
as in ISO 4: by the first letters, or by the first and last letters.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import Prefix

from citeproof.text.normalize import normalize_title, plain_text

_FILLER_LIST = """
of the on for in and at to a an de la le der die und des fur et proceedings procs annual annu yearly
international intl int internat biennial joint jt held part volume vol vols no issue edition version
book papers selected revised main track long short virtual event online
"""
_FILLER = frozenset(_FILLER_LIST.split())  # words of names that comparisons ignore, such as ``of``
# Abbreviations of ``proceedings`` and ``annual`` that comparisons ignore at the beginning of a
# name. Elsewhere in a name they may stand for ``process`` and ``annals``.
_LEADING = frozenset({"proc", "ann"})
_GENERIC = frozenset({"journal", "j", "annals", "transactions", "trans", "t"})
"""Words that a short form of a venue's name may leave out at its beginning, such as ``journal``."""
_CONFERENCE = frozenset(
    ["conference", "conf", "symposium", "symp", "advances", "adv", "meeting", "congress"]
)
"""Words for a type of venue, such as ``conference``."""
_ORGANISERS = frozenset(
    ["ieee", "acm", "cvf", "usenix", "siam", "ifip", "cie", "rsj", "iapr", "pmlr"]
)
"""Societies whose names precede names of venues, such as ``ieee``. They are ignored if at least two
other words remain.
"""
_NOT_IN_ACRONYM_LIST = "of the on for in and at to a an proceedings proc annual"
_NOT_IN_ACRONYMS = _ORGANISERS.union(_NOT_IN_ACRONYM_LIST.split())
_ORDINAL = re.compile(
    r"""\d+(?:st|nd|rd|th)?|[ivxl]{2,}|(?:twen|thir|for|four|fif|six|seven|eigh|nine)ty
    |first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelve?th|(?:thir|four|fif|six)teenth
    |(?:seven|eigh|nine)teenth|(?:twent|thirt|fort|fift|sixt|sevent|eight)ieth""",
    re.VERBOSE,
)
_YEAR = re.compile(r"['’]?\b(?:19|20)\d\d\b|['’]\d\d\b|(?<=[A-Za-z])['’]?\d\d\b")
_PIECES = re.compile(
    r"\s*[,;:()\[\]]\s*|(?<=\d)\.\s+|\s+[-–—]+\s+|\s*[–—]\s*|\.\s+(?=In:?\s)|\s*\|\s*"
)
_OPEN_END = re.compile(r"\b(?:on|of)(?: the)?$", re.IGNORECASE)
"""Regex for the last word of an incomplete name: ``on`` in ``IEEE Transactions on``."""
_DOCUMENT = re.compile(
    r"(?P<thesis>(?:ph\.? ?d|[mb]\.? ?sc)\.?(?:,|$)|(?:habilitation|diplomarbeit)\b"
    r"|(?:[\w.'’ ]{1,20} )?(?:thesis|dissertation)(?:[,.]|$| at\b| from\b))"
    r"|(?P<report>(?:tech(?:nical)?|research|internal)\.? rep(?:ort)?\b|tech$|white ?paper\b)"
    r"|(?P<unpublished>(?:unpublished )?manuscript\b|unpublished\b)",
    re.IGNORECASE,
)
"""Regex for the beginning of a text that stands for a venue and says what the cited work is, such
as ``Ph.D. thesis, University of Oil``. The groups are entry types.
"""
_ACRONYM = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z])[A-Za-z][A-Za-z0-9]{2,}\b")
_SATELLITE = re.compile(
    r"""\b(?:workshops?|wksp|findings|companion|tutorials?|demonstrations?|demos?|student|doctoral|posters?|panels?
    |adjunct
    |extended\ abstracts?|satellite|co-?located|shared\ task|competition|challenge
    |datasets?\ and\ benchmarks?|industry|industrial|tiny\ papers?|blog\ ?posts?
    |(?:spring|fall|summer)\ symposi(?:um|a)|late.breaking|work.in.progress|highlights?)\b|\w@\w""",
    re.IGNORECASE | re.VERBOSE,
)
"""Regex for words in names of events and volumes that accompany a conference, such as ``workshop``
and ``findings``.
"""
_SERIES_LIST = """
lecture notes computer science|lncs|lecture notes artificial intelligence|lnai|ceur workshop|ceur ws
|pmlr|jmlr w cp|machine learning research|acm|ieee|aaai press|springer|elsevier|mit press
|curran associates|curran associates inc|association computing machinery|open review|openreview
|association computational linguistics|openreview net|icps|leibniz informatics lipics|lipics
|communications computer information science|ccis|acm press|ieee press|omnipress|springer verlag
|ieee computer society|advances intelligent systems computing|wiley|acl anthology|usenix association
|ifip advances information communication technology|jmlr workshop|jmlr org|mlr press|mlresearchpress
"""
_SERIES = frozenset(
    " ".join(series.split()) for series in _SERIES_LIST.replace("\n", "|").split("|")
)
"""Names of publishers and series, reduced to the words that :func:`venue_words` keeps."""
_PUBLISHER = re.compile(
    r"\b(?:press|verlag|publishers?|(?<!\blearned )(?<!\belectronic )publishing|wiley|springer"
    r"|elsevier|birkh[aä]user|mcgraw|prentice|pearson|addison"
    r"|kaufmann|o['’]reilly|(?:&|and)"
    r" (?:sons|hall|francis))\W*(?:\b(?:inc|co|ltd|media|science|business)\b\W*)*$"
    r"|^(?:wiley|springer|elsevier|mcgraw|prentice|addison|chapman|birkh[aä]user|john wiley)\b"
    r"(?!.*\b(?:journal|notes)\b)",
    re.IGNORECASE,
)
_OF_IEEE = re.compile(r"proc(?:eedings)?\.? (?:of )?(?:the )?ieee", re.IGNORECASE)
"""Regex for *Proceedings of the IEEE*, a journal whose name consists of the name of its publisher.
"""
_PREPRINT = re.compile(
    r"""\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|psyarxiv|techrxiv|ssrn|hal|e-?prints?|preprints?
    |research\ ?square)\b|computing\ research\ repository""",
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(maxsize=1024)
def is_preprint_server(name: str) -> bool:
    """Whether ``name`` names a preprint server, such as ``arXiv preprint arXiv:1606.06565`` and
    ``CoRR``.
    """
    return bool(_PREPRINT.search(name))


def document_type(name: str) -> str:
    """Return the entry type of the kind of document that ``name`` states in place of a venue:
    ``thesis``, ``report`` or ``unpublished``.

    Empty if no kind of document is stated. Example: ``Ph.D. thesis, University of Oil`` states a
    thesis.
    """
    stated = _DOCUMENT.match(name)
    return (stated and stated.lastgroup) or ""


@lru_cache(maxsize=1024)
def is_publisher(name: str) -> bool:
    """Whether ``name`` names a publisher, such as ``MIT Press`` and ``Wiley-Interscience``."""
    return bool(_PUBLISHER.search(name))


@lru_cache(maxsize=1024)
def is_series(name: str) -> bool:
    """Whether ``name`` names a publisher, or a series that publishes volumes of many venues, such
    as LNCS.
    """
    if _OF_IEEE.fullmatch(name.strip()):
        return False
    return " ".join(_words(name)) in _SERIES or " ".join(venue_words(name)) in _SERIES


def says_beside(name: str, title: str) -> bool:
    """Whether ``title`` contains ``name``, followed by a word for a workshop or companion volume:
    ``CVPR Workshops`` for the venue ``CVPR``.
    """
    return bool(name) and any(
        title[: found.start()].rstrip().endswith(name) for found in _SATELLITE.finditer(title)
    )


def is_beside(name: str) -> bool:
    """Whether ``name`` names a workshop, a companion volume or the findings of a conference, such
    as ``CVPR Workshops``.
    """
    return bool(_SATELLITE.search(name))


@lru_cache(maxsize=4096)
def is_full_name(name: str) -> bool:
    """Whether a venue's name has at least two :func:`venue_words`, so that it is not only an
    acronym.

    False for ``ROCLING`` and ``SIGLEX Workshop``.
    """
    return len(venue_words(_SATELLITE.sub(" ", name))) > 1


@lru_cache(maxsize=1024)
def venue_words(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a venue's name without common words such as ``of``, numbers
    and years.
    """
    words = _words(name)
    without = without_societies(words)
    return without if len(without) > 1 else words


def without_societies(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return ``words`` without names of societies, such as ``ieee``."""
    return tuple(word for word in words if word not in _ORGANISERS)


@lru_cache(maxsize=4096)
def bare_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return ``words`` without words for a type of venue, such as ``conference``."""
    return tuple(word for word in words if word not in _CONFERENCE)


@lru_cache(maxsize=1024)
def acronyms(name: str) -> frozenset[str]:
    """Return in lower case the acronyms in a venue's name, and the initials of its words.

    ``International Conference on Machine Learning`` gives ``icml``. Initials are left out if there
    are fewer than four.
    """
    found = normalize_title(_YEAR.sub(" ", name)).split()
    words = [
        word for word in found if word not in _NOT_IN_ACRONYMS and not _ORDINAL.fullmatch(word)
    ]
    spelled = {
        initials(tuple(words)),
        initials(tuple(word for word in words if word not in _FILLER)),
    }
    contained = {word.lower() for word in _ACRONYM.findall(_YEAR.sub("", name))}
    return frozenset({word for word in spelled if len(word) >= 4} | (contained - _ORGANISERS))


@lru_cache(maxsize=1024)
def venue_pieces(name: str) -> tuple[str, ...]:
    """Return the whole name of a venue, and those parts between punctuation that may be a shorter
    name of the venue.

    A part of one word is returned only if it is an acronym, or if it is the beginning of a name
    that contains a number, such as ``Interspeech`` in ``Interspeech 2020, Shanghai``. ``Ethics`` in
    ``AI, Ethics, and Society`` is left out.
    """
    name = _in_order(plain_text(name))
    parts = [part for part in _PIECES.split(name) if part]
    joint = [
        other
        for part in parts
        if len(part.split()) == 1
        for other in part.split("/")
        if "/" in part
    ]
    dated = any(map(str.isdigit, name))
    found = [part for place, part in enumerate(parts) if _may_name(part, first=dated and not place)]
    return tuple(piece for piece in dict.fromkeys([name, *found, *joint]) if venue_words(piece))


def _may_name(part: str, *, first: bool) -> bool:
    words = bare_words(venue_words(part)) or venue_words(part)
    return len(words) > 1 or first or bool(_ACRONYM.search(_YEAR.sub("", part)))


@lru_cache(maxsize=4096)
def is_called(name: str, other: str) -> bool:
    """Whether one of the :func:`venue_pieces` of ``name`` has all words of the venue name
    ``other``, or abbreviations of all these words.

    Words for a type of venue, such as ``conference``, may be missing.
    """
    whole = venue_words(other)
    bare = bare_words(whole) or whole
    for words in map(venue_words, venue_pieces(name)):
        own = bare_words(words) or words
        if words == whole or own == bare or (len(bare) > 1 and abbreviates(own, bare)):
            return True
    return False


def is_cut(name: str, other: str) -> bool:
    """Whether ``name`` is the beginning of the longer venue name ``other`` and has at least three
    words: ``COMPUT VISION GRAPH`` for ``Computer Vision, Graphics, and Image Processing``.
    """
    words, others = venue_words(name), venue_words(other)
    return 2 < len(words) < len(others) and abbreviates(words, others[: len(words)])


@lru_cache(maxsize=4096)
def may_spell(name: str, other: str) -> bool:
    """Whether ``name`` may mean the venue ``other``, because ``name`` may be an abbreviation or
    acronym of ``other``, or lacks one of its words.
    """
    words, others = venue_words(name), venue_words(other)
    if not words or not others:
        return False
    is_longer = len(others) > 1 and words[: len(others)] == others
    if abbreviates(words, others) or (is_longer and ". " in name):
        return True
    acronyms_of_other = _own_acronyms(other)
    if "".join(words) in acronyms_of_other or not _own_acronyms(name).isdisjoint(
        {*acronyms_of_other, "".join(others)}
    ):
        return True
    few, many = sorted((set(bare_words(words)), set(bare_words(others))), key=len)
    if len(few) > 1 and few <= many and len(many) <= len(few) + 1:
        return few == set(bare_words(words))
    acronym, other_acronym = _only_acronym(name, words), _only_acronym(other, others)
    return (
        is_short_form(words, others)
        or is_acronym_of(acronym, others)
        or is_acronym_of(other_acronym, words)
    )


def _only_acronym(name: str, words: tuple[str, ...]) -> str:
    """Return the acronym in lower case if ``name`` is only an acronym, perhaps after the name of a
    society: ``tpami`` for ``IEEE TPAMI``.

    Otherwise return an empty text.
    """
    telling = without_societies(words)
    is_acronym = len(telling) == 1 or name.isupper()
    return "".join(telling) if is_acronym else ""


def is_short_form(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether one of two names shortens the other word by word. Initials may replace some of the
    words.

    A society at the beginning of the name and a word such as ``journal`` may be missing. At least
    two words must agree. Examples: ``sigcomm comput commun rev`` and
    ``computer communication review``, ``progress ai`` and ``progress artificial intelligence``.
    """
    ours, theirs = _without_generic(words), _without_generic(others)
    society = ours[0].startswith("sig") and len(ours) > 2
    return any(
        contracts(*pair)
        for one in ((ours, ours[1:]) if society else (ours,))
        for pair in ((one, theirs), (theirs, one))
        if min(map(len, pair)) > 1
    )


def _without_generic(words: tuple[str, ...]) -> tuple[str, ...]:
    telling = words[1:] if words[:1] and words[0] in _GENERIC else words
    return telling if len(telling) > 1 else words


def is_acronym_of(acronym: str, words: tuple[str, ...]) -> bool:
    """Whether ``acronym`` consists of beginnings of all ``words`` in order. The letter ``o`` may
    stand for ``of`` or ``on``, which ``words`` lacks.

    Examples: ``tpami`` for ``trans pattern anal mach intell``, ``tods`` for
    ``trans database syst``. At least three words and four letters are needed, unless the first word
    is ``trans``.
    """
    is_long = len(words) > 2 and len(acronym) > 3
    begins = words[:1] in {("trans",), ("transactions",), ("t",)} and len(acronym) > 2
    return (is_long or (begins and len(words) > 1)) and _joins_all(words, acronym)


def _joins_all(words: tuple[str, ...], letters: str) -> bool:
    if not words or not letters:
        return not words and not letters
    most = Prefix.similarity(words[0], letters)
    return any(
        _joins_all(words[1:], letters[taken:])
        or (letters[taken : taken + 1] == "o" and _joins_all(words[1:], letters[taken + 1 :]))
        for taken in range(min(most, 4), 0, -1)
    )


@lru_cache(maxsize=4096)
def _own_acronyms(name: str) -> frozenset[str]:
    """Return the acronyms of a venue: the initials of its name, and acronyms that stand alone
    between punctuation, as in ``(ICML)``.
    """
    contained = {word.lower() for word in _ACRONYM.findall(_YEAR.sub("", name))}
    alone = {"".join(bare_words(venue_words(piece))) for piece in venue_pieces(name)}
    return (acronyms(name) - contained) | (contained & alone)


@lru_cache(maxsize=1024)
def spells_out(name: str, acronym: str) -> bool:
    """Whether ``acronym`` consists of first letters of words of ``name``, in order: ``NeurIPS`` for
    ``Neural Information ...``.
    """
    words = normalize_title(_YEAR.sub(" ", name)).split()
    letters = acronym.lower()
    return len(letters) >= 3 and _are_beginnings(words, letters)


def _are_beginnings(words: Sequence[str], letters: str) -> bool:
    """Whether ``letters`` consists of beginnings of ``words``, in order: ``neurips`` of ``neur``,
    ``i``, ``p`` and ``s``.
    """
    return not letters or any(
        _are_beginnings(words[place + 1 :], letters[taken:])
        for place, word in enumerate(words)
        for taken in range(1, Prefix.similarity(word, letters) + 1)
    )


def abbreviates(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether one name abbreviates the other word by word: ``mach learn`` and ``machine learning``,
    but not ``m l``.
    """
    if len(words) != len(others) or not all(map(_abbreviates_word, words, others)):
        return False
    return 2 * sum(
        len(word) > 1 and len(other) > 1 for word, other in zip(words, others, strict=True)
    ) >= len(words)


def contracts(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether ``words`` equals ``others`` with some runs of words replaced by their initials:
    ``is`` for ``information systems``.
    """
    if not words or not others:
        return not words and not others
    missing = len(others) - len(words)
    # if words are missing, one of ``words`` must be their initials
    if missing and not any(1 < len(word) <= missing + 1 for word in words):
        return False
    word, rest = words[0], words[1:]
    run = len(word)
    if 1 < run <= len(others) and initials(others[:run]) == word and contracts(rest, others[run:]):
        return True
    return _abbreviates_word(word, others[0]) and contracts(rest, others[1:])


def initials(words: tuple[str, ...]) -> str:
    """Return the first letters of ``words`` as one word."""
    return "".join(word[0] for word in words)


def _in_order(name: str) -> str:
    """Return ``name`` in the usual word order: ``Annals of Logic`` for ``Logic, Annals of``."""
    subject, _, beginning = name.rpartition(", ")
    beginning = beginning.rstrip(" .")
    return f"{beginning} {subject}" if subject and _OPEN_END.search(beginning) else name


def _words(name: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in normalize_title(_YEAR.sub(" ", _in_order(name))).split():
        is_filler = word in _FILLER or _ORDINAL.fullmatch(word)
        if not is_filler and (word not in _LEADING or not _ORGANISERS.issuperset(found)):
            found.append(word)
    return tuple(found)


def _abbreviates_word(word: str, other: str) -> bool:
    """Whether one word abbreviates the other: ``trans`` and ``transactions``, ``natl`` and
    ``national``.
    """
    if word[0] != other[0]:
        return False
    short, long = sorted((word, other), key=len)
    if long.startswith(short):
        return True
    if len(short) < 3:
        return False
    common = Prefix.similarity(short, long)
    # The words have a long common beginning ("networks", "networking"), or the letters of the
    # shorter word occur in order, up to the last one, in the longer word ("engng", "engineering").
    rest = iter(long)
    in_order = all(letter in rest for letter in short)
    return common >= 5 or (in_order and short[-1] == long[-1] and common >= 2)
