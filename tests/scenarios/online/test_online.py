"""The online options of ``citeproof verify``."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.online.replay import Reply
from tests.online.server import serve
from tests.online.works import GARDENS, RETRACTED, TABLES, WORLD
from tests.online.world import World
from tests.scenarios.online.here import DEAD, Here

if TYPE_CHECKING:
    from pathlib import Path

    from tests.program import Program

AS_JSON = {"content-type": "application/json"}
BIBLIOGRAPHY = f"""
@article{{tables, title = {{{TABLES.title}}}, author = {{{" and ".join(TABLES.authors)}}}, year =
2011,
  doi = {{{TABLES.doi}}}}}
@article{{gardens, title = {{{GARDENS.title}}}, author = {{{GARDENS.authors[0]}}}, year = 1999}}
"""


@pytest.fixture
def refs(tmp_path: Path) -> Path:
    path = tmp_path / "online.bib"
    path.write_text(BIBLIOGRAPHY)
    return path


def test_online_run_verifies_caches_and_reports_requests(replayed: Here, refs: Path) -> None:
    _, out, err = replayed("verify", refs, "--enable-online", "--format", "json")
    report = json.loads(out)
    assert {r["key"]: r["status"] for r in report["results"]} == {
        "tables": "VALID",
        "gardens": "SUSPICIOUS",
    }
    (sent,) = report["sent"]
    assert sent["host"] == "127.0.0.1"
    assert set(sent["fields"]) == {"doi", "title"}
    assert "s3cret" not in out + err
    again = json.loads(replayed("verify", refs, "--enable-online", "--format", "json")[1])
    assert again["sent"] == []
    assert [r["status"] for r in again["results"]] == ["VALID", "SUSPICIOUS"]


def test_table_reports_what_was_sent(replayed: Here, refs: Path) -> None:
    _, out, _ = replayed("verify", refs, "--enable-online")
    assert "doi, title to 127.0.0.1 (" in out
    assert "Nothing left this machine" in replayed("verify", refs)[1]


def test_retraction_is_shown_again_from_the_cache(replayed: Here, tmp_path: Path) -> None:
    authors = " and ".join(RETRACTED.authors)
    entry = (
        f"@article{{x, title = {{{RETRACTED.title}}}, author = {{{authors}}}, doi ="
        f" {{{RETRACTED.doi}}}, year = 2014}}"
    )
    (tmp_path / "retracted.bib").write_text(entry)
    for _ in range(2):
        code, out, _ = replayed("verify", "retracted.bib", "--enable-online")
        assert (code, "✓ VALID" in out) == (0, True)
        assert "retracted" in out
        assert f"https://doi.org/{RETRACTED.retracted_by}" in out
    rows = replayed("verify", "retracted.bib", "--enable-online", "--format", "csv")[1].splitlines()
    assert f"retracted,https://doi.org/{RETRACTED.retracted_by}" in rows[1]


def test_other_reports_write_what_was_sent_to_standard_error(replayed: Here, refs: Path) -> None:
    _, _, err = replayed("verify", refs, "--enable-online", "--format", "csv")
    assert "citeproof: sent doi, title to 127.0.0.1 (" in err


def test_max_age_of_zero_ignores_the_cache(replayed: Here, refs: Path) -> None:
    for _ in range(2):
        report = json.loads(
            replayed("verify", refs, "--enable-online", "--max-age", "0", "--format", "json")[1]
        )
    assert report["sent"]


def test_unknown_source_is_bad_usage(here: Here, refs: Path) -> None:
    code, _, err = here("verify", refs, "--enable-online", "--sources", "crossref,libgen")
    assert code == 2
    assert "no online source is called libgen; there are crossref" in err


def test_unknown_source_in_the_settings_is_bad_usage_offline_too(here: Here, refs: Path) -> None:
    code, out, err = here("verify", refs, sources="libgen")
    assert (code, out) == (2, "")
    assert err.startswith("citeproof: no online source is called libgen; there are crossref")
    assert err.count("\n") == 1


def test_sources_option_without_enable_online_is_bad_usage(here: Here, refs: Path) -> None:
    code, out, err = here("verify", refs, "--sources", "crossref")
    assert (code, out) == (2, "")
    assert "--sources names online sources; it needs --enable-online" in err
    assert here("verify", refs, sources="crossref")[0] != 2, (
        "a settings file may name them for the runs that do"
    )


def test_unreachable_sources_are_one_error_with_its_reason(here: Here, refs: Path) -> None:
    options = ("--enable-online", "--sources", "crossref,openalex", "--disable-bib")
    dead = json.dumps(dict.fromkeys(("crossref", "openalex"), "http://127.0.0.1:9"))
    code, out, err = here(
        "verify", refs, *options, source_urls=dead, openalex_key="k", key_hosts="127.0.0.1"
    )
    assert (code, err) == (3, "")
    assert out.count("connection refused") == 2
    said = " ".join(out.split())
    for source in ("crossref", "openalex"):
        assert f"{source} 2: no connection: 127.0.0.1: connection refused" in said
    assert "Nothing left this machine" in out
    assert max(map(len, out.splitlines()[1:])) <= 80  # the first one is the file's name


def test_json_has_the_order_of_the_input_after_a_failure(here: Here, refs: Path) -> None:
    held = (
        "@misc{held, title = {Attention is All you Need}, author = {Ashish Vaswani and others},"
        " year = 2017}\n"
    )
    refs.write_text(BIBLIOGRAPHY + held)
    report = here(
        "verify", refs, "--enable-online", "--format", "json", source_urls=DEAD, sources="crossref"
    )[1]
    assert [(one["key"], one["status"]) for one in json.loads(report)["results"]] == [
        ("tables", "ERROR"),
        ("gardens", "ERROR"),
        ("held", "VALID"),
    ]


STEERING = "\x1b[2J\x1b]0;owned\x07\x9b31m[bold red]"
"""Escape sequences that clear a terminal, set its title and colours, and markup of the library that
prints.
"""


@pytest.mark.parametrize(
    "options", [(), ("--verbose",), ("--format", "markdown"), ("--format", "csv")]
)
def test_output_has_no_control_characters_of_a_source(
    replayed: Here, tmp_path: Path, options: tuple[str]
) -> None:
    works = (
        replace(
            GARDENS,
            title=f"Walled gardens {STEERING}of the early web",
            authors=(f"Clara {STEERING}Autumn",),
        ),
        replace(
            RETRACTED, venue=f"Enzyme{STEERING} Letters", retracted_by=f"10.1234/{STEERING}notice"
        ),
    )
    entries = (
        f"@misc{{{work.doi[8:]}, title={{{work.title}}}, doi={{{work.doi}}}}}"
        for work in (GARDENS, RETRACTED)
    )
    (tmp_path / "refs.bib").write_text("\n".join(entries))
    with serve(World(works)) as hostile:
        replayed.patch.setenv(
            "CITEPROOF_SOURCE_URLS", json.dumps(hostile.urls("crossref", "openalex"))
        )
        hostile.faults = {
            "openalex": lambda _: Reply(400, json.dumps({"message": STEERING}).encode(), AS_JSON)
        }
        _, out, err = replayed("verify", "refs.bib", "--enable-online", "--disable-bib", *options)
    assert "[bold red]" in out
    assert [
        sign for sign in out + err if sign not in "\n\r" and unicodedata.category(sign) == "Cc"
    ] == []


def test_source_of_one_field_does_not_prove_a_miss(here: Here, tmp_path: Path) -> None:
    (tmp_path / "x.bib").write_text(
        "@article{x, title = {Umbrellas considered helpful}, author = {Ann Nobody}}"
    )
    with serve(WORLD) as server:
        urls = json.dumps(server.urls("arxiv", "crossref"))
        options = ("verify", "x.bib", "--enable-online", "--disable-bib", "--verbose")
        code, out, _ = here(*options, "--sources", "arxiv", source_urls=urls)
        assert code == 3
        assert "no_broad_source" in out
        text = " ".join(out.split())
        assert (
            "no source that has nearly all journal articles was searched; query crossref,"
            " openalex or" in text
        )
        code, out, _ = here(*options, "--sources", "arxiv,crossref", source_urls=urls)
        assert (code, "found_nowhere" in out) == (0, True)


DEGRADED = "Online sources were requested but are not available"


@pytest.mark.parametrize(
    "setting", [{"searxng_url": "ftp://searx.lan"}, {"source_urls": '{"crossref": "nowhere"}'}]
)
def test_run_with_an_unusable_configuration_degrades(
    here: Here, refs: Path, setting: dict[str, str]
) -> None:
    plain, _, _ = here("verify", refs)
    code, out, err = here("verify", refs, "--enable-online", "--format", "json", **setting)
    assert code == plain
    assert err.count(DEGRADED) == 1
    assert next(iter(setting)) in err
    assert any(DEGRADED in note for note in json.loads(out)["notes"])


WATCH = """
import sys, socket
def hook(event, args):
    if event.startswith('socket.'): print('SOCKET', event, file=sys.stderr)
