"""DOIs and arXiv identifiers in their usual forms, and similar texts."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.text.identifiers import find_arxiv_id, find_doi, is_doi


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1145/3292500.3330701", "10.1145/3292500.3330701"),
        ("https://doi.org/10.1145/3292500.3330701", "10.1145/3292500.3330701"),
        ("http://dx.doi.org/10.1016%2Fj.cell.2019.01.001", "10.1016/j.cell.2019.01.001"),
        ("doi:10.1000/182.", "10.1000/182"),
        ("DOI 10.1109/5.771073, 2001", "10.1109/5.771073"),
        ("(see 10.1000/xyz)", "10.1000/xyz"),
        ("(see https://pub.example/doi/10.1000/X(1)2/pdf).", "10.1000/x(1)2"),
        ("https://pub.example/doi/10.1000/X(1)2/pdf, p. 3", "10.1000/x(1)2"),
        ("10.1016/0004-3702(94)00010-1", "10.1016/0004-3702(94)00010-1"),
        (
            "10.1002/(SICI)1097-4571(199205)43:4<284::AID-ASI3>3.0.CO;2-0",
            "10.1002/(sici)1097-4571(199205)43:4<284::aid-asi3>3.0.co;2-0",
        ),
        (
            r"10.1175/1520-0493(2002)130$<$2088:O$>$2.0.CO;2",
            "10.1175/1520-0493(2002)130<2088:o>2.0.co;2",
        ),
        (
            "10.1175/1520-0493(2002)130&lt;2088:O&gt;2.0.CO;2",
            "10.1175/1520-0493(2002)130<2088:o>2.0.co;2",
        ),
        (r"10.1007/978-3-540-70583-3{\_}5", "10.1007/978-3-540-70583-3_5"),
        (r"10.1000/foo\_bar\&baz", "10.1000/foo_bar&baz"),
        (r"\url{https://doi.org/10.1145/1\_2}", "10.1145/1_2"),
        ("{10.1000/182}", "10.1000/182"),
        (r"10.1109\/CVPR.2016.90", "10.1109/cvpr.2016.90"),
        ("https://dl.acm.org/doi/pdf/10.1145/3292500?download=true", "10.1145/3292500"),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/abc.123/full", "10.1002/abc.123"),
        ("https://link.springer.com/content/pdf/10.1007/s00222-017.pdf?x=1", "10.1007/s00222-017"),
        ("[10.1145/329](https://doi.org/10.1145/329)", "10.1145/329"),
        ("10.1000/abc–def", "10.1000/abc-def"),
        ("\ufeff10.1000/\u200cab\u00adc\u200b", "10.1000/abc"),
        ("10.1038/nature12373/", "10.1038/nature12373"),
        ("https://doi.org/10.48550/arXiv.1706.03762v5", "10.48550/arxiv.1706.03762"),
        ("10.1145/1 and 10.1145/2", "10.1145/1"),
        ("10.1000/a\x01b", "10.1000/a"),
        ("10.1000/abc%01def", ""),
        ("https://doi.org/10.1000/%7f", ""),
        ("10.123/abc", ""),
        ("1010.1145/x", ""),
        ("version 10.1145", ""),
        ("10.1145/", ""),
        ("", ""),
    ],
)
def test_find_doi(text: str, doi: str) -> None:
    assert find_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("1706.03762", "1706.03762"),
        ("1706.03762v5", "1706.03762"),
        ("1706.03762 [cs.CL]", "1706.03762"),
        ("1706.03762 [cs, stat]", "1706.03762"),
        ("1706.03762v5 [cs.CL, math.OC]", "1706.03762"),
        ("arXiv:1706.03762", "1706.03762"),
        ("arXiv preprint arXiv:1706.03762, 2017", "1706.03762"),
        ("arXiv e-prints, p. arXiv:1908.02295", "1908.02295"),
        ("arXiv 2101.00001", "2101.00001"),
        ("ArXiv, abs/1908.02295", "1908.02295"),
        ("CoRR abs/1706.03762", "1706.03762"),
        ("https://arxiv.org/pdf/1706.03762v2.pdf", "1706.03762"),
        ("https://www.arxiv.org/html/2401.00001v2", "2401.00001"),
        ("https://ar5iv.labs.arxiv.org/html/2401.00001", "2401.00001"),
        ("10.48550/arXiv.1706.03762", "1706.03762"),
        ("0704.1234", "0704.1234"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.GT/0309136v2", "math/0309136"),
        ("arXiv:quant-ph/0201082v1", "quant-ph/0201082"),
        ("https://arxiv.org/abs/cmp-lg/9404001", "cmp-lg/9404001"),
        ("doi.org/10.48550/arXiv.cs/0112017", "cs/0112017"),
        ("Also hep-th/9901001, with two figures", "hep-th/9901001"),
        ("10.1145/1706.03762", ""),
        ("pages 1706.03762", ""),
        ("arXiv:1713.03762", ""),
        ("0703.1234", ""),
        ("1412.12345", ""),
        ("1501.1234", ""),
        ("arXiv:1706.037621", ""),
        ("https://doi.org/10.1109/hep-th/9901001x", ""),
        ("", ""),
    ],
)
def test_find_arxiv_id(text: str, identifier: str) -> None:
    assert find_arxiv_id(text) == identifier


SUFFIX = st.text(
    alphabet=string.ascii_lowercase + string.digits + "-_()", min_size=1, max_size=20
).map(lambda tail: f"x{tail}9")
DOI = st.builds("10.{}/{}".format, st.integers(min_value=1000, max_value=99_999_999), SUFFIX)


@given(
    DOI,
    st.sampled_from(
        ["{}", "https://doi.org/{}", "doi: {}.", "see {}, p. 3", "<{}", "“{}”", "{}\n"]
    ),
)
def test_find_doi_ignores_surrounding_text(doi: str, around: str) -> None:
    assert find_doi(around.format(doi)) == doi


@given(st.text() | st.text(alphabet="10./arXivabsdohtp:%2F()<>&;\\_{} ", max_size=60))
def test_find_doi_and_find_arxiv_id_are_idempotent(text: str) -> None:
    doi, arxiv_id = find_doi(text), find_arxiv_id(text)
    assert not doi or (is_doi(doi) and find_doi(doi) == doi)
    assert not arxiv_id or find_arxiv_id(arxiv_id) == arxiv_id
