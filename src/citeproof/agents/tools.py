"""The MCP tools. Language models see the signatures, as JSON schemas, and the docstrings."""

import json
import secrets
from collections.abc import Callable, Sequence
from itertools import count
from threading import Lock
from typing import Annotated, Any

from anyio import from_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from citeproof.agents import answers, results
from citeproof.agents.unread import with_account
from citeproof.database.search import search
from citeproof.model.errors import InputError
from citeproof.model.findings import NearestWork
from citeproof.model.record import Candidate, MatchKind
from citeproof.model.reference import Bibliography, Reference
from citeproof.model.run import Run
from citeproof.model.stored import JsonObject
from citeproof.model.verdict import Verdict
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import split_authors
from citeproof.readers.formats import names, read
from citeproof.readers.papers import may_be_paper
from citeproof.readers.pasted import Holds, begin_pasted
from citeproof.report.overview import checked_against
from citeproof.report.serialization import result_object, run_object
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE, normalize_title
from citeproof.verification.explanation import compared_works
from citeproof.verification.session import Session
from citeproof.verification.validation.compare.venues import NO_VENUES

REPORT = "citeproof://runs/{run_id}/report.json"
"""URI template of the report on one call of ``verify_references``."""
MAX_TEXT = 1_000_000
"""Maximum number of characters of a bibliography.

For comparison, a thousand references have about 300,000 characters.
"""
MAX_REFERENCES = 1_000
"""Maximum number of entries per call. More entries would exceed the time-outs of agents."""
MAX_FOUND = 5
"""Maximum number of works that ``find_work`` returns."""
MAX_RUNS = 20
"""Maximum number of stored reports. The oldest report is dropped first."""


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
                    "Format of the text, needed only if it cannot be detected: one of"
                    f" {', '.join(names())}."
                )
            ),
        ] = "",
    ) -> CallToolResult:
        """Check whether the work of each reference exists, and whether the reference describes it
        correctly.

        Returns a verdict on every entry, the differences, the works that were perhaps meant, and
        the sources that were queried.
        """
        bibliography = self._read(references, input_format)
        run = self._session.check([bibliography], _progress(context))
        run_id = secrets.token_hex(8)
        with self._lock:
            self._runs[run_id] = run
            while len(self._runs) > MAX_RUNS:
                del self._runs[next(iter(self._runs))]
        address = REPORT.format(run_id=run_id)
        flagged = any(not verdict.is_valid for verdict in run.verdicts)
        return self._answer(
            answers.run_text(run, address),
            results.verification(run, address),
            (
                "find_work with what you know about a work that was not found; explain for a "
                "single entry"
            )
            if flagged
            else "",
        )

    def read_references(
        self,
        text: Annotated[
            str, Field(description="Pasted text with references, in any layout or format.")
        ],
        input_format: Annotated[str, Field(description="As in verify_references.")] = "",
    ) -> CallToolResult:
        """Show how a text is read: its entries with their fields, and the lines that belong to no
        entry.

        Nothing is looked up. Use this tool if verify_references found a wrong number of entries.
        """
        bibliography = self._read(text, input_format)
        return self._answer(
            answers.account_text(bibliography),
            results.account(bibliography),
            (
                "verify_references with this text, if the entries are right; otherwise with "
                "each reference on its own line"
            ),
        )

    def report(self, run_id: str) -> str:
        """Return the whole report on an earlier call of ``verify_references``, as JSON."""
        with self._lock:
            run = self._runs.get(run_id)
        if run is None:
            kept = f"only the last {MAX_RUNS} are kept"
            raise ResourceError(
                f"the server has no report {run_id!r}; {kept}: verify the references again"
            )
        return json.dumps(run_object(run), ensure_ascii=False)

    def look_up_title(
        self, title: Annotated[str, Field(description="A title, a DOI or an arXiv id.")]
    ) -> CallToolResult:
        """Look up a title in the bibliographic database. Small typing errors are tolerated.

        If ``complete`` is true and nothing is found, it is proved that this database lacks the
        title. A work may exist although this database lacks it.
        """
        title = " ".join(title.split())
        if not normalize_title(title) or len(title) > LONGEST_TITLE:
            raise InputError(
                f"a title needs a letter or digit, and may have at most {LONGEST_TITLE:,} "
                "characters"
            )
        if not self._session.database:
            raise InputError(
                "this server was started without a bibliographic database, so no title can be"
                " looked up"
            )
        lookup = self._session.database.look_up_text(title)
        then = "" if lookup.found else "find_work, if a word of the title may be wrong"
        return self._answer(answers.lookup_text(lookup), results.lookup_result(lookup), then)

    def find_work(
        self,
        title: Annotated[str, Field(description="The words of the title that you know.")] = "",
        authors: Annotated[
            str, Field(description="The names of authors that you know, with 'and' between them.")
        ] = "",
        year: Annotated[int | None, Field(description="Year of publication.")] = None,
        identifier: Annotated[str, Field(description="A DOI or an arXiv id.")] = "",
    ) -> CallToolResult:
        """Find a real work from the words that you know about it. Words may be missing or misspelt.

        Returns the works that fit best, each compared field by field. Check the differences before
        you use a work. An empty list means that no work was found here.
        """
        described = _described(title, authors, year, identifier)
        verdict = self._session.verify(described)
        found = self._fitting(described, verdict)
        return self._answer(
            answers.works_text(found, verdict),
            results.works(found, verdict),
            "verify_references with the entry that you write from a work's record"
            if found
            else (
                "find_work with fewer facts, for example without the year; or say that you "
                "could not find the work"
            ),
        )

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
        bibliography = self._read(reference, input_format)
        if (number := len(bibliography.entries)) != 1:
            raise InputError(f"explain takes one reference, and this text has {number} entries")
        (verdict,) = self._session.check([bibliography]).verdicts
        then = "" if verdict.is_valid else "find_work with what you know about the work"
        return self._answer(answers.verdict_text(verdict), dict(result_object(verdict)), then)

    def _read(self, text: str, input_format: str) -> Bibliography:
        return with_account(text, _bibliography(text, input_format, self._session.holds))

    def _fitting(self, described: Reference, verdict: Verdict) -> Sequence[NearestWork]:
        """Return the works that fit best.

        A work that agrees with the whole description comes first. Then come works with most of the
        words and authors, as in ``citeproof search``, and then works from online sources.
        """
        database = self._session.database
        venues = database.venues if database else NO_VENUES
        is_identified = bool(described.doi or described.arxiv_id)
        meant = [work.candidate for work in verdict.meant]
        candidates = list(meant) if is_identified else []
        if verdict.best_match and (is_identified or verdict.is_valid):
            candidates = [verdict.best_match, *candidates]
        if database:
            found = search(
                database,
                "",
                MAX_FOUND,
                title=described.title,
                authors=described.authors,
                year=described.year,
            )
            candidates += [Candidate(one.record, 0.0, MatchKind.NEARBY) for one in found]
        if self._session.online:
            candidates += meant
        return compared_works(described, candidates, venues)[:MAX_FOUND]

    def _answer(self, text: str, content: JsonObject, then: str = "") -> CallToolResult:
        """Return the answer of a tool. The answer also names the database and its date.

        ``then`` names the tool to call next.
        """
        session = self._session
        basis = [checked_against(session.describe_database()), *session.notes]
        lines = [text, *(line for line in basis if line not in text)]
        lines += [f"Next: {then}."] if then else []
        return CallToolResult(
            content=[TextContent(type="text", text="\n".join(lines))],
            structured_content=content | {"basis": basis},
        )


