"""A link from one page of the documentation leads somewhere, and every page can be reached from
``docs/index.md``.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
PATH = re.compile(r"`((?:src|tests|benchmarks|deploy|examples|docs)/[\w./-]+)`")
"""A file or folder of the project by its path; one with a part to be filled in, ``<name>``, is
none.
"""


def links(page: Path) -> list[tuple[str, str]]:
    """Return the links of a page to files of the project: path (empty for the page itself) and
    anchor.
    """
    return [
        (path, anchor) for path, anchor in LINK.findall(page.read_text("utf-8")) if ":" not in path
    ]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    assert [path for path, _ in links(page) if not (page.parent / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_headings_lead_to_one(page: Path) -> None:
    broken = []
    for path, anchor in links(page):
        target = page.parent / path if path else page
        if anchor and target.suffix == ".md" and target.exists() and anchor not in anchors(target):
            broken.append(f"{path}#{anchor}")
    assert broken == []


def test_every_page_can_be_reached_from_the_index() -> None:
    reached, waiting = set(), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            targets = [
                (page.parent / path).resolve() for path, _ in links(page) if path.endswith(".md")
            ]
            waiting += [target for target in targets if target.exists()]
    assert sorted(set(PAGES) - reached) == []


def test_the_links_are_found_at_all() -> None:
    """Guards the tests above: a pattern that found nothing would pass them all."""
    assert len(links(ROOT / "docs" / "index.md")) >= len(list((ROOT / "docs").glob("*.md"))) - 1


def test_every_path_that_a_page_names_exists() -> None:
    named = {(page.name, path) for page in PAGES for path in PATH.findall(page.read_text("utf-8"))}
    assert len(named) > 10
    assert sorted((page, path) for page, path in named if not (ROOT / path).exists()) == []
