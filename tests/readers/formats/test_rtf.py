"""Documents in Rich Text Format."""

import pytest

from citeproof.readers import formats
from citeproof.readers.document import Document


def test_read_a_list_in_a_table() -> None:
    row = r"\trowd\intbl {}\cell {}\cell\row "
    rows = "".join(
        row.format(number, f"A. Lee, A study of {name}, in Journal of X, 2019.")
        for number, name in enumerate(("winter", "snow", "lamps"), start=1)
    )
    text = rf"{{\rtf1\ansi Words.\par References\par {rows}}}"
    found = formats.read(Document.of_text(text, "a.rtf")).references
    assert [one.title for one in found] == [
        "A study of winter",
        "A study of snow",
        "A study of lamps",
    ]


@pytest.mark.parametrize("text", [r"{\rtf1 Words.\par}", r"{\rtf1", r"{\rtf1 {{{{ \u-1 ? }"])
def test_read_what_has_no_list_is_said(text: str) -> None:
    (entry,) = formats.read(Document.of_text(text, "a.rtf")).entries
    assert getattr(entry, "code", "") == "rtf.without_list"


def test_read_a_list_without_a_heading() -> None:
    texts = (
        f"{name}, A. (200{year}). On {name}. Journal of Snow, 3(1), 1-9."
        for year, name in enumerate(("Lee", "Fox", "Kim"))
    )
    text = "".join(rf"{{}}{one}\par\par " for one in texts)
    found = formats.read(Document.of_text(rf"{{\rtf1\ansi {text}}}", "a.rtf")).references
    assert [(one.title, one.line) for one in found] == [("On Lee", 1), ("On Fox", 3), ("On Kim", 5)]


def test_read_a_file_that_ends_early_is_said() -> None:
    text = r"{\rtf1 References\par A. Lee. A study of snow. Journal of Snow, 2019.\par B. F"
    for end, said in (("", ["rtf.cut"]), ("}\n\0", [])):
        found = formats.read(Document.of_text(text + end, "a.rtf"))
        assert next(one.title for one in found.references) == "A study of snow"
        assert [note.code for note in found.diagnostics] == said
