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


@pytest.mark.parametrize(
    ("text", "kind", "doi", "arxiv_id"),
    [
        (" https://doi.org/10.1000/xyz123 ", "doi", "10.1000/xyz123", ""),
        ("arXiv:1706.03762", "arxiv_id", "", "1706.03762"),
    ],
)
def test_begin_pasted_looks_up_an_identifier(text: str, kind: str, doi: str, arxiv_id: str) -> None:
    pasted = begin_pasted(Document.of_text(text))
    assert pasted.bibliography
    (reference,) = pasted.bibliography.references
    assert (pasted.taken_for, reference.doi, reference.arxiv_id) == (kind, doi, arxiv_id)
    assert (reference.raw, reference.place.line) == (text.strip(), 1)


def test_begin_pasted_joins_the_lines_of_one_title() -> None:
    assert taken("On winter in old\ntowns of the north") == (
        "title",
        ["On winter in old towns of the north"],
    )


def test_begin_pasted_takes_lines_for_titles_if_the_first_three_are_held() -> None:
    lines = [f"On winter {year}: A. Lee in town, Snow {year}" for year in (2001, 2002, 2003, 2004)]
    listed = [f"A. Lee. {line}. Snow, 2019." for line in ("On ice", "On snow", "On fog", "On rain")]
    assert taken("\n".join(listed))[0] == "text"
    assert taken("\n".join(listed), *listed[:3])[0] == "titles"
    assert taken("\n".join(listed), *listed[1:])[0] == "text"
    assert len(taken("\n".join(lines), *lines)[1]) == 4


def test_begin_pasted_keeps_numbers_and_remarks_out_of_titles() -> None:
    first, second = TITLES.splitlines()
    assert taken(f"[1] {first}\n[2] {second}\n") == ("titles", [first, second])
    assert taken(f"1. {first}\n2. {second}\n\nThanks a lot!\n") == ("titles", [first, second])
    mixed = f"1. {first}\n2. {second}\n3. A third title of snow\n4. {REFERENCE}\n"
    assert taken(mixed) == (
        "titles",
        [first, second, "A third title of snow", "On winter in old towns"],
    )
