"""A command loads nothing that it does not need: a person waits for it at each start."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from citeproof.cli.main import main, run
from citeproof.database.building.builder import build
from citeproof.readers.isolation import IsolatedReader

DUMP = Path(__file__).parents[1] / "data" / "bibdb" / "small.xml"

HEAVY = {
    "apsw",
    "fastapi",
    "httpx2",
    "jinja2",
    "numpy",
    "prometheus_client",
    "pydantic",
    "pydantic_settings",
    "pypdfium2",
    "rapidfuzz",
    "rich",
    "starlette",
    "uvicorn",
}


NOT_FOR_LOOKING_UP = {
    "_hashlib",
    "asyncio",
    "email",
    "fastapi",
    "httpx2",
    "jinja2",
    "multiprocessing",
    "prometheus_client",
    "pydantic",
    "pypdfium2",
    "socket",
    "uvicorn",
    "citeproof.cli.screen",
    "citeproof.database.building.builder",
    "citeproof.database.building.sample",
    "citeproof.database.building.title_index",
    "citeproof.database.venues.volumes",
    "citeproof.report.schema",
    "citeproof.screen",
    "citeproof.verification.evidence",
    "citeproof.verification.online_chain",
    "citeproof.web",
}
"""What a short offline run of ``verify`` and ``lookup`` has no use for, unless a person looks
on.
"""


def modules_after(arguments: list[str]) -> set[str]:
    """Return the modules that are loaded when ``citeproof`` ends."""
    program = (
        "import sys\n"
        f"sys.argv = ['citeproof', *{arguments!r}]\n"
        "from citeproof.cli.main import main, run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "print('\\n' + ' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_run_help_and_version_are_light(arguments: list[str]) -> None:
    loaded = modules_after(arguments)
    assert "click" in loaded
    assert not loaded & HEAVY


def test_run_the_package_itself_is_light() -> None:
    program = "import sys, citeproof; print(' '.join({n.partition('.')[0] for n in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & (HEAVY | {"click"})


@pytest.mark.parametrize(
    ("arguments", "unused"),
    [
        (["verify", "refs.bib", "--format", "jsonl", "--no-cache"], NOT_FOR_LOOKING_UP | {"rich"}),
        (
            ["lookup", "On Tables", "--format", "json"],
            NOT_FOR_LOOKING_UP | {"citeproof.verification.startup"},
        ),
    ],
)
def test_run_looking_up_loads_only_what_that_takes(
    arguments: list[str], unused: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build([DUMP], Path("small.db"))
    Path("refs.bib").write_text(
        "@article{a, title={On Tables}, author={Joiner, A.}, year={1999}}\n"
    )
    loaded = modules_after([*arguments, "--bib-db", "small.db"])
    assert {"apsw", "citeproof.database.lookup", "citeproof.report.serialization"} <= loaded
    assert loaded & unused == set()


@pytest.mark.parametrize(("chosen", "threads"), [(None, "1"), ("4", "4")])
def test_run_starts_no_threads_for_linear_algebra(
    chosen: str | None,
    threads: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @click.command()
    def shows() -> None:
        click.echo(os.environ["OPENBLAS_NUM_THREADS"])

    monkeypatch.setenv("OPENBLAS_NUM_THREADS", chosen or "")
    if not chosen:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    monkeypatch.setattr(sys, "argv", ["citeproof"])
    with pytest.raises(SystemExit):
        run(shows)
    assert capsys.readouterr().out == f"{threads}\n"


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (RecursionError(), 2, "citeproof: an input is nested too deeply\n"),
        (
            KeyError("x"),
            3,
            "citeproof: a fault of citeproof, please report it: KeyError: 'x' (test_main.py, line ",
        ),
    ],
)
def test_run_turns_an_unexpected_error_into_one_line_and_never_into_flagged(
    raised: Exception,
    code: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @click.command()
    def fails() -> None:
        raise raised

    monkeypatch.setattr(sys, "argv", ["citeproof"])
    with pytest.raises(SystemExit) as ended:
        run(fails)
    written = capsys.readouterr().err
    assert (ended.value.code, written.count("\n")) == (code, 1)
    assert written.startswith(said)


def test_run_writes_no_control_characters_of_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["citeproof", "db", "info", "\x1b]0;title\x07\u202e.db"])
    with pytest.raises(SystemExit):
        run()
    assert capsys.readouterr().err == "citeproof: \\x1b]0;title\\x07\\u202e.db: no such file\n"


@pytest.mark.parametrize(
    ("command", "option", "meant"),
    [
        ("fix", "--in-place", "; probably meant: --write"),
        ("fix", "-w", "; probably meant: --write"),
        ("fix", "--complet", "; probably meant: --complete"),
        ("verify", "--formt", "; probably meant: --format"),
        ("verify", "--in-place", ""),
        ("fix", "--nonsense", ""),
    ],
)
def test_run_suggests_the_option_that_was_probably_meant(
    command: str, option: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(lambda **rest: main([command, option, "refs.bib"], **rest))  # type: ignore[arg-type]
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"citeproof: No such option '{option}'{meant}; see ")


def test_verify_starts_the_reading_process_before_its_modules_are_imported() -> None:
    with click.Context(main) as context:
        main.resolve_command(context, ["verify", "paper.pdf"])
        assert isinstance(context.obj, IsolatedReader)
        assert context.obj.started
    with click.Context(main) as context:
        main.resolve_command(context, ["verify", "refs.bib"])
        assert not context.obj.started
