"""The ACL Anthology's XML as a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import BuildError
from tests.database.building.sources.given import read

if TYPE_CHECKING:
    from pathlib import Path

COLLECTION = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="{id}"><volume id="{volume}" ingest-date="2019-07-28"><meta><booktitle>Proceedings
of Lamps</booktitle>
<year>2019</year></meta><frontmatter><bibkey>x</bibkey></frontmatter>
<paper id="1"><title><fixed-case>L</fixed-case>amps in 360<tex-math>^2</tex-math></title>
<author><first>Zoë</first><last>Ríos</last><variant
script="hani"><first>伟</first><last>王</last></variant></author>
<author><last>Plato</last></author><pages>1–11</pages>{url}<doi>10.18653/V1/P19-1001</doi>{more}</paper>
<paper id="2"><author><first>A</first><last>B</last></author></paper></volume></collection>
"""


def collection(
    path: Path, name: str = "P19", volume: str = "1", url: str = "", more: str = ""
) -> Path:
    path.write_text(COLLECTION.format(id=name, volume=volume, url=url, more=more))
    return path


def test_a_paper_becomes_a_row(tmp_path: Path) -> None:
    found = read(collection(tmp_path / "P19.xml", url="<url>P19-1001</url>"))
    row = found.rows[0]
    assert (row["key"], row["title"], row["authors"]) == (
        "P19-1001",
        "Lamps in 360^2",
        "Zoë Ríos; Plato",
    )
    assert (row["venue"], row["year"], row["pages"]) == ("Proceedings of Lamps", 2019, "1-11")
    assert (row["doi"], row["url"]) == ("10.18653/v1/p19-1001", "https://aclanthology.org/P19-1001")
    assert (row["pub_type"], found.label, found.date) == ("inproceedings", "acl", "2019-07-28")


@pytest.mark.parametrize(
    ("name", "volume", "key", "kind"),
    [
        ("P19", "1", "P19-1001", "inproceedings"),
        ("W05", "2", "W05-0201", "inproceedings"),
        ("2020.acl", "main", "2020.acl-main.1", "inproceedings"),
        ("Q18", "1", "Q18-1001", "article"),
        ("2021.tacl", "1", "2021.tacl-1.1", "article"),
    ],
)
def test_where_no_address_is_stated_the_id_follows_the_scheme(
    tmp_path: Path, name: str, volume: str, key: str, kind: str
) -> None:
    row = read(collection(tmp_path / "x.xml", name, volume)).rows[0]
    assert (row["key"], row["pub_type"]) == (key, kind)


def test_a_retracted_paper_is_a_notice(tmp_path: Path) -> None:
    found = read(collection(tmp_path / "x.xml", more="<retracted date='2021-08-09'/>"))
    assert [(notice[0], notice[3], notice[5]) for notice in found.notices] == [
        ("10.18653/v1/p19-1001", "retraction", "2021-08-09")
    ]


def test_a_file_that_is_cut_or_declares_entities_is_refused(tmp_path: Path) -> None:
    path = collection(tmp_path / "x.xml")
    path.write_text(path.read_text()[:-30])
    with pytest.raises(BuildError, match="ends in the middle"):
        read(path)
    path.write_text("<!DOCTYPE collection [<!ENTITY a 'b'>]><collection id='a'/>")
    with pytest.raises(BuildError, match="declares a document type"):
        read(path)


def test_the_folder_of_the_real_anthology_is_read_to_the_last_paper(shared: Path) -> None:
    folder = shared / "corpus" / "acl_xml"
    papers = sum(path.read_text("utf-8").count("<paper ") for path in folder.glob("*.xml"))
    found = read(folder)
    assert len(found.rows) == papers > 3_000
    assert found.faults == []
