"""Wrong input of every kind: the right exit code and one clear line on standard error, never a
traceback.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.errors.inputs import RIGHT, start

pytestmark = pytest.mark.usefixtures("elsewhere")

WRONG = {
    # the command itself
    "nonsense": "No such command 'nonsense'; see 'citeproof --help'",
    "verfiy refs.bib": (
        "No such command 'verfiy'; probably meant: citeproof verify; see 'citeproof --help'"
    ),
    "check refs.bib": (
        "No such command 'check'; probably meant: citeproof verify; see 'citeproof --help'"
    ),
    "missing.bib": (
        "No such command 'missing.bib'; probably meant: citeproof verify missing.bib; see"
    ),
    "sub": "No such command 'sub'; probably meant: citeproof verify sub; see",
    "--nonsense": "No such option",
    # verify: the input
    "verify": "Missing argument 'INPUT...'; see 'citeproof verify --help'",
    "verify missing.bib": "missing.bib: No such file or directory",
    "verify missing.bib empty.bib": "missing.bib: No such file or directory",
    "verify good.db/refs.bib": (
        "good.db is a file, not a folder; if it is an archive, name it as a whole"
    ),
    "verify sub": "sub: has no paper or bibliography",
    "verify picture.png": "picture.png: is a picture; run an OCR program over it",
    "verify picture.bib": "picture.bib: binary data",
    "verify good.db": "good.db: binary data",
    "verify cut.xml.gz": "cut.xml.gz: is damaged: the gzip file ends in the middle",
    "verify empty.bib": "empty.bib: is empty",
    "verify prose.bib": "prose.bib: no entry found",
    "verify page.bib": "page.bib: no entry found",
    "verify braces.bib": "braces.bib: no entry found",
    "verify braces.json": "braces.json:1: not JSON",
    "verify brackets.json": "brackets.json:1: not JSON",
    "verify number.json": "number.json:1: not JSON",
    "verify text.json": "text.json:1: not JSON",
    "verify -": "<stdin>: is empty",
    "verify - --from bibtex": "<stdin>: is empty",
    "verify right.bib --from csl-json": "right.bib:1: not JSON",
    "verify right.bib --from word": "unknown input format 'word': use one of bbl, bibtex, ",
    "verify --files-from missing.txt": "missing.txt: cannot be read: No such file",
    "verify --files-from empty.bib": (
        "empty.bib: names no file; it must have one file name per line"
    ),
    # verify: the options
    "verify right.bib --format xml": "'xml' is not one of 'table', ",
    "verify right.bib --fail-on doubt": "--fail-on: 'doubt' is not one of suspicious, ",
    "accept right.bib --all --because x --fail-on doubt": "--fail-on: 'doubt' is not one of ",
    "verify right.bib --bib-threshold 2": "2.0 is not in the range",
    "verify right.bib --bib-threshold much": "'much' is not a valid float",
    "verify right.bib --bib-max-candidates 0": "0 is not in the range",
    "verify right.bib --concurrent 0": "0 is not in the range",
    "verify right.bib --concurrent": "Option '--concurrent' requires an argument",
    "verify right.bib --output sub": "sub: is a directory; --output takes a file",
    "verify right.bib --output nowhere/report.json": (
        "nowhere/report.json: cannot be written: there is no folder "
    ),
    "verify right.bib --output right.bib": "right.bib: is an input; --output takes another file",
    "verify right.bib --bib-db good.db --output good.db": (
        "good.db: is the bibliographic database of this run; --out"
    ),
    "verify right.bib --bib-db good.db --output good.db.titles": (
        "good.db.titles: is the title index of this run; --"
    ),
    "verify right.bib --cache new.db --output new.db": (
        "new.db: is the cache of this run; --output takes another file"
    ),
    "verify right.bib --cache new.db --no-cache": (
        "--cache and --no-cache contradict each other; leave one of them"
    ),
    "verify right.bib --output loop": "loop: cannot be written: Too many levels of symbolic links",
    "verify right.bib --statistics": "--statistics adds a line to --format jsonl only",
    "verify right.bib --cache prose.db": "prose.db: is not a verification cache; name another file",
    "verify right.bib --cache empty.bib/cache.db": (
        "empty.bib/cache.db: cannot be opened for writing: "
    ),
    "verify right.bib --cache sub": "sub: is a directory; name a file",
    # the database, alike for all commands
    "verify right.bib --bib-db missing.db": "missing.db: no such file",
    "verify right.bib --bib-db sub": "sub: is a directory, not a database",
    "verify right.bib --bib-db pipe": "pipe: is a pipe, not a database",
    "verify right.bib --bib-db empty.db": "empty.db: is empty, not a database",
    "verify right.bib --bib-db prose.db": "prose.db: is not an SQLite database",
    "verify right.bib --bib-db cut.db": "cut.db: ",
    "verify right.bib --bib-db foreign.db": (
        "foreign.db: has neither a table publications nor a table titles"
    ),
    "lookup learnable --bib-db missing.db": "missing.db: no such file",
    "lookup learnable --bib-db sub": "sub: is a directory, not a database",
    "lookup learnable --bib-db empty.db": "empty.db: is empty, not a database",
    "lookup learnable --bib-db cut.db": "cut.db: ",
    "lookup learnable --bib-db right.bib": "right.bib: is not an SQLite database",
    "verify right.bib --bib-db right.bib": "right.bib: is not an SQLite database",
    "db info right.bib": "right.bib: is not an SQLite database",
    "db check right.bib": "right.bib: is not an SQLite database",
    "lookup learnable --bib-db prose.db": "prose.db: is not an SQLite database",
    "lookup learnable --bib-db foreign.db": (
        "foreign.db: has neither a table publications nor a table titles"
    ),
    # lookup
    "lookup": "Missing argument 'TITLE...'; see 'citeproof lookup --help'",
    "lookup ...": "'...' has no letter or digit to look up; give a title",
    "lookup -": "<stdin>: no title to look up; give one per line",
    "lookup learnable --format csv": "'csv' is not one of 'table', 'json'",
    "lookup learnable --bib-threshold 0.1": "0.1 is not in the range",
    # db build: sources
    "db build one.xml one.xml -o new.db": "one.xml: is named twice; its records would occur twice",
    "db build one.xml ./sub/../one.xml -o new.db": "is named twice; its records would occur twice",
    "db build one.xml -o one.xml": "one.xml: is a source; write the database to another file",
    "db build one.xml -o one.xml --force": (
        "one.xml: is a source; write the database to another file"
    ),
    "db build good.db -o new.db": (
        "good.db: is binary, neither a known kind of dump nor a bibliography"
    ),
    "db build untitled.bib -o new.db": "untitled.bib: holds no publication; entries left out: 1",
    "db build https://dblp.org/xml/dblp.xml.gz -o new.db": (
        "is a URL; download it, and name the file"
    ),
    "db build one.xml -o /dev/null/new.db": "/dev/null: is not a directory; name another",
    "db index good.db --index-dir one.xml": (
        "one.xml: cannot write the title index here: File exists; --index-dir"
    ),
    "db info scratched.db": "scratched.db: is damaged, or holds text that is not UTF-8",
    # what this version does not do
    "verify paper.pdf": "paper.pdf: is damaged; download or make it again",
    "verify paper.pdf --from bibtex": "paper.pdf: binary data, not a bibliography in text form",
    "verify right.bib --bib-db postgresql://me:secret@host/db": (
        "--bib-db: is a file and cannot be on a PostgreSQL"
    ),
    "verify right.bib --cache postgres://me:secret@127.0.0.1:1/db": (
        "postgresql://me@127.0.0.1:1/db: "
    ),
    "lookup learnable --bib-db postgresql+psycopg://host/db": (
        "--bib-db: is a file and cannot be on a PostgreSQL"
    ),
    "serve --runtime-store postgresql://me:sec@ret@host/db": (
        "--runtime-store: the address cannot be understood"
    ),
    "serve --bib-db postgresql://me:secret@host/db": (
        "--bib-db: is a file and cannot be on a PostgreSQL"
    ),
    "db build one.xml -o postgresql://me:secret@host/db": (
        "--output: is a file and cannot be on a PostgreSQL server"
    ),
    "db info postgresql://me:secret@host/db": (
        "FILE: is a file and cannot be on a PostgreSQL server"
    ),
    # db
    "db nonsense": "No such command 'nonsense'; see 'citeproof db --help'",
    "db build": "Missing argument 'SOURCE...'; see 'citeproof db build --help'",
    "db build right.bib": "Missing option '--output' / '-o'",
    "db build missing.xml -o new.db": "missing.xml: no such file",
    "db build sub -o new.db": "sub: is a directory without a file of a known kind",
    "db build empty.xml -o new.db": "empty.xml: is empty",
    "db build page.xml -o new.db": "page.xml: is a web page, not a dump",
    "db build cut.xml.gz -o new.db": "cut.xml.gz: the gzip file ends in the middle",
    "db build other.xml -o new.db": "other.xml: ",
    "db build picture.png -o new.db": (
        "picture.png: is neither a known kind of dump nor a bibliography"
    ),
    "db build one.xml -o prose.db": "prose.db: exists and is not a database; --force replaces it",
    "db build one.xml -o right.bib": "right.bib: exists and is not a database; --force replaces it",
    "db build one.xml -o foreign.db": (
        "foreign.db: exists and was not built by citeproof; --force replaces it"
    ),
    "db build one.xml -o good.db": " records and the new one only 1; it stays. --force replaces it",
    "db build one.xml -o sub": "sub: is a directory; name a file",
    "db build one.xml -o sub --force": "sub: is a directory; name a file",
    "db info missing.db": "missing.db: no such file",
    "db info sub": "sub: is a directory, not a database",
    "db info prose.db": "prose.db: is not an SQLite database",
    "db info foreign.db": "foreign.db: has neither a table publications nor a table titles",
    "db info good.db --format csv": "'csv' is not one of 'table', 'json'",
    "db check empty.db": "empty.db: is empty, not a database",
    "db check prose.db": "prose.db: is not an SQLite database",
    "db check foreign.db": "foreign.db: has neither a table publications nor a table titles",
    "db index missing.db": "missing.db: no such file",
    "db index prose.db": "prose.db: is not an SQLite database",
    "db index good.db --index-dir right.bib": "right.bib: ",
    # serve
    "serve --port 99999": "99999 is not in the range",
    "serve --port many": "'many' is not a valid integer",
    "serve --bib-db good.db --runtime-store prose.db": "prose.db: ",
    "serve --bib-db good.db --runtime-store sub": "sub: ",
    "serve --bib-db good.db --host=": "the address to listen on is empty",
    "serve --workers 0": "0 is not in the range",
    "serve --rate-limit -3": "-3 is not in the range",
    # sources
    "sources --nonsense": "No such option",
    "sources crossref": "Got unexpected extra argument (crossref)",
    "verify right.bib --enable-online --offline --sources gossip": (
        "no online source is called gossip; there are "
    ),
    "verify right.bib --max-age -1": "-1.0 is not in the range",
    "verify right.bib --max-age inf": "inf is not in the range",
    "verify right.bib --max-age nan": "max_age",
    "serve --bib-db good.db --host 999.1.2.3": "999.1.2.3:8092: cannot listen there",
}
"""Arguments, and what the one line on standard error must hold."""
if Path("/proc/self/mem").exists():  # a file that can be opened and not read
    WRONG["verify /proc/self/mem"] = "/proc/self/mem: cannot be read: Input/output error"


@pytest.mark.parametrize("line", WRONG)
def test_one_clear_line(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start(*line.split(), monkeypatch=monkeypatch) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("citeproof: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert WRONG[line] in err
    assert "secret" not in err
    assert "Errno" not in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = true\n", "unknown setting 'colour'"),
        ("concurrent = 'many'\n", "setting concurrent: "),
        ("bib_threshold = 7\n", "setting bib_threshold: "),
        ("format = 'xml'\n", "setting format: 'xml' is not one of table, html, "),
        ("fail_on = 'doubt'\n", "setting fail_on: 'doubt' is not one of suspicious, "),
        ("bib_db = 'missing.db'\n", "missing.db: no such file"),
        ("= broken\n", "citeproof.toml: cannot be read: "),
    ],
)
def test_wrong_settings(
    text: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("right.bib").write_bytes(RIGHT)
    Path("citeproof.toml").write_text(text)
    assert start("verify", "right.bib", monkeypatch=monkeypatch) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_no_command_shows_the_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert start(monkeypatch=monkeypatch) == 2
    assert "verify" in capsys.readouterr().err
