"""The public API: ``import citeproof``."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

import citeproof
from citeproof.database.building.builder import build
from citeproof.model.errors import DatabaseError, InputError
from citeproof.model.reference import Reference
from citeproof.settings import default_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from citeproof.database.lookup import Database


@pytest.fixture(scope="module")
def sample() -> Iterator[Database]:
    with citeproof.open_database() as database:
        yield database


def test_open_database_prefers_the_database_of_the_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "own.bib").write_text("@misc{a, title = {A lamp of our own}}")
    default_database().parent.mkdir(parents=True)
    build([tmp_path / "own.bib"], default_database())
    with citeproof.open_database() as database:
        assert (database.path, database.describe()["records"]) == (default_database(), 1)


def test_every_name_is_there_and_no_other() -> None:
    assert [name for name in citeproof.__all__ if not hasattr(citeproof, name)] == []
    assert set(dir(citeproof)) == set(citeproof.__all__)
    assert citeproof.Reference is Reference
    assert not hasattr(citeproof, "Citation")


def test_look_up_the_nearest_title_is_searched_for_on_request(sample: Database) -> None:
    title = "The Google File Sorting System"
    assert citeproof.look_up(title, sample).nearest is None
    nearest = citeproof.look_up(title, sample, nearest=True).nearest
    assert nearest
    assert nearest.record.title == "The Google file system"


def test_look_up_a_title_is_looked_up(sample: Database) -> None:
    lookup = citeproof.look_up("The Google File Systen", sample)
    assert lookup.found
    assert lookup.candidates[0].record.year == 2003


def test_verify_a_reference_is_verified(sample: Database) -> None:
    reference = citeproof.Reference(
        "key", "The Google File System", ("Ghemawat, S.",), and_others=True, year=2003
    )
    verdict = citeproof.verify(reference, sample)
    assert verdict.status is citeproof.Status.VALID
    assert isinstance(verdict.best_match, citeproof.Candidate)


def test_read_bytes_are_read_and_checked_as_a_file_of_them(
    sample: Database, bibliography: Path
) -> None:
    data = bibliography.read_bytes()
    named, given = citeproof.check(bibliography, sample), citeproof.check(data, sample)
    assert [verdict.status for verdict in given.verdicts] == [
        verdict.status for verdict in named.verdicts
    ]
    assert [entry.place.file for entry in citeproof.read(data).references] == ["<bytes>"] * 3
    assert len(list(citeproof.stream(data, sample))) == 4
    assert (
        citeproof.read(b"A Theory of the Learnable\n", "titles").references[0].title
        == "A Theory of the Learnable"
    )


def test_read_a_text_in_place_of_a_name_is_called_so_and_not_repeated() -> None:
    with pytest.raises(InputError) as caught:
        citeproof.read("@article{x,\n title = {" + "x" * 3000 + "}}")
    assert str(caught.value) == (
        "a text in place of a file's name; give the content of a file as bytes: text.encode()"
    )


def test_open_database_a_missing_database_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"missing\.db"):
        citeproof.open_database(tmp_path / "missing.db")
    for wrong in (5, b"a.db", "a\0b.db"):
        with pytest.raises(DatabaseError, match="a database is named by its file"):
            citeproof.open_database(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", citeproof.__all__)
def test_everything_public_is_there_and_explained(name: str) -> None:
    public = getattr(citeproof, name)
    assert name.startswith("__") or public.__doc__


def test_session_check_takes_what_check_takes(sample: Database, bibliography: Path) -> None:
    session = citeproof.Session.over(sample)
    expected = [verdict.status for verdict in citeproof.check(bibliography, sample).verdicts]
    read = citeproof.read(bibliography)
    for papers in (
        str(bibliography),
        bibliography,
        [bibliography],
        bibliography.read_bytes(),
        read,
        read.entries,
    ):
        assert [verdict.status for verdict in session.check(papers).verdicts] == expected
        taken: list[citeproof.Verdict] = []
        session.follow(papers, taken.append)
        assert [verdict.status for verdict in taken] == expected


@pytest.mark.parametrize("papers", [42, None, [42], [["refs.bib"]], 1.5])
def test_check_refuses_what_is_no_paper(sample: Database, papers: Any) -> None:
    says = "a paper is the name of a file, its bytes, a Bibliography or a Reference, not "
    for check in (
        citeproof.Session.over(sample).check,
        lambda given: citeproof.check(given, sample),
    ):
        with pytest.raises(InputError, match=says):
            check(papers)


@pytest.mark.parametrize("field", ["doi", "arxiv_id"])
def test_verify_refuses_a_number_as_identifier(sample: Database, field: str) -> None:
    number: Any = {field: 5}
    reference = citeproof.Reference("k", "On Tables", **number)
    with pytest.raises(InputError, match=f"reference 'k': {field} is a text, not int"):
        citeproof.verify(reference, sample)


@pytest.mark.parametrize(
    "year", [10**4, "10**4000", "10**5000", float("inf"), float("nan"), 2017.5]
)
def test_verify_refuses_a_year_that_is_none(sample: Database, year: Any) -> None:
    if isinstance(year, str):
        year = 10 ** int(year[-4:])  # pytest cannot print so long a number
    with pytest.raises(
        InputError, match="reference 'k': year is a number such as 2017, or None, not "
    ):
        citeproof.verify(citeproof.Reference("k", "On Tables", year=year), sample)


def test_open_database_opens_the_own_database_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeproof.database.choice.default_database", lambda: tmp_path / "own.db")
    with citeproof.open_database() as database:
        assert database.path.name != "own.db"
        shutil.copy(database.path, tmp_path / "own.db")
    with citeproof.open_database() as database:
        assert database.path == tmp_path / "own.db"


def test_repr_of_a_session_has_no_password(tmp_path: Path) -> None:
    with citeproof.open_session(no_cache=True, cache=tmp_path / "secret") as session:
        assert "secret" not in repr(session)
        assert "secret" not in session.settings_json
        assert "'bibliographic_database'" in repr(session)


def test_to_dict_functions_refuse_the_name_of_a_database_and_other_results(
    bibliography: Path,
) -> None:
    wrong: Any = "dblp.db"
    reference = citeproof.Reference("k", title="On Tables")
    calls = (
        lambda: citeproof.look_up("On Tables", wrong),
        lambda: citeproof.verify(reference, wrong),
        lambda: citeproof.check(bibliography, wrong),
        lambda: list(citeproof.stream(bibliography, wrong)),
    )
    for call in calls:
        with pytest.raises(
            InputError,
            match=r"a database that citeproof.open_database\(\) returned is needed, not 'dblp",
        ):
            call()
    with pytest.raises(InputError, match="a Run, Verdict or Lookup is needed, not str"):
        citeproof.to_dict(wrong)


def test_check_text_checks_references_as_text(sample: Database) -> None:
    run = citeproof.check_text(
        "[1] L. G. Valiant. A theory of the learnable. Commun. ACM, 1984.\n"
        "[2] L. Lamport. The part-time parliament. ACM Trans. Comput. Syst., 1994.\n",
        sample,
    )
    assert [one.status.value for one in run.verdicts] == ["VALID", "SUSPICIOUS"]
    assert run.verdicts[0].reference.file == "<text>"
    assert (run.exit_code(), run.exit_code([citeproof.Status.INVALID])) == (1, 0)
    for nothing in ("", 7):
        with pytest.raises(InputError):
            citeproof.check_text(nothing, sample)  # type: ignore[arg-type]


def test_correct_returns_the_corrected_content(sample: Database, tmp_path: Path) -> None:
    entry = (
        "@article{v, author = {Valiant, Leslie G.}, title = {A Theory of the Learnable},"
        " journal = {Commun. ACM}, year = 1988}"
    )
    path = tmp_path / "refs.bib"
    path.write_text(entry)
    for source in (path, entry.encode()):
        corrected = citeproof.correct(source, sample)
        assert corrected.data.decode() == entry.replace("1988", "1984")
        assert [one.field for one in corrected.changes] == ["year"]
    complete = citeproof.correct(path, sample, complete=True)
    assert {one.field for one in complete.changes} == {"year", "volume", "number", "pages", "doi"}
    assert path.read_text() == entry
    (tmp_path / "refs.ris").write_text("TY  - JOUR\nTI  - A Title\nER  -\n")
    for source in (tmp_path / "refs.ris", tmp_path / "missing.bib", b"no", tmp_path):
        with pytest.raises(InputError):
            citeproof.correct(source, sample)


def test_search_finds_half_remembered_works(sample: Database) -> None:
    found = citeproof.search("lamport part-time parliament wombat", sample, most=1)
    assert [one.record.title for one in found] == ["The Part-Time Parliament"]
    assert found[0].missing == ("wombat",)
    for nothing in ("", "-", 7):
        with pytest.raises(InputError):
            citeproof.search(nothing, sample)  # type: ignore[arg-type]
