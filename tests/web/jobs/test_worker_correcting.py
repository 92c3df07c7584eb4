"""The correction of a job uses the examinations of its verdicts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.database.lookup import Database
from citeproof.fix.document import Corrector
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex, read
from citeproof.verification.session import Session
from citeproof.web.jobs.worker import corrected, keep_examination

if TYPE_CHECKING:
    from citeproof.model.reference import Reference
    from citeproof.verification.pipeline import Examination, Pipeline

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"
BIB = """@article{valiant, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year
= 1999,
  journal = {Commun. ACM}, doi = {10.1145/1968.1972}}
"""


class Counted:
    """A pipeline that records the references it examines."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline, self.validator = pipeline, pipeline.validator
        self.asked: list[Reference] = []

    def examine(self, reference: Reference) -> Examination:
        self.asked.append(reference)
        return self._pipeline.examine(reference)


def test_corrected_examines_only_the_corrected_entry_again(sample_path: Path) -> None:
    document = Document.of_text(BIB, "refs.bib")
    with Database.open(sample_path) as database:
        session = Session.over(database)
        examined: dict[str, Examination] = {}
        verdicts = list(
            session.observed(partial(keep_examination, examined)).stream(
                read(document, "bibtex").entries
            )
        )
        counted = Counted(session.pipeline)
        counting = replace(session, pipeline=counted)  # type: ignore[arg-type]
        text = corrected(document, verdicts, counting, examined, lambda: None)
        assert text == BIB.replace("1999", "1984")
        assert [reference.year for reference in counted.asked] == [1984]
        counted.asked.clear()
        assert corrected(document, verdicts, counting, {}, lambda: None) == text
        assert [reference.year for reference in counted.asked] == [1999, 1984]


def test_corrected_is_the_result_of_citeproof_fix(sample_path: Path) -> None:
    document = Document.of(EXAMPLES.name, EXAMPLES.read_bytes())
    with Database.open(sample_path) as database:
        session = Session.over(database)
        verdicts = list(session.stream(bibtex.read(document).entries))
        found = corrected(document, verdicts, session, {}, lambda: None)
        corrector = Corrector(bibtex.read, session.pipeline.examine, session.validator)
        result = corrector.correct(document)
    assert len(result.changes) >= 3
    assert found == result.data.decode()
