"""Works printed as references in twelve styles, and lists of these references as pages.

A style has a way to write the authors, a template for articles and a template for papers in
proceedings, as in its manual and its CSL style. Chromium prints the pages, with real columns,
hanging indents, justified lines and hyphens at line ends.
"""

from __future__ import annotations

import html
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.accuracy.restyle import initials, parted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Style:
    """How one style prints a work."""

    people: Callable[[Sequence[str]], str]
    article: str
    paper: str
    numbered: bool = False
    """Entries begin with ``[1]``."""


def joined(
    last: str, between: str = ", ", most: int = 99, others: str = " et al."
) -> Callable[[Sequence[str]], str]:
    def join(names: Sequence[str]) -> str:
        if len(names) > most:
            return f"{between.join(names[: 1 if most < 6 else most])}{others}"
        if len(names) < 2:
            return "".join(names)
        before_last = " and " if len(names) == 2 and last == ", and " else last
        return f"{between.join(names[:-1])}{before_last}{names[-1]}"

    return join


def full(name: str) -> str:
    return name


def initials_first(name: str) -> str:
    given, family = parted(name)
    return f"{initials(given)} {family}" if given else name


def family_initials(name: str, between: str = ", ") -> str:
    given, family = parted(name)
    return f"{family}{between}{initials(given)}" if given else name


def family_bare(name: str) -> str:
    return family_initials(name, " ").replace(".", "").replace("- ", "-")


def bare_joined(name: str) -> str:
    given, family = parted(name)
    return (
        f"{family} {initials(given).replace('.', '').replace(' ', '').replace('-', '')}"
        if given
        else name
    )


def in_brackets(name: str) -> str:
    given, family = parted(name)
    return f"{family.upper()} ({initials(given)})" if given else name.upper()


def capitals(name: str) -> str:
    given, family = parted(name)
    return f"{family.upper()} {initials(given).replace('.', '')}" if given else name.upper()


def tight(name: str) -> str:
    given, family = parted(name)
    return f"{family}, {initials(given).replace('. ', '.')}" if given else name


def inverted(name: str) -> str:
    given, family = parted(name)
    return f"{family}, {given}" if given else name


def each(
    one: Callable[[str], str], join: Callable[[Sequence[str]], str]
) -> Callable[[Sequence[str]], str]:
    return lambda names: join([*map(one, names)])


def first_inverted(join: Callable[[Sequence[str]], str]) -> Callable[[Sequence[str]], str]:
    return lambda names: join([inverted(names[0]), *names[1:]])


STYLES: Mapping[str, Style] = {
    "ieee": Style(
        each(initials_first, joined(", and ")),
        "{people}, “{title},” {venue}, vol. {volume}, no. {number}, pp. {pages}, {year}.{doi}",
        "{people}, “{title},” in {venue}, {year}, pp. {pages}.{doi}",
        numbered=True,
    ),
    "acm": Style(
        each(full, joined(", and ")),
        "{people}. {year}. {title}. {venue} {volume}, {number} ({year}), {pages}.{link}",
        "{people}. {year}. {title}. In {venue}, {year}. {pages}.{link}",
        numbered=True,
    ),
    "acl": Style(
        each(full, joined(", and ")),
        "{people}. {year}. {title}. {venue}, {volume}({number}):{pages}.{link}",
        "{people}. {year}. {title}. In {venue}, pages {pages}.{link}",
    ),
    "apa": Style(
        each(family_initials, joined(", & ")),
        "{people} ({year}). {title}. {venue}, {volume}({number}), {pages}.{link}",
        "{people} ({year}). {title}. In {venue} (pp. {pages}).{link}",
    ),
    "mla": Style(
        first_inverted(joined(", and ", most=3, others=", et al")),
        "{people}. “{title}.” {venue} {volume}.{number} ({year}): {pages}.{link}",
        "{people}. “{title}.” {venue}, {year}, pp. {pages}.{link}",
    ),
    "chicago-author-date": Style(
        first_inverted(joined(", and ")),
        "{people}. {year}. “{title}.” {venue} {volume} ({number}): {pages}.{link}",
        "{people}. {year}. “{title}.” In {venue}, {pages}.{link}",
    ),
    "chicago-notes": Style(
        first_inverted(joined(", and ")),
        "{people}. “{title}.” {venue} {volume}, no. {number} ({year}): {pages}.{link}",
        "{people}. “{title}.” In {venue}, {pages}, {year}.{link}",
    ),
    "lncs": Style(
        each(tight, joined(", ")),
        "{people}: {title}. {venue}. {volume}, {pages} ({year}).{link}",
        "{people}: {title}. In: {venue}. pp. {pages} ({year}).{link}",
        numbered=True,
    ),
    "nature": Style(
        each(family_initials, joined(" & ", most=5)),
        "{people} {title}. {venue} {volume}, {pages} ({year}).{link}",
        "{people} {title}. in {venue} {pages} ({year}).{link}",
        numbered=True,
    ),
    "vancouver": Style(
        each(bare_joined, joined(", ", most=6, others=", et al")),
        "{people}. {title}. {venue}. {year};{volume}({number}):{pages}.{doi}",
        "{people}. {title}. In: {venue}; {year}. p. {pages}.{doi}",
        numbered=True,
    ),
    "elsevier-harvard": Style(
        each(tight, joined(", ")),
        "{people}, {year}. {title}. {venue} {volume}, {pages}.{link}",
        "{people}, {year}. {title}, in: {venue}. pp. {pages}.{link}",
    ),
    "gb-t-7714": Style(
        each(capitals, joined(", ", most=3, others=", et al")),
        "{people}. {title}[J]. {venue}, {year}, {volume}({number}): {pages}.{doi}",
        "{people}. {title}[C]//{venue}. {year}: {pages}.{doi}",
        numbered=True,
    ),
}
"""Name of a style, to how it prints."""


