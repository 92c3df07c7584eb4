"""Compare spellings of English words: inflections, British forms, names of Greek letters, and
typing errors.
"""

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance import OSA, Prefix

from citeproof.text.normalize import normalize_title, plain_text

_ENDINGS = (
    (re.compile(r"(?<=[a-z]{3})is(e|ed|es|er|ers|ing|ation|ations|ational|able)$"), r"iz\1"),
    (re.compile(r"(?<=[a-z]{2})ys(e|ed|es|er|ers|ing)$"), r"yz\1"),
    (
        re.compile(r"(?<=[a-z]{2})our(s|ed|ing|al|able|ful|less|hood|ally|ist|ite|ites|ism)?$"),
        r"or\1",
    ),
    (re.compile(r"(?<=[a-z]{2})tre(s|d)?$"), r"ter\1"),
    (re.compile(r"(?<=[a-z]{2})ogue(s)?$"), r"og\1"),
    (re.compile(r"(?<=[a-z]{2})ll(ed|ing|er|ers)$"), r"l\1"),
    (re.compile(r"(?<=[a-z]{2})mme(s)?$"), r"m\1"),
    (re.compile(r"(?<=[a-z]{3})ence(s)?$"), r"ense\1"),
    (re.compile(r"(?<=[a-z]{2})ement(s)?$"), r"ment\1"),
    (re.compile(r"wards$"), r"ward"),
)
"""Pairs of a regex for a British ending and its American replacement, such as ``our`` and ``or``.
"""
_MAYBE_BRITISH = re.compile(r"is|ys|our|tre|ogue|ll|mme|ence|ement|wards")
"""Regex for letters that all British endings contain.

Only words that match are compared with the ten regexes of :data:`_ENDINGS`, because most words do
not match.
"""
_WORDS = {
    "grey": "gray",
    "gaol": "jail",
    "aluminium": "aluminum",
    "sceptic": "skeptic",
    "artefact": "artifact",
    "mould": "mold",
    "plough": "plow",
    "tyre": "tire",
    "cheque": "check",
    "ageing": "aging",
    "modelled": "modeled",
    "data": "datum",
    "criteria": "criterion",
    "phenomena": "phenomenon",
    "indices": "index",
    "indexes": "index",
    "matrices": "matrix",
    "vertices": "vertex",
    "axes": "axis",
    "analyses": "analysis",
    "hypotheses": "hypothesis",
    "corpora": "corpus",
    "schemata": "schema",
    "automata": "automaton",
    "formulae": "formula",
    "media": "medium",
    "spectra": "spectrum",
    "maxima": "maximum",
    "minima": "minimum",
    "optima": "optimum",
    "children": "child",
    "people": "person",
    "women": "woman",
    "men": "man",
    "mice": "mouse",
    "lattices": "lattice",
    "bases": "basis",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "first": "1st",
    "second": "2nd",
    "third": "3rd",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
    "versus": "vs",
    "gray": "gray",
    "tv": "television",
}
_MASS_LIST = (
    "learning training reasoning research information knowledge software hardware evidence"
    " equipment"
)
_MASS_NOUNS = frozenset(f"{noun}s" for noun in _MASS_LIST.split())
"""Plurals of mass nouns, such as ``learnings``, which :func:`lemma` does not change to the
singular.
"""
_SIGN_NAMES = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma
tau upsilon phi chi psi omega infinity sqrt forall exists nabla percent to leq geq cap cup x sharp
sharp degree
"""
_SIGNS = dict(zip("αβγδεζηθικλμνξοπρσςτυφχψω∞√∀∃∇%→≤≥∩∪×♯#°", _SIGN_NAMES.split(), strict=True))
_SIGN_TABLE = str.maketrans({sign: f" {name} " for sign, name in _SIGNS.items()})
_OTHER_NAMES = {
    "my": "mu",
    "infty": "infinity",
    "lamda": "lambda",
    "varepsilon": "epsilon",
    "eps": "epsilon",
    "ell": "l",
    "times": "x",
    "textdegree": "degree",
}
# minimum number of letters of a word with a typo: shorter words that are spelled correctly often
# differ by one letter
_SHORTEST = 5
_ENDING = 4  # maximum number of letters after the common stem of two words
_SHORTEST_COUNTED = 2
"""Minimum number of letters of a word that :func:`is_misspelling` regards as a typo, such as
``fo``.
"""
_TITLES_A_MISSPELLING = 2_000
"""Minimum ratio between the number of titles with a word and the number of titles with its
misspelling.

In a sample of DBLP, 86,225 titles have ``learning`` and 3 have ``learing``. The ratio of two
correct words is rarely that high; an exception is ``using`` (24,120) and ``sing`` (6).
"""


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """Return the American spelling and singular of a lower-case word: ``color`` for ``colours``."""
    word = _WORDS.get(word, word)
    if len(word) > 3 and word.isascii() and word.isalpha():
        word = _singular(word)
        for pattern, american in _ENDINGS if _MAYBE_BRITISH.search(word) else ():
            word = pattern.sub(american, word)
    return _WORDS.get(word, word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word in _MASS_NOUNS or (word.endswith("ys") and word[-3] not in "aeiou"):
        return word
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(maxsize=4096)
def words_spelled_out(title: str) -> tuple[str, ...]:
    """Return the normalised words of ``title``, with Greek letters and mathematical symbols
    replaced by their names.

    ``λ-calculus`` and ``lambda calculus`` give the same two words, ``lambda`` and ``calculus``.
    """
    text = unicodedata.normalize("NFKC", plain_text(title)).casefold().translate(_SIGN_TABLE)
    return tuple(_OTHER_NAMES.get(word, word) for word in normalize_title(text).split())


def is_typo(word: str, other: str, shortest: int = _SHORTEST) -> bool:
    """Whether two words are equal except for at most one letter that is changed, missing, added or
    swapped with its neighbour.

    False if a word has fewer than ``shortest`` letters.
    """
    if min(len(word), len(other)) < shortest or abs(len(word) - len(other)) > 1:
        return False
    return bool(OSA.distance(word, other, score_cutoff=1) <= 1)


def has_same_stem(word: str, other: str) -> bool:
    """Whether two words begin with the same stem and differ only in their endings, as ``optimum``
    and ``optimal`` do.
    """
    common = Prefix.similarity(word, other)
    return common >= _SHORTEST and common >= max(len(word), len(other)) - _ENDING


def is_misspelling(word: str, right: str, titles: int, titles_of_right: int) -> bool:
    """Whether ``word`` is a typo of ``right``: the words differ in one letter, and far fewer titles
    contain ``word``.

    ``titles`` is the number of titles that contain ``word``, ``titles_of_right`` the number that
    contain ``right``: 0 for ``sytem``, 6,561 for ``system``. The result is False if no title
    contains ``right``, and for an unusual plural, such as ``privacys`` of ``privacy``.
    """
    plural = word == f"{right}s" and not right.endswith("s")
    if plural or not titles_of_right or titles * _TITLES_A_MISSPELLING > titles_of_right:
        return False
    return word.isalpha() and right.isalpha() and is_typo(word, right, _SHORTEST_COUNTED)
