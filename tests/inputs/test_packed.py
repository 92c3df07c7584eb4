"""How packed files begin."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import pytest

from citeproof.inputs.packed import is_archive


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.bib"))
    return out.getvalue()


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.bib", "@misc{a, title={One}}")
    return out.getvalue()


@pytest.mark.parametrize("data", [zipped(), gzip.compress(b"text"), tarred()], ids=["zip", "gzip", "tar"])
def test_262_bytes_tell_an_archive(data: bytes) -> None:
    assert is_archive(data[:262])


@pytest.mark.parametrize("data", [b"", b"@misc{a, title={One}}", b"%PDF-1.5", b"x" * 262])
def test_what_is_not_packed_is_no_archive(data: bytes) -> None:
    assert not is_archive(data)
