"""Diagnostics that the language server publishes."""

import asyncio
import json
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

pytest.importorskip("pygls")

from pygls.exceptions import JsonRpcInvalidParams
from pygls.workspace import PositionCodec, TextDocument

from citeproof.editor.checking import Finding
from citeproof.editor.server import _Features, build_server
from citeproof.report.advice import Region


def test_check_publishes_all_diagnostics_with_the_text_split_once() -> None:
    # An editor does not count a form feed as the end of a line, as str.splitlines does.
    document = TextDocument("file:///refs.bib", "% \f\n" + "\U0001d54f title\n" * 3, 1)
    codec = MagicMock(wraps=PositionCodec())
    server = MagicMock(
        workspace=SimpleNamespace(position_codec=codec, get_text_document=lambda _: document)
    )
    found = [
        Finding(Region(line, 3, line, 8), "The title.", "title.different", error=False)
        for line in (2, 3, 4)
    ]
    asyncio.run(_Features(server, MagicMock(**{"check.return_value": found}))._check(document.uri))
    (published,) = server.text_document_publish_diagnostics.call_args.args
    places = [
        (one.range.start.line, one.range.start.character, one.range.end.character)
        for one in published.diagnostics
    ]
    assert places == [(1, 3, 8), (2, 3, 8), (3, 3, 8)]
    assert len({id(call.args[0]) for call in codec.range_to_client_units.call_args_list}) == 1


def test_warn_shows_that_the_settings_of_a_project_decide() -> None:
    server = MagicMock()
    _Features(server, MagicMock()).warn(("A note.",), MagicMock())
    (shown,) = server.window_show_message.call_args.args
    assert shown.message == "A note."


def test_structure_message_a_request_of_invalid_form_gets_an_error() -> None:
    protocol, sent = build_server(MagicMock()).protocol, MagicMock()
    protocol.set_writer(sent, include_headers=False)
    with pytest.raises(JsonRpcInvalidParams):
        protocol.structure_message(
            {"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": {}}
        )
    answer = json.loads(sent.write.call_args.args[0])
    assert (answer["id"], answer["error"]["code"]) == (7, -32602)
