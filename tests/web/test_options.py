from dataclasses import replace
from pathlib import Path

import pytest

from citeproof.web.options import Options


@pytest.mark.parametrize(
    ("title_log", "retain_hours", "hours"),
    [(True, 24.0, 24.0), (False, 24.0, 0.25), (False, 0.1, 0.1), (True, 0.1, 0.1)],
)
def test_job_hours_are_few_without_a_title_log(
    title_log: bool, retain_hours: float, hours: float
) -> None:
    options = Options(Path("a.db"), Path("runtime.db"))
    assert replace(options, title_log=title_log, retain_hours=retain_hours).job_hours == hours


def test_open_store_hashes_titles_only_without_a_title_log(tmp_path: Path) -> None:
    options = Options(tmp_path / "a.db", tmp_path / "runtime.db")
    options.open_store().close()
    assert [path.name for path in tmp_path.glob("*key*")] == []
    replace(options, title_log=False).open_store().close()
    assert len(list(tmp_path.glob("*key*"))) == 1
