"""What a pasted text is taken for."""

from __future__ import annotations

import pytest

from citeproof.model.reference import Reference
from citeproof.readers.document import Document
from citeproof.readers.pasted import begin_pasted

DATED = "Overview of the Snow Challenge 2019: Lee, Ray and others"
REFERENCE = "A. Lee and B. Ray. On winter in old towns. Journal of Snow, 2019."
TITLES = "On winter in old towns\nA second title about foxes\n"


def taken(text: str, *held: str) -> tuple[str, list[str]]:
    pasted = begin_pasted(Document.of_text(text), held.__contains__)
    entries = pasted.bibliography.entries if pasted.bibliography else ()
    return pasted.taken_for, [one.title for one in entries if isinstance(one, Reference)]


@pytest.mark.parametrize(
    "title",
    [
        "Streaming Meshes",
        "Location-Based Kerberos Authentication Protocol",
        "Smith, Jones, and the art of proofs",
        "On winter. Part two: snow",
        "Is this a title? A study",
    ],
)
def test_begin_pasted_takes_a_line_without_year_and_identifier_for_a_title(title: str) -> None:
    assert taken(title) == ("title", [title])


def test_begin_pasted_asks_the_database_in_doubt() -> None:
    assert taken(REFERENCE, REFERENCE) == ("title", [REFERENCE])
    assert taken(REFERENCE) == ("reference", ["On winter in old towns"])
    assert taken(DATED, DATED) == ("title", [DATED])


def test_begin_pasted_reads_undated_references_that_begin_with_people() -> None:
    assert taken("Lee et al. On winter in old towns. SnowConf")[0] == "reference"
    assert taken("A. Lee, B. Ray. On winter in old towns. SnowConf")[0] == "reference"


def test_begin_pasted_tells_lists_of_titles_from_lists_of_references() -> None:
    first, second = TITLES.splitlines()
    assert taken(TITLES) == ("titles", [first, second])
    assert taken(f"Some titles:\n\n1. {first}\n2. {second}\n") == ("titles", [first, second])
    assert taken(f"{REFERENCE}\nC. Fox. On foxes. FoxConf, 2020.")[0] == "text"


def test_begin_pasted_reads_the_only_reference_beside_other_lines() -> None:
    reference = "Lee, A. (2019). On winter in old towns. Journal of Snow, 3(2), 1-9."
    text = f"Here is a paper that you might like:\n\n1. {reference}\n\nLet me know what you think!"
    pasted = begin_pasted(Document.of_text(text))
    assert pasted.taken_for == "reference"
    assert pasted.bibliography
    assert [one.title for one in pasted.bibliography.references] == ["On winter in old towns"]


def test_begin_pasted_leaves_formats_to_their_readers() -> None:
    assert taken("@misc{a, title = {On winter}}") == ("bibtex", [])
    assert taken("10.1000/xyz123")[0] == "doi"
