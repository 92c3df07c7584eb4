"""A conversation of an editor with ``citeproof lsp``."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.program import Program

pytest.importorskip("pygls")

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.client import LanguageClient

TEXT = """@article{valiant88,
  author = {Leslie G. Valiant},
  title = {A Theory of the Learnable},
  journal = {Communications of the ACM},
  year = {1988},
}
"""

YEAR = "  year = {1984},"
"""The corrected line."""


class Editor:
    """An editor with one document."""

    def __init__(self, program: Program, path: Path, encoding: lsp.PositionEncodingKind) -> None:
        self.uri = path.as_uri()
        self._program = program
        self._encoding = encoding
        self._client = LanguageClient("editor", "1")
        self._diagnostics: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

        @self._client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self._diagnostics.put_nowait(params)

        self.messages: asyncio.Queue[str] = asyncio.Queue()

        @self._client.feature(lsp.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def shown(params: lsp.ShowMessageParams) -> None:
            self.messages.put_nowait(params.message)

    async def __aenter__(self) -> Editor:
        command = ["-m", "citeproof", "lsp", "--offline", "--no-cache"]
        await self._client.start_io(
            sys.executable, *command, cwd=self._program.folder, env=dict(self._program.environment)
        )
        general = lsp.GeneralClientCapabilities(position_encodings=[self._encoding])
        await self._client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(general=general), process_id=None, root_uri=None
            )
        )
        self._client.initialized(lsp.InitializedParams())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.shutdown_async(None)
        self._client.exit(None)

    async def open(self, text: str) -> list[lsp.Diagnostic]:
        item = lsp.TextDocumentItem(self.uri, "bibtex", 1, text)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return list((await self._diagnostics.get()).diagnostics)

    async def change(self, text: str, version: int) -> lsp.PublishDiagnosticsParams:
        identifier = lsp.VersionedTextDocumentIdentifier(uri=self.uri, version=version)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self._client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [whole]))
        return await self._diagnostics.get()

    async def hover(self, position: lsp.Position) -> lsp.Hover | None:
        return await self._client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri), position)
        )

    async def actions(self, place: lsp.Range) -> list[lsp.Command | lsp.CodeAction]:
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(self.uri), place, lsp.CodeActionContext([])
        )
        return list(await self._client.text_document_code_action_async(params) or ())

    async def complete(self, position: lsp.Position) -> list[str]:
        params = lsp.CompletionParams(lsp.TextDocumentIdentifier(self.uri), position)
        found = await self._client.text_document_completion_async(params)
        assert isinstance(found, tuple | list)
        return [str(item.text_edit.new_text) if item.text_edit else item.label for item in found]

    async def execute(self, command: lsp.Command) -> None:
        params = lsp.ExecuteCommandParams(command.command, command.arguments)
        await self._client.workspace_execute_command_async(params)


@pytest.mark.parametrize(
    "encoding", [lsp.PositionEncodingKind.Utf16, lsp.PositionEncodingKind.Utf8]
)
def test_lsp_shows_a_finding_corrects_and_accepts_it(
    citeproof: Program, tmp_path: Path, encoding: lsp.PositionEncodingKind
) -> None:
    path = tmp_path / "refs with é.bib"
    path.write_text(TEXT, "utf-8")

    async def converse() -> None:
        async with Editor(citeproof, path, encoding) as editor:
            (finding,) = await editor.open(TEXT)
            assert (finding.code, finding.severity) == ("year.off", lsp.DiagnosticSeverity.Warning)
            assert (finding.range.start.line, finding.range.end.line) == (4, 4)
            shown = await editor.hover(lsp.Position(2, 3))
            assert shown
            assert "SUSPICIOUS" in str(shown.contents)
            corrected, *_, accept = await editor.actions(finding.range)
            assert isinstance(corrected, lsp.CodeAction)
            assert corrected.edit
            ((edit,),) = (corrected.edit.changes or {}).values()
            assert (edit.range.start.line, edit.range.end.line) == (4, 4)
            line = TEXT.splitlines()[4]
            assert (
                line[: edit.range.start.character]
                + edit.new_text
                + line[edit.range.end.character :]
                == YEAR
            )
            assert isinstance(accept, lsp.Command)
            await editor.execute(accept)
            assert 'key = "valiant88"' in (tmp_path / "citeproof.accepted.toml").read_text("utf-8")
            fixed = await editor.change(TEXT.replace("1988", "1984"), 2)
            assert (fixed.version, list(fixed.diagnostics)) == (2, [])
            assert await editor.hover(lsp.Position(99, 0)) is None

    asyncio.run(asyncio.wait_for(converse(), 60))


def test_lsp_says_at_the_start_that_the_settings_of_a_project_decide(
    citeproof: Program, tmp_path: Path
) -> None:
    (citeproof.folder / "citeproof.toml").write_text('policy = "lenient"\n')

    async def converse() -> str:
        editor = Editor(citeproof, tmp_path / "refs.bib", lsp.PositionEncodingKind.Utf16)
        async with editor:
            return await editor.messages.get()

    assert " sets policy. " in asyncio.run(asyncio.wait_for(converse(), 60))


def framed(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_lsp_ends_an_orderly_shutdown_without_a_fault(citeproof: Program) -> None:
    opening: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
    asked = (
        framed(id=1, method="initialize", params=opening)
        + framed(method="initialized", params={})
        + framed(id=2, method="shutdown")
        + framed(method="exit")
    )
    done = citeproof("lsp", "--no-cache", "--offline", stdin=asked)
    assert done.returncode == 0
    assert "fault" not in done.stderr


def test_lsp_completes_an_entry_from_a_title(citeproof: Program, tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"

    async def converse() -> None:
        async with Editor(citeproof, path, lsp.PositionEncodingKind.Utf16) as editor:
            assert await editor.open("a theory of the learnable\n") == []
            (entry,) = await editor.complete(lsp.Position(0, 10))
            assert entry.startswith("@article{valiant1984theory,")
            assert await editor.complete(lsp.Position(1, 0)) == []

    asyncio.run(asyncio.wait_for(converse(), 60))


def test_lsp_names_a_document_that_cannot_be_read_without_a_traceback(
    citeproof: Program, tmp_path: Path
) -> None:
    async def converse() -> None:
        async with Editor(
            citeproof, tmp_path / "missing.bib", lsp.PositionEncodingKind.Utf16
        ) as editor:
            with pytest.raises(
                JsonRpcInvalidParams, match="cannot be read: No such file or directory"
            ) as refused:
                await editor.hover(lsp.Position(0, 0))
            assert "Traceback" not in str(refused.value.data)
            assert refused.value.data is None

    asyncio.run(asyncio.wait_for(converse(), 60))
