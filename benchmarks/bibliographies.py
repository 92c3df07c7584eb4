"""Bibliographies of generated works, with the same works in every input format."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citeproof.readers.document import Document
from tests.readers.formats.pdf.typeset import column, pdf
from tests.word import field as word_field
from tests.word import word_document, zotero

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SEED = 20261122
GIVEN = ("Ann", "Bob", "Carla", "Dan", "Eva", "Farid", "Grace", "Hiro", "Ines", "Jan")
FAMILY = (
    "Lee",
    "Ray",
    "Fox",
    "Elk",
    "Moreau",
    "Sato",
    "Novak",
    "Silva",
    "Haddad",
    "Berg",
    "Okafor",
    "Weiss",
)
WORDS = (
    "learning",
    "graphs",
    "proofs",
    "storage",
    "queries",
    "networks",
    "sparse",
    "bounds",
    "parallel",
    "search",
    "streams",
    "models",
    "robust",
    "index",
    "caches",
    "planning",
    "vision",
    "speech",
    "privacy",
    "types",
)


@dataclass(frozen=True, slots=True)
class Work:
    """One made article."""

    number: int
    title: str
    people: tuple[tuple[str, str], ...]
    """Given and family names."""
    year: int

    @property
    def key(self) -> str:
        """A key that no other work has."""
        return f"key{self.number}"

    @property
    def doi(self) -> str:
        """An identifier of the made prefix 10.1000."""
        return f"10.1000/xyz.{self.number}"

    @property
    def string(self) -> str:
        """The work as it is printed in a list."""
        people = ", ".join(f"{given[0]}. {family}" for given, family in self.people)
        return (
            f"{people}. {self.title}. Journal of Made Works,"
            f" {self.number % 40 + 1}(2):1-{self.number}, {self.year}. doi:{self.doi}."
        )


def works(count: int) -> list[Work]:
    """Return ``count`` works, always the same ones."""
    choice = random.Random(SEED)
    return [
        Work(
            number,
            f"On {' '.join(choice.sample(WORDS, 5))} and {choice.choice(WORDS)}, "
            f"part {number}".capitalize(),
            tuple(
                (choice.choice(GIVEN), choice.choice(FAMILY)) for _ in range(choice.randint(1, 4))
            ),
            choice.randint(1990, 2025),
        )
        for number in range(1, count + 1)
    ]


def pasted(size: int) -> str:
    """Return ``size`` characters of references in eight styles, one a line, without numbers."""
    made = works(size // 80)
    lines: list[str] = []
    while size > 0:
        work = made[len(lines)]
        lines.append(STYLES[len(lines) % len(STYLES)](work))
        size -= len(lines[-1]) + 1
    return "\n".join(lines)


def _inverted(work: Work, joint: str, mark: str = ".", comma: str = ",") -> str:
    """Return people as ``Lee, A., Ray, B.`` or, with other signs, as ``Lee A, Ray B``."""
    names = [f"{family}{comma} {given[0]}{mark}" for given, family in work.people]
    return joint.join(filter(None, (", ".join(names[:-1]), names[-1])))


def _full(work: Work) -> str:
    return " and ".join(" ".join(names) for names in work.people)


def _initials(work: Work) -> str:
    return " and ".join(f"{given[0]}. {family}" for given, family in work.people)


STYLES: tuple[Callable[[Work], str], ...] = (
    lambda work: (
        f"{_inverted(work, ', & ')} ({work.year}). {work.title}. International Journal of Made"
        f" Works and Systems, {work.number % 40}(2), 1–{work.number}."
    ),
    lambda work: (
        f"{_initials(work)}, “{work.title},” in Proc. 12th Int. Conf. on Made Works and Systems,"
        f" {work.year}, pp. 1–{work.number}."
    ),
    lambda work: (
        f"{_full(work)}. {work.year}. {work.title}. Commun. Made Works {work.number % 40}, 2"
        f" ({work.year}), 1–{work.number}."
    ),
    lambda work: (
        f"{_full(work)}. {work.title}. In Proceedings of the Conference on Made Works, pages"
        f" 1–{work.number}, {work.year}."
    ),
    lambda work: (
        f"{_inverted(work, ', ')}: {work.title}. In: Advances in Made Works. Lecture Notes,"
        f" pp. 1–{work.number} ({work.year})"
    ),
    lambda work: (
        f"{_inverted(work, ', ', '', '')}. {work.title}. Made Works Syst Lett. {work.year};"
        f"{work.number % 40}(2):1-{work.number}."
    ),
    lambda work: (
        f"{_inverted(work, ' & ')} {work.title}. Journal of Made Works and Systems"
        f" {work.number % 40}, 1–{work.number} ({work.year})."
    ),
    lambda work: (
        f"{_inverted(work, ' and ')}, {work.year}. {work.title}. Made Works and Systems,"
        f" {work.number % 40}(2), pp.1-{work.number}."
    ),
)
"""References as in APA, IEEE, ACM, BibTeX's plain style, LNCS, Vancouver, Nature and Harvard."""


def document(name: str, made: list[Work]) -> Document:
    """Return ``made`` as a document of the format ``name``."""
    beside = {"made.bib": document("bibtex", made)} if name == "latex-aux" else {}
    return Document.of(f"made.{name}", FORMATS[name](made), neighbour=beside.get)


def _text(
    entry: Callable[[Work], str], before: str = "", after: str = ""
) -> Callable[[list[Work]], bytes]:
    return lambda made: f"{before}{''.join(map(entry, made))}{after}".encode()


