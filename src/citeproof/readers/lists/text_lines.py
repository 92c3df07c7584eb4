"""Yield the lines of a text, and test whether a line looks like a reference, like people or like a
sentence of a mail.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citeproof.model.account import LineKind
from citeproof.readers.strings import (
    begins_with_authors,
    best_reading,
    is_prose,
    is_reference_string,
)

UP = r"[^\W\d_a-zß-öø-ÿ]"
_REPLY = re.compile(r"(?:>[ \t]?)+")  # marks of a quoted mail or Markdown quotation
_LEAD_WORDS = 8  # maximum number of words of a line that introduces a list and is not a sentence
YEAR = re.compile(r"(?<![\d.–-])(?:1[5-9]|20)\d\d(?!\d|[-–]\d)")
IDENTIFIER = re.compile(r"\b10\.\d{4,9}/\S|arxiv[:./ ]*\S*\d{4}", re.IGNORECASE)
_UNDATED = re.compile(
    r"\b(?:n\. ?d\.|no date|in press|forthcoming|to appear|submitted|under review|unpublished|"
    r"thesis|dissertation)|https?://|www\.",
    re.IGNORECASE,
)
_CHAT = re.compile(
    r"\W*(?:i(?!\.)|i['’]\w+|you|your|thank you|let me|please|sure|here (?:is|are)|here['’]s|below|"
    r"the following|these|this|that|it|they|we|hope|of course|certainly|thanks?|hi|hello|dear|note|"
    r"if|as|feel free|best|kind|regards|cheers|all|both|some|many|would|do|did|see)\b",
    re.IGNORECASE,
)
"""Regex for the beginning of a sentence in a mail or a chat answer: ``Here are``, ``Let me``."""
_NAMED_LIKE_WORD = re.compile(
    rf"{UP}[a-z]+(?:, {UP}| {UP}{{1,2}}[.,]|,? (?:et\.? al\b|& {UP})| \()"
)
"""Regex for a name that begins like such a sentence: ``You, Zhiqiang``, ``You Z.``,
``You et al.``.
"""
SIGN_OFF = re.compile(
    r"-- ?|(?:(?:with )?(?:all the |all |my |many |(?:very )?(?:best|kind|kindest|warm|warmest) )?"
    r"(?:best|regards|wishes|thanks)|thank you|cheers|ciao|sincerely|yours(?: \w+)?|"
    r"sent from my .*|"
    r"(?:(?:viele|liebe|beste|schöne|herzliche|mit (?:freundlichen|besten)) )?"
    r"gr(?:ü|ue)(?:ß|ss)en?|mfg|[vl]g|(?:bien )?cordialement|bien à vous|"
    r"(?:un )?(?:cordial )?saludos?|cordiali saluti|"
    r"(?:met vriendelijke )?groet(?:en|jes)?)(?: (?:a lot|so much|again|in advance))?[,.!–-]?",
    re.IGNORECASE,
)
"""Regex for a line that ends a mail: ``Best regards,``, or ``--`` before a signature."""
MAIL_HEADER = re.compile(
    r"(?:From|To|Cc|Subject|Sent|Von|An|Betreff|Gesendet): |"
    r".{0,120}\b(?:wrote|schrieb|a écrit|escribió|ha scritto)\b.{0,60}:$|"
    r".{0,120}<[^<>@\s]+@[^<>@\s]+>.{0,30}:$"
)
"""Regex for a line above a mail or a quoted mail: ``From: Ann Lee``, ``On 3 May, Ann wrote:``."""
VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|will|would|should|introduc\w+|describ\w+|propos\w+|"
    r"shows?|presents?|discuss\w*|provides?|helps?|you|i|your|my|me)\b",
    re.IGNORECASE,
)
BARE = re.compile(r"^\d{1,4} +(?=\D)")  # regex for a number without punctuation
_LEE_AND_OTHERS = re.compile(
    rf"{UP}[\w’'-]+(?:(?: {UP}[\w’'.-]+)*,? et\.? +al\.?,? +[(\"“]?{UP}|\+ (?:1[89]|20)\d\d\b)"
)
_SENTENCE_END = re.compile(rf"[.?!”\"] +\W?{UP}")


@dataclass(slots=True)
class TextLine:
    """A line that is not blank."""

    number: int  # line number, from 1
    begin: int  # offset of the first character that is not blank
    end: int  # offset after the last character that is not blank
    text: str  # the line without surrounding blanks and marks of quotation
    indent: int
    gap: bool  # whether a blank line is before the line
    mark: str = ""  # ``number``, ``bullet``, ``label``, ``row`` of a table; empty without a mark
    label: str = ""  # number or label
    # kind of a line that is certainly not a part of a reference; else None
    kind: LineKind | None = None


def text_lines(text: str) -> Iterator[TextLine]:
    """Yield the lines of ``text`` that are not blank."""
    position, gap = 0, False
    for number, line in enumerate(text.split("\n"), start=1):
        if said := line.strip():
            begin = position + line.index(said)
            reply = _REPLY.match(said) if said[0] == ">" else None
            written = said[reply.end() :] if reply else line
            shown = written.strip()
            indent = len(written.expandtabs(4)) - len(written.expandtabs(4).lstrip())
            one = TextLine(number, begin, begin + len(said), shown, indent, gap)
            one.kind = None if shown else LineKind.FURNITURE
            yield one
        gap = not said
        position += len(line) + 1


def is_dated(text: str) -> bool:
    """Return whether ``text`` has a year, an identifier, or words such as ``in press``."""
    return bool(YEAR.search(text) or IDENTIFIER.search(text) or _UNDATED.search(text))


def is_like_reference(text: str) -> bool:
    """Return whether ``text`` is probably a reference, and not a title or a sentence.

    It must have a year or an identifier. In addition, it must have people, or a venue after a title
    that ends in a full stop.
    """
    text = BARE.sub("", text)
    if is_reference_string(text):
        return not is_sentence(text)
    if begins_with_people(text):
        return True
    if not is_dated(text) or is_prose(text) or is_sentence(text):
        return False
    reading, _ = best_reading(text)
    venue = reading.venue and _SENTENCE_END.search(text)
    named = reading.authors and (reading.title or reading.and_others)
    return bool(named or (reading.title and venue) or reading.doi or reading.arxiv_id)


def begins_with_people(text: str) -> bool:
    """Return whether ``text`` begins with a name that has initials, or with a name such as
    ``Lee et al.``.
    """
    text = BARE.sub("", text)
    return begins_with_authors(text) or _LEE_AND_OTHERS.match(text) is not None


def is_lead(text: str) -> bool:
    """Return whether ``text`` introduces a list, such as ``Papers on snow:``. It must end with a
    colon, and be a sentence of a mail or have at most eight words.
    """
    said = text.rstrip("*_")
    return said.endswith(":") and (is_sentence(said) or len(said.split()) <= _LEAD_WORDS)


def is_sentence(text: str) -> bool:
    """Return whether ``text`` is a sentence of a mail or a chat answer."""
    if begins_with_authors(text) or not _CHAT.match(text):
        return False
    if _NAMED_LIKE_WORD.match(text) and YEAR.search(text):
        return False
    return VERB.search(text) is not None or text.endswith((":", "!", "?"))
