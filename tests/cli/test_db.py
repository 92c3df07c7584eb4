"""What ``db`` says about dumps, downloads and new databases."""

from pathlib import Path

import pytest

from citeproof.cli import db
from citeproof.database.building.builder import MOST_NAMED, Summary
from citeproof.database.building.download import Offer
from citeproof.database.building.dumps import BY_NAME
from citeproof.database.building.sample import sample_database
from citeproof.model.errors import InputError

DBLP = BY_NAME["dblp"]
CITING = """@article{a, title = {A Theory of the Learnable}, doi = {10.1145/1968.1972}}
@article{b, title = {Something Else}, doi = {10.9999/nobody.has.it}}
@article{c, title = {Without an Identifier}}
"""


def _dry(tmp_path: Path, text: str, target: Path, here: Path | None = None) -> list[str]:
    cited = tmp_path / "paper.bib"
    cited.write_text(text)
    return [line.replace(str(tmp_path), "") for line in db._dry_run(DBLP, cited, target, here)]


def test_dry_run_counts_what_the_dump_can_add_at_most(tmp_path: Path) -> None:
    database = sample_database(tmp_path / "sample")
    known, most = _dry(tmp_path, CITING, database)[1:]
    assert known.endswith(": already has 1 of these works")
    assert most == (
        "DBLP: may have at most 1 more (33% of all references); with --from FILE, those in a"
        " downloaded dump are counted"
    )
    assert _dry(tmp_path, CITING, tmp_path / "none.db") == [
        "/paper.bib: references: 3; with a DOI or an arXiv identifier: 2",
        "DBLP: may have at most 2 more (67% of all references); with --from FILE, those in a"
        " downloaded dump are counted",
    ]


def test_dry_run_says_why_there_is_nothing_to_count(tmp_path: Path) -> None:
    database = sample_database(tmp_path / "sample")
    first, _, third = CITING.splitlines()
    assert _dry(tmp_path, first, database)[-1] == (
        "DBLP: nothing to count, because the database already has these works"
    )
    assert _dry(tmp_path, third, database)[-1] == (
        "DBLP: nothing to count, because no reference has a DOI or an arXiv identifier"
    )
    with pytest.raises(InputError, match=r"paper\.bib: "):
        _dry(tmp_path, "no reference", database)


def test_dry_run_counts_in_a_dump_that_is_here(tmp_path: Path) -> None:
    dump = tmp_path / "dblp.xml"
    dump.write_text(
        '<?xml version="1.0"?>\n<dblp><article mdate="2026-01-01" key="journals/x/Y1">'
        "<author>Ada Almgren</author><title>Something Else.</title><year>2001</year>"
        "<journal>J. X</journal><ee>https://doi.org/10.9999/nobody.has.it</ee></article></dblp>"
    )
    found = _dry(tmp_path, CITING, tmp_path / "none.db", dump)[-1]
    assert found == "/dblp.xml: has 1 of the other 2 (33% of all references)"
    dump.write_text(dump.read_text().replace("nobody.has.it", "another"))
    assert _dry(tmp_path, CITING, tmp_path / "none.db", dump)[-1] == (
        "/dblp.xml: has none of the other 2"
    )


def test_about_shows_size_time_disk_and_licence(tmp_path: Path) -> None:
    offer = Offer(DBLP, "https://mirror.example/dblp.xml.gz", size=10**9, disk=6 * 10**9, free=0)
    lines = "\n".join(db._about(offer, tmp_path / "my.db"))
    for said in (
        "from      https://mirror.example/dblp.xml.gz",
        f"into      {tmp_path / 'my.db'}",
        "size      1.0 GB to fetch, about 8.2 million records in all",
        "13 minutes at 10 Mbit/s, 1 minute at 100",
        "about 5 minutes to build",
        "disk      6.0 GB while it is built",
        "licence   CC0 1.0",
    ):
        assert said in lines


def test_print_summary_names_what_was_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib, xml = tmp_path / "own.bib", tmp_path / "dump.xml"
    first = tuple(f"line {number}: is cut" for number in range(MOST_NAMED))
    db._print_summary(
        Summary(
            path=tmp_path / "new.db",
            records=1_500,
            bytes=2_500_000,
            seconds=3.0,
            added={},
            skipped={bib: 2, xml: 1_000},
            unselected={xml: 7},
            faults={xml: (len(first) + 4, first)},
        )
    )
    written = capsys.readouterr()
    assert written.out.endswith("new.db: 1,500 records, 2.5 MB, in 3.0 s (500 records/s)\n")
    said = written.err.splitlines()
    assert said[0].endswith(f"or an impossible year); `citeproof verify {bib}` shows them")
    assert "entries left out: 1,000" in said[1]
    assert said[1].endswith("impossible year)")
    assert said[2] == f"citeproof: {xml}: not selected by --only: 7"
    assert said[3] == f"citeproof: {xml}: broken and left out: {len(first) + 4}"
    assert said[-1] == "citeproof:   ... and 4 more"
