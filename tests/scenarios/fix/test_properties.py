"""What holds of every correction, whatever the bibliography and the flags: real files with faults
made, and made ones.

The faults: years three too late, and DOIs and pages taken out. The database holds what the files
say themselves.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import citeproof
from citeproof.database.building.builder import build
from citeproof.database.lookup import Database
from citeproof.fix.document import Corrected, Corrector
from citeproof.fix.layout import Kind, Layout, wrapped
from citeproof.fix.patch import patch
from citeproof.model.reference import NOWHERE, Span
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex
from citeproof.verification.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from citeproof.model.record import Record
    from citeproof.model.reference import Reference
    from citeproof.verification.pipeline import Examination

FLAGS = [(upgrade, complete) for upgrade in (False, True) for complete in (False, True)]
EMPTY = ("13_edge_cases.bib", "14_mendeley_ris_like.bib")
"""They hold no work that a database could be built from."""
MOST = 10
"""Entries of one file that are looked at: the longest has 1,411."""


class Bench:
    """A chain over one database that looks each reference up once, whatever the flags."""

    def __init__(self, database: Database) -> None:
        session = Session.over(database)
        self._found = cache(session.pipeline.examine)
        self._validator = session.validator

    def examine(self, reference: Reference) -> Examination:
        return self._found(replace(reference, place=NOWHERE))

    def corrected(self, document: Document, *, upgrade: bool, complete: bool) -> Corrected:
        corrector = Corrector(
            bibtex.read,
            self.examine,
            self._validator,
            upgrade=upgrade,
            complete=complete,
        )
        return corrector.correct(document)

    def hold(self, folder: Path, document: Document) -> set[Kind]:
        """See that all holds of ``document`` under each pair of flags; return the kinds of what was
        changed.
        """
        kinds = set()
        for upgrade, complete in FLAGS:
            result = self.corrected(document, upgrade=upgrade, complete=complete)
            new = Document.of(document.name, result.data)
            kinds |= {change.kind for change in result.changes}
            assert (result.data == document.data) is not bool(result.changes)
            self._rest_is_untouched(document, new, result)
            self._claims_hold(document, new, result)
            applies(folder, document, result)
            assert not self.corrected(new, upgrade=upgrade, complete=complete).changes
        return kinds

    def _rest_is_untouched(self, old: Document, new: Document, result: Corrected) -> None:
        """Entries without a change, and all between the entries, are as they were."""
        changed = {change.reference.place.span for change in result.changes}
        before, after = bibtex.read(old).references, bibtex.read(new).references
        assert len(before) == len(after)
        for one, other in zip(before, after, strict=True):
            assert (one.raw != other.raw) is (one.place.span in changed)
            assert one.key == other.key
        assert between(old, before) == between(new, after)

    def _claims_hold(self, old: Document, new: Document, result: Corrected) -> None:
        """``verify`` finds nothing that was mended, and nothing that it did not find before."""
        pairs = zip(bibtex.read(old).references, bibtex.read(new).references, strict=True)
        after = {before.place.span: (before, now) for before, now in pairs}
        for change in result.changes:
            before, now = (
                {issue.code for issue in self.examine(reference).verdict.issues}
                for reference in after[change.reference.place.span]
            )
            assert now.isdisjoint(change.codes)
            assert change.kind is Kind.CORRECTED or now <= before


def between(document: Document, references: Sequence[Reference]) -> list[str]:
    """Return what stands before, between and behind the entries."""
    spans = [reference.place.span for reference in references]
    ends = [0, *(span.end for span in spans if span)]
    starts = [*(span.start for span in spans if span), len(document.text)]
    return [document.text[end:start] for end, start in zip(ends, starts, strict=True)]


def applies(folder: Path, document: Document, result: Corrected) -> None:
    """See that git makes the new file of the old one."""
    pieces, at = [], 0
    for start, end, new in result.edits:
        assert at <= start <= end <= len(document.data)
        pieces += [document.data[at:start], new]
        at = end
    assert b"".join([*pieces, document.data[at:]]) == result.data
    said = patch("refs.bib", document.data, result.data, result.edits)
    assert bool(said) is bool(result.changes)
    if said:
        (folder / "refs.bib").write_bytes(document.data)
        subprocess.run(
            ["git", "apply", "-"], input=said, cwd=folder, check=True, capture_output=True
        )
        assert (folder / "refs.bib").read_bytes() == result.data


def damaged(document: Document) -> Document:
    """Return ``document`` with a wrong year in every third entry, and without DOI or pages in every
    other third.
    """
    edits = []
    for number, reference in enumerate(bibtex.read(document).references):
        layout = Layout.of(reference.place, document.text)
        year = layout.field("year") if layout else None
        field = (
            layout.field(*(("doi", "pages") if number % 2 else ("pages", "doi")))
            if layout
            else None
        )
        if (
            layout
            and year
            and number % 3 == 0
            and reference.year
            and year.raw.strip('{"}').isdigit()
        ):
            edits.append((year.value, wrapped(str(reference.year + 3), year.raw)))
        elif layout and field and number % 3 == 1 and layout.is_plain():
            edits.append(layout.without(field))
    return document.edited(edits)


@pytest.fixture(scope="module")
def samples(shared: Path) -> list[Document]:
    """Return the first entries of each real file."""
    return [beginning(path) for path in sorted((shared / "samples" / "bib").glob("*.bib"))]


def beginning(path: Path) -> Document:
    """Return the first entries of a file, as they are."""
    document = Document.of(path.name, path.read_bytes())
    spans = [reference.place.span for reference in bibtex.read(document).references[:MOST]]
    return (
        document.edited([(Span(spans[-1].end, len(document.text)), "")])
        if spans and spans[-1]
        else document
    )


@pytest.fixture(scope="module")
def of_samples(
    samples: list[Document], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bench]:
    folder = tmp_path_factory.mktemp("bib")
    for sample in samples:
        if sample.name not in EMPTY:
            (folder / sample.name).write_bytes(sample.data)
    path = folder / "samples.db"
    build(sorted(folder.glob("*.bib")), path)
    with Database.open(path) as database:
        yield Bench(database)


@pytest.mark.slow
@pytest.mark.shared
def test_all_holds_of_real_files_with_faults(
    of_samples: Bench, samples: list[Document], tmp_path: Path
) -> None:
    assert len(samples) == 19
    kinds = set().union(*(of_samples.hold(tmp_path, damaged(sample)) for sample in samples))
    assert kinds == {Kind.CORRECTED, Kind.ADDED}


@pytest.fixture(scope="module")
def of_works() -> Iterator[Bench]:
    with citeproof.open_database() as database:
        yield Bench(database)


@dataclass(frozen=True, slots=True)
class Style:
    """How an entry is written; the last separator has a remark, behind which no field can be
    added.
    """

    separator: str
    head: str
    value: str
    name: Callable[[str], str]
    end: str


STYLES = st.builds(
    Style,
    st.sampled_from([",\n  ", ",\n\t", "\n, ", ", ", ",\n\n  ", ", % a remark\n  "]),
    st.sampled_from(["{} = ", "{}=", "{:<12} = ", "{:<12}= ", "{}  =\t"]),
    st.sampled_from(["{{{}}}", '"{}"', "{{ {} }}"]),
    st.sampled_from([str.lower, str.upper, str.capitalize]),
    st.sampled_from(["\n}", ",\n}", "}", " % the end\n}", ",}"]),
)


@st.composite
def entries(draw: st.DrawFn, works: Sequence[Record]) -> str:
    """Return an entry of one of ``works`` in one style, with something missing or wrong."""
    record, style = draw(st.sampled_from(works)), draw(STYLES)
    venue = "journal" if record.pub_type == "article" else "booktitle"
    preprint = f"arXiv preprint arXiv:{record.arxiv_id or '1810.04805'}"
    fields = {
        "title": record.title.replace("&", r"\&"),
        "author": " and ".join(record.authors),
        venue: draw(st.sampled_from([record.venue, record.venue, "", preprint])),
        "year": str((record.year or 2000) + draw(st.sampled_from([0, 0, 1, 4]))),
        "pages": record.pages,
        "volume": record.volume,
        "doi": draw(st.sampled_from([record.doi, "", "10.1145/12345"])),
        "note": "Read.",
        "abstract": "Long, = {and} odd",
    }
    kept = draw(st.sets(st.sampled_from(sorted(fields)), min_size=5)) | {"title", "author"}
    written = [
        style.head.format(style.name(name)) + style.value.format(value)
        for name, value in fields.items()
        if name in kept and value
    ]
    kind = draw(st.sampled_from(["article", "InProceedings", "misc", "ONLINE"]))
    key = draw(st.sampled_from(["key", "a:b", ""]))
    return f"@{kind}{{{style.separator.join([key, *written])}{style.end}"


@pytest.fixture(scope="module")
def works() -> list[Record]:
    """Return the works of the sample database that have a preprint, and some that have none."""
    with citeproof.open_database() as database:
        records = database.records([number for number, _ in database.titles()])
    preprints = {record.title.lower() for record in records if record.publtype == "informal"}
    return [record for record in records if record.title.lower() in preprints] + records[:8]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_all_holds_of_entries_in_any_style(
    of_works: Bench, works: list[Record], tmp_path: Path, data: st.DataObject
) -> None:
    found = data.draw(st.lists(entries(works), min_size=1, max_size=4))
    between = data.draw(st.sampled_from(["\n\n", "\r\n\r\n", "\n% @article{no}\n"]))
    text = between.join(found)
    written = text.replace("\r", "").replace("\n", "\r\n") if "\r" in between else text
    encoding = data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
    of_works.hold(tmp_path, Document.of("refs.bib", written.encode(encoding)))
