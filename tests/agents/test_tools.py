"""Arguments of the MCP tools, and what they refuse."""

import pytest

from citeproof.agents import tools
from citeproof.agents.tools import Tools
from citeproof.model.errors import InputError
from citeproof.verification.session import Session


@pytest.mark.parametrize(
    ("text", "is_name"),
    [
        ("refs.bib", True),
        ("/home/me/my paper.tex", True),
        ("~/my refs.bib", True),
        ("C:\\my refs.bib", True),
        ("my paper.tex", False),
        ("refs.bib\nother.bib", False),
        ("Attention.", False),
        ("/etc/passwd", False),
    ],
)
def test_is_file_name(text: str, is_name: bool) -> None:
    assert tools._is_file_name(text) == is_name


def test_described_takes_a_doi_or_an_arxiv_id() -> None:
    named = tools._described("", "", None, "https://doi.org/10.1145/1968.1972")
    assert (named.doi, named.arxiv_id) == ("10.1145/1968.1972", "")
    people = tools._described("  On \n Tables ", "Ada Almgren and others", 2001, "arXiv:1706.03762")
    assert (people.title, people.arxiv_id) == ("On Tables", "1706.03762")
    assert (people.authors, people.and_others, people.year) == (("Ada Almgren",), True, 2001)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((" ", "", 2001, ""), "give a title, authors or an identifier"),
        (("x" * 2_001, "", None, ""), "title has 2,001 characters"),
        (("", "x" * 50_001, None, ""), "authors has 50,001 characters"),
        (("x", "", -1, ""), "year must be a number"),
        (("x", "", 10_000, ""), "year must be a number"),
        (("", "", None, "no identifier"), "is neither a DOI nor an arXiv id"),
    ],
)
def test_described_refuses_values_out_of_bounds(
    arguments: tuple[str, str, int | None, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        tools._described(*arguments)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * (tools.MAX_TEXT + 1), "the text has 1,000,001 characters"),
        (" \n", "the text is empty"),
        ("refs.bib", "is the name of a file"),
        ("@misc{a, title={T}}\n" * (tools.MAX_REFERENCES + 1), "the text has 1,001 entries"),
    ],
)
def test_bibliography_refuses_what_is_no_list_of_references(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tools._bibliography(text, "", lambda _: False)


def test_bibliography_reads_a_format_that_is_named() -> None:
    entries = tools._bibliography("@misc{a, title={T}}", "bibtex", lambda _: False).entries
    assert [entry.key for entry in entries] == ["a"]


def test_fitting_puts_a_work_that_agrees_first(sample_session: Session) -> None:
    described = tools._described("theory of the learnable", "Valiant", None, "")
    verdict = sample_session.verify(described)
    found = Tools(sample_session)._fitting(described, verdict)
    assert found[0].record.title == "A Theory of the Learnable"
    assert len(found) <= tools.MAX_FOUND
    strange = tools._described("", "Quillon Marrowby", None, "")
    assert not Tools(sample_session)._fitting(strange, sample_session.verify(strange))
