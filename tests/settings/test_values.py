"""Readers of values: what each accepts and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from citeproof.settings.values import (
    Secret,
    addresses,
    file,
    files,
    real,
    secret,
    text,
    truth,
    whole,
)

if TYPE_CHECKING:
    from citeproof.settings.values import Read


@pytest.mark.parametrize(
    ("read", "given", "value"),
    [
        (whole(0, 65535), "8000", 8000),
        (whole(1), 2**63, 2**63),
        (whole(0), 3.0, 3),
        (real(0.5, 1), "0.9", 0.9),
        (real(0), 30, 30.0),
        (truth, "Yes", True),
        (truth, "off", False),
        (truth, False, False),
        (truth, 1, True),
        (text, "csv", "csv"),
        (file, "a.db", Path("a.db")),
        (files, '["a.db", "b.db"]', (Path("a.db"), Path("b.db"))),
        (files, (Path("a.db"),), (Path("a.db"),)),
        (addresses, '{"crossref": "https://x.example"}', {"crossref": "https://x.example"}),
        (secret, "s3cret", Secret("s3cret")),
        (secret, "", None),
    ],
)
def test_read_readers_return_the_value(read: Read, given: object, value: Any) -> None:
    assert read(given) == value
    assert type(read(given)) is type(value)


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (whole(0, 65535), "many", "a whole number from 0 to 65535"),
        (whole(1), 0, "a whole number of at least 1"),
        (whole(1), 1.5, "a whole number"),
        (whole(1), True, "a whole number"),
        (whole(1), "1e999", "a whole number"),
        (real(0.5, 1), 7, "a number from 0.5 to 1"),
        (real(0), "nan", "a number of at least 0"),
        (real(0), "inf", "a number"),
        (truth, "maybe", "true or false"),
        (text, 5, "text"),
        (file, 5, "the name of a file"),
        (file, "a\0b.db", "the name of a file"),
        (files, "a.db", "a list of files"),
        (addresses, "[1]", "a JSON object"),
        (addresses, "{", "a JSON object"),
        (secret, 12345, "text"),
    ],
)
def test_whole_readers_refuse_an_invalid_value(read: Read, given: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^should be {message}"):
        read(given)


def test_secret_is_not_shown() -> None:
    assert "s3cret" not in f"{Secret('s3cret')} {Secret('s3cret')!r}"
