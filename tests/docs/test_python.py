"""``docs/python.md`` and the README on Python: every public name is explained, every example prints
what it says.
"""

import doctest
import os
import re
from pathlib import Path

import pytest

import citeproof

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


def examples(page: Path) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(page.read_text("utf-8"), page.name)


@pytest.mark.parametrize(
    ("page", "fewest"), [(PAGE, 20), (ROOT / "README.md", 3)], ids=["python.md", "README.md"]
)
def test_the_examples_print_what_the_page_says(
    page: Path,
    fewest: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in [name for name in os.environ if name.startswith("CITEPROOF_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("CITEPROOF_SAMPLE", "landmarks")
    monkeypatch.chdir(tmp_path)
    for bibliography in re.findall(r"```bibtex\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        Path("refs.bib").write_text(bibliography)
    test = doctest.DocTest(examples(page), {}, page.name, str(page), 0, None)
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert failed == 0, capsys.readouterr().out
    assert tried >= fewest


@pytest.mark.parametrize("name", sorted(set(citeproof.__all__) - {"__version__"}))
def test_every_public_name_is_on_the_page(name: str) -> None:
    assert re.search(rf"`{name}[`(]", PAGE.read_text("utf-8"))
