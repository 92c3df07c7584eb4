"""Records of works, and what a look-up of a title found."""

from dataclasses import replace

from citeproof.model.record import Candidate, Lookup, Method, Record


def test_identity_is_source_and_key_else_the_whole_record() -> None:
    record = Record("k", "On Tables", source="dblp")
    assert record.identity == replace(record, title="On Trees").identity
    assert record.identity != replace(record, source="crossref").identity
    without = replace(record, key="")
    assert without.identity == replace(without).identity
    assert without.identity != replace(without, title="On Trees").identity


def test_found_is_whether_a_title_reaches_the_threshold() -> None:
    nearest = Candidate(Record("k", "On Tables"), 0.8)
    missed = Lookup("On Trees", 0.9, (), nearest, Method.INDEXED, "title_index", 7, True, 1.0)
    assert not missed.found
    assert replace(missed, candidates=(nearest,)).found
