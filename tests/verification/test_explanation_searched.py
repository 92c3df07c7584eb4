"""What an UNVERIFIED says was searched, and what that is worth."""

from dataclasses import replace

import pytest

from citeproof.model.findings import Coverage, Covers, Findings, Inquiry, Outcome, SourceCoverage
from citeproof.model.record import Volume
from citeproof.model.reference import Reference
from citeproof.model.verdict import Status
from citeproof.verification.explanation import searched
from citeproof.verification.validation.compare.venues import Venues
from citeproof.verification.validator import Validator

DBLP = SourceCoverage("DBLP", Covers.NOTHING, "computer science", 0.0, "2026-08-01")
ACL = SourceCoverage(
    "ACL Anthology", Covers.NOTHING, "computational linguistics", 0.0, "2026-05-01"
)
CROSSREF = SourceCoverage("Crossref", Covers.KIND, "journal articles", 1.0, "2026-07-09")
LOCAL = Inquiry("bibliographic_database", Outcome.ANSWERED, complete=True)
ONLINE = Inquiry("crossref", Outcome.ANSWERED, searched=True)
ARTICLES = Coverage("journal articles", ("crossref", "openalex"))
CVPR = Volume("conf/cvpr/2022", "conf/cvpr", 2022, 2000, 0.96, "keys")
REFERENCE = Reference(
    "k", "On Lanterns in the Harbour", ("A B",), year=2022, venue="CVPR", entry_type="article"
)


class Known(Venues):
    """Venues with one conference, and a name that a journal has as well."""

    def resolve(self, name: str) -> frozenset[str]:
        return {
            "CVPR": frozenset({"conf/cvpr"}),
            "CV": frozenset({"conf/cvpr", "journals/cv"}),
        }.get(name, frozenset())


@pytest.mark.parametrize(
    ("findings", "venue", "expected"),
    [
        (
            Findings(inquiries=(LOCAL,), covered=(DBLP, ACL), volumes=(CVPR,)),
            "CVPR",
            (
                "DBLP (computer science, to 2026-08) holds 96% of CVPR 2022, but not this title. "
                "--enable-online queries further sources."
            ),
        ),
        (
            Findings(inquiries=(LOCAL,), covered=(DBLP,), volumes=(CVPR,)),
            "CV",
            (
                "DBLP (computer science, to 2026-08) holds no work with this title, but may be"
                " incomplete. --enable-online queries further sources."
            ),
        ),
        (
            Findings(inquiries=(LOCAL,), covered=(DBLP, CROSSREF)),
            "J. Harbours",
            (
                "Crossref (to 2026-07) holds nearly all journal articles, but not this title. "
                "--enable-online queries further sources."
            ),
        ),
        (
            Findings(inquiries=(LOCAL,), covered=(DBLP,)),
            "J. Harbours",
            (
                "DBLP (computer science, to 2026-08) holds no work with this title, and no source"
                " at hand is known to cover J. Harbours. --enable-online queries further sources."
            ),
        ),
        (
            Findings(inquiries=(LOCAL, ONLINE), covered=(DBLP,), coverage=ARTICLES),
            "",
            (
                "DBLP (computer science, to 2026-08) holds no work with this title, but may be"
                " incomplete. Queried online: crossref."
            ),
        ),
        (
            Findings(inquiries=(replace(LOCAL, complete=False),)),
            "",
            (
                "The database holds no work with this title, but may be incomplete. The search"
                " was not exhaustive, so the database may have the title. --enable-online queries"
                " further sources."
            ),
        ),
        (Findings(), "CVPR", ""),
    ],
)
def test_searched_is_said_in_a_sentence(findings: Findings, venue: str, expected: str) -> None:
    assert (
        searched(replace(REFERENCE, venue=venue), findings, "title_not_found", Known()) == expected
    )


@pytest.mark.parametrize(
    ("findings", "reason"),
    [
        (Findings(inquiries=(LOCAL,), covered=(DBLP,)), "title_not_found"),
        (Findings(inquiries=(LOCAL,), covered=(DBLP, CROSSREF)), "found_nowhere"),
        (
            Findings(inquiries=(replace(LOCAL, complete=False),), covered=(CROSSREF,)),
            "title_not_found",
        ),
        (Findings(inquiries=(LOCAL, ONLINE), coverage=ARTICLES), "found_nowhere"),
        (
            Findings(
                inquiries=(ONLINE, replace(ONLINE, source="openalex", searched=False)),
                coverage=ARTICLES,
            ),
            "title_not_found",
        ),
    ],
)
def test_found_nowhere_needs_every_broad_source_at_hand(findings: Findings, reason: str) -> None:
    verdict = Validator().decide(REFERENCE, findings)
    assert (verdict.status, verdict.reason) == (Status.UNVERIFIED, reason)


def test_only_unverified_says_it() -> None:
    found = Findings(inquiries=(LOCAL,), covered=(DBLP,))
    verdict = Validator().explain(Validator().decide(REFERENCE, found), found)
    assert verdict.searched.startswith("DBLP")
    invalid = replace(verdict, status=Status.INVALID, searched="")
    assert Validator().explain(invalid, found).searched == ""
