"""The MCP server: it offers the tools over standard input and output, or over HTTP."""

import inspect
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import anyio
from mcp import types
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from starlette.types import ASGIApp

from citeproof.agents import answers, results
from citeproof.agents.tools import REPORT, Tools
from citeproof.model.errors import CiteproofError, one_line
from citeproof.model.stored import JsonObject
from citeproof.model.version import __version__
from citeproof.report.schema import LookupObject, ResultObject, schema_of
from citeproof.verification.session import Session
from citeproof.web.middleware import Guard, require_token

PATH = "/mcp"
"""Path of the HTTP endpoint."""


def http_app(server: MCPServer[Any], host: str, token: str = "") -> ASGIApp:
    """Return an ASGI application for ``server``.

    ``host`` is the address at which it will listen. If ``token`` is not empty, requests must have
    this bearer token.

    The application keeps no MCP sessions, so the requests of a client may be sent to several hosts
    in turn.
    """
    app: ASGIApp = server.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, host=host
    )
    return Guard(app, [require_token(token)]) if token else app


def serve_http(server: MCPServer[Any], host: str, port: int, token: str = "") -> None:
    """Serve ``server`` at ``http://host:port/mcp`` until the process is stopped."""
    import uvicorn

    uvicorn.run(
        http_app(server, host, token), host=host, port=port, log_level="info", access_log=False
    )


_Answer = TypeVar("_Answer")
_Arguments = ParamSpec("_Arguments")
_log = logging.getLogger("citeproof.agents")


def build_server(session: Session) -> MCPServer[Any]:
    """Return an MCP server whose tools check references with ``session``."""
    tools = Tools(session)
    is_online = session.online is not None
    reads = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, open_world_hint=is_online
    )
    offered: list[tuple[Callable[..., types.CallToolResult], str, type]] = [
        (tools.verify_references, "Verify references", results.Verification),
        (tools.read_references, "Read references", results.Reading),
        (tools.look_up_title, "Look up a title", LookupObject),
        (tools.find_work, "Find a work", results.Works),
        (tools.explain, "Explain one reference", ResultObject),
    ]
    made = []
    for function, title, output in offered:
        about = inspect.getdoc(function)
        made.append(
            Tool.from_function(
                _reported(function), title=title, description=about, annotations=reads
            )
        )
        schema = schema_of(output)
        schema["properties"]["basis"] = results.BASIS
        made[-1].fn_metadata.output_schema = schema
    instructions = (
        (
            "Check references before you give them to anybody: verify_references takes a whole"
            " bibliography."
        ),
        *answers.MEANINGS.values(),
        (
            "Never call a reference fake. Never invent the value of a field: copy it from "
            "a record that a tool returned."
        ),
        *session.notes,
    )
    server: MCPServer[Any] = _Server(
        "citeproof",
        instructions="\n".join(instructions),
        version=__version__,
        tools=made,
        log_level="WARNING",
    )
    server.resource(
        REPORT,
        title="Report of a run",
        mime_type="application/json",
        description="Report of a call of verify_references, in the form of results.schema.json.",
    )(tools.report)
    return server


class _Server(MCPServer[Any]):
    """An MCP server that also responds to invalid messages, and reports bad arguments in one
    line.
    """

    async def call_tool(self, name: str, arguments: JsonObject, context: Any = None) -> Any:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(cause := error.__cause__, ValidationError):
                raise
            problems = (
                f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
                for one in cause.errors(include_url=False)
            )
            raise ToolError(f"{name}: {'; '.join(problems)}") from cause

    async def run_stdio_async(self) -> None:
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
    """Return the error response to a line that is not a JSON-RPC message, with the id of the
    request if it is known.
    """
    problems = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    objects = [problem["input"] for problem in problems if isinstance(problem["input"], dict)]
    number = next((one["id"] for one in objects if isinstance(one.get("id"), str | int)), None)
    parsed = not any(problem["type"] == "json_invalid" for problem in problems)
    problem = "not a request of JSON-RPC 2.0" if parsed else "not JSON"
    code = types.INVALID_REQUEST if parsed else types.PARSE_ERROR
    error_data = types.ErrorData(code=code, message=f"The line is {problem}.")
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=error_data)


def _reported(tool: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Return a wrapper of ``tool`` that replaces every exception by a :class:`ToolError` with a
    one-line message.
    """

    @wraps(tool)
    def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer:
        try:
            return tool(*args, **kwargs)
        except CiteproofError as error:
            # name the argument of the tool instead of the option of the command
            raise ToolError(str(error).replace("--from", "input_format")) from None
        except Exception as error:  # noqa: BLE001 - the server continues with the next call
            _log.error("a tool failed: %s", type(error).__name__)
            raise ToolError(f"a fault of citeproof, please report it: {one_line(error)}") from None

    return call
