"""What was not found, by kind, and the sources that would hold it."""

from dataclasses import replace

import pytest

from citeproof.model.reference import Reference
from citeproof.model.run import Run, Statistics
from citeproof.model.verdict import Status, Verdict
from citeproof.report.advice import sentence
from citeproof.report.misses import kind_of, miss_lines
from citeproof.report.wording import listing

DBLP = {"name": "dblp", "format": "dblp", "records": 8_000_000, "dump_date": "2026-08-01"}
OPENALEX = {
    "name": "openalex",
    "format": "openalex",
    "records": 270_000_000,
    "dump_date": "2026-08-01",
}


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"entry_type": "article", "venue": "The Lancet"}, "journal article"),
        ({"entry_type": "inproceedings", "venue": "ICML"}, "conference paper"),
        ({"entry_type": "misc", "arxiv_id": "2105.01234"}, "arXiv preprint"),
        ({"entry_type": "book"}, "book"),
        ({"entry_type": "phdthesis"}, "thesis"),
        ({"entry_type": "misc", "title": "Transmission Control Protocol", "raw": "RFC 793"}, "RFC"),
        ({"entry_type": "techreport", "title": "ISO/IEC 27001 Information security"}, "standard"),
        ({"entry_type": "patent"}, "patent"),
        ({"entry_type": "misc", "url": "https://github.com/torvalds/linux"}, "software repository"),
        ({"entry_type": "misc", "url": "https://huggingface.co/bert-base/uncased"}, "model card"),
        ({"entry_type": "misc", "url": "https://huggingface.co/datasets/squad"}, "dataset"),
        ({"entry_type": "misc", "url": "https://example.org/a"}, "web page"),
        (
            {"entry_type": "article", "venue": "J. Net.", "title": "On github.com/ and RFC 793"},
            "journal article",
        ),
    ],
)
def test_kind_of_a_reference(fields: dict[str, str], kind: str) -> None:
    assert kind_of(replace(Reference("k"), **fields)).one == kind  # type: ignore[arg-type]


def missed(count: int, searched: str = "", **fields: str) -> list[Verdict]:
    reference = replace(Reference("k", "A title"), **fields)  # type: ignore[arg-type]
    return [
        Verdict(reference, Status.UNVERIFIED, "title_not_found", 0.5, searched=searched)
    ] * count


def run(*verdicts: Verdict, sources: tuple[dict[str, object], ...] = (DBLP,)) -> Run:
    return Run({"sources": list(sources)}, (), verdicts, Statistics.of(verdicts, 1.0))


def test_miss_lines_count_by_kind_and_name_the_source() -> None:
    found = Verdict(Reference("v", "Found"), Status.VALID, "record_agrees", 1.0)
    verdicts = [found, *missed(2, entry_type="book"), *missed(1, entry_type="patent")]
    assert list(miss_lines(run(*verdicts))) == [
        "Not found: 2 books (not queried: open-library), 1 patent (no source has it)."
    ]
    assert list(miss_lines(run(found))) == []


def test_an_entry_that_was_not_found_names_its_kind() -> None:
    (patent,), (rfc,), (paper,) = (
        missed(1, entry_type="patent"),
        missed(1, raw="RFC 793"),
        missed(1, venue="ICML"),
    )
    assert (
        sentence(patent)
        == "Could not find this patent. The queried sources are not expected to have such works; no"
        " source has them."
    )
    assert "this RFC." in sentence(rfc)
    assert sentence(rfc).endswith("rfc has them.")
    assert sentence(paper).startswith("Could not find the title; ")
    assert [listing(one) for one in (patent, rfc, paper)] == [
        "patent: A title",
        "RFC: A title",
        "A title",
    ]
    assert sentence(replace(patent, reason="found_nowhere")).startswith(
        "Could not find the title in any source"
    )


def test_miss_lines_say_that_the_field_is_another_one() -> None:
    said = "DBLP holds no such title, and no source at hand is known to cover The Lancet."
    outside = missed(12, said, entry_type="article", venue="The Lancet")
    inside = missed(3, entry_type="inproceedings", venue="ICML")
    first, second = miss_lines(run(*outside, *inside))
    assert (
        first
        == "DBLP covers computer science; 12 of these 15 entries are from venues that no source at"
        " hand is known to cover. OpenAlex covers all fields: citeproof db download openalex, or"
        " --enable-online."
    )
    assert second.startswith(
        "Not found: 12 journal articles (not queried: openalex), 3 conference papers"
    )
    assert len(list(miss_lines(run(*outside[:9], *inside)))) == 1, (
        "a few entries say nothing of a field"
    )
    assert len(list(miss_lines(run(*outside, *missed(20))))) == 1, "not most of the entries"
    assert len(list(miss_lines(run(*outside, sources=(OPENALEX,))))) == 1, (
        "a database of all fields"
    )
