"""The codes of issues and of reasons, read from ``codes.json``.

A verdict lists issues in the order of that file.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

from citeproof.model.verdict import Status


class Code(NamedTuple):
    """Weight, rule and meaning of an issue code such as ``year.off``."""

    weight: str  # default weight: note, open, issue or conflict
    rule: str  # name of the rule that reports the code; empty for codes about the run or the parse
    meaning: str


class Reason(NamedTuple):
    """Status and meaning of a reason code such as ``title_not_found``."""

    status: Status
    meaning: str


_FOLDER = files(__package__)
_ROWS = json.loads(_FOLDER.joinpath("codes.json").read_text("utf-8"))
SENTENCES: Mapping[str, str] = json.loads(_FOLDER.joinpath("sentences.json").read_text("utf-8"))
"""Map from an issue code, or a code and a variant, to the sentence that describes the difference.

The placeholders in braces are replaced by the cited value, the recorded value and further details.
"""
CODES: Mapping[str, Code] = {code: Code(**row) for code, row in _ROWS["issues"].items()}
REASONS: Mapping[str, Reason] = {
    code: Reason(Status(row["status"]), row["meaning"]) for code, row in _ROWS["reasons"].items()
}
