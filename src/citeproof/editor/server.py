"""The language server. It checks a document in a thread after a pause in typing, and cancels the
check when the document is edited again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from citeproof.editor.checking import Change, Checker, bibliographies_beside
from citeproof.fix import acceptance
from citeproof.model.errors import cannot_be
from citeproof.model.record import Record
from citeproof.model.stored import JsonObject
from citeproof.model.version import __version__
from citeproof.readers.fields.bibtex import bibtex_entry
from citeproof.report.wording import facts
from citeproof.settings import project_notes
from citeproof.verification.session import Session

if TYPE_CHECKING:
    from pygls.workspace import TextDocument

PAUSE_SECONDS = 0.15
"""Time in seconds without an edit after which a document is checked."""
ACCEPT = "citeproof.accept"
"""Name of the command that accepts an entry despite its problems. Its arguments are the URI of the
document, the line of the entry (from 1) and the reason.
"""
_ACTIONS: tuple[tuple[str, dict[str, bool]], ...] = (
    ("Correct this entry from the record", {}),
    ("Replace this preprint by the published version", {"upgrade": True}),
    ("Add missing fields from the record", {"complete": True}),
)
"""Titles of the code actions, each with the options of :meth:`Checker.change` for its edit."""
Result = TypeVar("Result")


def build_server(session: Session) -> LanguageServer:
    """Return a language server that checks references with ``session``."""
    server = LanguageServer("citeproof", __version__, protocol_cls=_Protocol)
    features = _Features(server, Checker(session))
    completion = lsp.CompletionOptions(trigger_characters=["{", ",", "@", " "])
    handlers: dict[str, Callable[..., Any]] = {
        lsp.INITIALIZED: partial(features.warn, project_notes(session.settings)),
        lsp.TEXT_DOCUMENT_DID_OPEN: features.edited,
        lsp.TEXT_DOCUMENT_DID_CHANGE: features.edited,
        lsp.TEXT_DOCUMENT_DID_CLOSE: features.closed,
        lsp.TEXT_DOCUMENT_HOVER: features.hover,
        lsp.TEXT_DOCUMENT_CODE_ACTION: features.actions,
    }
    # pygls sets attributes on handlers. This is possible on a partial, but not on a bound method.
    for feature, handler in handlers.items():
        server.feature(feature)(partial(handler))
    server.feature(lsp.TEXT_DOCUMENT_COMPLETION, completion)(partial(features.complete))
    server.command(ACCEPT)(partial(features.accept))
    return server


class _Protocol(LanguageServerProtocol):
    """The protocol of pygls, with the difference that an invalid request gets an error response."""

    def structure_message(self, data: JsonObject) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if {"id", "method"} <= data.keys():
                self._send_response(data["id"], error=error.to_response_error())
            raise


class _Features:
    def __init__(self, server: LanguageServer, checker: Checker) -> None:
        self._server = server
        self._checker = checker
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="check")
        self._waiting: dict[str, asyncio.Task[None]] = {}
        """Map from the URI of each open document to its pending check."""

    async def edited(
        self, params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams
    ) -> None:
        """Check the document after a pause, and cancel its pending check."""
        uri = params.text_document.uri
        if task := self._waiting.get(uri):
            task.cancel()
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._check(uri))

    def warn(self, notes: tuple[str, ...], _: lsp.InitializedParams) -> None:
        """Show ``notes`` to the user, for example that settings of the project are used."""
        for note in notes:
            self._server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, note))

    async def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if task := self._waiting.pop(uri, None):
            task.cancel()
        self._checker.forget(to_fs_path(uri) or uri)
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        document = self._document(params.text_document.uri)
        line = params.position.line + 1
        text = await self._run(lambda: self._checker.hover(_name(document), document.source, line))
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    async def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction | lsp.Command]:
        document, line = self._document(params.text_document.uri), params.range.start.line + 1
        return await self._run(lambda: list(self._actions(document, line)))

    async def accept(self, uri: str, line: int, reason: str) -> None:
        """Accept the entry at ``line`` (from 1) of the document ``uri`` despite its problems, as
        the command ``citeproof accept`` does. ``reason`` is stored with the acceptance.
        """
        document = self._document(uri)
        path = Path(_name(document))
        reference = await self._run(
            lambda: self._checker.reference_at(_name(document), document.source, line)
        )
        if reference:
            content = acceptance.content_of(reference)
            accepted = acceptance.Accepted(
                path.name, reference.key, reason, date.today(), None, content
            )
            file = path.with_name(acceptance.NAME)
            file.write_text(acceptance.changed(file, acceptance.text_of(file), [accepted]), "utf-8")
            text = f"{file.name}: {reference.key} is accepted: {reason}"
            self._server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, text))

    async def complete(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        """Return completions. In a ``.bib`` file these are works whose titles are similar to the
        title that is being written. In other files they are citation keys.
        """
        document = self._document(params.text_document.uri)
        lines, name = document.lines, _name(document)
        row = params.position.line
        line = lines[row].rstrip("\r\n") if row < len(lines) else ""
        if name.endswith(".bib"):
            return _works(await self._run(lambda: self._checker.works(line)), row, line)
        column = self._server.workspace.position_codec.position_from_client_units(
            lines, params.position
        ).character
        texts = {
            to_fs_path(uri) or uri: each.source
            for uri, each in self._server.workspace.text_documents.items()
        }
        beside = bibliographies_beside(Path(name), texts)
        found = await self._run(lambda: self._checker.citations(line[:column], beside))
        return [
            lsp.CompletionItem(one.key, kind=lsp.CompletionItemKind.Reference, detail=one.title)
            for one in found
        ]

    def _document(self, uri: str) -> TextDocument:
        """Return the document at ``uri``.

        Raises :class:`JsonRpcInvalidParams` if it cannot be read.
        """
        document = self._server.workspace.get_text_document(uri)
        try:
            document.source  # noqa: B018 - reads the file of a document that is not open
        except OSError as error:
            raise JsonRpcInvalidParams(cannot_be("read", uri, error)) from None
        return document

    async def _run(self, function: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._executor, function)

    async def _check(self, uri: str) -> None:
        await asyncio.sleep(PAUSE_SECONDS)
        document = self._document(uri)
        name, text, version = _name(document), document.source, document.version
        found = await self._run(
            lambda: self._checker.check(name, text, lambda: self._document(uri).version != version)
        )
        if found is not None:
            lines = text.split("\n")
            diagnostics = []
            for one in found:
                start_line, start, end_line, end = (number - 1 for number in one.region)
                severity = (
                    lsp.DiagnosticSeverity.Error if one.error else lsp.DiagnosticSeverity.Warning
                )
                shown = self._in_client_units(
                    lines, lsp.Position(start_line, start), lsp.Position(end_line, end)
                )
                diagnostics.append(
                    lsp.Diagnostic(shown, one.message, severity, code=one.code, source="citeproof")
                )
            self._server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, diagnostics, version)
            )

    def _actions(self, document: TextDocument, line: int) -> Iterator[lsp.CodeAction | lsp.Command]:
        name, text = _name(document), document.source
        known: list[Change] = []
        for title, options in _ACTIONS:
            change = self._checker.change(name, text, line, **options)
            if change and change not in known:
                known.append(change)
                ends = _position(text, change.start), _position(text, change.end)
                edit = lsp.TextEdit(self._in_client_units(text.split("\n"), *ends), change.text)
                changes = lsp.WorkspaceEdit(changes={document.uri: [edit]})
                yield lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, edit=changes)
        reference = self._checker.reference_at(name, text, line)
        if reference and reference.key and Path(name).is_file():
            arguments = [document.uri, line, "checked in the editor"]
            yield lsp.Command(f"Accept {reference.key}", ACCEPT, arguments=arguments)

    def _in_client_units(
        self, lines: list[str], start: lsp.Position, end: lsp.Position
    ) -> lsp.Range:
        return self._server.workspace.position_codec.range_to_client_units(
            lines, lsp.Range(start, end)
        )


def _works(records: Iterable[Record], row: int, line: str) -> list[lsp.CompletionItem]:
    whole = lsp.Range(lsp.Position(row, 0), lsp.Position(row, len(line.encode("utf-16-le")) // 2))
    return [
        lsp.CompletionItem(
            record.title,
            kind=lsp.CompletionItemKind.Reference,
            detail=facts(record),
            filter_text=line.strip() or record.title,
            text_edit=lsp.TextEdit(whole, bibtex_entry(record)),
        )
        for record in records
    ]


def _name(document: TextDocument) -> str:
    return to_fs_path(document.uri) or document.uri  # the URI if the document is not a file


def _position(text: str, offset: int) -> lsp.Position:
    """Return line and column of the character at ``offset``. All three are counted from 0; columns
    and offsets count characters.
    """
    return lsp.Position(text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1))
