from dataclasses import replace

from citeproof.model.record import Record, Volume
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validation.rules.year import rule
from tests.verification.validation.cases import case, codes
from tests.verification.validation.conferences import CLAIM, PAPER, PREPRINT


def test_rule_a_year_late_is_another_edition_where_that_is_held() -> None:
    held = (Volume("conf/ics/2022", "conf/ics", 2022, 50, 1.0, "pages"),)
    late, early = replace(CLAIM, year=2022), replace(CLAIM, year=2020)
    assert codes(rule(case(late, (PAPER,), volumes=held))) == ["year.other_edition"]
    assert codes(rule(case(late, (PAPER,)))) == ["year.near"]
    assert codes(rule(case(early, (PAPER,), volumes=held))) == ["year.near"]
    two_late = (Volume("conf/ics/2023", "conf/ics", 2023, 50, 1.0, "pages"),)
    assert codes(
        rule(case(replace(CLAIM, venue="ICS", year=2023), (PAPER,), volumes=two_late))
    ) == ["year.off"]
    partly = (replace(held[0], completeness=0.5),)
    assert codes(rule(case(late, (PAPER,), volumes=partly))) == ["year.near"]


def test_rule_the_next_year_may_be_that_of_a_work_in_press() -> None:
    this_year = case(CLAIM, ()).today.year
    assert codes(rule(case(replace(CLAIM, year=this_year + 1), ()))) == ["year.ahead"]
    assert codes(rule(case(replace(CLAIM, year=this_year + 2), ()))) == ["year.future"]
    assert (
        codes(rule(case(replace(CLAIM, year=this_year + 1), (replace(PAPER, year=this_year + 1),))))
        == []
    )


def test_rule_the_proceedings_of_coming_years_are_announced() -> None:
    volume = replace(CLAIM, year=case(CLAIM, ()).today.year + 3, entry_type="proceedings")
    assert codes(rule(case(volume, ()))) == []


ARTICLE = Record(
    "journals/wool/A21", "On sheep", ("Ann Alma",), 2021, "J. Wool", "article", pages="11-29"
)
IN_JOURNAL = replace(CLAIM, venue="J. Wool", entry_type="article")


def test_rule_an_article_is_online_up_to_two_years_before_its_issue() -> None:
    assert codes(rule(case(replace(IN_JOURNAL, year=2019), (ARTICLE,)))) == ["year.near"]
    assert codes(rule(case(replace(IN_JOURNAL, year=2018), (ARTICLE,)))) == ["year.off"]
    in_print = replace(IN_JOURNAL, year=2019, volume="7")
    assert codes(rule(case(in_print, (ARTICLE,)))) == ["year.off"], "the volume is of its year"
    assert codes(rule(case(replace(IN_JOURNAL, year=2023), (ARTICLE,)))) == ["year.off"]
    assert codes(rule(case(replace(CLAIM, venue="ICS", year=2019), (PAPER,)))) == ["year.off"]


def test_rule_a_chapter_is_of_any_edition_of_its_book() -> None:
    chapter = replace(CLAIM, venue="ICS", year=2024, entry_type="incollection")
    assert codes(rule(case(chapter, (PAPER,)))) == ["version.differs"]
    paper = replace(chapter, entry_type="inproceedings")
    assert codes(rule(case(paper, (PAPER,)))) == ["year.off"]


class Printed(Venues):
    """Proceedings of ICS that were printed two years after the conference."""

    def printed(self, record: Record) -> int | None:
        return 2023 if record.crossref == "conf/ics/2021" else None


def test_rule_takes_the_year_of_the_printed_proceedings_for_a_year_of_the_work() -> None:
    printed = replace(PAPER, pages="11-29", crossref="conf/ics/2021")
    late = replace(CLAIM, venue="ICS", year=2023, pages="11--29")
    assert codes(rule(case(late, (printed,), venues=Printed()))) == []
    assert codes(rule(case(late, (printed,)))) == ["year.off"], "pages are no reason"
    later = replace(late, year=2024)
    found = rule(case(later, (printed,), venues=Printed()))
    assert codes(found) == ["year.off"], "a year after the printed volume is near to nothing"


def test_rule_allows_two_years_for_a_series_whose_volume_agrees() -> None:
    printed = replace(PAPER, volume="5836")
    late = replace(CLAIM, venue="ICS", year=2023, volume="LNCS 5836")
    assert codes(rule(case(late, (printed,)))) == ["year.near"]
    assert codes(rule(case(replace(late, volume="5837"), (printed,)))) == ["year.off"]


def test_rule_a_preprint_may_be_cited_by_the_year_of_a_revision() -> None:
    cited = replace(
        CLAIM, venue="arXiv preprint arXiv:1801.12345", year=2022, arxiv_id="1801.12345"
    )
    preprint = replace(PREPRINT, year=2018, arxiv_id="1801.12345")
    assert codes(rule(case(cited, (preprint,)))) == ["year.near"]
    assert codes(rule(case(replace(cited, year=2016), (preprint,)))) == ["year.off"]
    published = replace(PAPER, year=2018)
    assert codes(rule(case(cited, (published,)))) == ["version.differs"]
    later = replace(preprint, year=2019)
    assert codes(rule(case(cited, (published, later)))) == ["year.near"]
    assert codes(rule(case(replace(CLAIM, venue="ICS", year=2025), (PAPER,)))) == ["year.off"]
