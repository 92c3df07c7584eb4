"""The README is short, and its picture is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_readme_has_at_most_700_words() -> None:
    assert 300 < len(README.split()) <= 700


def test_the_readme_shows_one_picture() -> None:
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert (ROOT / picture).read_text("utf-8").startswith("<svg")
