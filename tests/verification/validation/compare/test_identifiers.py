import pytest

from citeproof.verification.validation.compare.identifiers import arxiv_month


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
