"""The JSON objects: the published schema is the one that follows from the declarations."""

import json
from dataclasses import fields, replace
from importlib.resources import files

from citeproof.model.record import Candidate, Lookup, MatchKind, Method, Record
from citeproof.model.reference import Reference
from citeproof.report.schema import CandidateObject, LookupObject, ReferenceObject, results_schema
from citeproof.report.serialization import candidate_object, lookup_object

PAPER = Candidate(
    Record(
        "k", "On Tables", ("A. Joiner",), 1999, "Crafts", url="https://x.example", source="dblp"
    ),
    1.0,
)
NEARBY = replace(PAPER, similarity=0.8, match=MatchKind.NEARBY)


def looked_up(*candidates: Candidate, nearest: Candidate | None = None) -> Lookup:
    return Lookup(
        "On Tables", 0.9, candidates, nearest, Method.INDEXED, "title_index", 3, True, 0.12345
    )


def test_the_published_schema_is_the_declared_one() -> None:
    published = files("citeproof.report").joinpath("results.schema.json").read_text("utf-8")
    assert json.loads(published) == results_schema(), "run `make schema`"


def test_candidate_object_a_found_title_has_the_fields_of_its_record_beside_found() -> None:
    answer = lookup_object(looked_up(PAPER, NEARBY))
    assert list(answer) == [
        name for name in LookupObject.__annotations__ if name not in {"near", "nearest", "related"}
    ]
    assert answer["others"] == [candidate_object(NEARBY)]
    assert {name: answer[name] for name in CandidateObject.__annotations__} == candidate_object(
        PAPER
    )


def test_lookup_object_says_near_only_if_words_differ() -> None:
    found = looked_up(PAPER, NEARBY)
    assert "near" not in lookup_object(replace(found, query=PAPER.record.title.upper()))
    assert lookup_object(replace(found, query="Another title of this kind"))["near"] is True


def test_lookup_object_ties_are_shown_to_a_hundred_and_counted() -> None:
    answer = lookup_object(looked_up(*[PAPER] * 5_000))
    assert (len(answer["others"]), answer["total"]) == (100, 5_000)
    related = replace(looked_up(), related=(NEARBY,) * 5_000)
    assert len(lookup_object(related)["related"]) == 100


def test_lookup_object_what_does_not_apply_to_a_look_up_is_left_out() -> None:
    answer = lookup_object(looked_up(nearest=NEARBY))
    assert not set(answer) & {"title", "similarity", "others", "related"}
    assert answer["nearest"] == candidate_object(NEARBY)
    assert answer["duration_ms"] == 0.123
    assert "nearest" not in lookup_object(looked_up())


def test_candidate_object_a_name_that_is_no_text_in_any_encoding_is_kept() -> None:
    named = replace(PAPER, record=replace(PAPER.record, source="caf\udce9.bib"))
    assert candidate_object(named)["source"] == "caf\udce9.bib"


def test_everything_that_was_cited_is_told() -> None:
    apart = {"key", "place", "oversized", "string", "linked", "names_unread"}
    assert {field.name for field in fields(Reference)} - apart == set(
        ReferenceObject.__annotations__
    )
