"""The MCP server, with the official SDK. Only ``citeproof mcp`` imports this module."""

import inspect
import logging
from collections.abc import Callable
from itertools import count
from typing import Annotated, Any, TypeVar

import anyio
from anyio import from_thread
from mcp import types
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import Field, ValidationError
from starlette.types import ASGIApp

from citeproof.agents import results
from citeproof.agents.tools import MAX_REFERENCES, Tools
from citeproof.model.errors import CiteproofError, one_line
from citeproof.model.verdict import Verdict
from citeproof.model.version import __version__
from citeproof.readers.formats import names
from citeproof.report.schema import LookupObject, ResultObject, schema_of
from citeproof.report.serialization import result_object
from citeproof.verification.session import Session
from citeproof.web.guard import Guard, require_token

PATH = "/mcp"
"""Path of the HTTP endpoint."""


def http_app(server: MCPServer[Any], host: str, token: str = "") -> ASGIApp:
    """Return the ASGI application of ``server``. It is stateless, so several hosts may share the requests."""
    app: ASGIApp = server.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, host=host
    )
    return Guard(app, [require_token(token)]) if token else app


def serve_http(server: MCPServer[Any], host: str, port: int, token: str = "") -> None:
    """Serve ``server`` at ``http://host:port/mcp`` until the process is stopped."""
    import uvicorn

    uvicorn.run(http_app(server, host, token), host=host, port=port, log_level="info", access_log=False)


INSTRUCTIONS = (
    "Check references before you give them to anybody: verify_references takes a whole bibliography.",
    *results.MEANINGS.values(),
    "Never call a reference fake. Never invent a field: take it from a record that a tool returned.",
)
"""Text that tells a model what the tools do."""
REPORT = "citeproof://runs/{run_id}/report.json"
"""URI template of the report of a run."""
_PROGRESS_EVERY = 10
"""Number of verdicts after which a progress message is sent."""

_Result = TypeVar("_Result")
_log = logging.getLogger("citeproof.agents")


def build_server(session: Session) -> MCPServer[Any]:
    """Return a server whose tools use ``session``. It can run on standard input and output or over HTTP."""
    about = "\n".join((*INSTRUCTIONS, *session.notes))
    handlers = Handlers(Tools(session))
    tools = [
        _tool(handlers.verify_references, "Verify references", results.Verification, session),
        _tool(handlers.look_up_title, "Look up a title", LookupObject, session),
        _tool(handlers.find_work, "Find a work", results.Works, session),
        _tool(handlers.explain, "Explain one reference", ResultObject, session),
    ]
    server: MCPServer[Any] = _Server(
        "citeproof", instructions=about, version=__version__, tools=tools, log_level="WARNING"
    )
    server.resource(
        REPORT, title="Report of a run", mime_type="application/json", description="As results.schema.json says."
    )(handlers.report)
    return server


class _Server(MCPServer[Any]):
    """The SDK's server, which also responds to invalid lines, and names invalid arguments in one line.

    The SDK only logs such lines, so a client would wait for a response until its time-out.
    """

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; raises :class:`ToolError` with one line if the arguments do not fit its schema."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(cause := error.__cause__, ValidationError):
                raise
            problems = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in cause.errors(include_url=False))
            raise ToolError(f"{name}: {'; '.join(problems)}") from cause

    async def run_stdio_async(self) -> None:
        """Serve standard input and output until input ends."""
        low_level = self._lowlevel_server
        async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
            send, receive = anyio.create_memory_object_stream[SessionMessage | Exception]()

            async def forward() -> None:
                async with send:
                    async for message in read:
                        if isinstance(message, Exception):
                            await write.send(SessionMessage(_malformed(message)))
                        else:
                            await send.send(message)

            tasks.start_soon(forward)
            await low_level.run(receive, write, low_level.create_initialization_options())


def _malformed(error: Exception) -> types.JSONRPCError:
    """Return the error response to a line that is not an MCP message. It has the id of the request, if there is one."""
    problems = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    objects = [problem["input"] for problem in problems if isinstance(problem["input"], dict)]
    number = next((one["id"] for one in objects if isinstance(one.get("id"), str | int)), None)
    parsed = not any(problem["type"] == "json_invalid" for problem in problems)
    code, problem = (
        (types.INVALID_REQUEST, "not a request of JSON-RPC 2.0") if parsed else (types.PARSE_ERROR, "not JSON")
    )
    return types.JSONRPCError(
        jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=f"The line is {problem}.")
    )


