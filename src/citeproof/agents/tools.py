"""The MCP tools. Language models see the signatures, as JSON schemas, and the docstrings."""

import json
import secrets
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import PurePath
from threading import Lock
from typing import Annotated, Any

from anyio import from_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from citeproof.agents import results
from citeproof.database.lookup import NEAREST_FROM
from citeproof.model.errors import InputError
from citeproof.model.findings import NearestWork
from citeproof.model.record import Candidate, MatchKind
from citeproof.model.reference import Bibliography, Reference
from citeproof.model.run import Run
from citeproof.model.verdict import Verdict
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import split_authors
from citeproof.readers.formats import detect, names, read
from citeproof.report.overview import checked_against
from citeproof.report.serialization import result_object, run_object
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE, normalize_title
from citeproof.verification.explanation import nearest_works
from citeproof.verification.session import Session

REPORT = "citeproof://runs/{run_id}/report.json"
"""URI template of the report on one call of ``verify_references``."""
MAX_TEXT = 1_000_000
"""Maximum number of characters of a bibliography.

A thousand references have about 300,000 characters.
"""
MAX_REFERENCES = 1_000
"""Maximum number of entries per call. More entries would exceed the time-outs of agents."""
MAX_RUNS = 20
"""Maximum number of stored reports. The oldest report is dropped first."""
_SUFFIXES = frozenset(
    {
        ".bib",
        ".bbl",
        ".tex",
        ".aux",
        ".ris",
        ".enw",
        ".nbib",
        ".json",
        ".jsonl",
        ".yaml",
        ".yml",
        ".xml",
        ".csv",
        ".pdf",
        ".docx",
        ".html",
        ".htm",
        ".md",
        ".qmd",
        ".txt",
        ".zip",
    }
)
"""Suffixes of file names in the formats that citeproof reads."""


