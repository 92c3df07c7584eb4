"""Options that several commands take, and the values that they refuse."""

from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from citeproof.cli import options
from citeproof.model.errors import CiteproofError
from citeproof.settings import load
from citeproof.store.sql import ServerAddress

_FILE = click.Option(["--file"], type=options.FILE)
_ARGUMENT = click.Argument(["source"], metavar="[SOURCE]...")


@pytest.mark.parametrize(
    ("param", "value", "message"),
    [
        (_FILE, "https://x.example/a.bib", "--file: https://x.example/a.bib is a URL"),
        (_FILE, "", "--file: is empty; name a file"),
        (_ARGUMENT, "", "SOURCE: is empty; name a file"),
        (_FILE, "postgresql://host/db", "--file"),
    ],
)
def test_convert_of_a_file_refuses_an_address_and_an_empty_text(
    param: click.Parameter, value: str, message: str
) -> None:
    with pytest.raises(CiteproofError) as raised:
        options.FILE.convert(value, param, None)
    assert str(raised.value).startswith(message)


def test_convert_of_a_file_returns_a_path() -> None:
    assert options.FILE.convert("a b.bib", _FILE, None) == Path("a b.bib")


def test_convert_of_a_store_returns_a_path_or_the_address_of_a_server() -> None:
    assert options.STORE.convert("kept.db", _FILE, None) == Path("kept.db")
    address = options.STORE.convert("postgresql://me@host/db", _FILE, None)
    assert isinstance(address, ServerAddress)
    with pytest.raises(CiteproofError, match="--file"):
        options.STORE.convert("https://host/db", _FILE, None)


def _given(*arguments: str) -> dict[str, object]:
    """Return the parameters that a command with several databases gets."""
    got: dict[str, object] = {}

    @click.command()
    @options.bib_dbs
    def command(**flags: object) -> None:
        got.update(flags)

    assert CliRunner().invoke(command, arguments, standalone_mode=False).exception is None
    return got


def test_bib_dbs_splits_several_databases_into_the_first_and_the_others() -> None:
    three = ("--bib-db", "a.db", "--bib-db", "b.db", "--bib-db", "c.db")
    given = _given(*three)
    assert given["bib_db"] == Path("a.db")
    assert given["further_bib_dbs"] == (Path("b.db"), Path("c.db"))
    assert _given() == {"no_project_settings": None}


def test_together_lists_options_in_the_order_in_which_they_are_given() -> None:
    both = options.together(click.option("--first"), click.option("--second"))
    command = click.command()(both(lambda first, second: None))
    assert [one.name for one in command.params] == ["first", "second"]


def test_on_all_cores_keeps_a_given_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = replace(load(), processes=None)
    monkeypatch.setattr(options, "cores", lambda: 5_000)
    assert options.on_all_cores(settings).processes == options.MAX_PROCESSES
    assert options.on_all_cores(replace(settings, processes=3)).processes == 3
