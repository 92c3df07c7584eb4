"""Labelled sets of references. Each set has an adapter, which states the file, how it is read, and
who published which figures for it.

A reference is *honest*, has a *fault* (the work exists and is described wrongly), or is *invented*
(the work does not exist). Sets are read from folders beside the checkout and are never committed,
except the project's own set.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.model.reference import Reference
from citeproof.readers.document import Document
from citeproof.readers.fields.from_python import accept
from citeproof.readers.formats import bibtex
from citeproof.readers.strings.reference import reference_of_string
from tests.accuracy import hallmark, wild
from tests.accuracy.entries import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Label(StrEnum):
    """What a person, or the maker of the set, says of a reference."""

    HONEST = "honest"
    FAULT = "fault"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A reference with its label and the paper that cites it."""

    reference: Reference
    label: Label
    paper: str


@dataclass(frozen=True, slots=True)
class Published:
    """A figure that the authors of a tool published."""

    said: str
    source: str


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """A set, how it is read, and where to get it."""

    name: str
    path: str
    """File or folder in the folder of data; of the project's own sets in ``tests/data``."""
    read: Callable[[Path], Iterator[Labelled]]
    origin: str
    """Where to get it, and its licence where it is known."""
    published: tuple[Published, ...] = ()


OWN = Path(__file__).parents[1] / "data"
_INVENTED = frozenset(
    {"plausible_fabrication", "chimeric_title", "merged_citation", "hybrid_fabrication"}
)
"""Types of HALLMARK whose work does not exist; the others describe an existing work wrongly."""
_TEXTS = ("title", "venue", "doi", "arxiv_id", "volume", "pages", "url")
_OWN_LABELS = {
    "true": Label.HONEST,
    "damaged": Label.FAULT,
    "invented": Label.INVENTED,
    "outside": Label.HONEST,
}


def own(folder: Path) -> Iterator[Labelled]:
    """Read the project's own references; the file is the label."""
    for name, label in _OWN_LABELS.items():
        for reference in _bib(folder / f"{name}.bib"):
            yield Labelled(reference, label, name)


def hallmark_split(path: Path) -> Iterator[Labelled]:
    """Read a split of HALLMARK."""
    rows = list(map(json.loads, path.read_text("utf-8").splitlines()))
    for row, reference in zip(rows, read(hallmark.entries_of(path)), strict=True):
        wrong = Label.INVENTED if row.get("hallucination_type") in _INVENTED else Label.FAULT
        yield Labelled(
            reference, Label.HONEST if row["label"] == "VALID" else wrong, row["bibtex_key"]
        )


def wild_bibliographies(folder: Path) -> Iterator[Labelled]:
    """Read the bibliographies that others compiled. References that nobody judged count as
    honest; references with the label unsure are left out.
    """
    rows = map(json.loads, (folder / "labels.jsonl").read_text("utf-8").splitlines())
    labels = {(row["bib"], row["key"]): row["label"] for row in rows}
    for name in wild.BIBLIOGRAPHIES:
        for reference in _bib(folder / "bib" / f"{name}.bib"):
            label = labels.get((name, reference.key), Label.HONEST.value)
            if label in set(Label):
                yield Labelled(reference, Label(label), name)


def well_known(path: Path) -> Iterator[Labelled]:
    """Read famous references as people export them."""
    for reference in _bib(path):
        yield Labelled(reference, Label.HONEST, path.stem)


def chairs(path: Path) -> Iterator[Labelled]:
    """Read the references, as fields, that chairs named as not real."""
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        yield Labelled(wild.of_row(dict(row)), Label.INVENTED, row["id"].rpartition("-")[0])


def chairs_as_text(path: Path) -> Iterator[Labelled]:
    """Read the same references as running text."""
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        reference = reference_of_string(row["text"], row["id"])
        yield Labelled(reference, Label.INVENTED, row["id"].rpartition("-")[0])


def citetracer(folder: Path) -> Iterator[Labelled]:
    """Read CiteTracer's synthetic references: ``R1.json`` is real, ``H1.json`` wrong; potential
    ones are left out.
    """
    for path in sorted(folder.glob("[RH]?.json")):
        label = Label.HONEST if path.stem.startswith("R") else Label.FAULT
        for row in json.loads(path.read_text("utf-8")):
            fields: dict[str, Any] = {name: row.get(name) or "" for name in _TEXTS}
            reference = Reference(
                row["citation_id"], authors=tuple(row["authors"]), year=row.get("year"), **fields
            )
            yield Labelled(accept(reference), label, path.stem)


