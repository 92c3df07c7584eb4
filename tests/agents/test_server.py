"""The tools, called by the SDK's client in memory, which validates each result against its
schema.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import jsonschema
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")
from mcp import Client, MCPError

from citeproof.agents.answers import MAX_WORKS
from citeproof.agents.results import MAX_OTHERS
from citeproof.agents.server import build_server
from citeproof.agents.tools import MAX_REFERENCES, MAX_RUNS, MAX_TEXT
from citeproof.report.schema import results_schema
from tests.agents.conversation import ASKED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.types import CallToolResult

    from citeproof.verification.session import Session

WRONG_YEAR = "@article{v, author={Leslie G. Valiant}, title={A Theory of the Learnable}, year=1999}"
RIGHT = (
    "@article{c, author={E. F. Codd}, year=1970, title={A Relational Model of Data for Large Shared"
    " Data Banks}}"
)


def with_client(session: Session, talk: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Client(build_server(session)) as client:
            return await talk(client)

    return anyio.run(run)


def call(session: Session, tool: str, **arguments: object) -> CallToolResult:
    result: CallToolResult = with_client(session, lambda client: client.call_tool(tool, arguments))
    return result


def words(result: CallToolResult) -> str:
    return "".join(getattr(part, "text", "") for part in result.content)


def answer(session: Session, tool: str, **arguments: object) -> dict[str, Any]:
    result = call(session, tool, **arguments)
    assert not result.is_error, words(result)
    content: dict[str, Any] = result.structured_content or {}
    assert content
    return content


def error(session: Session, tool: str, **arguments: object) -> str:
    result = call(session, tool, **arguments)
    assert result.is_error
    return words(result)


def test_tools_are_read_only_and_state_their_output(sample_session: Session) -> None:
    listed = with_client(sample_session, lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == [
        "verify_references",
        "read_references",
        "look_up_title",
        "find_work",
        "explain",
    ]
    assert all(
        tool.annotations.read_only_hint and not tool.annotations.open_world_hint for tool in listed
    )
    assert all(tool.output_schema["properties"] for tool in listed)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("verify_references", {}, "verify_references: references: Field required"),
        ("look_up_title", {"title": 5}, "look_up_title: title: Input should be a valid string"),
    ],
)
def test_arguments_that_do_not_fit_are_named_in_one_line(
    sample_session: Session, tool: str, arguments: dict[str, object], said: str
) -> None:
    assert error(sample_session, tool, **arguments) == said


def test_build_server_instructions_say_what_unverified_means(sample_session: Session) -> None:
    async def instructions(client: Client) -> str:
        return client.instructions or ""

    said = with_client(sample_session, instructions)
    assert "does not mean that it does not exist" in said
    assert "built-in sample" in said


def test_short_answers_have_fields_of_the_published_schema(sample_session: Session) -> None:
    published = results_schema()["$defs"]
    tool = next(t for t in with_client(sample_session, lambda client: client.list_tools()).tools)
    shapes = {"Work": "CandidateObject", "MeantWork": "NearestObject", "Evidence": "InquiryObject"}
    for short, whole in {**shapes, "Result": "ResultObject"}.items():
        fields = dict(tool.output_schema["$defs"][short]["properties"])
        for own in ("cited", "best_match", "meant", "evidence"):
            fields.pop(own, None)
        assert fields
        assert fields == {name: published[whole]["properties"][name] for name in fields}


def test_verify_references_returns_verdicts_with_evidence(sample_session: Session) -> None:
    found = answer(sample_session, "verify_references", references=f"{RIGHT}\n{WRONG_YEAR}")
    right, wrong = found["results"]
    assert (right["status"], right["best_match"]["key"]) == ("VALID", "journals/cacm/Codd70")
    assert (wrong["status"], wrong["issues"][0]["code"]) == ("SUSPICIOUS", "year.off")
    assert wrong["meant"][0]["year"] == 1984
    assert 0 < len(wrong["meant"]) <= MAX_WORKS
    assert wrong["evidence"][0]["source"] == "bibliographic_database"
    assert found["sent"] == []


def test_verify_references_describes_each_reference_in_words(sample_session: Session) -> None:
    said = words(call(sample_session, "verify_references", references=WRONG_YEAR)).splitlines()
    assert said[1] == "1. SUSPICIOUS (v) A Theory of the Learnable - metadata_mismatch"
    assert said[2] == "   year.off: the year does not agree: recorded 1984, cited 1999"
    assert said[4].startswith("SUSPICIOUS: a record describes")


def test_verify_references_reads_plain_text_without_a_format(sample_session: Session) -> None:
    text = (
        "J. Dean and S. Ghemawat. MapReduce: Simplified data processing on large clusters. In OSDI,"
        " 2004."
    )
    (result,) = answer(sample_session, "verify_references", references=text)["results"]
    assert (result["status"], result["best_match"]["key"]) == ("VALID", "conf/osdi/DeanG04")


def test_report_matches_the_published_schema(sample_session: Session) -> None:
    async def read(client: Client) -> Any:
        result = await client.call_tool("verify_references", {"references": WRONG_YEAR})
        assert result.structured_content
        (content,) = (await client.read_resource(result.structured_content["report"])).contents
        return json.loads(getattr(content, "text", ""))

    report = with_client(sample_session, read)
    jsonschema.validate(report, results_schema())
    assert report["results"][0]["reference"]["year"] == 1999


def test_report_says_that_a_report_is_gone(sample_session: Session) -> None:
    async def read(client: Client) -> str:
        first = await client.call_tool("verify_references", {"references": RIGHT})
        for _ in range(MAX_RUNS):
            await client.call_tool("verify_references", {"references": RIGHT})
        assert first.structured_content
        with pytest.raises(MCPError) as caught:
            await client.read_resource(first.structured_content["report"])
        return str(caught.value)

    assert "verify the references again" in with_client(sample_session, read)


def test_verify_references_reports_progress_every_ten_references(sample_session: Session) -> None:
    heard: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert message is None
        heard.append((progress, total))

    references = "\n".join(RIGHT.replace("{c,", f"{{c{number},") for number in range(25))
    with_client(
        sample_session,
        lambda client: client.call_tool(
            "verify_references", {"references": references}, progress_callback=hear
        ),
    )
    assert heard == [(10, 25), (20, 25)]


def test_look_up_title_finds_a_title(sample_session: Session) -> None:
    found = answer(sample_session, "look_up_title", title="The Google File Systen")
    assert (found["found"], found["key"]) == (True, "conf/sosp/GhemawatGL03")


def test_look_up_title_says_near_if_words_differ(sample_session: Session) -> None:
    said = words(call(sample_session, "look_up_title", title="Attention is what you need"))
    assert said.startswith("Similar, but with other words in the title")


def test_look_up_title_proves_a_miss_with_few_records(sample_session: Session) -> None:
    missed = answer(sample_session, "look_up_title", title="A Title that Nobody Ever Wrote")
    assert (missed["found"], missed["complete"]) == (False, True)
    assert len(missed.get("related", [])) <= MAX_OTHERS


def test_look_up_title_finds_an_identifier(sample_session: Session) -> None:
    assert "Has this identifier: E. F. Codd" in words(
        call(sample_session, "look_up_title", title="https://doi.org/10.1145/362384.362685")
    )


@pytest.mark.parametrize(
    ("known", "key"),
    [
        ({"title": "mapreduce simplified data"}, "conf/osdi/DeanG04"),
        ({"authors": "Leslie Valiant", "year": 1984}, "journals/cacm/Valiant84"),
        ({"identifier": "10.1145/362384.362685"}, "journals/cacm/Codd70"),
        (
            {"title": "A theory of the learnable", "authors": "L. Valiant"},
            "journals/cacm/Valiant84",
        ),
    ],
)
def test_find_work_finds_a_work_by_any_facts(
    sample_session: Session, known: dict[str, object], key: str
) -> None:
    assert answer(sample_session, "find_work", **known)["works"][0]["key"] == key


def test_find_work_names_what_differs_and_the_next_call(sample_session: Session) -> None:
    said = words(call(sample_session, "find_work", title="google file system", year=1999))
    assert "\n   year: recorded 2003, given 1999\n" in said
    assert said.splitlines()[-1].startswith("Next: verify_references")


def test_find_work_returns_no_work_of_other_people(sample_session: Session) -> None:
    found = answer(sample_session, "find_work", title="google file systems", authors="Marrowby")
    assert found["works"] == []


def test_verify_references_names_the_lines_in_no_entry(sample_session: Session) -> None:
    text = f"Dear editor,\n{RIGHT}\nYours\n"
    found = answer(sample_session, "verify_references", references=text)
    assert [(one["line"], one["text"]) for one in found["unread"]] == [
        (1, "Dear editor,"),
        (3, "Yours"),
    ]
    said = words(call(sample_session, "verify_references", references=text))
    assert "2 lines were not read as references (2 running text): line 1 'Dear editor,'" in said


def test_read_references_returns_entries_with_fields_and_lines(sample_session: Session) -> None:
    text = (
        "References\n[1] J. Dean and S. Ghemawat. MapReduce: Simplified data processing on large\n"
        "clusters. In OSDI, 2004.\n[2] E. Codd. A relational model of data. CACM, 1970.\n"
    )
    found = answer(sample_session, "read_references", text=text)
    entry, _ = found["entries"]
    assert (entry["line"], entry["year"], entry["venue"]) == (2, 2004, "OSDI")
    assert entry["authors"] == ["J. Dean", "S. Ghemawat"]
    assert [(one["line"], one["kind"]) for one in found["unread"]] == [(1, "heading")]
    assert found["unreadable"] == []
    assert words(call(sample_session, "read_references", text=text)).startswith(
        "2 entries\n1. line 2: authors: J. Dean; S. Ghemawat, title: MapReduce: Simplified"
    )


def test_find_work_without_hits_returns_an_empty_list(sample_session: Session) -> None:
    result = call(sample_session, "find_work", authors="Quillon Marrowby and Tabea Ellingsworth")
    assert result.structured_content
    assert result.structured_content["works"] == []
    assert words(result).startswith("No work was found")


@pytest.mark.parametrize(("tool", "arguments"), ASKED.items())
def test_build_server_every_answer_names_the_database_its_date_and_what_a_project_decided(
    sample_session: Session, tool: str, arguments: dict[str, object]
) -> None:
    note = "Settings of this project affect the results"
    asked = replace(sample_session, notes=(note,))
    result = call(asked, tool, **arguments)
    assert result.structured_content
    database, said = result.structured_content["basis"]
    assert re.fullmatch(
        r"Checked against \S+ \([\d,]+ records: dblp to \d{4}-\d\d-\d\d\)\.", database
    )
    assert said == note
    assert words(result).count(note) == words(result).count(database) == 1


def test_explain_agrees_with_the_report(sample_session: Session) -> None:
    explained = answer(sample_session, "explain", reference=WRONG_YEAR)
    assert set(explained) - {"basis"} == set(
        results_schema()["$defs"]["ResultObject"]["properties"]
    )
    assert [field["field"] for field in explained["meant"][0]["fields"]][:3] == [
        "title",
        "authors",
        "year",
    ]
    assert explained["reference"]["year"] == 1999


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("verify_references", {"references": " "}, "the text is empty"),
        ("verify_references", {"references": "x" * (MAX_TEXT + 1)}, "send it in parts"),
        (
            "verify_references",
            {"references": "@misc{a, title={T}}\n" * (MAX_REFERENCES + 1)},
            "send it in parts",
        ),
        (
            "verify_references",
            {"references": RIGHT, "input_format": "word"},
            "unknown input format 'word'",
        ),
        ("look_up_title", {"title": "???"}, "a title needs a letter or digit"),
        ("find_work", {}, "give a title, authors or an identifier"),
        ("find_work", {"identifier": "x y"}, "'x y' is neither a DOI nor an arXiv id"),
        ("explain", {"reference": RIGHT + WRONG_YEAR}, "this text has 2 entries"),
        (
            "verify_references",
            {"references": "x", "input_format": "pdf"},
            "is not a PDF; name its format with input_format",
        ),
    ],
)
def test_tools_refuse_bad_input_in_one_line(
    sample_session: Session, tool: str, arguments: dict[str, object], says: str
) -> None:
    said = error(sample_session, tool, **arguments)
    assert says in said
    assert len(said.splitlines()) == 1


def test_tools_report_an_internal_error_in_one_line(
    sample_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken\nin two lines")

    monkeypatch.setattr("citeproof.agents.answers.lookup_text", fail)
    said = error(sample_session, "look_up_title", title="A")
    assert said.endswith("a fault of citeproof, please report it: RuntimeError: broken")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            {"title": "a" * 10_000_000},
            "title has 10,000,000 characters; at most 2,000 are accepted",
        ),
        (
            {"authors": "a" * 10_000_000},
            "authors has 10,000,000 characters; at most 50,000 are accepted",
        ),
        ({"title": "On Tables", "year": 10**4000}, "year must be a number from 0 to 9999"),
        ({"title": "On Tables", "year": -1}, "year must be a number from 0 to 9999"),
    ],
)
def test_find_work_refuses_values_out_of_bounds(
    sample_session: Session, arguments: dict[str, object], says: str
) -> None:
    assert says in error(sample_session, "find_work", **arguments)


@pytest.mark.parametrize("tool", ["verify_references", "explain"])
@pytest.mark.parametrize(
    "name", ["refs.bib", "/home/me/my paper.tex", "C:\\thesis\\refs.BIB", "file:///tmp/refs.ris"]
)
def test_verify_references_says_that_it_takes_no_file_name(
    sample_session: Session, tool: str, name: str
) -> None:
    given = {"verify_references": {"references": name}, "explain": {"reference": name}}
    said = error(sample_session, tool, **given[tool])
    assert "is the name of a file, which this tool cannot read; give the text of the file" in said


def test_verify_references_takes_a_title_of_one_word_with_a_point(sample_session: Session) -> None:
    assert answer(sample_session, "verify_references", references="Node.js")["results"]
