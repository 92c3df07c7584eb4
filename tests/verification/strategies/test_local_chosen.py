"""Which records and which coverage the strategies take, from a database that answers as told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import pytest

from citeproof.model.errors import DatabaseError
from citeproof.model.findings import Covers, Findings, Inquiry, Outcome, SourceCoverage
from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Notice, Record, Volume
from citeproof.model.reference import Reference, Severity
from citeproof.model.verdict import Issue, Status, Verdict
from citeproof.verification.pipeline import Strategy
from citeproof.verification.strategies.local import (
    NEARBY,
    BibliographicDatabaseStrategy,
)
from citeproof.verification.strategies.readings import ReadingsStrategy
from citeproof.verification.validation.compare.venues import Venues

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from citeproof.database.coverage import CoverageTable
    from citeproof.database.lookup import Database
PEOPLE = ("Ada Almgren", "Bo Berg")
CITED = Reference("k", title="Counting Sheep in Meadows", authors=PEOPLE, year=2001, venue="ICS")
SAME = Record("conf/ics/1", "Counting Sheep in Meadows", PEOPLE, 2001, "ICS")


class _Sheep(Venues):
    def resolve(self, name: str) -> frozenset[str]:
        return frozenset({"conf/ics"}) if name == "ICS" else frozenset()

    def of_record(self, record: Record) -> frozenset[str]:
        return frozenset({"conf/ics"}) if record.venue == "ICS" else frozenset()

    def claimed_volumes(self, _venue: str, _year: int | None) -> tuple[Volume, ...]:
        return ()


@dataclass
class _Works:
    """Answers like a database with the records that it is made of."""

    titled: tuple[Candidate, ...] = ()
    nearest_one: Candidate | None = None
    identified: Mapping[tuple[str, str], Sequence[Record]] = field(default_factory=dict)
    by_people: tuple[Record, ...] = ()
    broken: bool = False
    venues: _Sheep = field(default_factory=_Sheep)

    def best_matches(self, title: str, threshold: float, _most: int) -> Lookup:
        return Lookup(
            title, threshold, self.titled, None, Method.INDEXED, "title_index", 1, True, 1
        )

    def look_up(self, title: str, threshold: float, most: int, *, every: bool) -> Lookup:
        assert every
        return self.best_matches(title, threshold, most)

    def nearest(self, _title: str) -> Candidate | None:
        return self.nearest_one

    def related(self, _title: str) -> tuple[Candidate, ...]:
        return ()

    def records_titled(self, _title: str, _most: int) -> tuple[Record, ...]:
        return ()

    def records_within(self, _text: str, _shortest: int, _most: int) -> tuple[Record, ...]:
        if self.broken:
            raise DatabaseError("no")
        return self.by_people

    def records_with(self, kind: str, value: str) -> Sequence[Record]:
        return self.identified.get((kind, value), ())

    def records_by_authors(
        self, _people: Sequence[str], _most: int, _first: Callable[[str], bool] | None = None
    ) -> tuple[Record, ...]:
        return self.by_people

    def title_counts(self, words: Sequence[str]) -> tuple[tuple[str, int], ...]:
        return tuple((word, 5) for word in words)

    def notices_about(self, _reference: Reference) -> tuple[Notice, ...]:
        return ()


class _Covered:
    """States the share of every set of works that it is asked about."""

    def of_doi(self, doi: str, _year: int | None) -> SourceCoverage:
        return _share(f"the DOIs of {doi}")

    def of_arxiv_id(self, arxiv_id: str) -> SourceCoverage:
        return _share(f"the month of {arxiv_id}")

    def of_preprints(self, year: int | None) -> SourceCoverage:
        return _share(f"the preprints of {year}")

    def all_sources(self) -> tuple[SourceCoverage, ...]:
        return (_share("all"),)

    def broad_for(self, kind: str, _year: int | None) -> tuple[SourceCoverage, ...]:
        return (_share(kind),)


def _share(part: str) -> SourceCoverage:
    return SourceCoverage("source", Covers.IDENTIFIER, part, 1.0, "2026-11-01")


def _strategy(works: _Works) -> BibliographicDatabaseStrategy:
    return BibliographicDatabaseStrategy(
        cast("Database", works), 0.9, coverage=cast("CoverageTable", _Covered())
    )


def _covered(reference: Reference, works: _Works) -> list[tuple[str, str]]:
    return [(one.identifier, one.part) for one in _strategy(works).search(reference).covered]


HIT = Candidate(SAME, 1.0)


def test_search_takes_the_nearest_title_from_a_least_similarity() -> None:
    for similarity, taken in ((NEARBY, 1), (NEARBY - 0.01, 0)):
        nearest = Candidate(SAME, similarity, MatchKind.NEARBY)
        found = _strategy(_Works(nearest_one=nearest)).search(CITED)
        assert len(found.candidates) == taken
    assert _strategy(_Works((HIT,), nearest_one=HIT)).search(CITED).candidates == (HIT,)


def test_search_covers_only_what_was_not_found() -> None:
    doi = replace(CITED, doi="10.1145/1.2")
    assert _covered(doi, _Works((HIT,))) == [("10.1145/1.2", "the DOIs of 10.1145/1.2")]
    found = {("doi", "10.1145/1.2"): (SAME,)}
    assert _covered(doi, _Works((HIT,), identified=found)) == []
    assert _covered(replace(CITED, doi="no-doi"), _Works((HIT,))) == []
    preprint = replace(CITED, arxiv_id="1706.03762")
    assert _covered(preprint, _Works((HIT,))) == [("1706.03762", "the month of 1706.03762")]
    found = {("arxiv_id", "1706.03762"): (SAME,)}
    assert _covered(preprint, _Works((HIT,), identified=found)) == []


def test_search_covers_a_title_that_was_not_found_by_all_sources_and_by_kind() -> None:
    parts = [part for _, part in _covered(CITED, _Works())]
    assert parts[0] == "all"
    assert len(parts) == 2
    preprint = replace(CITED, venue="CoRR", entry_type="article", arxiv_id="1706.03762")
    parts = [part for _, part in _covered(preprint, _Works())]
    assert parts[-2:] == ["the month of 1706.03762", "the preprints of 2001"]


def test_search_covers_an_rfc_by_its_doi() -> None:
    rfc = Reference("k", title="HTTP Semantics", venue="RFC", number="7231", year=2014)
    doi = "10.17487/rfc7231"
    assert ("RFC 7231", f"the DOIs of {doi}") in _covered(rfc, _Works())
    held = {("doi", doi): (Record("r", "HTTP Semantics", ("R. Fielding",), 2014),)}
    assert "RFC 7231" not in dict(_covered(rfc, _Works(identified=held)))


def test_search_takes_an_rfc_of_strangers_by_its_number() -> None:
    rfc = Reference("k", title="Other", authors=("Zed Quux",), venue="RFC", number="7231")
    doi = "10.17487/rfc7231"
    for people, matches in ((("R. Fielding",), [MatchKind.DOI]), (("Zed Quux",), []), ((), [])):
        works = _Works(identified={("doi", doi): (Record("r", "HTTP", people, 2014),)})
        found = _strategy(works).search(rfc).candidates
        assert [one.match for one in found] == matches


def test_search_doubts_a_miss_if_the_people_have_a_paper_of_that_year() -> None:
    preprint = replace(CITED, venue="CoRR", entry_type="article", arxiv_id="1706.03762")
    paper = Record("conf/ics/2", "Weighing Goats", PEOPLE, 2002, "ICS", source="dblp")
    doubts = {one.doubt for one in _strategy(_Works(by_people=(paper,))).search(preprint).covered}
    assert doubts == {"", "dblp has a paper by the same authors: Weighing Goats"}
    for other in (replace(paper, year=2004), replace(paper, authors=("Cy Chan",))):
        covered = _strategy(_Works(by_people=(other,))).search(preprint).covered
        assert {one.doubt for one in covered} == {""}
    identified = _strategy(_Works((HIT,), by_people=(paper,))).search(preprint).covered
    assert {one.doubt for one in identified} == {""}


def _verdict(*codes: str, best: Record | None = SAME, records: int = 1) -> Verdict:
    issues = tuple(Issue(code, Severity.ISSUE, "", "", "") for code in codes)
    inquiry = Inquiry("bibliographic_database", Outcome.ANSWERED, records=records)
    match = Candidate(best, 1.0) if best else None
    return Verdict(CITED, Status.SUSPICIOUS, "", 1.0, issues, best_match=match, evidence=(inquiry,))


def _further(works: _Works, verdict: Verdict, reference: Reference = CITED) -> Findings:
    return _strategy(works).search_further(reference, verdict)


def test_search_further_wants_an_issue_that_another_record_may_explain() -> None:
    works = _Works((HIT,), by_people=(SAME,))
    for code in ("title.different", "authors.dropped", "venue.unknown", "version.differs"):
        found = _further(works, _verdict(code)).candidates
        assert [one.match for one in found] == [MatchKind.TITLE, MatchKind.AUTHORS]
    assert not _further(works, _verdict("year.off")).candidates
    assert len(_further(works, _verdict("year.off", best=None)).candidates) == 2


def test_search_further_looks_titles_up_only_if_the_first_search_found_some() -> None:
    works = _Works((HIT,), by_people=(SAME,))
    unrecorded = _verdict("title.different", records=0)
    assert [one.match for one in _further(works, unrecorded).candidates] == [MatchKind.AUTHORS]
    other = replace(
        _verdict("title.different"), evidence=(Inquiry("dblp", Outcome.ANSWERED, "", 1),)
    )
    assert [one.match for one in _further(works, other).candidates] == [MatchKind.AUTHORS]


def test_search_further_counts_titles_with_a_word_that_is_a_letter_apart() -> None:
    misspelt = replace(CITED, title="Counting Sheap in Meadows")
    counted = (("sheap", 5), ("sheep", 5))
    assert _further(_Works(), _verdict("title.word_changed"), misspelt).title_counts == counted
    assert _further(_Works(), _verdict("title.different"), misspelt).title_counts == ()
    near = Candidate(SAME, 0.9)
    for code, similarity, expected in (
        ("venue.different", 0.9, counted),
        ("venue.twice", 0.9, counted),
        ("venue.different", 0.89, ()),
        ("venue.unknown", 0.9, ()),
    ):
        works = _Works((replace(near, similarity=similarity),))
        assert _further(works, _verdict(code), misspelt).title_counts == expected


def _by_people(*records: Record) -> list[str]:
    found = _further(_Works(by_people=records), _verdict(best=None, records=0))
    return [one.record.key for one in found.candidates]


def test_search_further_shows_two_works_of_the_same_people_the_most_similar_first() -> None:
    far = Record("far", "Painting Kettles Lazily", PEOPLE, 1990)
    nearer = replace(far, key="nearer", title="Counting Goats")
    nearest = replace(far, key="nearest", title="Counting Sheep")
    assert _by_people(far, nearer, nearest) == ["nearest", "nearer"]
    alone = replace(far, key="alone", authors=PEOPLE[:1])
    assert _by_people(far, alone, nearer) == ["nearer", "far"]
    assert _by_people(far, alone) == ["far", "alone"]
    assert _by_people(far, alone, replace(alone, key="third")) == ["far", "alone"]


def test_search_further_adds_works_like_the_cited_one_and_those_of_its_volume() -> None:
    others = [Record(f"k{n}", "Painting Kettles Lazily", PEOPLE, 1990) for n in range(2)]
    like = Record("like", "Counting Sheep in the Meadows", PEOPLE[:1], 1990)
    begins = Record("begins", "Counting Sheep in Meadows and Painting Kettles", PEOPLE[:1], 1990)
    volume = Record("volume", "Folding Violins", PEOPLE[:1], 2001, "ICS")
    assert _by_people(*others, like, begins, volume) == ["k0", "k1", "like", "begins", "volume"]
    assert _by_people(*others, replace(volume, year=2002), replace(volume, venue="COG")) == [
        "k0",
        "k1",
    ]
    assert _by_people(*others, replace(volume, year=None)) == ["k0", "k1"]


TEXT = replace(CITED, from_text=True, raw="A. Almgren. Counting Sheep in Meadows. ICS, 2001.")


@pytest.mark.parametrize(
    ("reference", "best", "wanted"),
    [
        (TEXT, None, True),
        (TEXT, SAME, False),
        (TEXT, replace(SAME, title="Painting Kettles"), True),
        (TEXT, replace(SAME, title="Counting Sheep in Meadows: A Survey"), True),
        (replace(TEXT, title=""), None, True),
        (CITED, None, False),
        (replace(CITED, title=""), None, False),
        (replace(TEXT, raw="A. Almgren. “Counting Sheep in Meadows.” ICS, 2001."), None, False),
        (replace(TEXT, raw="Counting Sheep in Meadows. ICS"), None, True),
    ],
)
def test_wanted_other_readings_of_a_text_without_a_record_of_its_title(
    reference: Reference, best: Record | None, wanted: bool
) -> None:
    verdict = replace(_verdict(best=best), reference=reference)
    assert ReadingsStrategy(()).wanted(verdict) == wanted


class _Counted(Strategy):
    """Has as many records as it is told whose title is in a text."""

    def __init__(self, count: int) -> None:
        self.found = [Record(f"k{n}", "Painting Kettles", ("Zed Quux",)) for n in range(count)]
        self.asked: list[str] = []

    def records_within(self, text: str, shortest: int, most: int) -> list[Record]:
        self.asked.append(text)
        assert shortest == 12
        return [*self.found, *self.found][:most]


@pytest.mark.parametrize(("count", "tried"), [(3, 3), (40, 40), (41, 40)])
def test_search_of_readings_tries_each_record_once_and_at_most_forty(
    count: int, tried: int
) -> None:
    counted = _Counted(count)
    (inquiry,) = ReadingsStrategy([counted]).search(TEXT).inquiries
    assert inquiry.detail == (
        f"no reading of the text is confirmed; records whose title is in the text: {tried}"
    )
    assert inquiry.records == 0
    assert counted.asked == [TEXT.raw]


def test_search_of_readings_says_nothing_if_no_title_is_in_the_text() -> None:
    assert ReadingsStrategy([_Counted(0), Strategy()]).search(TEXT) == Findings()


def test_search_of_readings_asks_every_database() -> None:
    several = [_Counted(1), _Counted(1)]
    several[1].found = [replace(several[1].found[0], key="other", year=2001)]
    (inquiry,) = ReadingsStrategy(several).search(TEXT).inquiries
    assert inquiry.detail == (
        "no reading of the text is confirmed; records whose title is in the text: 2"
    )


def test_records_within_are_those_of_the_database() -> None:
    works = _Works(by_people=(SAME,))
    assert _strategy(works).records_within("any text", 12, 40) == (SAME,)
    broken = replace(works, broken=True)
    assert _strategy(broken).records_within("any text", 12, 40) == ()
