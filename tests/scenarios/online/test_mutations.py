"""Mutated responses: each source returns findings or fails, and the validator can decide."""

import json
import random
from typing import Any

import httpx2
import pytest

from citeproof.model.findings import Outcome
from citeproof.online.net.client import Client
from citeproof.online.net.service import Access
from citeproof.online.sources import SOURCES
from citeproof.report.serialization import candidate_object
from citeproof.verification.validation.identity import is_surely_of
from citeproof.verification.validator import Validator
from tests.online import replay
from tests.online.works import BOOK, GARDENS, RETRACTED, TABLES, WORLD, cite

JUNK: list[Any] = [
    None,
    0,
    -1,
    10**30,
    1.5,
    float("inf"),
    float("nan"),
    True,
    "",
    "x" * 50,
    [],
    {},
    [[]],
    [None],
    {"a": 1},
    "\ud800",
    "\x1b[2J",
]
REFERENCES = [cite(TABLES), cite(BOOK), cite(RETRACTED), cite(GARDENS, doi="")]
ROUNDS = 150


def mutated(value: Any, chance: random.Random) -> Any:
    """Return ``value`` with some parts removed and others replaced."""
    if chance.random() < 0.04:
        return chance.choice(JUNK)
    if isinstance(value, dict):
        return {
            name: mutated(inner, chance) for name, inner in value.items() if chance.random() > 0.05
        }
    if isinstance(value, list):
        return [mutated(inner, chance) for inner in value]
    return value


@pytest.mark.parametrize("name", [name for name in SOURCES if name != "arxiv"])
def test_search_survives_any_mutated_response(name: str, manual_clock: Any) -> None:
    chance = random.Random(name)
    home = httpx2.URL(SOURCES[name].home).path.rstrip("/")

    def handler(request: httpx2.Request) -> httpx2.Response:
        path = request.url.path.removeprefix(home)
        reply = replay.SOURCES[name](WORLD, path, dict(request.url.params))
        body = reply.body
        if reply.status == 200:
            body = json.dumps(mutated(json.loads(body), chance)).encode()
        return httpx2.Response(reply.status, content=body, headers=reply.headers)

    outcomes: set[Outcome] = set()
    for number in range(ROUNDS):
        client = Client(manual_clock, transport=httpx2.MockTransport(handler))
        reference = REFERENCES[number % len(REFERENCES)]
        findings = SOURCES[name](
            client, manual_clock, Access("", "k"), is_work=is_surely_of
        ).search(reference)
        outcomes.update(inquiry.outcome for inquiry in findings.inquiries)
        assert Validator().decide(reference, findings).reference == reference
        for candidate in findings.candidates:
            json.dumps(candidate_object(candidate), ensure_ascii=False).encode()
    assert outcomes >= {Outcome.ANSWERED, Outcome.FAILED}