sys.addaudithook(hook)
sys.argv[0] = 'citeproof'
from citeproof.online.net.service import Clock
Clock.sleep = lambda self, seconds: None
from citeproof.cli.main import run
run()
"""


def test_offline_run_opens_no_socket(citeproof: Program, refs: Path) -> None:
    def said(*options: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", WATCH, "verify", str(refs), "--enable-online", *options],
            capture_output=True,
            text=True,
            cwd=citeproof.folder,
            env=citeproof.environment,
            check=False,
        ).stderr

    citeproof.environment["CITEPROOF_SOURCE_URLS"] = DEAD
    citeproof.environment.update(
        dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
    )
    offline = said("--offline")
    assert "SOCKET" not in offline
    assert "the run is offline" in offline
    assert "SOCKET" in said("--sources", "crossref"), "the watch sees what there is to see"


def test_error_shows_no_misspelt_key(here: Here, refs: Path, tmp_path: Path) -> None:
    for line in (
        'brave_kye = "s3cret"\n',
        'openalex_key = ["s3cret"]\n',
        's3cret = "x"\nopenalex_key = "s3cret',
    ):
        (tmp_path / "citeproof.toml").write_text(line)
        code, _, err = here("verify", refs)
        assert code == (0 if line.startswith("openalex_key") else 2), (
            "a project's key does not count"
        )
        assert '"s3cret"' not in err
        assert "'s3cret'" not in err
