"""``citeproof db download`` from end to end: a database in the default place, from a server on
loopback.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.online.net.file_server import serving

if TYPE_CHECKING:
    from tests.program import Program

SMALL = (Path(__file__).parents[2] / "data" / "bibdb" / "small.xml").read_bytes()
REFERENCE = """@article{a, author = {Kenji Abe}, year = 2001, title = {Is Every Multi-Agent Lamp
C++ \\& C\\# Safe?}}
"""


@pytest.fixture
def fresh(citeproof: Program, tmp_path: Path) -> Program:
    """Return the program in a home of its own, without a database."""
    return replace(citeproof, environment=citeproof.environment | {"HOME": str(tmp_path / "home")})


def test_a_download_is_what_the_next_run_asks(fresh: Program, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(REFERENCE)
    with serving(gzip.compress(SMALL), cut_after=[200]) as server:
        done = fresh("db", "download", "dblp", "--from", server.url, "--yes")
        assert done.returncode == 0, done.stderr
        for said in ("DBLP: computer science", "size", "time", "disk", "CC0 1.0", str(server.port)):
            assert said in done.stderr
        target = Path(done.stdout.partition(": ")[0])
        assert target.is_relative_to(tmp_path / "home")
        assert sorted(path.name for path in target.parent.iterdir()) == [
            target.name,
            f"{target.name}.titles",
        ]
        run = json.loads(fresh("verify", "refs.bib", "--format", "json").stdout)
        assert run["database"]["path"] == str(target)
        assert not any("sample" in note for note in run["notes"])
        before, asked = target.read_bytes(), len(server.asked())
        again = fresh("db", "download", "dblp", "--from", server.url, "--yes")
        assert "nothing to download" in again.stdout
        assert (target.read_bytes(), len(server.asked())) == (before, asked)
        server.etag, server.content = '"two"', gzip.compress(SMALL.replace(b"Tree", b"Bush"))
        assert fresh("db", "download", "dblp", "--from", server.url, "--yes").returncode == 0
        assert b"Bush" in target.read_bytes()


def test_nothing_is_fetched_unasked(fresh: Program) -> None:
    with serving(gzip.compress(SMALL)) as server:
        done = fresh("db", "download", "dblp", "--from", server.url)
        assert (done.returncode, server.asked()) == (2, [])
        assert done.stderr.partition("; see")[0].endswith(
            "so citeproof cannot ask; --yes answers yes"
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "ftp://host/dump"], "neither a file nor a URL of http or https"),
        (["--from", "missing.xml.gz"], "missing.xml.gz: no such file"),
        (["crossref"], "crossref: must be downloaded by hand: the public data file by torrent"),
        (
            ["--from", "other.csv"],
            "other.csv: is not DBLP's dump; `citeproof db update` takes sources of other kinds",
        ),
        (["nonesuch"], "'nonesuch' is not one of"),
    ],
)
def test_what_cannot_be_fetched_is_one_clear_line(
    fresh: Program, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "other.csv").write_text("title,author\nOn Moths,A B\n")
    done = fresh("db", "download", "--yes", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_page_in_place_of_a_dump_leaves_the_database_as_it_was(
    fresh: Program, tmp_path: Path
) -> None:
    target = tmp_path / "a.db"
    (tmp_path / "small.xml").write_bytes(SMALL)
    assert fresh("db", "download", "--from", "small.xml", "-o", target).returncode == 0
    before = target.read_bytes()
    with serving(b"<!DOCTYPE html><title>Just a moment</title>") as server:
        done = fresh("db", "download", "--from", server.url, "-o", target, "--yes")
    assert done.returncode == 2
    assert "is a web page, not a dump" in done.stderr
    assert target.read_bytes() == before


def test_the_list_names_every_dump_on_lines_of_a_terminal(citeproof: Program) -> None:
    shown = citeproof("db", "list").stdout
    for name in ("dblp", "acl", "retraction-watch", "arxiv", "crossref", "openalex"):
        assert f"\n{name} " in f"\n{shown}"
    assert max(map(len, shown.splitlines())) <= 80


def test_the_sample_says_last_what_would_help_and_can_be_refused(
    fresh: Program, tmp_path: Path
) -> None:
    (tmp_path / "refs.bib").write_text(REFERENCE)
    done = fresh("verify", "refs.bib", "--no-cache")
    said = " ".join(done.stdout.split()).rpartition(" Exit code 0:")[0]
    assert said.endswith("To get a real database: citeproof db download dblp")
    refused = fresh("verify", "refs.bib", "--require-database")
    assert refused.returncode == 2
    assert "get one with `citeproof db download dblp`" in refused.stderr
    assert refused.stdout == ""


def test_a_dry_run_counts_and_fetches_nothing(fresh: Program, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(
        REFERENCE + "@misc{b, title = {A Preprint}, doi = {10.48550/arXiv.2302.03976}}"
    )
    done = fresh("db", "download", "opencitations", "--dry-run", "refs.bib")
    assert done.stdout == (
        "refs.bib: references: 2; with a DOI or an arXiv identifier: 1\n"
        "OpenCitations Meta: may have at most 1 more (50% of all references); with --from FILE,"
        " those in a downloaded dump are counted\n"
    )
    meta = Path(__file__).parents[2] / "data" / "bibdb" / "opencitations.csv"
    done = fresh("db", "download", "opencitations", "--dry-run", "refs.bib", "--from", meta)
    assert done.stdout.endswith(f"{meta}: has 1 of the other 1 (50% of all references)\n")
    (tmp_path / "refs.bib").write_text("@misc{b, title = {A Preprint}, doi = {10.1000/nowhere}}")
    done = fresh("db", "download", "opencitations", "--dry-run", "refs.bib", "--from", meta)
    assert done.stdout.endswith(f"{meta}: has none of the other 1\n")
    (tmp_path / "refs.bib").write_text("@misc{b, title = {A Preprint}}")
    for origin in ((), ("--from", meta)):
        done = fresh("db", "download", "opencitations", "--dry-run", "refs.bib", *origin)
        why = "no reference has a DOI or an arXiv identifier"
        assert done.stdout.endswith(f": nothing to count, because {why}\n")
    done = fresh("db", "download", "opencitations", "--dry-run", "none.bib")
    assert done.returncode == 2
    assert done.stderr.startswith("citeproof: none.bib: No such file or directory")
