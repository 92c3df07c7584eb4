"""Compare the cited authors with the authors of the work's records."""

from collections.abc import Iterator, Sequence

from citeproof.model.record import Record
from citeproof.text.name_comparison import (
    NameAgreement,
    compare_names,
    has_same_given,
    is_form,
    is_letter_apart,
)
from citeproof.text.names import named, parse_name
from citeproof.text.title_words import telling_words
from citeproof.verification.validation.case import Case
from citeproof.verification.validation.claim import Form
from citeproof.verification.validation.compare.authors import ROUND
from citeproof.verification.validation.compare.venues import VenueAgreement
from citeproof.verification.validation.comparison import Comparison
from citeproof.verification.validation.identity import decides
from citeproof.verification.validation.policy import Difference, found

_OF_A_VERSION = frozenset({"authors.not_on_record", "authors.dropped"})
"""Issue codes of differences that are normal between versions of a work."""
# two records whose years differ by this number or more are rarely records of one work
_YEARS_APART = 2
# minimum number of cited names for accepting a changed family name; if there are only two names,
# title and venue must agree too
_OTHERS = 2
_SEVERAL = 3  # minimum number of cited names; a record that lacks half of them is called truncated
_WHOLE = 2  # minimum number of words of a complete name
# minimum number of words, without function words, of a title that two works rarely share
_DISTINCTIVE = 5


def rule(case: Case) -> Iterator[Difference]:
    """Yield the differences between the cited authors and the authors of the record in which they
    agree best.

    If no name agrees, the only difference is that the work has other authors.
    """
    best = case.best_authors
    if best is None or case.placeholders:
        return
    if misspelt := _misspelt(case, best):
        yield from misspelt
        return
    if best.authors.agrees or best.authors.agreeing >= 1:
        for difference in best.authors.differences:
            item = _softened(case, best, difference)
            yield item.of_another_version() if _is_of_a_version(case, best, item) else item
        return
    cited, recorded = "; ".join(case.reference.authors), "; ".join(best.record.authors)
    if not _nothing_else_agrees(case):
        yield found("authors.other_people", cited, recorded)
        return
    another = found("authors.another_work", cited, recorded)
    yield (
        another
        if len(telling_words(case.reference.title)) >= _DISTINCTIVE
        else another.of_another_version()
    )


def _is_of_a_version(case: Case, best: Comparison, item: Difference) -> bool:
    """Return whether a difference is normal between versions of a work, and another version than
    the recorded version may be cited. Authors may join or leave between versions.

    A list of ten names was probably cut by an export, so it does not show another version. Versions
    have the same first author and at least half of the authors in common.
    """
    match, reference = best.authors, case.reference
    is_cut = item.code == "authors.dropped" and match.cited % ROUND == 0
    if item.code not in _OF_A_VERSION or is_cut:
        return False
    if any(one.doi for one in case.work):
        return False
    if not case.cited or not (reference.venue or reference.doi or not best.year_gap):
        return True
    first_is_absent = named(reference.authors)[:1] == list(match.absent[:1])
    has_few = match.uncited and 2 * match.cited < match.recorded
    return case.is_preprint_elsewhere and not (first_is_absent or has_few)


def _softened(case: Case, best: Comparison, item: Difference) -> Difference:
    """Return the difference ``item``. If it is usual in correct references, such as another form of
    the same name, return it with the code of a note.
    """
    if item.code == "authors.given_name" and is_form(
        parse_name(item.cited), parse_name(item.recorded)
    ):
        return found("authors.form", item.cited, item.recorded)
    if item.code != "authors.not_on_record":
        return item
    match = best.authors
    is_incomplete = _is_incomplete(case, best)
    few = 2 * len(match.absent) <= match.recorded or is_incomplete
    is_cut = not case.reference.and_others and _looks_cut(best)
    few = few and not _are_torn(match.absent, best.record)
    short = not match.uncited and (few or is_cut)
    first_is_wrong = named(case.reference.authors)[:1] == list(match.absent[:1])
    may_be_cut = is_cut or (match.recorded == 1 and is_incomplete)
    if (short and (may_be_cut or not first_is_wrong)) or best.record.pub_type == "proceedings":
        return found("authors.more/extra", item.cited, item.recorded)
    if _renamed(case, best):
        return found("authors.form/family", item.cited, item.recorded, own="; ".join(match.uncited))
    return item


