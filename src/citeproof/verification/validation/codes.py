"""The codes of issues and of reasons, from ``codes.json``. A verdict lists issues in the order of this file."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

from citeproof.model.verdict import Status


class Code(NamedTuple):
    """What an issue code means."""

    weight: str  # default weight as named in policy files: note, open, issue or conflict
    rule: str  # name of the rule that reports the code; empty if the code concerns the run, or how the text was parsed
    meaning: str


class Reason(NamedTuple):
    """Why a verdict has its status."""

    status: Status
    meaning: str


_ROWS = json.loads(files(__package__).joinpath("codes.json").read_text("utf-8"))
CODES: Mapping[str, Code] = {code: Code(**row) for code, row in _ROWS["issues"].items()}
REASONS: Mapping[str, Reason] = {
    code: Reason(Status(row["status"]), row["meaning"]) for code, row in _ROWS["reasons"].items()
}
