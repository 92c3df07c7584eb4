"""Checksums of the program's own code."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from citeproof.model.version import ROOT, code_digest, code_version
from citeproof.verification.evidence.line import RULES

if TYPE_CHECKING:
    from pathlib import Path


def test_code_version_covers_packages_that_exist() -> None:
    for part in RULES:
        found = files("citeproof") / part
        assert found.is_dir() or found.is_file(), part
        assert code_version(part) != code_version()
        assert code_version(part) == code_digest(ROOT, part)[:12]


def test_code_digest_is_of_names_and_content_of_code_and_tables(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    code, table = tmp_path / "a" / "x.py", tmp_path / "a" / "x.json"
    code.write_text("ice")
    seen = {code_digest(tmp_path, "a")}
    (tmp_path / "a" / "x.txt").write_text("no code")
    assert code_digest(tmp_path, "a") in seen
    assert code_digest(tmp_path, "a/x.py") in seen
    table.write_text("{}")
    seen.add(code_digest(tmp_path, "a"))
    code.write_text("snow")
    seen.add(code_digest(tmp_path, "a"))
    code.rename(tmp_path / "a" / "y.py")
    seen.add(code_digest(tmp_path, "a"))
    assert len(seen) == 4
