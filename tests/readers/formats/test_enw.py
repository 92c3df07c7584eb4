"""EndNote's tagged records."""

import pytest

from citeproof.readers.document import Document
from citeproof.readers.formats import enw


def test_read_editors_stand_for_missing_authors() -> None:
    (one,) = enw.read(Document.of_text("%0 Edited Book\n%T One\n%E Lee, Ann\n%D 2001\n")).references
    assert (one.authors, one.year, one.entry_type) == (("Lee, Ann",), 2001, "edited book")


def test_read_several_authors_of_a_tag() -> None:
    (one,) = enw.read(Document.of_text("%T One\n%A Lee, Ann; Ray, Bo\n%A Kim Fox\n")).references
    assert one.authors == ("Lee, Ann", "Ray, Bo", "Kim Fox")


def test_read_the_place_of_a_field_is_its_value() -> None:
    text = "\n%0 Book\n%T  On winter\n"
    (one,) = enw.read(Document.of_text(text)).references
    assert [text[span.start : span.end] for name, span in one.place.fields] == ["Book", "On winter"]


@pytest.mark.parametrize("text", ["%A comment\n@misc{k, title={T}}", "100%\n%T a\n", ""])
def test_accepts_no_other_text(text: str) -> None:
    assert enw.accepts(Document.of_text(text)) == 0


def test_accepts_two_tags_that_are_not_far_apart() -> None:
    for between, sure in ((0, 2), (4_900, 2), (5_100, 0)):
        text = f"%0 Book\n{'x' * between}\n%T On ice\n"
        assert enw.accepts(Document.of_text(text)) == sure
