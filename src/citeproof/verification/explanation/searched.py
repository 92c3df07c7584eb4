"""Describe what was searched for an UNVERIFIED reference, what that proves, and what would help."""

from collections.abc import Iterable, Iterator

from citeproof.model.findings import Covers, Findings, Outcome, SourceCoverage
from citeproof.model.record import Volume
from citeproof.model.reference import Reference
from citeproof.verification.validation.venues import Venues

_NOT_ABOUT_A_MISS = frozenset({
    "no_title", "not_asked", "not_a_reference", "unreadable_entry", "not_confirmed", "common_title",
})  # fmt: skip
"""Reasons for UNVERIFIED without a failed search for a title: none was made, or it found a work."""
ONLINE = "--enable-online asks further sources"
"""Advice to search online, for the command line. The web service queries no online sources."""
UNCOVERED = "no source at hand is known to cover"
"""Phrase for a venue that the database does not cover."""
_DATABASE = "bibliographic_database"
_KNOWS_VOLUMES = "DBLP"
"""Name of the source whose keys show in which volume a record is."""


def searched(reference: Reference, findings: Findings, reason: str, venues: Venues) -> str:
    """Return what was searched, what that proves, and what would help; empty if no search for the title failed."""
    if reason in _NOT_ABOUT_A_MISS:
        return ""
    asked = dict.fromkeys(inquiry.source for inquiry in findings.inquiries if inquiry.searched)
    online = [source for source in asked if source != _DATABASE]
    sentences = [*_worth(reference, findings, venues), *([f"asked online: {', '.join(online)}"] if online else [])]
    if sentences and not findings.coverage:
        sentences.append(ONLINE)
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


def _worth(reference: Reference, findings: Findings, venues: Venues) -> Iterator[str]:
    """Yield sentences on what the database was searched for, and what the miss proves."""
    if not any(inquiry.source == _DATABASE and inquiry.outcome is Outcome.ANSWERED for inquiry in findings.inquiries):
        return
    whole = [item for item in findings.covered if item.covers is Covers.NOTHING]
    broad = [item for item in findings.covered if item.covers is Covers.KIND]
    held = named(whole) or "the database"
    verb = "hold" if " and " in held else "holds"
    if volume := _volume(reference, findings.volumes, venues):
        place = f"{reference.venue} {volume.year}" if str(volume.year) not in reference.venue else reference.venue
        knowing = named(item for item in whole if item.source.endswith(_KNOWS_VOLUMES))
        verb = "holds" if knowing else verb
        yield f"{knowing or held} {verb} {volume.completeness:.0%} of {place}, and not this title"
    elif broad:
        yield f"{named(broad)} {'hold' if len(broad) > 1 else 'holds'} {broad[0].part} broadly, and not this title"
    elif reference.venue and not venues.resolve(reference.venue):
        yield f"{held} {verb} no such title, and {UNCOVERED} {reference.venue}"
    else:
        yield f"{held} {verb} no such title, and need not have it"
    if doubted := next((item.doubt for item in findings.covered if item.doubt), ""):
        yield doubted
    if not any(inquiry.complete for inquiry in findings.inquiries):
        yield "the search was not exhaustive"


def _volume(reference: Reference, volumes: Iterable[Volume], venues: Venues) -> Volume | None:
    """Return the largest volume that the cited venue and year may mean; None if it may mean a venue without one."""
    own = {volume.venue: volume for volume in volumes if volume.year == reference.year}
    meant = venues.resolve(reference.venue)
    return max(own.values(), key=lambda volume: volume.records) if meant and meant <= own.keys() else None


def named(sources: Iterable[SourceCoverage]) -> str:
    """Return sources with fields and dates: ``DBLP (computer science, to 2026-08) and OpenAlex (to 2026-07)``."""
    names = []
    for item in sources:
        field = item.part if item.covers is Covers.NOTHING else ""
        said = ", ".join(filter(None, (field, item.until and f"to {item.until[:7]}")))
        names.append(f"{item.source} ({said})" if said else item.source)
    names = list(dict.fromkeys(names))
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
