"""The picture of the README shows what the program prints now, and loads nothing."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from rich.text import Text

from tools.picture import PICTURE, ROOT, drawn, report

if TYPE_CHECKING:
    import pytest


def words(svg: str) -> list[str]:
    return html.unescape(" ".join(re.findall(r"<text [^>]*>(.*?)</text>", svg))).split()


def test_drawn_shows_the_report_as_it_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    picture, printed = PICTURE.read_text("utf-8"), report()
    assert "SUSPICIOUS" in printed
    assert words(picture) == words(drawn(printed)), "run make picture"
    assert "".join(words(picture)[5:]) == "".join(Text.from_ansi(printed).plain.split())
    assert not re.search(r"""@import|@font-face|(?:href|src)=|url\((?!["']?#)""", picture)
