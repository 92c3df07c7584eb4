"""The gate on bibliographies that others compiled: few honest references are flagged, and most
references with faults are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from citeproof.verification import certainty
from tests.accuracy import calibrate, chance, wild
from tests.accuracy.chance_samples import samples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.accuracy.conftest import Bench

pytestmark = [pytest.mark.accuracy, pytest.mark.shared, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def wild_bench(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with wild.database(shared, tmp_path_factory.mktemp("wild")) as opened:
        yield wild.bench_on(opened)


def test_measured_anew_on_bibliographies_that_no_rule_had_seen(
    shared: Path, tmp_path_factory: pytest.TempPathFactory, baseline: dict[str, Any]
) -> None:
    floors = baseline["wild2"]
    with wild.database(shared, tmp_path_factory.mktemp("big"), whole=True) as opened:
        outcome = wild.measured_anew(shared, wild.bench_on(opened))
    honest = outcome.still_flagged("honest")
    apacite = [each for each in honest if each.bib == wild.APACITE]
    figures = {
        "honest": len(honest) - len(apacite),
        "apacite": len(apacite),
        "faults": len(outcome.still_flagged("fault")),
        "invalid": outcome.figures()["invalid"],
        "decided": outcome.figures()["decided"],
    }
    print("\nsecond set:", "  ".join(f"{name} {value}" for name, value in figures.items()))
    for bib, verdict in outcome.unlabelled():
        print("  without a label:", bib, verdict.reference.key, *wild.codes_of(verdict))
    assert figures["honest"] <= floors["honest"]
    assert figures["apacite"] <= floors["apacite"]
    assert figures["faults"] >= floors["faults"]
    assert figures["invalid"] <= floors["invalid"]
    assert figures["decided"] >= floors["decided"]


def test_measured_on_bibliographies_of_other_hands(
    shared: Path, wild_bench: Bench, baseline: dict[str, Any]
) -> None:
    outcome, floors = wild.measured(shared, wild_bench), baseline["wild"]
    figures = outcome.figures()
    assert calibrate.judged(outcome) == certainty.WILD
    print("\nwild:", "  ".join(f"{name} {value:.4g}" for name, value in figures.items()))
    assert figures["honest_gone"] >= floors["honest_gone"]
    assert figures["faults_kept"] >= floors["faults_kept"]
    assert figures["invalid"] <= floors["invalid"]
    assert figures["flagged"] <= floors["flagged"]
    assert figures["decided"] >= floors["decided"]


def test_well_known_works_as_people_export_them(
    shared: Path, wild_bench: Bench, baseline: dict[str, Any]
) -> None:
    flagged = list(filter(wild.is_flagged, wild.well_known(shared, wild_bench)))
    print("\nwell known:", [(verdict.reference.key, wild.codes_of(verdict)) for verdict in flagged])
    assert len(flagged) <= baseline["wild"]["well_known"]
    assert (
        sum(verdict.reference.entry_type == "book" for verdict in flagged)
        <= baseline["wild"]["books"]
    )


def test_invented_references_that_chairs_named(
    shared: Path, wild_bench: Bench, baseline: dict[str, Any]
) -> None:
    verdicts = wild.invented(shared, wild_bench)
    flagged = list(filter(wild.is_flagged, verdicts))
    print(f"\nnamed by chairs: {len(flagged)} of {len(verdicts)} flagged")
    assert len(flagged) / len(verdicts) >= baseline["wild"]["invented"]


def test_chances_mean_what_they_say_on_held_out_papers(
    shared: Path, wild_bench: Bench, baseline: dict[str, Any]
) -> None:
    """The chance tells inventions from honest references that are not VALID better than the status
    does.
    """
    pairs, floors = chance.held_out(samples(shared, wild_bench)), baseline["chance"]
    gains = [by_chance - by_status for *_, by_status, by_chance in chance.areas(pairs)]
    papers = chance.planted(pairs, 10, 3)[1]
    print(f"\nchance: area above status {gains}, of papers {papers:.3f}")
    assert min(gains) >= floors["area_above_status"]
    for base in chance.BASE_RATES:
        rows = list(chance.reliability(pairs, base))
        bins = {
            low: round(mean - share, 4)
            for low, count, _, mean, share in rows
            if count >= chance.FEWEST
        }
        print(f"base rate {base:.1%}: off by {bins}")
        assert len(bins) >= 4
        assert max(bins.values()) <= floors["above"]
        assert min(bins.values()) >= -floors["below"]
    assert papers >= floors["area_of_papers"]
