"""Which acceptances hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from citeproof.fix import acceptance
from citeproof.fix.acceptance import Acceptances, Accepted, content_of
from citeproof.model.reference import Place, Reference
from citeproof.model.verdict import Lapse, Status, Verdict

if TYPE_CHECKING:
    from pathlib import Path

TODAY = date(2026, 11, 22)


@pytest.fixture
def verdict(tmp_path: Path) -> Verdict:
    """Return the verdict on an entry that is accepted until today."""
    reference = Reference("k", "A Theory", place=Place(str(tmp_path / "refs.bib"), 3))
    accepted = Accepted("refs.bib", "k", "seen", date(2026, 1, 1), TODAY, content_of(reference))
    path = tmp_path / acceptance.NAME
    path.write_text(acceptance.changed(path, "", [accepted]), "utf-8")
    return Verdict(reference, Status.INVALID, "title_not_found", 0.9)


def test_it_holds_on_its_last_day_and_the_status_stays(verdict: Verdict) -> None:
    accepted = Acceptances(lambda: TODAY).applied(verdict)
    assert accepted.is_accepted
    assert replace(accepted, acceptance=None) == verdict


def test_it_is_over_the_day_after(verdict: Verdict) -> None:
    (acceptance,) = [Acceptances(lambda: date(2026, 11, 23)).applied(verdict).acceptance]
    assert acceptance
    assert acceptance.lapsed is Lapse.EXPIRED


def test_a_changed_entry_is_asked_again(verdict: Verdict) -> None:
    changed = replace(verdict, reference=replace(verdict.reference, year=1985))
    acceptance = Acceptances(lambda: TODAY).applied(changed).acceptance
    assert acceptance
    assert acceptance.lapsed is Lapse.CHANGED


def test_it_is_for_its_own_file_alone(verdict: Verdict, tmp_path: Path) -> None:
    other = replace(verdict, reference=replace(verdict.reference, place=Place(str(tmp_path / "other.bib"), 3)))
    assert Acceptances(lambda: TODAY).applied(other) == other


@pytest.mark.parametrize("name", ["<stdin>", "", "papers.zip/refs.bib"])
def test_what_is_no_file_has_none(verdict: Verdict, tmp_path: Path, name: str) -> None:
    (tmp_path / "papers.zip").write_bytes(b"")
    place = Place(str(tmp_path / name) if name.startswith("papers") else name, 3)
    other = replace(verdict, reference=replace(verdict.reference, place=place))
    assert Acceptances(lambda: TODAY).applied(other) == other


def test_nothing_is_accepted_where_that_is_wanted(verdict: Verdict) -> None:
    assert Acceptances(lambda: TODAY, none=True).applied(verdict) == verdict


def test_an_entry_that_is_gone_is_noted_but_not_of_a_paper_that_does_not_cite_it(verdict: Verdict) -> None:
    other = replace(verdict, reference=replace(verdict.reference, key="other"))
    whole = Acceptances(lambda: TODAY)
    whole.applied(other)
    assert "has no entry 'k' any more" in "".join(whole.unmet())
    whole.applied(verdict)
    assert whole.unmet() == ()
    cited = Acceptances(lambda: TODAY)
    cited.applied(
        replace(other, reference=replace(other.reference, place=replace(other.reference.place, paper="a.tex")))
    )
    assert cited.unmet() == ()


def test_a_damaged_file_accepts_nothing_and_is_named_once(verdict: Verdict, tmp_path: Path) -> None:
    (tmp_path / acceptance.NAME).write_text("= broken", "utf-8")
    acceptances = Acceptances(lambda: TODAY)
    assert [acceptances.applied(verdict) for _ in range(2)] == [verdict, verdict]
    assert len(acceptances.troubles) == 1
    assert "nothing that it accepts is taken as accepted" in acceptances.troubles[0]
