"""The online options of ``citeproof verify``, and ``citeproof sources``, as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.online.server import Served, serve
from tests.online.works import GARDENS, TABLES, WORLD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Program

BIBLIOGRAPHY = f"""
@article{{tables, title = {{{TABLES.title}}}, author = {{{" and ".join(TABLES.authors)}}}, year = 2011,
  doi = {{{TABLES.doi}}}}}
@article{{gardens, title = {{{GARDENS.title}}}, author = {{{GARDENS.authors[0]}}}, year = 1999}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serve(WORLD) as served:
        yield served


@pytest.fixture
def replayed(citeproof: Program, server: Served) -> Program:
    """Run the program with Crossref and OpenAlex replayed."""
    urls = server.urls("crossref", "openalex")
    citeproof.environment["CITEPROOF_SOURCE_URLS"] = json.dumps(urls)
    citeproof.environment["CITEPROOF_SOURCES"] = "crossref,openalex"
    citeproof.environment["CITEPROOF_OPENALEX_KEY"] = "s3cret"
    citeproof.environment["CITEPROOF_CONTACT"] = "me@example.org"
    return citeproof


@pytest.fixture
def refs(tmp_path: Path) -> Path:
    path = tmp_path / "online.bib"
    path.write_text(BIBLIOGRAPHY)
    return path


def test_online_answers_are_verified_remembered_and_accounted_for(replayed: Program, refs: Path) -> None:
    first = replayed("verify", refs, "--enable-online", "--format", "json")
    report = json.loads(first.stdout)
    assert {r["key"]: r["status"] for r in report["results"]} == {"tables": "VALID", "gardens": "SUSPICIOUS"}
    (departure,) = report["sent"]
    assert departure["host"] == "127.0.0.1"
    assert set(departure["fields"]) == {"doi", "title"}
    assert "s3cret" not in first.stdout + first.stderr
    again = json.loads(replayed("verify", refs, "--enable-online", "--format", "json").stdout)
    assert again["sent"] == []
    assert [r["status"] for r in again["results"]] == ["VALID", "SUSPICIOUS"]


def test_max_age_zero_asks_again(replayed: Program, refs: Path) -> None:
    for _ in range(2):
        report = json.loads(replayed("verify", refs, "--enable-online", "--max-age", "0", "--format", "json").stdout)
    assert report["sent"]


def test_an_unknown_source_is_bad_usage(citeproof: Program, refs: Path) -> None:
    done = citeproof("verify", refs, "--enable-online", "--sources", "crossref,libgen")
    assert done.returncode == 2
    assert "no online source is called libgen; there are crossref" in done.stderr


def test_a_dead_source_is_an_error_with_its_name(replayed: Program, refs: Path) -> None:
    replayed.environment["CITEPROOF_SOURCE_URLS"] = json.dumps({"crossref": "http://127.0.0.1:9"})
    done = replayed("verify", refs, "--enable-online", "--sources", "crossref", "--disable-bib")
    assert done.returncode == 3
    assert "crossref could not be asked: no connection" in done.stdout


DEGRADED = "Online sources were asked for and are not available"


def offline_and_degraded(program: Program, refs: Path, *blocked: str, **environment: str) -> tuple[Any, Any]:
    """Run offline, and online where the online part cannot be set up."""
    plain = program("verify", refs)
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked!r})); "
        "sys.argv[0] = 'citeproof'; from citeproof.cli.main import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "verify", str(refs), "--enable-online"],
        capture_output=True, text=True, cwd=program.folder, env={**program.environment, **environment}, check=False,
    )  # fmt: skip
    return plain, done


@pytest.mark.parametrize("package", ["httpx2", "stamina"])
def test_without_the_extra_a_run_degrades(citeproof: Program, refs: Path, package: str) -> None:
    plain, done = offline_and_degraded(citeproof, refs, package)
    assert done.returncode == plain.returncode
    assert done.stderr.count(DEGRADED) == 1
    assert "citeproof[online]" in done.stderr
    assert done.stdout.replace("\n", " ").count(DEGRADED) == 1


def test_with_an_unusable_configuration_a_run_degrades(citeproof: Program, refs: Path) -> None:
    plain, done = offline_and_degraded(citeproof, refs, CITEPROOF_SEARXNG_URL="ftp://searx.lan")
    assert done.returncode == plain.returncode
    assert done.stderr.count(DEGRADED) == 1
    assert "searxng_url" in done.stderr


def test_offline_opens_no_socket(citeproof: Program, refs: Path) -> None:
    watch = (
        "import sys, socket\n"
        "def hook(event, args):\n"
        "    if event.startswith('socket.'): print('SOCKET', event, file=sys.stderr)\n"
        "sys.addaudithook(hook)\n"
        "sys.argv[0] = 'citeproof'\n"
        "from citeproof.cli.main import run\n"
        "run()\n"
    )

    def sockets(*options: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-c", watch, "verify", str(refs), *options],
            capture_output=True, text=True, cwd=citeproof.folder, env=citeproof.environment, check=False,
        )  # fmt: skip
        return done.stderr.count("SOCKET"), done.stderr

    citeproof.environment["CITEPROOF_SOURCE_URLS"] = json.dumps({"crossref": "http://127.0.0.1:9"})
    count, said = sockets("--enable-online", "--offline")
    assert count == 0
    assert "the run is offline" in said
    assert sockets()[0] == 0
    assert sockets("--enable-online", "--sources", "crossref")[0] > 0, "the watch sees what there is to see"


def test_sources_lists_all_and_shows_no_key(replayed: Program) -> None:
    done = replayed("sources")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "crossref", "openalex", "semantic_scholar", "dblp", "arxiv", "doi_org", "europe_pmc", "open_library",
        "searxng", "serpapi", "scrapingdog", "brave", "llm",
    ]  # fmt: skip
    assert "key set" in done.stdout
    assert "s3cret" not in done.stdout


def test_sources_check_asks_those_that_are_configured(replayed: Program) -> None:
    done = replayed("sources", "--check")
    assert done.returncode == 0
    assert [line.split(",")[0].split() for line in done.stdout.splitlines()[-2:]] == [
        ["crossref", "answers"],
        ["openalex", "answers"],
    ]
    replayed.environment["CITEPROOF_SOURCE_URLS"] = json.dumps({"crossref": "http://127.0.0.1:9"})
    replayed.environment["CITEPROOF_SOURCES"] = "crossref"
    done = replayed("sources", "--check")
    assert done.returncode == 3
    assert "crossref          does not answer: no connection" in done.stdout


def test_a_misspelt_key_is_not_shown(citeproof: Program, refs: Path) -> None:
    (citeproof.folder / "citeproof.toml").write_text('brave_kye = "s3cret"\nopenalex_key = ["s3cret"]\n')
    done = citeproof("verify", refs)
    assert done.returncode == 2
    assert "s3cret" not in done.stderr