def _described(title: str, authors: str, year: int | None, identifier: str) -> Reference:
    if not (title.strip() or authors.strip() or identifier.strip()):
        raise InputError("give a title, authors or an identifier of the work")
    # 50,000 characters are about 3,000 names
    for name, value, most in (("title", title, LONGEST_TITLE), ("authors", authors, 50_000)):
        if len(value) > most:
            raise InputError(f"{name} has {len(value):,} characters; at most {most:,} are accepted")
    if year is not None and not 0 <= year <= 9_999:
        raise InputError("year must be a number from 0 to 9999")
    named = identifier_in(identifier)
    if identifier.strip() and not named:
        raise InputError(f"{identifier.strip()[:80]!r} is neither a DOI nor an arXiv id")
    people, others = split_authors(authors)
    found: dict[str, Any] = {named.kind.value: named.value} if named else {}
    return Reference(
        "", title=" ".join(title.split()), authors=people, and_others=others, year=year, **found
    )


def _bibliography(text: str, input_format: str, holds: Holds) -> Bibliography:
    if len(text) > MAX_TEXT:
        raise InputError(
            f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are accepted: "
            "send it in parts"
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
    if input_format:
        bibliography = read(document, input_format)
    else:
        taken_for, read_ones = begin_pasted(document, holds)
        bibliography = read_ones or read(document, taken_for)
    if (number := len(bibliography.entries)) > MAX_REFERENCES:
        raise InputError(
            f"the text has {number:,} entries; at most {MAX_REFERENCES:,} are accepted: "
            "send it in parts"
        )
    return bibliography


def _is_file_name(text: str) -> bool:
    """Return whether ``text`` looks like the name of a file: ``refs.bib``, ``/home/me/my
    paper.tex``.
    """
    path = text.startswith(("/", "~", "./", "../", "file://")) or text[1:3] == ":\\"
    one_word = not any(map(str.isspace, text))
    return (path or one_word) and "\n" not in text and may_be_paper(text)


def _progress(context: Context[Any, Any]) -> Callable[[Verdict, int], None]:
    """Return a callback that sends a progress message to the client after every tenth verdict."""
    done = count(1)

    def report(_: Verdict, total: int) -> None:
        if (number := next(done)) % 10 == 0:
            from_thread.run(context.report_progress, number, total)

    return report
