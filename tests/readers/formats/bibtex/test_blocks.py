"""Blocks of ``.bib`` files, also where braces are missing."""

import pytest

from citeproof.readers.formats.bibtex.blocks import Blocks


def found(text: str) -> list[tuple[str, str, bool]]:
    return [(block.kind, block.body, block.closed) for block in Blocks(text)]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("@misc{a, t = {A}}", [("misc", "a, t = {A}", True)]),
        ("@ Misc (a, t = {A(})", [("misc", "a, t = {A(}", True)]),
        ('@misc(a, t = "A)", u = (1))', [("misc", 'a, t = "A)", u = (1)', True)]),
        ('@misc{a, t = "}"}', [("misc", 'a, t = "', True)]),
        ('@misc{a, t = "a {"} b"}', [("misc", 'a, t = "a {"} b"', True)]),
        ("@misc{a, t = {A}} @book{b}", [("misc", "a, t = {A}", True), ("book", "b", True)]),
        ("text me@misc{a} \\@misc{b} @c{d}", [("c", "d", True)]),
        ("@{a}", [("", "a", True)]),
        ("@misc{a, t = {x @book{b} y}}", [("misc", "a, t = {x @book{b} y}", True)]),
        ("@misc", []),
        ("", []),
    ],
)
def test_blocks_end_at_their_own_brace(text: str, blocks: list[tuple[str, str, bool]]) -> None:
    assert found(text) == blocks


@pytest.mark.parametrize(
    "text",
    [
        "@misc{a, t = {Open}, {\n@book{b, t = {B}}",
        "@misc{a, t = {Open\n@book{b, t = {B}}",
        "@misc{a, t = {Open},\n @book{b, t = {B}}",
        "@misc(a, t = {Open},\n@book{b, t = {B}}",
        '@misc{a, t = "Open,\n@book{b, t = {B}}',
    ],
)
def test_blocks_without_their_brace_end_before_the_next(text: str) -> None:
    first, second = found(text)
    assert (first[0], first[2]) == ("misc", False)
    assert f"@misc{text[5]}{first[1]}" == text[: text.index("@book")]
    assert second == ("book", "b, t = {B}", True)


def test_blocks_inside_a_quoted_value_are_text() -> None:
    text = '@misc{a, t = "as in\n@book{b}", u = 1}'
    assert found(text) == [("misc", text[6:-1], True)]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("@misc{k, title = {T}}, year = 1999}", "k, title = {T}}, year = 1999"),
        ("@misc{k, title = {T}} year = {1999}}", "k, title = {T}} year = {1999}"),
        ("@misc{k, title = {T}}\n doi = {10.1/x}", "k, title = {T}"),
        ("@misc{k, title = {T}} a note}", "k, title = {T}"),
        ("@misc{k, title = {T}}}", "k, title = {T}"),
    ],
)
def test_blocks_go_on_behind_a_stray_brace_if_fields_and_a_brace_follow(
    text: str, body: str
) -> None:
    assert found(text) == [("misc", body, True)]


def test_blocks_say_where_they_are() -> None:
    text = "% @misc{x}\n  @book{a, t = {A}} @misc{b}\n"
    blocks = list(Blocks(text))
    assert [text[block.start : block.end] for block in blocks] == [
        "@misc{x}",
        "@book{a, t = {A}}",
        "@misc{b}",
    ]
    assert [block.commented for block in blocks] == [True, False, False]
    assert [block.on_new_line for block in blocks] == [False, True, False]
    assert [block.depth for block in blocks] == [0, 0, 0]
