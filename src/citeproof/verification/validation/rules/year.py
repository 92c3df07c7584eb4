"""Compare years. The years of a preprint, a conference paper and a printed volume of one work may
differ by one.
"""

from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.compare.identifiers import is_dated
from citeproof.verification.validation.compare.numbers import numbers_in
from citeproof.verification.validation.compare.venues import is_preprint
from citeproof.verification.validation.identity import ELSEWHERE
from citeproof.verification.validation.policy import Difference, found

_AHEAD = 1  # maximum number of years by which publishers date a volume in advance
# maximum number of years between an article online and its printed issue, or between a conference
# and its printed proceedings
_APART = 2


def rule(case: Case) -> tuple[Difference, ...]:
    """Compare the cited year with the years of all records of the work.

    If there is no record, only future years are reported.

    The cited year may be one year early (preprint), two years early (article online) or one year
    late (printed volume), or it may be the year of the printed proceedings. If the cited year is
    one year late, the next edition of the conference may be cited by mistake. This is reported if
    the database has all papers of that edition, the work is not among them, and the conference has
    no printed volumes.
    """
    cited = case.reference.year
    if cited is None:
        return ()
    years = sorted({year for year in case.years if year})
    ahead, far_ahead = cited > case.today.year, is_far_ahead(cited, case.today.year)
    known = (cited in years and not far_ahead) or not (years or ahead)
    # the year of future proceedings may be announced in advance
    if known or (ahead and case.reference.entry_type in {"proceedings", "mvproceedings"}):
        return ()
    shown = ", ".join(map(str, years))
    # years of printed proceedings are left out, so that the year after them is not called near
    recorded = [one.year for one in case.dated if one.year] or years
    nearest = min(recorded, key=lambda year: abs(year - cited), default=cited)
    if ahead:
        code = "year.future" if far_ahead else "year.ahead"
    elif nearest == cited - 1 and _other_edition(case):
        code = "year.other_edition"
    elif (
        abs(nearest - cited) <= 1
        or _is_revised(case, cited)
        or _is_printed_later(case, cited, nearest)
    ):
        code = "year.near"
    elif case.form is Form.BOOK:
        code = "year.edition"
    else:
        off = found("year.off", str(cited), shown)
        cited_version = any(item.is_cited and item.venue not in ELSEWHERE for item in case.work)
        return (
            off if cited_version and not is_dated(case.reference) else off.of_another_version(),
        )
    return (found(code, str(cited), shown),)


def _is_printed_later(case: Case, cited: int, recorded: int) -> bool:
    """Return whether the cited year and the year of the record are both right, because the work was
    printed later: the article was online before its issue appeared, or the proceedings were printed
    after the conference.
    """
    if abs(cited - recorded) > _APART:
        return False
    cited_version = (
        item.record for item in case.work if item.is_cited and item.venue not in ELSEWHERE
    )
    own = [
        record for record in cited_version if record.year == recorded and not is_preprint(record)
    ]
    if cited < recorded:  # a cited volume would have the year of print
        return not case.reference.volume and any(record.pub_type == "article" for record in own)
    volume = numbers_in(case.reference.volume)
    return any(volume & numbers_in(record.volume) for record in own)


def _is_revised(case: Case, cited: int) -> bool:
    """Return whether a preprint is cited with a later year than that of its first version."""
    first = [record.year for record in case.cited if record.year and is_preprint(record)]
    return case.form is Form.PREPRINT and bool(first) and cited > min(first)


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
