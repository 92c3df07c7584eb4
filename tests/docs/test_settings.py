"""``docs/settings.md`` lists every setting with its default, and whether a project may set it."""

from pathlib import Path

import pytest

from citeproof.settings import OWN, SETTINGS, Settings

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
ROWS = {
    line.split("`")[1]: line.split(" | ") for line in PAGE.splitlines() if line.startswith("| `")
}


def test_the_table_has_each_setting_once_in_order() -> None:
    assert list(ROWS) == list(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_table_says_whether_a_project_may_set_it(name: str) -> None:
    assert ROWS[name][2] == ("no" if name in OWN else "yes")


@pytest.mark.parametrize("name", SETTINGS)
def test_the_table_states_the_default(name: str) -> None:
    default = getattr(Settings(), name)
    text = str(default).lower() if isinstance(default, bool) else default
    assert ROWS[name][1] == ("" if default in (None, "", (), {}) else f"`{text}`")
