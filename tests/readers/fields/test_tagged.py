"""Records with a tag for each value."""

import re

from citeproof.model.reference import Span
from citeproof.readers.fields.tagged import TaggedRecord, tagged_records

_LINE = re.compile(r"%([A-Z0-9])(?: +(.*\S))?[ \t]*")


def read(text: str, indent: str = "") -> list[TaggedRecord]:
    return list(tagged_records(text, _LINE, "0", indent))


def test_tagged_records_end_at_a_blank_line_and_before_the_first_tag() -> None:
    text = "%T One\n%A Lee\n\n%0 Book\n%T Two  \n%0 Book\n%T Three"
    found = read(text)
    assert [(one.line, text[one.start : one.end]) for one in found] == [
        (1, "%T One\n%A Lee"),
        (4, "%0 Book\n%T Two"),
        (6, "%0 Book\n%T Three"),
    ]
    assert [one.values["T"] for one in found] == [["One"], ["Two"], ["Three"]]


def test_tagged_records_tell_the_span_of_each_value() -> None:
    text = "\n%T  One of us \n%A\n%A Lee"
    (one,) = read(text)
    assert one.fields == [("t", Span(5, 14)), ("a", Span(22, 25))]
    assert [text[span.start : span.end] for _, span in one.fields] == ["One of us", "Lee"]


def test_tagged_records_continue_a_value_in_indented_lines() -> None:
    text = "before\n%T One\n   of us\nremark\n%A Lee\n%A Fox\n   Jr"
    (one,) = read(text, "  ")
    assert one.joined() == {"T": ["One of us"], "A": ["Lee", "Fox Jr"]}
    (whole,) = read(text)
    assert whole.joined() == {"T": ["One of us remark"], "A": ["Lee", "Fox Jr"]}


def test_tagged_records_begin_a_value_behind_an_empty_tag() -> None:
    (one,) = read("%T\n  One\n%A Lee")
    assert "".join(one.joined()["T"]).strip() == "One"


def test_tagged_records_of_other_text_are_none() -> None:
    assert not read("no tag\n\n% T here\n")
    assert not read("")
