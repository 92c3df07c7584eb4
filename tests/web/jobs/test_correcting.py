"""What a job examined is not examined again to be corrected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.bibdb.database import Database
from citeproof.correction.document import Corrector
from citeproof.formats import bibtex, read
from citeproof.inputs.document import Document
from citeproof.session import Session
from citeproof.web.jobs.correcting import Examined, corrected

if TYPE_CHECKING:
    from citeproof.models import Reference
    from citeproof.pipeline import Examination, Pipeline

EXAMPLES = Path(__file__).parents[3] / "examples" / "references.bib"
BIB = """@article{valiant, author = {Leslie G. Valiant}, title = {A Theory of the Learnable}, year = 1999,
  journal = {Commun. ACM}, doi = {10.1145/1968.1972}}
"""


class Counted:
    """A pipeline that notes what it is asked to examine."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self.asked: list[Reference] = []

    def examine(self, reference: Reference) -> Examination:
        self.asked.append(reference)
        return self._pipeline.examine(reference)


def test_only_the_corrected_entry_is_examined_again(sample_path: Path) -> None:
    document = Document.of_text(BIB, "refs.bib")
    with Database.open(sample_path) as database:
        session = Session.over(database)
        examined = Examined()
        verdicts = list(session.witnessed(examined.take).stream(read(document, "bibtex").entries))
        counted = Counted(session.pipeline)
        counting = replace(session, pipeline=counted)  # type: ignore[arg-type]
        text = corrected(document, verdicts, counting, examined, lambda: None)
        assert text == BIB.replace("1999", "1984")
        assert [reference.year for reference in counted.asked] == [1984]
        counted.asked.clear()
        assert corrected(document, verdicts, counting, Examined(), lambda: None) == text
        assert [reference.year for reference in counted.asked] == [1999, 1984]


def test_it_is_what_the_command_makes_of_the_file(sample_path: Path) -> None:
    document = Document.of(EXAMPLES.name, EXAMPLES.read_bytes())
    with Database.open(sample_path) as database:
        session = Session.over(database)
        verdicts = list(session.stream(bibtex.read(document).entries))
        found = corrected(document, verdicts, session, Examined(), lambda: None)
        corrector = Corrector(
            bibtex.read, session.pipeline.examine, lambda one: session.validator.case(one.reference, one.findings)
        )
        result = corrector.correct(document)
    assert len(result.changes) > 5
    assert found == result.data.decode()
