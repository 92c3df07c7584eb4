"""Compare years. The years of a preprint, a conference paper and a printed volume of one work may
differ by one.
"""

from citeproof.model.findings import Agreement
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.compare.venues import is_preprint
from citeproof.verification.validation.comparison import NEAR, Comparison
from citeproof.verification.validation.identity import ELSEWHERE
from citeproof.verification.validation.policy import Difference, found

_AHEAD = 1  # maximum number of years by which publishers date a volume in advance
# maximum number of years between an article online and its printed issue, or between a conference
# and its printed proceedings
_APART = 2


def rule(case: Case) -> tuple[Difference, ...]:
    """Return a difference if the cited year does not fit the years of the records of the work, or
    else nothing.

    If there is no record, only future years are reported.

    A cited year is accepted in these cases. It is one year before the recorded year (year of the
    preprint), two years before it (year of the online article), or one year after it (year of the
    printed volume). Or it is the year of the printed proceedings.

    If the cited year is one year after the recorded year, the next edition of the conference may be
    cited by mistake. This is reported if the database has all papers of that edition, the work is
    not among them, and the conference has no printed volumes.
    """
    cited = case.reference.year
    if cited is None:
        return ()
    years = sorted({year for year in case.years if year})
    shown = ", ".join(map(str, years))
    if cited > case.today.year:
        far_ahead = is_far_ahead(cited, case.today.year)
        is_announced = case.reference.entry_type in {"proceedings", "mvproceedings"}
        if is_announced or (cited in years and not far_ahead):
            return ()
        return (found("year.future" if far_ahead else "year.ahead", str(cited), shown),)
    if not years or cited in years:
        return ()
    # years of printed volumes are left out, because a year after such a year is wrong
    recorded = [one.year for one in case.dated if one.year]
    nearest = min(recorded, key=lambda year: abs(year - cited), default=cited)
    if nearest == cited - 1 and _other_edition(case):
        code = "year.other_edition"
    elif (
        abs(nearest - cited) <= NEAR
        or _is_revised(case, cited)
        or _is_printed_later(case, cited, nearest)
    ):
        code = "year.near"
    elif case.form is Form.BOOK:
        code = "year.edition"
    else:
        off = found("year.off", str(cited), shown)
        return (off if _of_cited_version(case) else off.of_another_version(),)
    return (found(code, str(cited), shown),)


def _is_printed_later(case: Case, cited: int, recorded: int) -> bool:
    """Return whether the year ``cited`` and the nearest ``recorded`` year may both be right,
    because the work was printed later: the article was online before its issue appeared, or the
    proceedings were printed after the conference.
    """
    if abs(cited - recorded) > _APART:
        return False
    own = [
        item
        for item in _of_cited_version(case)
        if item.record.year == recorded and not is_preprint(item.record)
    ]
    if cited < recorded:  # a reference with a volume must state the year of print
        return not case.reference.volume and any(item.record.pub_type == "article" for item in own)
    return any(item.field("volume").agreement is Agreement.SAME for item in own)


def _of_cited_version(case: Case) -> list[Comparison]:
    """Return the comparisons with records of the cited version, without records of other venues
    than the cited venue.
    """
    return [item for item in case.work if item.is_cited and item.venue not in ELSEWHERE]


def _is_revised(case: Case, cited: int) -> bool:
    """Return whether a preprint is cited with a year after the year of its first version."""
    years = [record.year for record in case.cited if record.year]
    return case.form is Form.PREPRINT and cited > min(years, default=cited)


def _other_edition(case: Case) -> bool:
    """Return whether the database has all papers of the conference in the cited year, but the work
    is not among them.
    """
    complete = [volume for volume in case.volumes if volume.completeness >= case.policy.complete]
    if len(case.records) != 1 or not any(
        case.records[0].crossref.startswith(f"{one.venue}/") for one in complete
    ):
        return False
    own = case.venues.volume_of(case.records[0])
    # a volume with page numbers was printed, perhaps a year later
    return own is None or "pages" not in own.basis


def is_far_ahead(cited: int | None, this_year: int) -> bool:
    """Return whether the cited year is more than one year in the future."""
    return cited is not None and cited > this_year + _AHEAD
