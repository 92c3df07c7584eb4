"""The verdicts of other tools become HALLMARK's labels."""

from tests.accuracy.peers import by_citecheck, by_preflight


def test_by_citecheck_counts_as_its_readme_does() -> None:
    verdicts = ("VERIFIED", "CHECK", "MISMATCH", "NOT_FOUND", "ERROR")
    report = {"results": [{"key": verdict, "verdict": verdict} for verdict in verdicts]}
    assert [label for label, _ in by_citecheck(report).values()] == [
        "VALID",
        "HALLUCINATED",
        "HALLUCINATED",
        "HALLUCINATED",
        "UNCERTAIN",
    ]


def test_by_preflight_counts_what_is_not_found_as_asked() -> None:
    verdicts = ("verified", "metadata_mismatch", "not_found", "cannot_determine")
    report = {"references": [{"key": verdict, "verdict": verdict} for verdict in verdicts]}
    labels = [label for label, _ in by_preflight(report).values()]
    assert labels == ["VALID", "HALLUCINATED", "UNCERTAIN", "UNCERTAIN"]
    flagged = by_preflight(report, not_found="HALLUCINATED")
    assert flagged["not_found"] == ("HALLUCINATED", 0.5)
