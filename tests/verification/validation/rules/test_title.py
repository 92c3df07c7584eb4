from dataclasses import replace

from citeproof.model.findings import Findings
from citeproof.model.record import Candidate, MatchKind, Record
from citeproof.model.reference import Reference
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.compare.venues import NO_VENUES
from citeproof.verification.validation.policy import DEFAULT
from citeproof.verification.validation.rules.title import rule
from tests.verification.validation.cases import TODAY, case, codes

PEOPLE = ("Ivar Jacobson", "Martin L. Griss", "Patrik Jonsson")
CITED = Reference(
    "a",
    title="Software Reuse: Architecture, Process and Organisation for Business Success",
    authors=PEOPLE,
    year=1997,
    publisher="ACM Press",
    entry_type="book",
)


def test_rule_notes_that_a_catalogue_shortens_the_title_of_a_book() -> None:
    book = Record(
        "books/a",
        "Software reuse - architecture, process and organization for business",
        PEOPLE,
        1997,
        "Addison-Wesley",
        pub_type="book",
        source="dblp",
    )
    found = rule(case(CITED, (book,)))
    assert codes(found) == ["title.subtitle"]
    paper = replace(book, pub_type="inproceedings", venue="ICSE")
    cited_paper = replace(CITED, entry_type="inproceedings", venue="ICSE", publisher="")
    assert codes(rule(case(cited_paper, (paper,)))) == ["title.word_changed"]


def test_rule_reviews_of_a_book_are_titled_in_several_ways() -> None:
    cited = Reference(
        "a",
        title="Book Review: On Lamps by Ann Lee",
        authors=("Bo Fox",),
        year=2010,
        venue="Comput. Linguistics",
        entry_type="article",
        doi="10.1162/a1",
    )
    review = Record(
        "journals/coling/Fox10",
        "On Lamps Ann Lee (University of Oil) Wick Press, 2009, xii+433 pp; ISBN 978-0-521-87415-1",
        ("Bo Fox",),
        2010,
        "Comput. Linguistics",
        pub_type="article",
        source="dblp",
        doi="10.1162/a1",
    )
    assert codes(rule(found_by_doi(cited, review))) == ["title.subtitle"]
    paper = replace(review, title="On Oil and Wicks")
    assert codes(rule(found_by_doi(cited, paper))) == ["title.different"]


def found_by_doi(reference: Reference, record: Record) -> Case:
    findings = Findings((Candidate(record, 0.4, MatchKind.DOI),))
    return next(Case.of(reference, findings, TODAY, NO_VENUES, DEFAULT).by_work())


def renamed(cited: str, recorded: str, arxiv_id: str = "") -> list[str]:
    paper = Record(
        "conf/icse/a", recorded, PEOPLE, 2022, "ICSE", pub_type="inproceedings", source="dblp"
    )
    reference = replace(
        CITED, title=cited, year=2022, venue="ICSE", publisher="", entry_type="inproceedings"
    )
    return codes(rule(case(replace(reference, arxiv_id=arxiv_id), (paper,))))


def test_rule_takes_the_venue_and_year_behind_a_title_for_no_part_of_it() -> None:
    title = "Domain learning games at scale"
    assert renamed(f"{title}. In ICSE, 2022", title) == ["title.spelling"]
    assert renamed(f"{title}. ICSE", title) == ["title.spelling"]
    assert renamed(f"{title}. In VLDB, 2022", title) == ["title.part_added"]
    assert renamed(f"{title}. In ICSE, 2020", title) == ["title.part_added"]
    assert renamed(f"{title}. arXiv e-prints", title) == ["title.spelling"]
    assert renamed(f"{title}: In domains of software", title) == ["title.part_added"]


def test_rule_takes_another_name_of_a_system_for_another_version() -> None:
    tail = "matrix multiplication for transformers at scale"
    assert renamed(f"LLM.int8(): {tail}", f"GPT3.int8(): {tail}") == ["version.differs"]
    assert renamed(f"Domain learning games: {tail}", f"Domain training games: {tail}") == [
        "title.word_changed"
    ]


def test_rule_holds_no_cited_preprint_to_the_words_of_the_paper() -> None:
    cited, recorded = (
        "Small models of long words in every language",
        "Small models of long lines in every language",
    )
    assert renamed(cited, recorded) == ["title.word_changed"]
    assert renamed(cited, recorded, arxiv_id="2203.12345") == ["version.differs"]
    assert renamed(cited, recorded, arxiv_id="1503.12345") == ["title.word_changed"]


def test_rule_takes_another_ending_of_a_word_for_a_spelling_where_the_page_agrees() -> None:
    paper = Record(
        "conf/icse/a",
        "Learned to reuse components",
        PEOPLE,
        2022,
        "ICSE",
        pub_type="inproceedings",
        source="dblp",
        pages="11-20",
    )
    cited = Reference(
        "a",
        "Learning to reuse components",
        PEOPLE,
        year=2022,
        venue="ICSE",
        entry_type="inproceedings",
        pages="11--20",
    )
    assert codes(rule(case(cited, (paper,)))) == ["title.spelling"]
    for pages in ("", "12--20"):
        assert codes(rule(case(replace(cited, pages=pages), (paper,)))) == ["title.word_changed"]


def test_rule_takes_no_other_name_of_a_system_for_a_version_if_people_differ() -> None:
    tail = "matrix multiplication for transformers at scale"
    paper = Record("conf/icse/a", f"GPT3.int8(): {tail}", PEOPLE, 2022, "ICSE", "inproceedings")
    cited = replace(CITED, title=f"LLM.int8(): {tail}", year=2022, venue="ICSE", publisher="")
    assert codes(rule(case(cited, (paper,)))) == ["version.differs"]
    fewer = replace(paper, authors=(*PEOPLE[:2], "Ann Alma", "Bo Berg"))
    assert "version.differs" not in codes(rule(case(cited, (fewer,))))
