"""Labelled references and the facts about them, from which chances of invention are computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeproof.model.reference import Bibliography, Diagnostic
from citeproof.model.verdict import Status
from citeproof.readers import formats
from citeproof.readers.opening import open_documents
from citeproof.readers.papers import papers_of
from citeproof.verification.certainty import facts_of
from tests.accuracy import anthology, damage, preprints, sets
from tests.accuracy.entries import entry, fields_of, kind_of, read
from tests.accuracy.sets import Label, Labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.accuracy.conftest import Bench

WEIGHTS = {
    "iclr": 0.75,
    "text": 0.25,
    "wild": 1.0,
    "papers": 1.0,
    "hallmark": 0.25,
    "anthology": 0.05,
    "preprints": 0.05,
    "damaged": 0.02,
}
"""Weight of a reference of each set."""
RUN = 30
"""Number of entries of a bibliography that count as one paper, because there are only six
bibliographies.
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled reference with the facts of its verdict."""

    name: str
    """The set."""
    paper: str
    invented: bool
    facts: tuple[str, ...]
    status: Status
    outside: bool
    """It is a kind of work that the sources need not hold."""

    @property
    def weight(self) -> float:
        """The weight of its set."""
        return WEIGHTS[self.name]

    def half(self, draw: int) -> int:
        """Return the half that its paper is in, 0 or 1."""
        return blake2b(f"{draw} {self.paper}".encode()).digest()[0] % 2


def samples(shared: Path, bench: Bench) -> list[Sample]:
    """Return all labelled references with their facts."""
    gold = shared / "gold"
    runs = (
        replace(one, paper=f"{one.paper} {n // RUN}")
        for n, one in enumerate(sets.wild_bibliographies(gold / "wild"))
    )
    found = [
        *_sampled("wild", runs, bench),
        *_sampled("iclr", sets.chairs(gold / "wild" / "iclr2026.jsonl"), bench),
        *_sampled("text", sets.chairs_as_text(gold / "wild" / "iclr2026.jsonl"), bench),
        *_sampled("papers", _papers(shared / "samples"), bench),
        *_sampled("hallmark", sets.hallmark_split(gold / "hallmark" / "dev_public.jsonl"), bench),
    ]
    papers = anthology.papers(shared / "corpus" / "acl_anthology.jsonl.gz")[::30]
    entries = read([anthology.entry_of(number, paper) for number, paper in enumerate(papers)])
    found += _sampled("anthology", _all(entries, Label.HONEST), bench)
    records = bench.database.records([number for number, _ in bench.database.titles()])
    early = [
        record
        for record in records
        if preprints.is_preprint(record) and record.authors and record.year
    ][::2]
    entries = read([preprints.entry_of(number, record) for number, record in enumerate(early)])
    found += _sampled("preprints", _all(entries, Label.HONEST), bench)
    kinds = ("article", "inproceedings")
    usable = [
        r
        for r in records
        if r.pub_type in kinds and r.authors and r.year and r.venue and r.doi and len(r.title) > 10
    ]
    some = sorted(usable[:: len(usable) // 600], key=lambda record: record.key[::-1])
    found += _sampled(
        "damaged",
        _all(read([entry(kind_of(r), r.key, fields_of(r)) for r in some]), Label.HONEST),
        bench,
    )
    for kind in damage.KINDS:
        entries = read(damage.damaged(kind, some[:250], some[-250:]))
        found += _sampled("damaged", _all(entries, Label.FAULT), bench)
    return found


def _papers(folder: Path) -> Iterator[Labelled]:
    """Read published papers, as PDF and as LaTeX; nobody judged their references, and all count as
    honest.
    """
    for path in sorted(
        [*(folder / "pdfs").glob("*.pdf"), *filter(Path.is_dir, (folder / "projects").iterdir())]
    ):
        for document in papers_of(open_documents([str(path)])):
            assert not isinstance(document, Diagnostic)
            bibliography = (
                document if isinstance(document, Bibliography) else formats.read(document)
            )
            yield from _all(bibliography.references, Label.HONEST, path.stem)


def _all(references: Iterable[Any], label: Label, paper: str = "") -> Iterator[Labelled]:
    for reference in references:
        yield Labelled(reference, label, paper or reference.key)


def _sampled(name: str, labelled: Iterable[Labelled], bench: Bench) -> list[Sample]:
    given = list(labelled)
    verdicts = bench.explained(bench.measure([one.reference for one in given]))
    found = []
    for one, verdict, findings in zip(given, verdicts.verdicts, verdicts.findings, strict=True):
        facts = tuple(
            f"{group}.{fact}" for group, fact in facts_of(verdict, findings.volumes).items()
        )
        outside = verdict.reason == "out_of_scope"
        own = "damaged" if name == "hallmark" and one.label is Label.FAULT else name
        found.append(
            Sample(own, one.paper, one.label is Label.INVENTED, facts, verdict.status, outside)
        )
    return found