class Tools:
    """The MCP tools. They are thread-safe, share one session, and raise :class:`InputError` for bad
    arguments.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runs: dict[str, Run] = {}
        self._lock = Lock()

    def verify_references(
        self,
        references: Annotated[
            str,
            Field(
                description=(
                    f"A bibliography as text, of at most {MAX_REFERENCES:,} entries: BibTeX, RIS,"
                    " CSL-JSON, "
                    "a plain reference list, or one reference as it stands in a paper."
                )
            ),
        ],
        context: Context[Any, Any],
        input_format: Annotated[
            str,
            Field(
                description=(
                    f"Only needed if the format cannot be detected: one of {', '.join(names())}."
                )
            ),
        ] = "",
    ) -> CallToolResult:
        """Check whether each reference exists and is described as it is.

        Returns a verdict for every entry, with the differences, the works that it may mean, and the
        sources queried.
        """
        run = self._session.check([_bibliography(references, input_format)], _progress(context))
        run_id = secrets.token_hex(8)
        with self._lock:
            self._runs[run_id] = run
            while len(self._runs) > MAX_RUNS:
                del self._runs[next(iter(self._runs))]
        address = REPORT.format(run_id=run_id)
        return self._result(results.run_text(run, address), results.verification(run, address))

    def report(self, run_id: str) -> str:
        """Return the whole report on an earlier call of ``verify_references``, as JSON."""
        with self._lock:
            run = self._runs.get(run_id)
        if run is None:
            kept = f"only the last {MAX_RUNS} are"
            raise ResourceError(
                f"no report {run_id!r} is kept here; {kept}: verify the references again"
            )
        return json.dumps(run_object(run), ensure_ascii=False)

    def look_up_title(
        self, title: Annotated[str, Field(description="A title, a DOI or an arXiv id.")]
    ) -> CallToolResult:
        """Look up a title in the bibliographic database. Small typing errors are tolerated.

        If ``complete`` is true and nothing is found, this database lacks the title. It may lack
        existing works.
        """
        title = " ".join(title.split())
        if not normalize_title(title) or len(title) > LONGEST_TITLE:
            raise InputError(
                f"a title has a letter or digit, and at most {LONGEST_TITLE:,} characters"
            )
        if not self._session.database:
            raise InputError(
                "this server was started without a bibliographic database, so no title can be"
                " looked up"
            )
        lookup = self._session.database.look_up_text(title, nearest_from=NEAREST_FROM)
        return self._result(results.lookup_text(lookup), results.lookup_result(lookup))

    def find_work(
        self,
        title: Annotated[str, Field(description="Words of the title, as far as known.")] = "",
        authors: Annotated[
            str, Field(description="Names with 'and' between them, as far as known.")
        ] = "",
        year: Annotated[int | None, Field(description="Year of publication.")] = None,
        identifier: Annotated[str, Field(description="A DOI or an arXiv id.")] = "",
    ) -> CallToolResult:
        """Find a real work from an incomplete description.

        Returns the works that fit best, each compared field by field. An empty list means that none
        was found here.
        """
        described = _described(title, authors, year, identifier)
        verdict = self._session.verify(described)
        found = verdict.meant or self._near(described, verdict)
        return self._result(results.works_text(found, verdict), results.works(found, verdict))

    def explain(
        self,
        reference: Annotated[
            str, Field(description="One reference, in any of the formats of verify_references.")
        ],
        input_format: Annotated[str, Field(description="As in verify_references.")] = "",
    ) -> CallToolResult:
        """Check one reference and return all details: differences, evidence, and all similar
        works.
        """
        bibliography = _bibliography(reference, input_format)
        if (number := len(bibliography.entries)) != 1:
            raise InputError(
                f"one reference is explained at a time, and this text has {number} entries"
            )
        (verdict,) = self._session.check([bibliography]).verdicts
        return self._result(results.verdict_text(verdict), dict(result_object(verdict)))

    def _result(self, text: str, content: dict[str, Any]) -> CallToolResult:
        """Return an answer of a tool, which also names the database and its date."""
        session = self._session
        basis = [checked_against(session.describe_database()), *session.notes]
        said = "\n".join((text, *(line for line in basis if line not in text)))
        return CallToolResult(
            content=[TextContent(type="text", text=said)],
            structured_content=content | {"basis": basis},
        )

    def _near(self, described: Reference, verdict: Verdict) -> Sequence[NearestWork]:
        """Return the best match, or else the work with the nearest title.

        Without a title, add works of the authors.
        """
        if not (database := self._session.database):
            return ()
        found = [verdict.best_match] if verdict.best_match else []
        if not described.title:
            records = (
                database.records_by_authors(described.authors, 100) if described.authors else ()
            )
            fitting = [record for record in records if described.year in (None, record.year)]
            found += [Candidate(record, 0.0, MatchKind.NEARBY) for record in fitting[:10]]
        elif not found and (nearest := database.nearest(described.title)):
            found = [nearest]
        return nearest_works(verdict, found, database.venues)


def _described(title: str, authors: str, year: int | None, identifier: str) -> Reference:
    if not (title.strip() or authors.strip() or identifier.strip()):
        raise InputError("name a title, authors or an identifier of the work")
    # 3,000 names
    for name, value, most in (("title", title, LONGEST_TITLE), ("authors", authors, 50_000)):
        if len(value) > most:
            raise InputError(f"{name} has {len(value):,} characters; at most {most:,} are taken")
    if year is not None and not 0 <= year <= 9_999:
        raise InputError("year is a number from 0 to 9999")
    named = identifier_in(identifier)
    if identifier.strip() and not named:
        raise InputError(f"{identifier.strip()[:80]!r} is neither a DOI nor an arXiv id")
    people, others = split_authors(authors)
    found: dict[str, Any] = {named.kind.value: named.value} if named else {}
    return Reference(
        "", title=" ".join(title.split()), authors=people, and_others=others, year=year, **found
    )


def _bibliography(text: str, input_format: str) -> Bibliography:
    if len(text) > MAX_TEXT:
        raise InputError(
            f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are taken: send it in"
            " parts"
        )
    if not text.strip():
        raise InputError(
            "the text is empty; give references as BibTeX, RIS, CSL-JSON or plain text"
        )
    if not input_format and _is_file_name(text.strip()):
        hint = "give the text of the file: BibTeX, RIS, CSL-JSON or a plain list of references"
        raise InputError(
            f"{text.strip()!r} is the name of a file, which this tool cannot read; {hint}"
        )
    document = Document.of_text(text)
    bibliography = read(document, input_format or (None if detect(document) else "text"))
    if (number := len(bibliography.entries)) > MAX_REFERENCES:
        raise InputError(
            f"the text has {number:,} entries; at most {MAX_REFERENCES:,} are taken: send it in"
            " parts"
        )
    return bibliography


def _is_file_name(text: str) -> bool:
    """Return whether ``text`` looks like the name of a file: ``refs.bib``, ``/home/me/my
    paper.tex``.
    """
    path = text.startswith(("/", "~", "./", "../", "file://")) or text[1:3] == ":\\"
    one_word = not any(map(str.isspace, text))
    return (path or one_word) and "\n" not in text and PurePath(text).suffix.lower() in _SUFFIXES


def _progress(context: Context[Any, Any]) -> Callable[[Verdict, int], None]:
    """Return a callback that sends a progress message to the client after every tenth verdict."""
    done = count(1)

    def report(_: Verdict, total: int) -> None:
        if (number := next(done)) % 10 == 0:
            from_thread.run(context.report_progress, number, total)

    return report
