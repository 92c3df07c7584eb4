"""Reading the document of a request and detecting its kind."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from citeproof.model.account import Account, LineKind, Unread
from citeproof.model.errors import InputError
from citeproof.model.reference import Reference
from citeproof.store.runtime.jobs import JobDocument
from citeproof.web.jobs import documents
from citeproof.web.jobs.documents import EMPTY, Reading, begin
from citeproof.web.options import MAX_REFERENCES

if TYPE_CHECKING:
    from collections.abc import Callable

CITED = "K. He, X. Zhang. Deep residual learning for image recognition. CVPR 2016."


def read(document: JobDocument, look: Callable[[], object] = tuple) -> Reading:
    return begin(document, look).read()


def pasted(text: str) -> Reading:
    return read(JobDocument(text.encode(), pasted=True))


@pytest.mark.parametrize(
    ("text", "taken_for", "count"),
    [
        ("Attention is all you need", "title", 1),
        ("  BERT: Pre-training of Deep\n  Bidirectional Transformers \n", "title", 1),
        ("Attention is all you need\nDeep residual learning for image recognition", "titles", 2),
        ("https://doi.org/10.1109/CVPR.2016.90", "doi", 1),
        ("arXiv:1706.03762v5", "arxiv_id", 1),
        (CITED, "reference", 1),
        (f"[1] {CITED}\n[2] L. Valiant. A theory of the learnable. Commun. ACM, 1984.", "text", 2),
        ("@article{a, title={A Theory of the Learnable}}\n@misc{b, title={Another}}", "bibtex", 2),
        ("TY  - JOUR\nTI  - A Theory of the Learnable\nER  - \n", "ris", 1),
        ('[{"title": "A Theory of the Learnable"}]', "json-list", 1),
    ],
)
def test_begin_detects_the_kind_of_pasted_text(text: str, taken_for: str, count: int) -> None:
    reading = pasted(text)
    assert (reading.taken_for, len(reading.entries)) == (taken_for, count)


def test_begin_joins_a_pasted_title_over_two_lines() -> None:
    (entry,) = pasted("Deep residual learning\n  for image recognition").entries
    assert isinstance(entry, Reference)
    assert entry.title == "Deep residual learning for image recognition"


def test_begin_gives_pasted_entries_their_lines() -> None:
    assert [
        str(entry.place)
        for entry in pasted("A theory of the learnable\nDeep residual learning").entries
    ] == [
        "line 1",
        "line 2",
    ]


def test_begin_makes_a_reference_of_a_pasted_identifier() -> None:
    (entry,) = pasted("DOI: 10.1109/CVPR.2016.90").entries
    assert isinstance(entry, Reference)
    assert (entry.doi, entry.title) == ("10.1109/cvpr.2016.90", "")


def test_unread_has_the_lines_of_no_reference_and_lost_ones_first() -> None:
    mail = f"Dear all,\n\nthese are the papers:\n\n1. {CITED}\n2. {CITED}\n\nBest,\nAnn"
    unread = pasted(mail).unread
    assert [(line.line, line.text) for line in unread] == [
        (1, "Dear all,"),
        (3, "these are the papers:"),
        (8, "Best,"),
        (9, "Ann"),
    ]
    reading = replace(pasted(mail), accounts=[lines_of(5, lost=3), None, lines_of(2_000, lost=1)])
    kept = [(line.line, line.lost) for line in reading.unread]
    assert kept[:4] == [(3, True), (1, True), (0, False), (1, False)]
    assert len(kept) == 1_000


def lines_of(count: int, lost: int) -> Account:
    kind = LineKind.UNKNOWN
    lines = [Unread("", number, kind, "text", lost=number == lost) for number in range(count)]
    return Account("", 0, 0, tuple(lines))


def test_begin_keeps_the_unread_lines_of_the_papers_of_a_zip() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("one", "two"):
            archive.writestr(f"{name}.txt", f"Here are the papers:\n\n1. {CITED}\n2. {CITED}\n")
    unread = read(JobDocument(packed.getvalue(), "papers.zip")).unread
    assert [(line.file, line.line) for line in unread] == [
        ("papers.zip/one.txt", 1),
        ("papers.zip/two.txt", 1),
    ]


def test_begin_reads_a_file_by_its_name_and_content() -> None:
    reading = read(JobDocument(b"A title\nAnother one\n", "list.txt", "titles"))
    assert (reading.taken_for, [entry.file for entry in reading.entries]) == (
        "titles",
        ["list.txt", "list.txt"],
    )


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (JobDocument(b" \n", pasted=True), EMPTY),
        (JobDocument(b"\x00\x01\x02\x03" * 100, "a.bin"), "binary data"),
        (JobDocument(b"%PDF-1.4 broken", "a.pdf"), "a.pdf"),
        (JobDocument(b"some text without form", "a.xyz"), "format"),
    ],
)
def test_begin_says_why_a_document_cannot_be_read(document: JobDocument, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read(document)


def test_read_refuses_too_many_references() -> None:
    titles = "\n".join(f"Title {number}" for number in range(MAX_REFERENCES + 1))
    with pytest.raises(InputError, match="5,001 references"):
        read(JobDocument(titles.encode(), "a.txt", "titles"))


def zipped(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.bib", content)
    return packed.getvalue()


def test_begin_reads_the_papers_of_a_zip() -> None:
    data = zipped(
        one="@misc{a, title={A Theory of the Learnable}}", two="@misc{b, title={Another}}"
    )
    reading = read(JobDocument(data, "papers.zip"))
    assert reading.taken_for == "archive"
    assert [
        (entry.key, str(entry.place)) for entry in reading.entries if isinstance(entry, Reference)
    ] == [
        ("a", "papers.zip/one.bib:1"),
        ("b", "papers.zip/two.bib:1"),
    ]


def test_begin_names_members_of_an_archive_beyond_its_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = "@misc{a, title={A Theory of the Learnable}}"
    monkeypatch.setattr(documents, "_MOST_UNPACKED", 60)
    entries = read(JobDocument(zipped(one=entry, two=entry), "papers.zip")).entries
    assert [(type(one).__name__, one.file) for one in entries] == [
        ("Reference", "papers.zip/one.bib"),
        ("Diagnostic", "papers.zip/two.bib"),
    ]
    assert "more than 60 bytes" in str(entries[1])
    monkeypatch.setattr(documents, "_LARGEST_MEMBER", 20)
    with pytest.raises(InputError, match="has more than"):
        read(JobDocument(zipped(one=entry), "papers.zip"))


def test_begin_limits_the_unpacked_size_of_a_word_document(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<document/>" + " " * 500)
    document = JobDocument(packed.getvalue(), "paper.docx")
    with pytest.raises(InputError, match="no heading"):
        read(document)
    monkeypatch.setattr(documents, "_LARGEST_MEMBER", 400)
    with pytest.raises(InputError, match="has more than"):
        read(document)


def test_begin_counts_files_beyond_the_limit_of_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MOST_MEMBERS", 1)
    data = zipped(
        one="@misc{a, title={A Theory of the Learnable}}", two="@misc{b, title={Another}}"
    )
    entries = read(JobDocument(data, "papers.zip")).entries
    assert len(entries) == 2
    assert any("has more than 1 files; the rest is not read" in str(one) for one in entries)


def test_begin_calls_look_before_each_file_of_an_archive() -> None:
    inner = zipped(
        one="@misc{a, title={A Theory of the Learnable}}", two="@misc{b, title={Another}}"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner.zip", inner)
    looks: list[int] = []

    def look() -> None:
        looks.append(len(looks))
        if len(looks) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        read(JobDocument(packed.getvalue(), "papers.zip"), look)
    assert len(looks) == 3


def test_begin_names_a_damaged_zip() -> None:
    with pytest.raises(InputError, match=r"papers\.zip"):
        read(JobDocument(zipped(one="@misc{a, title={A}}")[:-30], "papers.zip"))


def test_begin_sets_bibtex_for_bibtex_only() -> None:
    assert pasted("@misc{b, title={Another}}").bibtex
    assert not pasted("Attention is all you need").bibtex
