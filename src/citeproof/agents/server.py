"""The tools as a server of the Model Context Protocol, by its official SDK; imported only by ``citeproof mcp``."""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from anyio import from_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from citeproof.agents import answers, text
from citeproof.agents.tools import MOST_REFERENCES, Tools
from citeproof.errors import CiteproofError, one_line
from citeproof.formats import names
from citeproof.json_model import schema_of
from citeproof.serialization import LookupObject, ResultObject, result_object
from citeproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeproof.json_object import JsonObject
    from citeproof.models import Verdict
    from citeproof.session import Session

INSTRUCTIONS = """Check references before you give them to anybody: verify_references takes a whole bibliography.
VALID: a record agrees.
SUSPICIOUS: the work exists, and the reference describes it otherwise than the record; correct it from the record.
INVALID: the reference contradicts what is recorded, or a complete source lacks the work; do not give it.
UNVERIFIED: could not be found here, which does not mean that it does not exist; say that you could not verify it.
ERROR: could not be checked.
Never call a reference fake. Never invent a field: take it from a record that a tool returned.
"""
REPORT = "citeproof://runs/{run_id}/report.json"
"""The address of a whole report."""
_PROGRESS_EVERY = 10
"""Verdicts between two messages of progress."""

_Answer = TypeVar("_Answer")
_log = logging.getLogger("citeproof.agents")


def build_server(session: Session) -> MCPServer[Any]:
    """Return a server that answers from ``session``, over whichever transport it is run."""
    about = "\n".join((INSTRUCTIONS, *session.notes))
    handlers = Handlers(Tools(session))
    tools = [
        _tool(handlers.verify_references, "Verify references", answers.Verification, session),
        _tool(handlers.look_up_title, "Look up a title", LookupObject, session),
        _tool(handlers.find_work, "Find a work", answers.Works, session),
        _tool(handlers.explain, "Explain one reference", ResultObject, session),
    ]
    server: MCPServer[Any] = MCPServer(
        "citeproof", instructions=about, version=__version__, tools=tools, log_level="WARNING"
    )
    server.resource(
        REPORT, title="Report of a run", mime_type="application/json", description="As results.schema.json says."
    )(handlers.report)
    return server


class Handlers:
    """What the SDK calls: the signatures are the tools' schemas, the docstrings what a model reads of them."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def verify_references(
        self,
        references: Annotated[
            str,
            Field(
                description=f"A bibliography as text, of at most {MOST_REFERENCES:,} entries: BibTeX, RIS, CSL-JSON, "
                "a plain reference list, or one reference as it stands in a paper."
            ),
        ],
        context: Context[Any, Any],
        input_format: Annotated[
            str, Field(description=f"Needed only where the text does not tell it: one of {', '.join(names())}.")
        ] = "",
    ) -> CallToolResult:
        """Check whether each reference exists and is described as it is.

        Returns a verdict for every entry, with what differs, the works that were perhaps meant, and who was asked.
        """
        run, run_id = _answered(lambda: self._tools.verify(references, input_format, _Progress(context)))
        address = REPORT.format(run_id=run_id)
        return _result(text.of_run(run, address), answers.verification(run, address))

    def look_up_title(
        self, title: Annotated[str, Field(description="A title, or a DOI or arXiv id in its place.")]
    ) -> CallToolResult:
        """Look one title up in the bibliographic database; small typing errors are forgiven.

        A miss that is complete is proved for this database, which need not hold every work.
        """
        lookup = _answered(lambda: self._tools.look_up(title))
        return _result(text.of_lookup(lookup), answers.lookup_answer(lookup))

    def find_work(
        self,
        title: Annotated[str, Field(description="Words of the title, as far as known.")] = "",
        authors: Annotated[str, Field(description="Names with 'and' between them, as far as known.")] = "",
        year: Annotated[int | None, Field(description="Year of publication.")] = None,
        identifier: Annotated[str, Field(description="A DOI or an arXiv id.")] = "",
    ) -> CallToolResult:
        """Find the real work that a vague memory is of, from whatever is known of it.

        Returns the works that fit best, each compared field by field. An empty list means that none was found here.
        """
        found, verdict = _answered(lambda: self._tools.find(title, authors, year, identifier))
        return _result(text.of_works(found, verdict), answers.works(found, verdict))

    def explain(
        self,
        reference: Annotated[str, Field(description="One reference, in any of the formats of verify_references.")],
        input_format: Annotated[str, Field(description="As in verify_references.")] = "",
    ) -> CallToolResult:
        """Check one reference and return everything that is known of it: differences, evidence, all works near it."""
        verdict: Verdict = _answered(lambda: self._tools.explain(reference, input_format))
        return _result(text.of_verdict(verdict), result_object(verdict))

    def report(self, run_id: str) -> str:
        """Return the whole report of a run of verify_references."""
        try:
            return self._tools.report(run_id)
        except CiteproofError as error:
            raise ResourceError(str(error)) from None


def _tool(handler: Callable[..., CallToolResult], title: str, answer: type[JsonObject], session: Session) -> Tool:
    """Return a tool whose published answer is as ``answer`` is written; the SDK's own schema is of what is read."""
    reads = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=session.online is not None)
    description = inspect.getdoc(handler)
    tool = Tool.from_function(handler, title=title, description=description, annotations=reads)
    tool.fn_metadata.output_schema = schema_of(answer)
    return tool


class _Progress:
    """Tells the client every few verdicts how far a run is; the run is in a thread of its own."""

    def __init__(self, context: Context[Any, Any]) -> None:
        self._context = context
        self._done = 0

    def __call__(self, _: Verdict, total: int) -> None:
        self._done += 1
        if self._done % _PROGRESS_EVERY == 0:
            from_thread.run(self._context.report_progress, self._done, total)


def _answered(tool: Callable[[], _Answer]) -> _Answer:
    """Return what ``tool`` returns; what went wrong reaches the agent as one line, and nobody as a traceback."""
    try:
        return tool()
    except CiteproofError as error:
        raise ToolError(str(error)) from None
    except Exception as error:  # noqa: BLE001 - the server goes on for the next call
        _log.error("a tool failed: %s", type(error).__name__)
        raise ToolError(f"a fault of citeproof, worth reporting: {one_line(error)}") from None


def _result(words: str, answer: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=words)], structured_content=answer)
