"""Split titles into words for comparisons, without remarks such as "(extended abstract)"."""

import re
from dataclasses import dataclass
from functools import lru_cache

from citeproof.text.normalize import normalize_title

Words = tuple[str, ...]
_FUNCTION_LIST = "of on in for to with by from at as via its is s into do does or"
ARTICLES = frozenset({"a", "an", "the", "and"})
FUNCTION_WORDS = ARTICLES.union(_FUNCTION_LIST.split())
"""Words such as ``of``. Authors who cite a title correctly often replace them or leave them out."""
_KINDS = (
    r"(?:abstracts?(?: only)?|version|draft|papers?|reports?|talk|lecture|address|speech"
    r"|keynote(?: \w+)?|tutorial|demo|demonstration|poster|panel|session|survey|discussion"
    r"|presentation|summary|statement|note|announcement|description|contribution|communication"
    r"|preprint|reprint|retrospective|pearl|awards?|prize|oral|spotlight)"
)
"""Regex for the kind of text that a remark after a title names: ``abstract`` in
``(Extended Abstract)``.
"""
_REMARK = re.compile(
    r"(?:\s*(?:"
    rf"[(\[](?:[\w-]+[ ,:]+){{0,4}}{_KINDS}(?:,? (?:abstract|only|and \w+)){{0,2}}!?[)\]]"
    rf"|[(\[](?:(?:an? |the )?{_KINDS} (?:of|from) [^()]+|invited|online|in [a-z]+)[)\]]"
    r"|[:,.–—-]+ (?:an? )?(?:(?:extended|detailed) abstract|functional pearl|brief announcement"
    r"|(?:preliminary|technical) (?:version|report)|(?:full|extended) version"
    r"|invited (?:talk|paper|lecture))"
    r"))+\s*\.?$",
    re.IGNORECASE,
)
"""Regex for a remark after a title, such as ``(Extended Abstract)``, ``(Awarded Best Paper!)`` and
``, functional pearl``. Some proceedings and databases add the remark to a title, others leave it
out.
"""
_LAST_WORDS = "abstract pearl announcement version report talk paper lecture"
_ENDS = (")", "]", *_LAST_WORDS.split())
"""Ends of titles that may have a remark. A test for them is much faster than the regex."""
_LONGEST_END = 20  # maximum number of letters of these ends, with a point and spaces behind
_LABEL = re.compile(
    r"^(?:(?:guest )?editorial\W+|(?:[\w-]+ ){1,4}(?:award|prize|medal)\s*:\s*"
    r"|(?:(?:brief|classroom|commentary|demo|demonstration|experience|extended|functional|full"
    r"|guest|invited|open|position|poster|regular|research|review|short|special|squibs?|survey"
    r"|system|technical|viewpoint|workshop)(?: and)? )*"
    rf"(?:{_KINDS}|articles?|book reviews?|columns?|commentary|discussions?|interview|issue"
    r"|last words|obituar(?:y|ies)|opinion|perspectives?|problems?|section|squibs?|viewpoints?)"
    r"(?: introduction| details| summary| section| \w*\d\w*| [ivx]+| [a-z])?\s*[:.–—]\s*)"
    r"(?=\w+\W+\w+\W+\w)",
    re.IGNORECASE,
)
"""Regex for a label that journals and proceedings print above a title, such as ``Session 3:``,
``Poster:`` or ``Squibs and Discussions:``. The title after the label must have at least three
words.
"""
_TRANSLATED = re.compile(r"^(?=.*[^\W\d_a-z\u00aa-\u024f])[^a-z]+\(([^()]+)\)$", re.IGNORECASE)
"""Regex for a title that is not in Latin letters and is followed by its translation in brackets.
Group 1 is the translation.
"""
_ABOUT = re.compile(
    r"\b(?:book reviews?|review"
    r" of|reviewed|errat(?:um|a)|corrigend(?:um|a)|corrections?|retraction|addendum|tutorial"
    r"|comments? on|reply|guest editors?|editorial|preface|foreword|introduction to the"
    r" special|slides|isbn)\b",
    re.IGNORECASE,
)
"""Regex for words in titles of texts about another work, such as ``book review`` or ``erratum``."""
_CUT = re.compile(r"(?:\.\s?\.\s?\.|…)\W*\Z")
_LAST = 12  # number of characters at the end of a title that are searched for an ellipsis


@dataclass(frozen=True, slots=True)
class TitleForm:
    """A title prepared for comparisons: normalised, and split into words."""

    normal: str  # the normalised title; empty for a title without letters and digits
    words: Words
    """Words of the title without a remark such as "(extended abstract)" and without a label such as
    "Poster:".
    """
    is_cut: bool = False
    """Whether the title ends in an ellipsis, such as truncated titles in search results."""

    @property
    def length(self) -> int:
        """Number of words of the title, including remarks and labels."""
        return self.normal.count(" ") + 1 if self.normal else 0


@lru_cache(maxsize=4096)
def title_form(title: str) -> TitleForm:
    """Return ``title`` normalised and split into words."""
    bare = _TRANSLATED.sub(r"\1", _LABEL.sub("", without_remark(title)))
    normal = normalize_title(title)
    words = tuple((normalize_title(bare) if bare not in ("", title) else normal).split())
    return TitleForm(normal, words, _CUT.search(title, max(0, len(title) - _LAST)) is not None)


def without_remark(title: str) -> str:
    """Return ``title`` without a remark such as "(extended abstract)"."""
    may_have_one = title[-_LONGEST_END:].rstrip(" .").lower().endswith(_ENDS)
    return _REMARK.sub("", title) if may_have_one else title


def title_words(title: str) -> Words:
    """Return the normalised words of a title without a remark such as "(extended abstract)" and
    without a label such as "Poster:".
    """
    return title_form(title).words


def telling_words(title: str) -> Words:
    """Return the :func:`title_words` of a title without function words such as ``of``."""
    return tuple(word for word in title_words(title) if word not in FUNCTION_WORDS)


def is_of_text_about(title: str) -> bool:
    """Return whether ``title`` contains words that titles of texts about another work have, such as
    "book review" or "erratum".
    """
    return _ABOUT.search(title) is not None


def begins_text_about(title: str) -> bool:
    """Return whether ``title`` begins like the title of a text about another work, such as
    "Correction to".
    """
    return _ABOUT.match(title) is not None
