"""How entries are written, and what new fields look like in them."""

import pytest

from citeproof.fix.layout import Edit, Layout
from citeproof.readers.document import Document
from citeproof.readers.formats import bibtex

TITLE = "title = {A Title}"


def layout_of(text: str) -> Layout | None:
    (reference,) = bibtex.read(Document.of_text(text, "refs.bib")).references
    return Layout.of(reference.place, text)


def after(text: str, edit: Edit | None) -> str:
    assert edit is not None
    return text[: edit[0].start] + edit[1] + text[edit[0].end :]


@pytest.mark.parametrize(
    ("entry", "with_year"),
    [
        ("@misc{k,\n  title = {A}\n}", "@misc{k,\n  title = {A},\n  year = {1999}\n}"),
        ("@misc{k,\n  title = {A},\n}", "@misc{k,\n  title = {A},\n  year = {1999},\n}"),
        (
            "@misc{k\n, title = {A}\n, note = {B}\n}",
            "@misc{k\n, title = {A}\n, year = {1999}\n, note = {B}\n}",
        ),
        ("@misc(k, title={A})", "@misc(k, title={A}, year={1999})"),
        ("@MISC{k,\n\tTITLE = {A}}", "@MISC{k,\n\tTITLE = {A},\n\tYEAR = {1999}}"),
        (
            '@misc{k,\n Title = "A",\n Note = "B"}',
            '@misc{k,\n Title = "A",\n Year = "1999",\n Note = "B"}',
        ),
        (
            "@misc{k,\n title = {A},\n volume = 3}",
            "@misc{k,\n title = {A},\n volume = 3,\n year = 1999}",
        ),
        (
            "@misc{k,\n title  = {A},\n author = {B},\n abstract = {C}\n}",
            "@misc{k,\n title  = {A},\n author = {B},\n year   = {1999},\n abstract = {C}\n}",
        ),
        (
            "@misc{k,\n title=  {A},\n author= {B}\n}",
            "@misc{k,\n title=  {A},\n author= {B},\n year=   {1999}\n}",
        ),
    ],
    ids=[
        "no last comma",
        "last comma",
        "leading comma",
        "one line",
        "capitals",
        "quotes",
        "bare",
        "column",
        "value",
    ],
)
def test_adding_a_new_field_looks_like_the_others(entry: str, with_year: str) -> None:
    layout = layout_of(entry)
    assert layout is not None
    assert after(entry, layout.adding([("year", "1999")])) == with_year


def test_without_a_field_is_taken_out_with_its_comma() -> None:
    entry = f"@misc{{k,\n  note = {{N}},\n  {TITLE},\n  year = 1999\n}}"
    layout = layout_of(entry)
    assert layout is not None
    for name, line in (("note", "  note = {N},\n"), ("year", ",\n  year = 1999")):
        field = layout.field(name)
        assert field is not None
        assert after(entry, layout.without(field)) == entry.replace(line, "")


def test_with_name_a_renamed_field_keeps_its_column_and_a_type_its_capitals() -> None:
    entry = "@Article{k,\n  journal   = {J},\n  title     = {A},\n  publisher = {P}\n}"
    layout = layout_of(entry)
    assert layout is not None
    field = layout.field("journal")
    assert field is not None
    assert after(entry, layout.with_name(field, "booktitle")) == entry.replace(
        "journal   =", "booktitle ="
    )
    assert after(entry, layout.with_type("inproceedings")) == entry.replace(
        "Article", "Inproceedings"
    )


@pytest.mark.parametrize(
    ("entry", "plain"),
    [
        (f"@misc{{k, {TITLE}, year = 1999}}", True),
        (f"@misc{{k, {TITLE}, year = 1999, year = 2000}}", False),
        (f"@misc{{k, {TITLE}, % a remark\n year = 1999}}", False),
        (f"@misc{{k, year = {{1999}} % a remark\n, {TITLE}}}", False),
        (f"@misc{{k, year = 1999\n {TITLE}}}", False),
        (f"@misc{{k, {TITLE} % the end\n}}", False),
    ],
    ids=[
        "plain",
        "twice",
        "remark behind a comma",
        "remark behind a value",
        "no comma",
        "remark at the end",
    ],
)
def test_is_plain_what_stands_between_fields_is_seen(entry: str, *, plain: bool) -> None:
    layout = layout_of(entry)
    assert layout is not None
    assert layout.is_plain() is plain


def test_an_entry_without_equals_signs_has_no_layout() -> None:
    assert layout_of("@misc{k, title {A Title}, year = 1999}") is None
