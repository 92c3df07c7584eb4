"""Which address a dump is fetched from, and what is said where none answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, cast

import pytest

from citeproof.database.building.download import look
from citeproof.database.building.dumps import BY_NAME
from citeproof.model.errors import BuildError
from citeproof.online.net.download import Version

if TYPE_CHECKING:
    from pathlib import Path

    from citeproof.online.net.download import Downloader

DBLP = BY_NAME["dblp"]


class Servers:
    """Answers for URLs that contain ``known``, and remembers which were asked."""

    def __init__(self, known: str) -> None:
        self.known = known
        self.asked: list[str] = []

    def look(self, url: str, _: Version | None) -> Version:
        self.asked.append(url)
        if self.known not in url:
            raise BuildError(f"{url}: answers 403")
        return Version(url, size=1000)


def test_urls_are_the_dump_and_its_newest_releases() -> None:
    assert DBLP.urls(date(2026, 1, 31)) == (
        "https://dblp.org/xml/dblp.xml.gz",
        "https://drops.dagstuhl.de/storage/artifacts/dblp/xml/2026/dblp-2026-01-01.xml.gz",
        "https://drops.dagstuhl.de/storage/artifacts/dblp/xml/2025/dblp-2025-12-01.xml.gz",
        "https://drops.dagstuhl.de/storage/artifacts/dblp/xml/2025/dblp-2025-11-01.xml.gz",
    )
    assert BY_NAME["openalex"].urls(date(2026, 1, 31)) == ()


def test_look_takes_a_release_where_the_dump_is_barred(tmp_path: Path) -> None:
    servers = Servers("drops")
    offer = look(DBLP, tmp_path / "dblp.db", cast("Downloader", servers))
    assert offer
    assert servers.asked == [DBLP.url, offer.url]
    assert "drops.dagstuhl.de" in offer.url


def test_look_says_what_to_fetch_by_hand_where_nothing_answers(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as raised:
        look(DBLP, tmp_path / "dblp.db", cast("Downloader", Servers("nowhere")))
    assert (
        str(raised.value) == "https://dblp.org/xml/dblp.xml.gz: answers 403; fetch dblp.xml.gz from"
        " https://dblp.org/xml/, or the newest release from https://doi.org/10.4230/dblp.xml"
        " with a browser, then: citeproof db download dblp --from FILE"
    )
    with pytest.raises(BuildError, match=r"answers 403$"):
        look(
            replace(DBLP, by_hand=""),
            tmp_path / "dblp.db",
            cast("Downloader", Servers("nowhere")),
            "https://a.b",
        )


class Lists(Servers):
    """Servers that list a file with its checksum, where they answer."""

    def listed(self, url: str) -> tuple[str, str, int]:
        self.asked.append(url)
        if self.known not in url:
            raise BuildError(f"{url}: answers 403")
        return f"https://{self.known}/files/1", "0" * 32, 12


def test_look_takes_the_file_that_a_list_names(tmp_path: Path) -> None:
    servers = Lists("figshare")
    offer = look(BY_NAME["opencitations"], tmp_path / "a.db", cast("Downloader", servers))
    assert offer
    assert (offer.url, offer.checksum, offer.size) == (
        "https://figshare/files/1",
        "0" * 32,
        1000,  # as the server of the file says, not as the list does
    )
    assert servers.asked == [*BY_NAME["opencitations"].listings, offer.url]


def test_look_says_what_to_fetch_by_hand_where_no_list_answers(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as raised:
        look(BY_NAME["opencitations"], tmp_path / "a.db", cast("Downloader", Lists("nowhere")))
    assert str(raised.value) == (
        "https://zenodo.org/api/records/15625650: answers 403; fetch the newest CSV dump of"
        " OpenCitations Meta from https://download.opencitations.net/#meta with a browser, then:"
        " citeproof db download opencitations --from FILE"
    )