def printed(style: str, fields: Mapping[str, str], number: int = 1) -> str:
    """Return the reference string of a work; ``fields`` are named as in BibTeX, its journal tells
    an article.
    """
    chosen = STYLES[style]
    names = [name for name in fields["author"].split(" and ") if name]
    doi = fields.get("doi", "")
    line = chosen.article if fields.get("journal") else chosen.paper
    people = chosen.people(names) if names else ""
    values = {
        "people": people.rstrip(".") if line.startswith("{people}.") else people,
        "title": fields["title"],
        "venue": fields.get("journal") or fields.get("booktitle", ""),
        "year": fields.get("year", ""),
        "volume": str(12 + number % 40),
        "number": str(1 + number % 6),
        "pages": f"{100 + number * 7 % 800}–{112 + number * 7 % 800}",
        "doi": f" doi: {doi}." if doi else "",
        "link": f" https://doi.org/{doi}" if doi else "",
    }
    text = line.format_map(values).replace("?.", "?").replace("!.", "!").replace("..", ".")
    return f"[{number}] {text}" if chosen.numbered else text


_HANGING = "padding-left: 1.4em; text-indent: -1.4em"
LAYOUTS: Mapping[str, tuple[str, str]] = {
    "one column": ("width: 6.3in", _HANGING),
    "two columns": ("columns: 2; column-gap: 0.3in; width: 7in", _HANGING),
    "three columns": ("columns: 3; column-gap: 0.25in; width: 7in; font-size: 7.5pt", _HANGING),
    "gaps": ("columns: 2; column-gap: 0.3in; width: 7in", "margin-bottom: 6pt"),
    "numbered": ("width: 6.3in", ""),
    "review copy": ("width: 6in; margin-left: 0.5in; line-height: 12pt", _HANGING),
    "three columns, wide lines": (
        "columns: 3; column-gap: 0.25in; width: 7in; font-size: 7.5pt; line-height: 12pt",
        _HANGING,
    ),
}
"""Name of a layout, to the style sheets of its body and of an entry."""
_NUMBERED = "numbered"
"""Entries begin with ``1.`` in place of the style's own label, without an indent."""
_REVIEW_COPY = "review copy"
"""A running head stands on every page, and the numbers of its lines in the margin; entries go on
over the page.
"""
_SHEET = """@page { size: letter; margin: 0.9in 0.75in } body { font: 9.5pt 'DejaVu Serif', serif;
%s }
p { margin: 0 0 2pt; text-align: justify; hyphens: auto; %s }"""
_LINE_NUMBERS = "\n".join(map(str, range(1, 56)))
_MARGIN = f"""<style>@page {{ @top-center {{ content: "Under review, please do not cite" }}
}}</style>
<div style="position: fixed; top: 0; left: 0; font-size: 7pt; white-space:
pre">{_LINE_NUMBERS}</div>"""
_LABEL = re.compile(r"\[\d+\]\s*")
_WORDS = "The words of the paper stand here and say what it has found out about sheep. "


def page(strings: Sequence[str], layout: str) -> str:
    """Return a paper of a few words with ``strings`` as its reference list, as HTML."""
    if layout == _NUMBERED:
        strings = [
            f"{number}. {_LABEL.sub('', text)}" for number, text in enumerate(strings, start=1)
        ]
    entries = "\n".join(f"<p>{html.escape(text)}</p>" for text in strings)
    margin = _MARGIN if layout == _REVIEW_COPY else ""
    return (
        "<!DOCTYPE html><html lang=en><meta"
        f" charset=utf-8><style>{_SHEET % LAYOUTS[layout]}</style><body>{margin}<h1>A"
        f" Paper</h1><p>{_WORDS * 40}</p><h2>References</h2>\n{entries}\n</body></html>"
    )


def pdf(markup: str) -> bytes:
    """Return a page as Chromium prints it."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "paper.html"), Path(folder, "paper.pdf")
        source.write_text(markup, "utf-8")
        command = [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
        ]
        subprocess.run(
            [
                *command,
                f"--user-data-dir={folder}/profile",
                f"--print-to-pdf={target}",
                source.as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        return target.read_bytes()
