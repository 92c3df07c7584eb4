import pytest

from citeproof.model.reference import Reference
from citeproof.verification.validation.rules.identifiers import rule
from tests.verification.validation.cases import case, codes


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"doi": "10.1109/cvpr.2016.90"}, []),
        ({"doi": "10.1000.10/123"}, []),
        ({"doi": "10/abc12"}, ["doi.short"]),
        ({"doi": "fg6rf9"}, ["doi.short"]),
        ({"doi": "unknown"}, ["doi.malformed"]),
        ({"doi": "https://doi.org/abc12"}, ["doi.short"]),
        ({"doi": "https://example.org/10"}, ["doi.link"]),
        ({"doi": "10.99999/2020.11722"}, ["doi.unassigned"]),
        ({"doi": "cvpr.2016.90"}, ["doi.malformed"]),
        ({"doi": "http://hdl.handle.net/2065/29037"}, ["doi.link"]),
        ({"arxiv_id": "2713.00001"}, ["arxiv.malformed"]),
        ({"arxiv_id": "2612.00001"}, ["arxiv.malformed"]),
        ({"arxiv_id": "2310.01362", "year": 2022}, ["arxiv.after_year"]),
        ({"arxiv_id": "2310.01362", "year": 2022, "venue": "ICLR"}, []),
        ({"doi": "10.48550/arxiv.2310.01362", "year": 2021, "venue": "ICLR"}, ["arxiv.after_year"]),
    ],
)
def test_impossible_identifiers(fields: dict[str, object], expected: list[str]) -> None:
    reference = Reference("a", **fields)  # type: ignore[arg-type]
    assert codes(rule(case(reference))) == expected
