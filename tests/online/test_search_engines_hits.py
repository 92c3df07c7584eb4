import pytest

from citeproof.model.reference import Reference
from citeproof.online.search_engines import Brave, hit_record

TITLE = "Counting sheep with interval trees in very large meadows"


def facts(
    title: str, text: str = "", url: str = "https://x.example/p", **fields: object
) -> tuple[str, ...] | None:
    reference = Reference("r", TITLE, **fields)  # type: ignore[arg-type]
    engine = Brave.__new__(Brave)
    candidate = engine.candidate(reference, Brave.requests[0], hit_record(title, url, text))
    return candidate.facts if candidate else None


@pytest.mark.parametrize(
    "shown",
    [
        TITLE,
        TITLE.upper(),
        f"[PDF] {TITLE}",
        f"[1706.03762] {TITLE}",
        "<b>Counting</b> sheep with interval trees in very large meadows - ACM Digital Library",
        f"{TITLE} | Journal of Meadows | Some Press",
        f"Hail: {TITLE}".replace("Hail: ", "Semantic Scholar :: "),
        "Counting sheep with interval trees in very large ...",
    ],
)
def test_candidate_accepts_the_same_title(shown: str) -> None:
    assert facts(shown) == ()


@pytest.mark.parametrize(
    "shown",
    [
        "Counting sheep",
        "Counting sheep ...",
        "Counting goats with interval trees in very large meadows",
        "",
        "…",
    ],
)
def test_candidate_refuses_another_title(shown: str) -> None:
    assert facts(shown) is None


def test_candidate_finds_authors_as_whole_words() -> None:
    assert facts(TITLE, "F Hail - Trees, 2003", authors=("Fritz Hail",)) == ("author",)
    assert facts(TITLE, "All hailed it", authors=("Fritz Hail",)) == ()
    assert facts(TITLE, "L. van der Berg", authors=("van der Berg, Lou",)) == ("author",)


def test_candidate_finds_a_year_as_a_whole_number() -> None:
    assert facts(TITLE, "Trees, 2003 - x", year=2003) == ("year",)
    assert facts(TITLE, "pages 12003", year=2003) == ()


def test_hit_record_finds_identifiers_in_the_url() -> None:
    assert facts(TITLE, url="https://arxiv.org/abs/2105.01234v2", arxiv_id="2105.01234") == (
        "identifier",
    )
    assert facts(TITLE, url="https://doi.org/10.1234/SHEEP", doi="10.1234/sheep") == ("identifier",)
    assert facts(TITLE, url="https://doi.org/10.1234/goats", doi="10.1234/sheep") == ()
