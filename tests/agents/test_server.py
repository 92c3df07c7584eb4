"""The tools as an agent sees them: the SDK's own client in memory, which checks each answer against its schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import jsonschema
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")
from mcp import Client, MCPError

from citeproof.agents.answers import MOST_OTHERS, MOST_WORKS
from citeproof.agents.server import build_server
from citeproof.agents.tools import LONGEST, MOST_REFERENCES, MOST_RUNS
from citeproof.schema import results_schema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.types import CallToolResult

    from citeproof.session import Session

WRONG_YEAR = "@article{v, author={Leslie G. Valiant}, title={A Theory of the Learnable}, year=1999}"
RIGHT = "@article{c, author={E. F. Codd}, year=1970, title={A Relational Model of Data for Large Shared Data Banks}}"


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


def test_the_tools_only_read_and_say_what_they_return(sample_session: Session) -> None:
    listed = with_client(sample_session, lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == ["verify_references", "look_up_title", "find_work", "explain"]
    assert all(tool.annotations.read_only_hint and not tool.annotations.open_world_hint for tool in listed)
    assert all(tool.output_schema["properties"] for tool in listed)


def test_the_server_says_what_an_unverified_reference_is_not(sample_session: Session) -> None:
    async def instructions(client: Client) -> str:
        return client.instructions or ""

    said = with_client(sample_session, instructions)
    assert "does not mean that it does not exist" in said
    assert "built-in sample" in said


def test_every_field_of_a_short_answer_is_one_of_the_published_schema(sample_session: Session) -> None:
    published = results_schema()["$defs"]
    tool = next(t for t in with_client(sample_session, lambda client: client.list_tools()).tools)
    shapes = {"Work": "CandidateObject", "MeantWork": "NearestObject", "Evidence": "InquiryObject"}
    for short, whole in {**shapes, "Result": "ResultObject"}.items():
        fields = dict(tool.output_schema["$defs"][short]["properties"])
        for own in ("cited", "best_match", "meant", "evidence"):
            fields.pop(own, None)
        assert fields
        assert fields == {name: published[whole]["properties"][name] for name in fields}


def test_a_bibliography_is_verified_with_evidence(sample_session: Session) -> None:
    found = answer(sample_session, "verify_references", references=f"{RIGHT}\n{WRONG_YEAR}")
    right, wrong = found["results"]
    assert (right["status"], right["best_match"]["key"]) == ("VALID", "journals/cacm/Codd70")
    assert (wrong["status"], wrong["issues"][0]["code"]) == ("SUSPICIOUS", "year.off")
    assert wrong["meant"][0]["year"] == 1984
    assert 0 < len(wrong["meant"]) <= MOST_WORKS
    assert wrong["evidence"][0]["source"] == "bibliographic_database"
    assert found["sent"] == []


def test_the_words_name_each_reference_and_what_its_status_means(sample_session: Session) -> None:
    said = words(call(sample_session, "verify_references", references=WRONG_YEAR)).splitlines()
    assert said[1] == "1. SUSPICIOUS (v) A Theory of the Learnable - metadata_mismatch"
    assert said[2] == "   year.off: the year does not agree: cited 1999, recorded 1984"
    assert said[4].startswith("SUSPICIOUS: the work exists")


def test_a_reference_as_it_stands_in_a_paper_needs_no_format(sample_session: Session) -> None:
    text = "J. Dean and S. Ghemawat. MapReduce: Simplified data processing on large clusters. In OSDI, 2004."
    (result,) = answer(sample_session, "verify_references", references=text)["results"]
    assert (result["status"], result["best_match"]["key"]) == ("VALID", "conf/osdi/DeanG04")


def test_the_whole_report_is_a_resource_by_the_published_schema(sample_session: Session) -> None:
    async def read(client: Client) -> Any:
        result = await client.call_tool("verify_references", {"references": WRONG_YEAR})
        assert result.structured_content
        (content,) = (await client.read_resource(result.structured_content["report"])).contents
        return json.loads(getattr(content, "text", ""))

    report = with_client(sample_session, read)
    jsonschema.validate(report, results_schema())
    assert report["results"][0]["reference"]["year"] == 1999


def test_a_report_that_is_not_kept_any_more_says_so(sample_session: Session) -> None:
    async def read(client: Client) -> str:
        first = await client.call_tool("verify_references", {"references": RIGHT})
        for _ in range(MOST_RUNS):
            await client.call_tool("verify_references", {"references": RIGHT})
        assert first.structured_content
        with pytest.raises(MCPError) as caught:
            await client.read_resource(first.structured_content["report"])
        return str(caught.value)

    assert "verify the references again" in with_client(sample_session, read)


def test_progress_is_told_every_ten_references(sample_session: Session) -> None:
    heard: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert message is None
        heard.append((progress, total))

    references = "\n".join(RIGHT.replace("{c,", f"{{c{number},") for number in range(25))
    with_client(
        sample_session,
        lambda client: client.call_tool("verify_references", {"references": references}, progress_callback=hear),
    )
    assert heard == [(10, 25), (20, 25)]


def test_a_title_is_looked_up(sample_session: Session) -> None:
    found = answer(sample_session, "look_up_title", title="The Google File Systen")
    assert (found["found"], found["key"]) == (True, "conf/sosp/GhemawatGL03")


def test_a_miss_is_proved_for_the_database_and_brings_few_records(sample_session: Session) -> None:
    missed = answer(sample_session, "look_up_title", title="A Title that Nobody Ever Wrote")
    assert (missed["found"], missed["complete"]) == (False, True)
    assert len(missed.get("related", [])) <= MOST_OTHERS


def test_an_identifier_in_place_of_a_title_is_found(sample_session: Session) -> None:
    assert "Has this identifier: E. F. Codd" in words(
        call(sample_session, "look_up_title", title="https://doi.org/10.1145/362384.362685")
    )


@pytest.mark.parametrize(
    ("known", "key"),
    [
        ({"title": "mapreduce simplified data"}, "conf/osdi/DeanG04"),
        ({"authors": "Leslie Valiant", "year": 1984}, "journals/cacm/Valiant84"),
        ({"identifier": "10.1145/362384.362685"}, "journals/cacm/Codd70"),
        ({"title": "A theory of the learnable", "authors": "L. Valiant"}, "journals/cacm/Valiant84"),
    ],
)
def test_a_work_is_found_by_what_is_known_of_it(sample_session: Session, known: dict[str, object], key: str) -> None:
    assert answer(sample_session, "find_work", **known)["works"][0]["key"] == key


def test_nothing_found_is_an_empty_list_and_no_denial(sample_session: Session) -> None:
    result = call(sample_session, "find_work", authors="Quillon Marrowby and Tabea Ellingsworth")
    assert result.structured_content
    assert result.structured_content["works"] == []
    assert words(result).startswith("No work was found")


def test_one_reference_is_explained_as_the_report_has_it(sample_session: Session) -> None:
    explained = answer(sample_session, "explain", reference=WRONG_YEAR)
    assert set(explained) == set(results_schema()["$defs"]["ResultObject"]["properties"])
    assert [field["field"] for field in explained["meant"][0]["fields"]][:3] == ["title", "authors", "year"]
    assert explained["reference"]["year"] == 1999


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("verify_references", {"references": " "}, "the text is empty"),
        ("verify_references", {"references": "x" * (LONGEST + 1)}, "send it in parts"),
        ("verify_references", {"references": "@misc{a, title={T}}\n" * (MOST_REFERENCES + 1)}, "send it in parts"),
        ("verify_references", {"references": RIGHT, "input_format": "word"}, "unknown input format 'word'"),
        ("look_up_title", {"title": "???"}, "a title has a letter or digit"),
        ("find_work", {}, "name a title, authors or an identifier"),
        ("find_work", {"identifier": "x y"}, "'x y' is neither a DOI nor an arXiv id"),
        ("explain", {"reference": RIGHT + WRONG_YEAR}, "this text has 2 entries"),
    ],
)
def test_what_cannot_be_used_is_an_error_of_one_line(
    sample_session: Session, tool: str, arguments: dict[str, object], says: str
) -> None:
    said = error(sample_session, tool, **arguments)
    assert says in said
    assert len(said.splitlines()) == 1


def test_a_fault_of_the_program_reaches_the_agent_as_one_line(
    sample_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken\nin two lines")

    monkeypatch.setattr("citeproof.agents.tools.Tools.look_up", fail)
    said = error(sample_session, "look_up_title", title="A")
    assert said.endswith("a fault of citeproof, worth reporting: RuntimeError: broken")