def _looks_cut(item: Comparison) -> bool:
    """Return whether the record seems to be truncated: it lacks at least half of three or more
    cited authors, and all authors that it has are cited.
    """
    match = item.authors
    is_half = match.cited >= _SEVERAL and 2 * len(match.absent) >= match.cited
    return is_half and match.agreeing == match.recorded


def _is_incomplete(case: Case, best: Comparison) -> bool:
    """Return whether the record may omit one author. This is accepted if a book is cited, or if
    volume and page agree.
    """
    at_place = best.has_cited_place
    return len(best.authors.absent) == 1 and (case.form is Form.BOOK or at_place)


def _are_torn(names: Sequence[str], record: Record) -> bool:
    """Return whether one of ``names`` is only a part of a recorded name: ``Joseph`` is a part of
    ``Joseph O Fox``.
    """
    recorded = {word for name in record.authors for word in parse_name(name).words if len(word) > 1}
    cited = [parse_name(name).words for name in names]
    return any(len(words) < _WHOLE or not recorded.isdisjoint(words) for words in cited)


def _renamed(case: Case, best: Comparison) -> bool:
    """Return whether exactly one family name differs, but the full given name of this person
    agrees. The person may have changed the name.
    """
    cited, recorded = named(case.reference.authors), best.record.authors
    enough = len(cited) > _OTHERS or (len(cited) == _OTHERS and decides(best))
    if len(best.authors.absent) != 1 or len(cited) != len(recorded) or not enough:
        return False
    place = cited.index(best.authors.absent[0])
    return has_same_given(parse_name(cited[place]), parse_name(recorded[place]))


def _misspelt(case: Case, best: Comparison) -> Sequence[Difference]:
    """Return a difference for each cited name that differs from the recorded name by one letter.

    Empty if any name differs by more letters. Also empty if at least half of the cited names may
    be the names of other people, such as Lin for Lim, unless the DOI, or title, year and venue
    agree.
    """
    cited = named(case.reference.authors)
    open_end = case.reference.and_others or len(cited) < len(case.reference.authors)
    recorded = best.record.authors[: len(cited)] if open_end else best.record.authors
    may_be_typos = {"authors.not_on_record", "authors.given_name"} & {
        item.code for item in best.authors.differences
    }
    if not may_be_typos or len(cited) != len(recorded):
        return ()
    differing, wrong = [], 0
    for name, other in zip(cited, recorded, strict=True):
        ours, theirs = parse_name(name), parse_name(other)
        agreement = compare_names(ours, theirs)
        if agreement is not NameAgreement.SAME:
            differing.append(found("authors.spelling", name, other))
        if agreement not in {NameAgreement.SAME, NameAgreement.MISSPELT}:
            if not is_letter_apart(ours, theirs):
                return ()
            wrong += 1
    others_agree = 2 * wrong < len(cited) or best.doi or decides(best)
    return differing if others_agree else ()


def _nothing_else_agrees(case: Case) -> bool:
    """Return whether year, venue and DOI differ from every record.

    If so, another work with the same title may be cited.

    Example: "Adaptive Data Fusion for Energy Efficient Routing in Wireless Sensor Network" is by P.
    Mohite, IJEOE 2015. In IEEE Transactions on Computers 2006, four other authors have a work with
    the same title except "Networks" for "Network".
    """
    apart = all(item.year_gap >= _YEARS_APART and not item.doi for item in case.work)
    near = {VenueAgreement.SAME, VenueAgreement.LIKE}
    return apart and bool(case.reference.venue) and case.venue not in near
