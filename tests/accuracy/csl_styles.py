"""Works printed as PDF in the styles of journals, and read again.

    pip install typst
    python -m tests.accuracy.csl_styles DATABASE [WORKS]

Typst prints the works as the reference list of a paper, in each CSL style that it has, in one and
in two columns. For each style and layout, a line says how many of the works are read as separate
entries, how many titles and first authors are right, and what the report says about the list.
Styles that print no titles or no list are named.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.readers import formats
from citeproof.readers.document import Document
from citeproof.text.names import fold_words, parse_name
from citeproof.text.normalize import normalize_title
from tests.accuracy.end_to_end import drawn
from tests.accuracy.entries import entry, kind_of, whole_fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citeproof.model.record import Record
    from citeproof.model.reference import Reference

_STYLE_LIST = """
american-anthropological-association american-chemical-society american-geophysical-union
american-institute-of-aeronautics-and-astronautics american-institute-of-physics
american-medical-association american-meteorological-society american-physics-society
american-physiological-society american-political-science-association
american-psychological-association american-society-for-microbiology
american-society-of-civil-engineers american-society-of-mechanical-engineers
american-sociological-association angewandte-chemie annual-reviews annual-reviews-author-date
associacao-brasileira-de-normas-tecnicas association-for-computing-machinery biomed-central cell
chicago-author-date chicago-fullnotes chicago-notes chicago-shortened-notes copernicus
council-of-science-editors council-of-science-editors-author-date current-opinion deutsche-sprache
elsevier-harvard elsevier-vancouver elsevier-with-titles frontiers future-medicine future-science
gb-7714-2005-numeric gb-7714-2015-author-date gb-7714-2015-note gb-7714-2015-numeric
gost-r-705-2008-numeric harvard-cite-them-right institute-of-electrical-and-electronics-engineers
institute-of-physics-numeric iso-690-author-date iso-690-numeric karger mary-ann-liebert-vancouver
modern-humanities-research-association modern-language-association modern-language-association-8
multidisciplinary-digital-publishing-institute nature pensoft public-library-of-science
royal-society-of-chemistry sage-vancouver sist02 spie springer-basic springer-basic-author-date
springer-fachzeitschriften-medizin-psychologie springer-humanities-author-date
springer-lecture-notes-in-computer-science springer-mathphys springer-socpsych-author-date
springer-vancouver taylor-and-francis-chicago-author-date
taylor-and-francis-national-library-of-medicine the-institution-of-engineering-and-technology
the-lancet thieme trends turabian-author-date turabian-fullnote-8 vancouver vancouver-superscript
"""
STYLES = tuple(_STYLE_LIST.split())
_UNTITLED = frozenset({"angewandte-chemie", "royal-society-of-chemistry"})
"""Styles that do not print the titles of articles."""
_PAPER = """#set page(paper: "a4", numbering: "1", columns: {columns})
#set text(size: {size}pt)
#set par(justify: true)
= On lamps
#lorem(100) {cited}

#lorem(400)
#bibliography("refs.bib", style: "{style}", title: "References")
"""


def paper(works: Sequence[Record], style: str, columns: int) -> bytes:
    """Return a PDF that cites ``works``."""
    import typst

    cited = " ".join(f"@w{number}" for number in range(len(works)))
    source = _PAPER.format(columns=columns, size=11 - columns, cited=cited, style=style)
    with tempfile.TemporaryDirectory() as folder:
        entries = (
            entry(kind_of(work), f"w{number}", whole_fields_of(work))
            for number, work in enumerate(works)
        )
        (Path(folder) / "refs.bib").write_text("\n\n".join(entries), "utf-8")
        (Path(folder) / "main.typ").write_text(source, "utf-8")
        printed: bytes = typst.compile(Path(folder) / "main.typ")
    return printed


def counted(works: Sequence[Record], references: Sequence[Reference]) -> Counter[str]:
    """Count the works that come back alone in an entry, with their title and first author."""
    count = Counter[str]()
    raws = [_plain(reference.raw) for reference in references]
    titles = [_plain(work.title) for work in works]
    for work, title in zip(works, titles, strict=True):
        own = [
            reference
            for reference, raw in zip(references, raws, strict=True)
            if title in raw and sum(other in raw for other in titles) == 1
        ]
        if own:
            family = set(fold_words(work.authors[0].split()[-1]))
            count["entries"] += 1
            count["titles"] += _plain(own[0].title) == title
            read = parse_name(own[0].authors[0]).words if own[0].authors else ()
            count["authors"] += not family.isdisjoint(read)
    return count


def _plain(text: str) -> str:
    return normalize_title(text).replace(" ", "")


def main() -> None:
    """Print a line for each style and layout, and the sums."""
    parser = argparse.ArgumentParser()
    parser.add_argument("database", type=Path)
    parser.add_argument("works", nargs="?", type=int, default=40)
    options = parser.parse_args()
    with Database.open(options.database) as database:
        works = [one for one in drawn(database, 2 * options.works) if len(one.title) > 20]
    works = works[: options.works]
    for columns in (1, 2):
        sums = Counter[str]()
        for style in STYLES:
            found = formats.read(Document.of("paper.pdf", paper(works, style, columns)))
            count = counted(works, found.references)
            fault = found.extraction.fault if found.extraction else "no list"
            _show(f"{style}, {columns}", count, len(works), fault)
            if style not in _UNTITLED:
                sums += count + Counter(works=len(works), styles=1)
        _show(f"{sums['styles']} styles with titles, {columns}", sums, sums["works"], "")


def _show(name: str, count: Mapping[str, int], works: int, said: str) -> None:
    facts = "  ".join(
        f"{fact} {count[fact] / works:6.1%}" for fact in ("entries", "titles", "authors")
    )
    print(f"{name:66} {facts}  {said}")


if __name__ == "__main__":
    main()
