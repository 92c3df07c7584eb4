"""What the tools do, over one session; how an agent reaches them is in ``server.py``."""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from citeproof.bibdb.database import NEAREST_FROM
from citeproof.bibdb.identifiers import identifier_in
from citeproof.errors import InputError
from citeproof.fields.authors import split_authors
from citeproof.formats import detect, read
from citeproof.inputs.document import Document
from citeproof.models import Candidate, MatchKind, Reference
from citeproof.serialization import run_object
from citeproof.text.normalize import LONGEST_TITLE, normalize_title
from citeproof.validation.explain import nearest_works

if TYPE_CHECKING:
    from citeproof.models import Bibliography, Lookup, NearestWork, Verdict
    from citeproof.results import Run
    from citeproof.session import Progress, Session

LONGEST = 1_000_000
"""Characters of one bibliography; a list of a thousand references has some 300,000."""
MOST_REFERENCES = 1_000
"""Entries of one call: an agent that waits longer gives up."""
MOST_RUNS = 20
"""Reports that are kept for the resource; the oldest goes first."""
_BY_AUTHORS = 10
"""Works of the people that are compared with a description without a title."""


class Tools:
    """The tools, safe to call from many threads. Nothing is written but what the session itself remembers."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self._lock = Lock()

    def verify(self, references: str, input_format: str = "", progress: Progress | None = None) -> tuple[Run, str]:
        """Return the verdicts on all entries of the text ``references``, and the id of the run.

        Raises :class:`InputError` for a text that is too long, or without an entry.
        """
        run = self._session.check([_bibliography(references, input_format)], progress)
        run_id = secrets.token_hex(8)
        with self._lock:
            self._runs[run_id] = run
            while len(self._runs) > MOST_RUNS:
                self._runs.popitem(last=False)
        return run, run_id

    def report(self, run_id: str) -> str:
        """Return the whole report of a run as JSON; raise :class:`InputError` where it is not kept any more."""
        with self._lock:
            run = self._runs.get(run_id)
        if run is None:
            raise InputError(
                f"no report {run_id!r} is kept here; the last {MOST_RUNS} are: verify the references again"
            )
        return json.dumps(run_object(run), ensure_ascii=False)

    def explain(self, reference: str, input_format: str = "") -> Verdict:
        """Return the verdict on the one reference in the text; raise :class:`InputError` where there are more."""
        bibliography = _bibliography(reference, input_format)
        if (number := len(bibliography.entries)) != 1:
            raise InputError(f"one reference is explained at a time, and this text has {number} entries")
        return self._session.check([bibliography]).verdicts[0]

    def look_up(self, title: str) -> Lookup:
        """Return what the database holds under ``title``, or under the DOI or arXiv id given in its place.

        Raises :class:`InputError` for what is no title, or where the session has no database.
        """
        title = " ".join(title.split())
        if not normalize_title(title) or len(title) > LONGEST_TITLE:
            raise InputError(f"a title has a letter or digit, and at most {LONGEST_TITLE:,} characters")
        if not self._session.database:
            raise InputError("this server was started without a bibliographic database, so no title can be looked up")
        return self._session.database.look_up_text(title, nearest_from=NEAREST_FROM)

    def find(
        self, title: str = "", authors: str = "", year: int | None = None, identifier: str = ""
    ) -> tuple[tuple[NearestWork, ...], Verdict]:
        """Return the works that fit what is known of one, the best first, and the verdict on that description.

        Raises :class:`InputError` where nothing is known.
        """
        if not (title.strip() or authors.strip() or identifier.strip()):
            raise InputError("name a title, authors or an identifier of the work")
        described = _described(title, authors, year, identifier)
        verdict = self._session.verify(described)
        database = self._session.database
        if verdict.meant or not database:
            return verdict.meant, verdict
        best = [verdict.best_match] if verdict.best_match else []
        alike = [] if best or not title else filter(None, [database.nearest(title)])
        return nearest_works(verdict, [*best, *alike, *self._by_authors(described)], database.venues), verdict

    def _by_authors(self, described: Reference) -> list[Candidate]:
        """Return works of the people of a description without a title, of its year where it has one."""
        database = self._session.database
        if described.title or not described.authors or not database:
            return []
        records = database.records_by_authors(described.authors, _BY_AUTHORS * 10)
        fitting = [record for record in records if described.year in (None, record.year)]
        return [Candidate(record, 0.0, MatchKind.NEARBY) for record in fitting[:_BY_AUTHORS]]


def _described(title: str, authors: str, year: int | None, identifier: str) -> Reference:
    named = identifier_in(identifier)
    if identifier.strip() and not named:
        raise InputError(f"{identifier.strip()[:80]!r} is neither a DOI nor an arXiv id")
    names, others = split_authors(authors)
    described = Reference("", title=" ".join(title.split()), authors=names, and_others=others, year=year)
    if not named:
        return described
    return (
        replace(described, doi=named.value) if named.kind is MatchKind.DOI else replace(described, arxiv_id=named.value)
    )


def _bibliography(text: str, input_format: str) -> Bibliography:
    if len(text) > LONGEST:
        raise InputError(f"the text has {len(text):,} characters; at most {LONGEST:,} are taken: send it in parts")
    if not text.strip():
        raise InputError("the text is empty; give references as BibTeX, RIS, CSL-JSON or plain text")
    document = Document.of_text(text)
    bibliography = read(document, input_format or (None if detect(document) else "text"))
    if len(bibliography.entries) > MOST_REFERENCES:
        number = len(bibliography.entries)
        raise InputError(f"the text has {number:,} entries; at most {MOST_REFERENCES:,} are taken: send it in parts")
    return bibliography
