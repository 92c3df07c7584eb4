import pytest

from citeproof.text.identifier_dates import arxiv_month, year_of_doi


@pytest.mark.parametrize(
    ("arxiv_id", "month"),
    [
        ("1706.03762", (2017, 6)),
        ("0704.0001", (2007, 4)),
        ("cs/0112017", (2001, 12)),
        ("hep-th/9108001", (1991, 8)),
        ("1713.03762", None),
        ("0703.0001", None),
        ("1401.12345", None),
        ("1501.1234", None),
        ("hep-th/9001001", None),
        ("nonsense", None),
    ],
)
def test_arxiv_month_when_an_arxiv_id_was_given(
    arxiv_id: str, month: tuple[int, int] | None
) -> None:
    assert arxiv_month(arxiv_id) == month


@pytest.mark.parametrize(
    ("doi", "year"),
    [
        ("10.1109/CVPR.2016.90", 2016),
        ("10.18653/v1/N19-1357", 2019),
        ("10.18653/v1/2020.acl-main.1", 2020),
        ("10.1109/.2006.1629402", 2006),
        ("10.2044/bsr1", None),  # the registrant is no year
        ("10.1920/wp.ifs.2009.0912", 2009),
        ("10.1145/253262.253332", None),
    ],
)
def test_year_of_doi_is_stated_behind_the_registrant(doi: str, year: int | None) -> None:
    assert year_of_doi(doi) == year