def citeaudit(path: Path) -> Iterator[Labelled]:
    """Read CiteAudit's citations as running text."""
    for number, row in enumerate(json.loads(path.read_text("utf-8"))["data"]):
        label = Label.HONEST if row["GT"] else Label.INVENTED
        yield Labelled(reference_of_string(row["citation"], str(number)), label, row["source_type"])


def lines_of_text(path: Path) -> Iterator[Labelled]:
    """Read a set that somebody put into JSON lines: ``text``, ``label`` (honest, fault, invented)
    and ``paper``.
    """
    for number, row in enumerate(map(json.loads, path.read_text("utf-8").splitlines())):
        yield Labelled(
            reference_of_string(row["text"], str(number)),
            Label(row["label"]),
            row.get("paper", path.stem),
        )


def _bib(path: Path) -> list[Reference]:
    entries: list[Any] = list(
        bibtex.read(Document.of_text(path.read_text("utf-8"), path.name)).references
    )
    return entries


_HALLMARK = "https://github.com/rpatrik96/hallmark (MIT)"
_LEADERBOARD = "https://rpatrik96.github.io/research-agora/benchmarks.html"
_CITETRACER = "https://github.com/aaFrostnova/CiteTracer (MIT)"
_CITEAUDIT = "https://github.com/shiiiikw/CiteAudit"
_OF_CITETRACER = "README of https://github.com/aaFrostnova/CiteTracer"
SETS = (
    LabelledSet("citeproof's own", "accuracy", own, "in the project: tests/data/accuracy"),
    LabelledSet(
        "HALLMARK dev",
        "gold/hallmark/dev_public.jsonl",
        hallmark_split,
        _HALLMARK,
        (
            Published(
                "bibtex-updater: recall 94.6 %, F1 0.908, false positives 17.9 %", _LEADERBOARD
            ),
            Published("GPT-5.1: recall 79.7 %, F1 0.822, false positives 17.1 %", _LEADERBOARD),
            Published("HaRC: recall 14.3 %, F1 0.250, false positives 0.2 %", _LEADERBOARD),
            Published(
                "bibtex-updater 1.1.0, corrected labels: false positives 1.59 %",
                "https://github.com/rpatrik96/bibtexupdater/releases/tag/v1.1.0",
            ),
        ),
    ),
    LabelledSet(
        "HALLMARK test",
        "gold/hallmark/test_public.jsonl",
        hallmark_split,
        _HALLMARK,
        (
            Published(
                "Claude Sonnet 4.6, bibtex-updater: recall 96.5 %, F1 0.901, false positives 33 %",
                _LEADERBOARD,
            ),
            Published(
                "bibtex-updater: recall 88.6 %, F1 0.858, false positives 33.8 %", _LEADERBOARD
            ),
            Published("citecheck-refs: F1 0.967", "README of citecheck-refs 0.4.1"),
        ),
    ),
    LabelledSet(
        "ICLR 2026, as fields",
        "gold/wild/iclr2026.jsonl",
        chairs,
        f"{_CITETRACER}, data/iclr2026_hallucinated",
        (
            Published(
                "CiteTracer, online, on all 957 of ICLR and CCS: recall 97.1 %", _OF_CITETRACER
            ),
        ),
    ),
    LabelledSet(
        "ICLR 2026, as text",
        "gold/wild/iclr2026.jsonl",
        chairs_as_text,
        f"{_CITETRACER}, data/iclr2026_hallucinated",
    ),
    LabelledSet(
        "bibliographies that others compiled",
        "gold/wild",
        wild_bibliographies,
        "public, judged by reading",
    ),
    LabelledSet("well known works", "gold/wild/well_known.bib", well_known, "27 exports"),
    LabelledSet(
        "CiteTracer, synthetic",
        "gold/citetracer/v2",
        citetracer,
        f"{_CITETRACER}, data/synthetic_data/v2",
        (
            Published(
                "CiteTracer, online: F1 0.970 of the real, 0.985 of the hallucinated",
                _OF_CITETRACER,
            ),
        ),
    ),
    LabelledSet(
        "CiteAudit",
        "gold/citeaudit/benchmark.json",
        citeaudit,
        f"{_CITEAUDIT}, data/benchmark.json",
        (
            Published(
                "CiteAudit, online, a run shown as an example: accuracy 91.25 %",
                f"README of {_CITEAUDIT}",
            ),
        ),
    ),
    LabelledSet(
        "Badalova and Mayr's 104",
        "gold/badalova_mayr.jsonl",
        lines_of_text,
        "ask the authors; as JSON lines",
    ),
    LabelledSet(
        "GPTZero, NeurIPS 2025",
        "gold/gptzero_neurips2025.jsonl",
        lines_of_text,
        "https://gptzero.me/news/neurips/, a table of 100 references; as JSON lines",
    ),
)
"""The sets in the order of the board."""
