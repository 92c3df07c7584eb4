"""An address of a server shows no password, whatever goes wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeproof.errors import ConfigurationError
from citeproof.server_address import ServerAddress, file_or_server


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:secret@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgres://host/db?password=secret", "postgresql://host/db"),
        ("postgresql:///db?host=/run/postgresql", "postgresql:///db"),
        ("postgresql://me:se%40cret@a,b:1/db?sslpassword=secret", "postgresql://me@a,b:1/db"),
    ],
)
def test_as_text_it_has_neither_password_nor_options(address: str, shown: str) -> None:
    place = file_or_server("--cache", address)
    assert place == ServerAddress(address)
    assert str(place) == shown
    assert "secret" not in f"{place!r} {place}"


@pytest.mark.parametrize("address", [
    "postgresql://me:sec@ret@host/db", "postgresql://me:sec/ret@host/db", "postgresql://me:sec#ret@host/db",
    "postgresql+psycopg://me:secret@host/db", "postgres:/me:secret@host/db",
])  # fmt: skip
def test_one_that_would_be_misread_is_refused_without_a_word_of_it(address: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^--cache: ") as caught:
        file_or_server("--cache", address)
    assert "sec" not in str(caught.value)
    assert "ret" not in str(caught.value).replace("interpreted", "")


@pytest.mark.parametrize("path", ["verified.db", "/srv/postgresql/verified.db", "postgres.db"])
def test_anything_else_is_a_file(path: str) -> None:
    assert file_or_server("--cache", path) == Path(path)
