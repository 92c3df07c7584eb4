"""Report that the cited work is absent: the database has all papers of the cited volume, or all
works of the cited kind in a source, and none has the cited title.

Example: the page numbers of a volume of 1,234 papers show that the database has a share of 0.999 of
the volume. This proves that a paper is absent, because page numbers show every gap. Another volume
has 1,573 papers, and DBLP's keys show a share of 0.994. This does not prove that a paper is absent:
0.6 % of the papers are missing, and 2.5 % more (:data:`UNSEEN`) may be missing. If such volumes
were accepted as proof, up to one true paper in 32 would be flagged wrongly.
"""

from collections.abc import Iterator

from citeproof.model.findings import Covers
from citeproof.model.record import MatchKind
from citeproof.text.identifier_dates import arxiv_month
from citeproof.text.identifiers import is_doi
from citeproof.text.title_words import title_form
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import NO_PAPER, Form, cited_place
from citeproof.verification.validation.compare.identifiers import arxiv_id_of
from citeproof.verification.validation.policy import Difference, found

UNSEEN = 0.025
"""Maximum share of a volume that may be missing although DBLP's keys show no gap.

It was measured by ``python -m tests.accuracy.absence`` (see ``docs/accuracy.md``).
"""
HELD = "{volume.records:,} papers of {volume.key}, {volume.completeness:.1%} by {volume.basis}"
"""Format of a phrase that says how much of a volume the database has."""
_VOLUMES = 12  # maximum number of volumes of the proceedings of one conference
_SHORTEST = 3  # minimum number of words of a title that is rarely the beginning of a longer title


def rule(case: Case) -> Iterator[Difference]:
    """Report that a complete volume or source lacks the cited work. Nothing is reported if the
    search for the title was incomplete.
    """
    title = title_form(case.reference.title)
    whole_title = title.length >= _SHORTEST and not title.is_cut
    if (
        case.work
        or not case.reference.authors
        or not whole_title
        or any(item.title.same for item in case.compared)
    ):
        return
    complete = [
        inquiry.complete
        for inquiry in case.findings.inquiries
        if inquiry.method or inquiry.complete
    ]
    if complete and all(complete):
        yield from _from_volume(case)
        yield from _from_source(case)


def _from_volume(case: Case) -> Iterator[Difference]:
    """Report that the database has nearly all papers of the cited volume, and none has the cited
    title.
    """
    reference, cited = case.reference, cited_place(case.reference)
    if reference.doubts or case.form is not Form.PAPER:
        return
    # most databases leave such texts out of volumes; "(Invited Talk)" may follow the title
    remark = reference.title.rpartition("(")[2]
    if any(NO_PAPER.match(text) for text in (reference.title, remark, reference.note)):
        return
    volumes = () if _is_of_several_volumes(case) else case.held_volumes
    if not volumes:
        return
    largest = max(volumes, key=lambda volume: volume.records)
    recorded = HELD.format(volume=largest)
    missing = max(
        1 - volume.completeness + (UNSEEN if "keys" in volume.basis else 0) for volume in volumes
    )
    # the DOIs of workshop papers do not begin like the DOIs of the volume
    is_of_volume = reference.doi and case.venues.volume_of_doi(reference.doi) in volumes
    if other := case.by_same_authors(case.cited_venues):
        yield found("volume.renamed", cited, other.title)
    elif not is_of_volume and case.lacks_companion:
        yield found("volume.companion_not_held", cited, recorded)
    elif 1 - missing < case.policy.proved or reference.from_text:
        key = "volume.not_found" if missing else "volume.not_found/misread"
        yield found(key, cited, recorded, one_in=1 / missing if missing else 0)
    elif unknown := _nowhere_looked_up(case):
        yield found("volume.without_it", cited, recorded, unknown=unknown)
    else:
        yield found("volume.absent", cited, recorded)


def _is_of_several_volumes(case: Case) -> bool:
    """Return whether the reference cites one of several volumes of proceedings: ``vol. 4``, or
    ``170-173 vol.1`` as pages. The database may lack one of these volumes.

    A series with one volume per year, such as NeurIPS, has higher volume numbers.
    """
    reference = case.reference
    numbered = reference.volume.isdigit() and int(reference.volume) <= _VOLUMES
    in_proceedings = reference.entry_type != "article"
    return in_proceedings and (numbered or "vol" in reference.pages.lower())


def _nowhere_looked_up(case: Case) -> str:
    """Return a phrase such as ``the DOI 10.1/x`` for a well-formed identifier that no source could
    look up.
    """
    matches = {candidate.match for candidate in case.findings.candidates}
    doi, arxiv_id = case.reference.doi, arxiv_id_of(case.reference)
    unknown = case.findings.unknown_identifiers
    for match, kind, cited, is_well_formed in (
        (MatchKind.ARXIV_ID, "arXiv id", arxiv_id, arxiv_month(arxiv_id)),
        (MatchKind.DOI, "DOI", doi, is_doi(doi)),
    ):
        is_known = match in matches or cited in unknown or cited.lower() in unknown
        if is_well_formed and not is_known:
            return f"the {kind} {cited}"
    return ""


def _from_source(case: Case) -> Iterator[Difference]:
    """Report that the database has all identifiers of the cited kind, or all arXiv papers of about
    the cited year, but not the cited work.
    """
    by_identifier = any(
        item.match in {MatchKind.DOI, MatchKind.ARXIV_ID} for item in case.findings.candidates
    )
    if (
        case.reference.from_text
        or by_identifier
        or any(item.authors_agree for item in case.compared)
    ):
        return
    for covers, code, cited in (
        (Covers.IDENTIFIER, "identifier.absent", ""),
        (Covers.PREPRINTS, "preprint.absent", cited_place(case.reference)),
    ):
        for item in case.findings.covered:
            is_whole = not item.doubt and item.completeness >= case.policy.without_gaps
            if item.covers is covers and is_whole:
                yield found(
                    code, cited or item.identifier, f"{item.part}, to {item.until}", held=item
                )
                return