class Handlers:
    """The functions that the SDK calls. Their signatures become schemas, and models read their docstrings."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def verify_references(
        self,
        references: Annotated[
            str,
            Field(
                description=f"A bibliography as text, of at most {MAX_REFERENCES:,} entries: BibTeX, RIS, CSL-JSON, "
                "a plain reference list, or one reference as it stands in a paper."
            ),
        ],
        context: Context[Any, Any],
        input_format: Annotated[
            str, Field(description=f"Only needed if the format cannot be detected: one of {', '.join(names())}.")
        ] = "",
    ) -> types.CallToolResult:
        """Check whether each reference exists and is described as it is.

        Returns a verdict for every entry, with the differences, the works that it may mean, and the sources queried.
        """
        run, run_id = _call(lambda: self._tools.verify(references, input_format, _progress(context)))
        address = REPORT.format(run_id=run_id)
        return _result(results.run_text(run, address), results.verification(run, address))

    def look_up_title(
        self, title: Annotated[str, Field(description="A title, a DOI or an arXiv id.")]
    ) -> types.CallToolResult:
        """Look up a title in the bibliographic database. Small typing errors are tolerated.

        If ``complete`` is true and nothing is found, this database lacks the title. It may lack existing works.
        """
        lookup = _call(lambda: self._tools.look_up(title))
        return _result(results.lookup_text(lookup), results.lookup_result(lookup))

    def find_work(
        self,
        title: Annotated[str, Field(description="Words of the title, as far as known.")] = "",
        authors: Annotated[str, Field(description="Names with 'and' between them, as far as known.")] = "",
        year: Annotated[int | None, Field(description="Year of publication.")] = None,
        identifier: Annotated[str, Field(description="A DOI or an arXiv id.")] = "",
    ) -> types.CallToolResult:
        """Find a real work from an incomplete description.

        Returns the works that fit best, each compared field by field. An empty list means that none was found here.
        """
        found, verdict = _call(lambda: self._tools.find(title, authors, year, identifier))
        return _result(results.works_text(found, verdict), results.works(found, verdict))

    def explain(
        self,
        reference: Annotated[str, Field(description="One reference, in any of the formats of verify_references.")],
        input_format: Annotated[str, Field(description="As in verify_references.")] = "",
    ) -> types.CallToolResult:
        """Check one reference and return all details: differences, evidence, and all similar works."""
        verdict: Verdict = _call(lambda: self._tools.explain(reference, input_format))
        return _result(results.verdict_text(verdict), dict(result_object(verdict)))

    def report(self, run_id: str) -> str:
        """Return the whole report of a run of verify_references."""
        try:
            return self._tools.report(run_id)
        except CiteproofError as error:
            raise ResourceError(str(error)) from None


def _tool(handler: Callable[..., types.CallToolResult], title: str, output: type, session: Session) -> Tool:
    """Return the tool for ``handler``, with the JSON schema of ``output`` as its output schema."""
    reads = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, open_world_hint=session.online is not None
    )
    description = inspect.getdoc(handler)
    tool = Tool.from_function(handler, title=title, description=description, annotations=reads)
    tool.fn_metadata.output_schema = schema_of(output)
    return tool


def _progress(context: Context[Any, Any]) -> Callable[[Verdict, int], None]:
    """Return a callback that sends progress messages to the client, from the thread of the run."""
    done = count(1)

    def report(_: Verdict, total: int) -> None:
        if (number := next(done)) % _PROGRESS_EVERY == 0:
            from_thread.run(context.report_progress, number, total)

    return report


def _call(tool: Callable[[], _Result]) -> _Result:
    """Call ``tool``; turn any exception into a ToolError with a message of one line."""
    try:
        return tool()
    except CiteproofError as error:
        raise ToolError(str(error)) from None
    except Exception as error:  # noqa: BLE001 - the server continues with the next call
        _log.error("a tool failed: %s", type(error).__name__)
        raise ToolError(f"a fault of citeproof, please report it: {one_line(error)}") from None


def _result(text: str, content: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=content)
