"""Calls of every tool, over any transport.

Each result is validated against its published schema.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema

from citeproof.report.schema import results_schema

if TYPE_CHECKING:
    from mcp import Client

WRONG_YEAR = "@article{v, author={Leslie G. Valiant}, title={A Theory of the Learnable}, year=1999}"
ASKED: dict[str, dict[str, object]] = {
    "verify_references": {"references": WRONG_YEAR},
    "read_references": {"text": WRONG_YEAR},
    "look_up_title": {"title": "The Google file system"},
    "find_work": {"authors": "Leslie Valiant", "year": 1984},
    "explain": {"reference": WRONG_YEAR},
}


async def every_tool(client: Client) -> dict[str, str]:
    """Call every tool, read the report, and return the essential values."""
    schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
    assert set(schemas) == set(ASKED)
    found: dict[str, Any] = {}
    for tool, arguments in ASKED.items():
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        jsonschema.validate(result.structured_content, schemas[tool])
        found[tool] = result.structured_content
    published = results_schema()
    jsonschema.validate(
        found["explain"], {"$ref": "#/$defs/ResultObject", "$defs": published["$defs"]}
    )
    (content,) = (await client.read_resource(found["verify_references"]["report"])).contents
    jsonschema.validate(json.loads(getattr(content, "text", "")), published)
    return {
        "verify_references": found["verify_references"]["results"][0]["status"],
        "read_references": found["read_references"]["entries"][0]["key"],
        "look_up_title": found["look_up_title"]["key"],
        "find_work": found["find_work"]["works"][0]["key"],
        "explain": found["explain"]["issues"][0]["code"],
    }


ESSENTIAL = {
    "verify_references": "SUSPICIOUS",
    "read_references": "v",
    "look_up_title": "conf/sosp/GhemawatGL03",
    "find_work": "journals/cacm/Valiant84",
    "explain": "year.off",
}
