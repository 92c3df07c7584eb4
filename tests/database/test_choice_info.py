"""How old a database is, and what is said of it."""

from datetime import date

import pytest

from citeproof.database.choice import days_old, too_old

TODAY = date(2026, 11, 22)


def said(*sources: tuple[str, str | None]) -> list[str]:
    described = {
        "path": "a.db",
        "sources": [{"name": name, "dump_date": day} for name, day in sources],
    }
    return list(too_old(described, TODAY))


@pytest.mark.parametrize(
    ("day", "days"), [("2026-11-22", 0), ("2026-09-23", 60), (None, None), ("soon", None)]
)
def test_days_old_counts_the_days_since_a_day(day: str | None, days: int | None) -> None:
    assert days_old(day, TODAY) == days


def test_too_old_warns_once_of_the_newest_source() -> None:
    assert said(("dblp", "2026-09-23"), ("acl", "2020-01-01")) == []
    (sentence,) = said(("dblp", "2026-09-22"), ("acl", "2020-01-01"))
    assert "of 2026-09-22, 61 days ago" in sentence
    assert sentence.endswith("To bring it up to date: citeproof db download dblp")


def test_too_old_recommends_only_dumps_that_can_be_downloaded() -> None:
    assert said(("crossref", "2020-01-01"))[0].endswith("is not found.")
    assert said(("lab.bib", None)) == []