def _json(item: Callable[[Work], object]) -> Callable[[list[Work]], bytes]:
    return lambda made: json.dumps([item(work) for work in made], indent=1).encode()


def _bibtex(work: Work) -> str:
    people = " and ".join(f"{family}, {given}" for given, family in work.people)
    return (
        f"@article{{{work.key},\n  author = {{{people}}},\n  title = {{{{{work.title}}}}},\n "
        f" journal = {{Journal of Made Works}},\n  year = {work.year},\n  pages ="
        f" {{1--{work.number}}},\n  doi = {{{work.doi}}}\n}}\n"
    )


def _bibitem(work: Work) -> str:
    people = ", ".join(f"{given[0]}.~{family}" for given, family in work.people)
    return (
        f"\\bibitem{{{work.key}}}\n{people}.\n\\newblock {work.title}.\n"
        f"\\newblock \\emph{{Journal of Made Works}}, 3(2):1--{work.number}, {work.year}.\n\n"
    )


def _csl(work: Work) -> dict[str, object]:
    return {
        "id": work.key,
        "type": "article-journal",
        "title": work.title,
        "container-title": "Journal of Made Works",
        "author": [{"family": family, "given": given} for given, family in work.people],
        "issued": {"date-parts": [[work.year]]},
        "DOI": work.doi,
    }


def _yaml(work: Work) -> str:
    people = "".join(f"  - family: {family}\n    given: {given}\n" for given, family in work.people)
    return (
        f"- id: {work.key}\n  type: article-journal\n  title: {work.title}\n  author:\n{people} "
        f" container-title: Journal of Made Works\n  issued:\n    year: {work.year}\n  DOI:"
        f" {work.doi}\n"
    )


def _listed(work: Work) -> dict[str, object]:
    people = [" ".join(names) for names in work.people]
    return {
        "key": work.key,
        "title": work.title,
        "authors": people,
        "year": work.year,
        "doi": work.doi,
    }


def _ris(work: Work) -> str:
    people = "".join(f"AU  - {family}, {given}\n" for given, family in work.people)
    return (
        f"TY  - JOUR\nID  - {work.key}\n{people}TI  - {work.title}\nJO  - Journal of Made Works\nPY"
        f"  - {work.year}\nSP  - 1\nEP  - {work.number}\nDO  - {work.doi}\nER  - \n\n"
    )


def _medline(work: Work) -> str:
    people = "".join(f"FAU - {family}, {given}\n" for given, family in work.people)
    return (
        f"PMID- {work.number}\nDP  - {work.year}\nTI  - {work.title}.\nLID - {work.doi}"
        f" [doi]\n{people}JT  - Journal of Made Works\n\n"
    )


def _endnote(work: Work) -> str:
    people = "".join(f"<author>{family}, {given}</author>" for given, family in work.people)
    return (
        f"<record><rec-number>{work.number}</rec-number><contributors><authors>{people}</authors></contributors>"
        f"<titles><title>{work.title}</title><secondary-title>Journal of Made"
        " Works</secondary-title></titles>"
        f"<dates><year>{work.year}</year></dates><electronic-resource-num>{work.doi}</electronic-resource-num>"
        "</record>\n"
    )


def _row(work: Work) -> str:
    people = "; ".join(f"{family}, {given}" for given, family in work.people)
    return f'"{people}","{work.title}",{work.year},Journal of Made Works,{work.doi}\n'


def _paper(made: list[Work]) -> bytes:
    """Return a PDF of the list alone, numbered, 36 lines a page."""
    lines = [
        "References",
        *(line for work in made for line in _broken(f"[{work.number}] {work.string}")),
    ]
    return pdf([column(lines[start : start + 36]) for start in range(0, len(lines), 36)])


def _broken(string: str) -> Iterable[str]:
    """Yield lines of about 80 characters; all but the first are indented."""
    line, indent = "", ""
    for word in string.split():
        if len(line) + len(word) > 80:
            yield indent + line
            line, indent = "", " "
        line = f"{line} {word}".strip()
    yield indent + line


FORMATS: dict[str, Callable[[list[Work]], bytes]] = {
    "bbl": _text(_bibitem, "\\begin{thebibliography}{9}\n\n", "\\end{thebibliography}\n"),
    "bibtex": _text(_bibtex),
    "csl-json": _json(_csl),
    "csl-yaml": _text(_yaml, "references:\n"),
    "csv": _text(_row, "Authors,Title,Year,Source title,DOI\n"),
    "docx": lambda made: word_document("".join(word_field(zotero(_csl(work))) for work in made)),
    "endnote-xml": _text(_endnote, "<xml><records>\n", "</records></xml>\n"),
    "html": _text(
        lambda work: f"<li>{work.string}</li>\n",
        "<html><body><h2>References</h2>\n<ol>\n",
        "</ol></body>",
    ),
    "json-list": _json(_listed),
    "latex": _text(
        _bibitem,
        "\\documentclass{article}\n\\begin{document}\n\\nocite{*}\n\\begin{thebibliography}{9}\n",
        "\\end{thebibliography}\n\\end{document}\n",
    ),
    "latex-aux": _text(
        lambda work: f"\\citation{{{work.key}}}\n", "\\relax\n", "\\bibdata{made}\n"
    ),
    "markdown": _text(lambda work: f"{work.number}. {work.string}\n", "# References\n\n"),
    "medline": _text(_medline),
    "pdf": _paper,
    "ris": _text(_ris),
    "text": _text(lambda work: f"[{work.number}] {work.string}\n", "References\n\n"),
    "titles": _text(lambda work: f"{work.title}\n"),
}
"""Writer of each format of ``citeproof.readers.formats``."""
