"""The functions of the tools, which share one session, without the protocol."""

import json
import secrets
from collections import OrderedDict
from dataclasses import replace
from pathlib import PurePath
from threading import Lock

from citeproof.database.lookup import NEAREST_FROM
from citeproof.model.errors import InputError
from citeproof.model.findings import NearestWork
from citeproof.model.record import Candidate, Lookup, MatchKind
from citeproof.model.reference import Bibliography, Reference
from citeproof.model.run import Run
from citeproof.model.verdict import Verdict
from citeproof.readers.document import Document
from citeproof.readers.fields.authors import split_authors
from citeproof.readers.formats import detect, read
from citeproof.report.serialization import run_object
from citeproof.text.identifiers import identifier_in
from citeproof.text.normalize import LONGEST_TITLE, normalize_title
from citeproof.verification.explanation.nearest import nearest_works
from citeproof.verification.session import Progress, Session

MAX_TEXT = 1_000_000
"""Maximum characters of a bibliography. A thousand references have about 300,000."""
MAX_REFERENCES = 1_000
"""Maximum entries per call. More would exceed the time-outs of agents."""
MAX_RUNS = 20
"""Maximum reports that are stored for the resource. The oldest one is dropped first."""
MAX_AUTHORS = 50_000
"""Maximum characters of the authors of a work, enough for 3,000 names."""
MAX_YEAR = 9_999
_SUFFIXES = frozenset({
    ".bib", ".bbl", ".tex", ".aux", ".ris", ".enw", ".nbib", ".json", ".jsonl", ".yaml", ".yml", ".xml", ".csv",
    ".pdf", ".docx", ".html", ".htm", ".md", ".qmd", ".txt", ".zip",
})  # fmt: skip
"""Suffixes of files that can be read."""
_BY_AUTHORS = 10
"""Maximum works of an author that are compared with a description without a title."""


class Tools:
    """The tools over one session. They are thread-safe, and write only to the cache of the session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self._lock = Lock()

    def verify(self, references: str, input_format: str = "", progress: Progress | None = None) -> tuple[Run, str]:
        """Return the verdicts on all entries of the text ``references``, and the id of the run.

        Raises :class:`InputError` if the text is too long, or has no entry.
        """
        run = self._session.check([_bibliography(references, input_format)], progress)
        run_id = secrets.token_hex(8)
        with self._lock:
            self._runs[run_id] = run
            while len(self._runs) > MAX_RUNS:
                self._runs.popitem(last=False)
        return run, run_id

    def report(self, run_id: str) -> str:
        """Return the report of a run as JSON.

        Raises :class:`InputError` if the report was dropped, or never existed.
        """
        with self._lock:
            run = self._runs.get(run_id)
        if run is None:
            raise InputError(
                f"no report {run_id!r} is kept here; only the last {MAX_RUNS} are: verify the references again"
            )
        return json.dumps(run_object(run), ensure_ascii=False)

    def explain(self, reference: str, input_format: str = "") -> Verdict:
        """Return the verdict on the only reference in the text.

        Raises :class:`InputError` if the text has no reference, or more than one.
        """
        bibliography = _bibliography(reference, input_format)
        if (number := len(bibliography.entries)) != 1:
            raise InputError(f"one reference is explained at a time, and this text has {number} entries")
        return self._session.check([bibliography]).verdicts[0]

    def look_up(self, title: str) -> Lookup:
        """Look up ``title``, which may also be a DOI or an arXiv identifier.

        Raises :class:`InputError` if ``title`` is empty or too long, or the session has no database.
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
        """Return the works that fit a description, best first, and the verdict on it.

        Raises :class:`InputError` if the description is empty, or a value is out of range.
        """
        if not (title.strip() or authors.strip() or identifier.strip()):
            raise InputError("name a title, authors or an identifier of the work")
        for name, value, most in (("title", title, LONGEST_TITLE), ("authors", authors, MAX_AUTHORS)):
            if len(value) > most:
                raise InputError(f"{name} has {len(value):,} characters; at most {most:,} are taken")
        if year is not None and not 0 <= year <= MAX_YEAR:
            raise InputError(f"year is a number from 0 to {MAX_YEAR}")
        described = _described(title, authors, year, identifier)
        verdict = self._session.verify(described)
        database = self._session.database
        if verdict.meant or not database:
            return verdict.meant, verdict
        best = [verdict.best_match] if verdict.best_match else []
        alike = [] if best or not title else filter(None, [database.nearest(title)])
        return nearest_works(verdict, [*best, *alike, *self._by_authors(described)], database.venues), verdict

    def _by_authors(self, described: Reference) -> list[Candidate]:
        """Return works of the authors of a description without a title, and of its year if it has one."""
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
    if len(text) > MAX_TEXT:
        raise InputError(f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are taken: send it in parts")
    if not text.strip():
        raise InputError("the text is empty; give references as BibTeX, RIS, CSL-JSON or plain text")
    if not input_format and _is_file_name(text.strip()):
        raise InputError(
            f"{text.strip()!r} is the name of a file, which this tool cannot read; give the text of the file: "
            "BibTeX, RIS, CSL-JSON or a plain list of references"
        )
    document = Document.of_text(text)
    bibliography = read(document, input_format or (None if detect(document) else "text"))
    if len(bibliography.entries) > MAX_REFERENCES:
        number = len(bibliography.entries)
        raise InputError(f"the text has {number:,} entries; at most {MAX_REFERENCES:,} are taken: send it in parts")
    return bibliography


def _is_file_name(text: str) -> bool:
    """Return whether ``text`` is the name of a file: ``refs.bib``, ``/home/me/my paper.tex``."""
    path = text.startswith(("/", "~", "./", "../", "file://")) or text[1:3] == ":\\"
    one_word = not any(map(str.isspace, text))
    return (path or one_word) and "\n" not in text and PurePath(text).suffix.lower() in _SUFFIXES
