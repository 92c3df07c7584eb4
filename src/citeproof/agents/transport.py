"""Streamable HTTP: the server at one address, with a token where one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import uvicorn

from citeproof.web.middleware.token import Token

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp

PATH = "/mcp"


def http_app(server: MCPServer[Any], host: str, token: str = "") -> ASGIApp:
    """Return the application for ``server``: every request stands alone, so any of several hosts may answer it."""
    app: ASGIApp = server.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, host=host
    )
    return Token(app, token) if token else app


def serve_http(server: MCPServer[Any], host: str, port: int, token: str = "") -> None:
    """Serve ``server`` at ``http://host:port/mcp`` until the process is told to stop."""
    uvicorn.run(http_app(server, host, token), host=host, port=port, log_level="info", access_log=False)
