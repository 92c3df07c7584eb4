"""The kinds of values of settings: what each reads, from text too, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.setting_values import Secret, addresses, file, files, real, secret, text, truth, whole

if TYPE_CHECKING:
    from citeproof.setting_values import Read


@pytest.mark.parametrize(
    ("read", "given", "value"),
    [
        (whole(0, 65535), "8000", 8000), (whole(1), 2**63, 2**63), (whole(0), 3.0, 3),
        (real(0.5, 1), "0.9", 0.9), (real(0), 30, 30.0),
        (truth, "Yes", True), (truth, "off", False), (truth, False, False), (truth, 1, True),
        (text, "csv", "csv"), (file, "a.db", Path("a.db")), (files, '["a.db", "b.db"]', (Path("a.db"), Path("b.db"))),
        (files, (Path("a.db"),), (Path("a.db"),)),
        (addresses, '{"crossref": "https://x.example"}', {"crossref": "https://x.example"}),
        (secret, "s3cret", Secret("s3cret")), (secret, "", None),
    ],
)  # fmt: skip
def test_a_value_is_read(read: Read, given: object, value: Any) -> None:
    assert read(given) == value
    assert type(read(given)) is type(value)


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (whole(0, 65535), "many", "a whole number from 0 to 65535"), (whole(1), 0, "a whole number from 1 up"),
        (whole(1), 1.5, "a whole number"), (whole(1), True, "a whole number"), (whole(1), "1e999", "a whole number"),
        (real(0.5, 1), 7, "a number from 0.5 to 1"), (real(0), "nan", "a number from 0 up"),
        (real(0), "inf", "a number"),
        (truth, "maybe", "true or false"), (text, 5, "a text"), (file, 5, "the name of a file"),
        (files, "a.db", "a list of files"), (addresses, "[1]", "a JSON object"), (addresses, "{", "a JSON object"),
        (secret, 12345, "a text"),
    ],
)  # fmt: skip
def test_what_is_no_value_is_refused_in_words(read: Read, given: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^should be {message}"):
        read(given)


def test_a_secret_is_not_shown() -> None:
    assert "s3cret" not in f"{Secret('s3cret')} {Secret('s3cret')!r}"
