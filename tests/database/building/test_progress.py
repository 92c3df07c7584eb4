"""The progress of a build."""

import pytest

from citeproof.database.building.progress import STEPS, Progress, Reporter


@pytest.mark.parametrize(("titles", "parts"), [(True, len(STEPS) + 1), (False, len(STEPS))])
def test_indexing_gives_each_step_the_same_weight(titles: bool, parts: int) -> None:
    seen: list[Progress] = []
    reporter = Reporter(seen.append, 1_000, titles=titles)
    reporter.reading(7, 600)
    for place, step in enumerate((*STEPS, *(["titles"] if titles else []), "")):
        reporter.indexing(9, step)
        assert seen[-1].indexed == place / parts
    assert seen[-1].indexed == 1.0
    reporter.indexing(9, STEPS[1], 0.5)
    assert seen[-1].indexed == 1.5 / parts
    assert (seen[0].stage, seen[0].read, seen[0].size, seen[0].records) == (
        "reading",
        600,
        1_000,
        7,
    )
    assert (seen[1].stage, seen[1].read) == ("indexing", 1_000)
    assert 0 <= seen[0].seconds <= seen[-1].seconds
