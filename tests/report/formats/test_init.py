"""The format that the name of a file asks for."""

from pathlib import Path

import pytest

from citeproof.model.errors import InputError
from citeproof.report.formats import REPORTS, SUFFIXES, format_of, refuse_unknown_suffix


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("report.html", "html"),
        ("a.b/REPORT.HTM", "html"),
        ("refs.sarif.json", "sarif"),
        ("refs.json", "json"),
        ("report.txt", None),
        ("report", None),
        ("-", None),
    ],
)
def test_format_of_a_file_is_by_its_suffix(name: str, expected: str | None) -> None:
    assert format_of(Path(name)) == expected


def test_refuse_unknown_suffix_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"out.docx: no report has the suffix .docx; .*--format"):
        refuse_unknown_suffix(Path("out.docx"))
    for name in ("report", "-", "a.b/report", "report.TXT", "report.html", "/dev/stdout"):
        refuse_unknown_suffix(Path(name))
    refuse_unknown_suffix(None)


def test_suffixes_name_formats() -> None:
    assert set(SUFFIXES.values()) <= set(REPORTS)
