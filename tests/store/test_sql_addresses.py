"""Addresses of PostgreSQL servers; no message shows a password."""

from pathlib import Path

import pytest

from citeproof.model.errors import ConfigurationError
from citeproof.store.sql import ServerAddress, file_or_server


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:secret@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgres://host/db?password=secret", "postgresql://host/db"),
        ("postgresql:///db?host=/run/postgresql", "postgresql:///db"),
        ("postgresql://me:se%40cret@a,b:1/db?sslpassword=secret", "postgresql://me@a,b:1/db"),
    ],
)
def test_server_address_as_text_has_no_password_and_no_options(address: str, shown: str) -> None:
    place = file_or_server("--cache", address)
    assert place == ServerAddress(address)
    assert str(place) == shown
    assert "secret" not in f"{place!r} {place}"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:sec@ret@host/db",
        "postgresql://me:sec/ret@host/db",
        "postgresql://me:sec#ret@host/db",
        "postgresql+psycopg://me:secret@host/db",
        "postgres:/me:secret@host/db",
    ],
)
def test_file_or_server_refuses_an_ambiguous_address_without_quoting_it(address: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^--cache: ") as caught:
        file_or_server("--cache", address)
    assert "sec" not in str(caught.value)
    assert "ret" not in str(caught.value).replace("interpreted", "")


@pytest.mark.parametrize("path", ["verified.db", "/srv/postgresql/verified.db", "postgres.db"])
def test_file_or_server_takes_other_texts_for_paths(path: str) -> None:
    assert file_or_server("--cache", path) == Path(path)


@pytest.mark.parametrize(
    "address", ["mysql://user:secret@host/db", "sqlite:///x.db", "MySQL://x/y", "http+unix://x"]
)
def test_file_or_server_refuses_another_scheme_without_the_password(address: str) -> None:
    with pytest.raises(ConfigurationError, match="is not supported; name a file") as raised:
        file_or_server("--runtime-store", address)
    assert "secret" not in str(raised.value)
