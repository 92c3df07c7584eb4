"""Fields of works as OpenAlex, Crossref, doi.org and arXiv state them."""

from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from citeproof.model.record import Record
from citeproof.online.works import (
    atom_record,
    crossref_fields,
    is_notice,
    notices_for_others,
    openalex_fields,
    publication_type,
    snapshot_record,
)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("journal-article", "article"),
        ("paper-conference", "inproceedings"),
        ("working-paper", "techreport"),
        ("dataset", "data"),
        ("sheep", "sheep"),
    ],
)
def test_publication_type_is_that_of_dblp(word: str, kind: str) -> None:
    assert publication_type(word) == kind


WORK: dict[str, Any] = {
    "id": "https://openalex.org/W1",
    "title": "On sheep",
    "authorships": [{"author": {"display_name": "Ann Lee"}}],
    "publication_year": 2020,
    "type": "article",
    "doi": "https://doi.org/10.1000/SHEEP",
    "primary_location": {"source": {"display_name": "Wool"}},
    "biblio": {"first_page": "3", "last_page": "9", "volume": "4", "issue": "2"},
    "locations": [
        {"landing_page_url": None},
        {"landing_page_url": "https://wool.example/3"},
        {"landing_page_url": "https://arxiv.org/abs/2001.00001"},
    ],
    "is_retracted": True,
}


def test_openalex_fields_of_a_work() -> None:
    assert Record(**openalex_fields(WORK)) == Record(
        "W1",
        "On sheep",
        ("Ann Lee",),
        2020,
        "Wool",
        "article",
        "10.1000/sheep",
        "2001.00001",
        "3-9",
        "4",
        "2",
        "https://openalex.org/W1",
        retraction="https://openalex.org/W1",
    )


@pytest.mark.parametrize(
    ("first", "last", "pages"),
    [("3", None, "3"), (None, "9", "9"), (None, None, ""), ("e12", "e13", "e12-e13")],
)
def test_openalex_fields_with_pages(first: str | None, last: str | None, pages: str) -> None:
    fields = openalex_fields({"id": "W", "biblio": {"first_page": first, "last_page": last}})
    assert fields["pages"] == pages
    assert Record(**fields) == Record("W", "", pages=pages, url="W")


def test_crossref_fields_of_a_work() -> None:
    work = {
        "DOI": "10.1000/SHEEP",
        "title": ["On  sheep"],
        "subtitle": ["A survey"],
        "author": [{"given": "Ann", "family": "Lee"}, {"name": "The Shepherds"}, {}],
        "editor": [{"family": "Nobody"}],
        "issued": {"date-parts": [[None]]},
        "published-online": {"date-parts": [[2019, 3]]},
        "type": "proceedings-article",
        "container-title": ["Proc. Wool", "Wool"],
        "page": "3-9",
        "updated-by": [
            {"type": "retraction", "DOI": "10.1000/X"},
            {"type": "erratum", "DOI": "10.1000/Y"},
        ],
    }
    assert Record(**crossref_fields(work)) == Record(
        "10.1000/sheep",
        "On sheep: A survey",
        ("Ann Lee", "The Shepherds"),
        2019,
        "Proc. Wool",
        "inproceedings",
        "10.1000/sheep",
        pages="3-9",
        retraction="https://doi.org/10.1000/x",
    )


def test_crossref_fields_take_editors_for_authors_and_no_subtitle_twice() -> None:
    work = {
        "DOI": "10.1/a",
        "title": "On sheep: a survey",
        "subtitle": "A Survey",
        "editor": [{"literal": "Bo Ray"}],
    }
    fields = crossref_fields(work)
    assert (fields["title"], fields["authors"]) == ("On sheep: a survey", ("Bo Ray",))
    assert fields["year"] is None
    with pytest.raises(KeyError):
        crossref_fields({"title": "x"})


def test_notices_for_others_name_what_is_retracted() -> None:
    notice = {
        "DOI": "10.1/N",
        "update-to": [
            {"type": "removal", "DOI": "10.1/A"},
            {"type": "expression_of_concern", "DOI": "10.1/b"},
            {"type": "correction", "DOI": "10.1/c"},
        ],
    }
    assert is_notice(notice)
    assert not is_notice({"update-to": [{"type": "correction"}]})
    assert not is_notice({})
    assert notices_for_others(notice) == {
        "10.1/a": {"retraction": "https://doi.org/10.1/n"},
        "10.1/b": {"concern": "https://doi.org/10.1/n"},
    }


ENTRY = """<entry xmlns="http://www.w3.org/2005/Atom" xmlns:a="http://arxiv.org/schemas/atom">
<id>http://arxiv.org/abs/{}</id><title>On
  sheep</title><published>2019-03-01T00:00:00Z</published>
<author><name>Ann Lee</name></author><author><name>Bo Ray</name></author>
<a:doi>10.1000/SHEEP</a:doi></entry>"""


@pytest.mark.parametrize(
    ("stated", "key", "arxiv_id"),
    [
        ("1903.00001v2", "1903.00001v2", "1903.00001"),
        ("1903.00001", "1903.00001", "1903.00001"),
        ("cs/0301001v1", "cs/0301001v1", "cs/0301001"),
    ],
)
def test_atom_record_keeps_the_version_in_the_key(stated: str, key: str, arxiv_id: str) -> None:
    assert atom_record(fromstring(ENTRY.format(stated))) == Record(
        key,
        "On sheep",
        ("Ann Lee", "Bo Ray"),
        2019,
        "CoRR",
        "article",
        "10.1000/sheep",
        arxiv_id,
        url=f"https://arxiv.org/abs/{arxiv_id}",
    )


def test_atom_record_refuses_an_entry_without_an_id() -> None:
    with pytest.raises(ValueError, match="without an arXiv id"):
        atom_record(fromstring(ENTRY.replace("arxiv.org/abs/{}", "arxiv.org/api/errors")))


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        ({"versions": [{"created": "Mon, 2 Apr 2007 19:18:42 GMT"}, {"created": "2009"}]}, 2007),
        ({"versions": [], "update_date": "2008-11-26"}, 2008),
        ({}, None),
    ],
)
def test_snapshot_record_is_of_the_first_version(dates: dict[str, Any], year: int | None) -> None:
    work = {
        "id": "0704.0001",
        "title": "On\n  sheep",
        "authors_parsed": [["Lee", "Ann", ""], ["Ray", "Bo", "Jr."], ["Shepherds"]],
        "doi": None,
        **dates,
    }
    assert snapshot_record(work) == Record(
        "0704.0001",
        "On sheep",
        ("Ann Lee", "Bo Ray Jr.", "Shepherds"),
        year,
        "CoRR",
        "article",
        arxiv_id="0704.0001",
        url="https://arxiv.org/abs/0704.0001",
        publtype="informal",
    )
