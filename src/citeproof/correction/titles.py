"""A title with a wrong word: the word is replaced, and braces, macros and accents of all others stay."""

from __future__ import annotations

from difflib import SequenceMatcher

from citeproof.fields.bibtex_entry import written_title
from citeproof.text.normalize import normalize_title, plain_text


def corrected_title(written: str, recorded: str, *, ascii_only: bool) -> str:
    """Return the title field ``written`` with the words of ``recorded``.

    ``{MapReduce}: Complex Data`` with the record ``MapReduce: Simplified Data`` becomes ``{MapReduce}: Simplified
    Data``. Where the words cannot be told apart, as inside a brace that holds several, all of it is written anew.
    """
    ours, theirs = written.split(), recorded.split()
    left, right = [[normalize_title(word) for word in words] for words in (ours, theirs)]
    new: list[str] = []
    for tag, start, end, other, stop in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        whole = written_title(" ".join(theirs[other:stop]), ascii_only=ascii_only)
        new += ours[start:end] if tag == "equal" else [whole] if whole else []
    joined = " ".join(new)
    balanced = joined.count("{") == joined.count("}")
    if balanced and normalize_title(plain_text(joined)) == normalize_title(recorded):
        return joined
    return written_title(recorded, ascii_only=ascii_only)
