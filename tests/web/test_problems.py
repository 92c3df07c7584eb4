import json
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from citeproof.web.problems import ERRORS, MEDIA_TYPE, explain, problem, problems, undecodable


class Body(BaseModel):
    title: str = Field(max_length=3)
    most: int = Field(1, ge=1)


def errors_of(body: object) -> list[dict[str, str]]:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Body).validate_python(body, strict=True)
    return [explain({**error, "loc": ("body", *error["loc"])}) for error in caught.value.errors()]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({}, [("title", "is missing")]),
        ({"title": 5}, [("title", "must be a string")]),
        ({"title": "secret"}, [("title", "must not be longer than 3 characters")]),
        ({"title": "a", "most": 0}, [("most", "must be at least 1")]),
        ([], [("body", "must be a JSON object")]),
    ],
)
def test_explain_names_the_field_and_quotes_no_value(
    body: object, found: list[tuple[str, str]]
) -> None:
    errors = errors_of(body)
    assert [(error["field"], error["message"].partition(",")[0]) for error in errors] == found
    assert "secret" not in str(errors)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UnicodeDecodeError("utf-8", b"ab\xff", 2, 3, "invalid"), "no character begins at byte 3"),
        (RecursionError(), "nested too deeply"),
        (ValueError(), "cannot be read as JSON"),
    ],
)
def test_undecodable_says_why_and_what_to_send(error: Exception, said: str) -> None:
    assert said in undecodable(error)
    assert "JSON" in undecodable(error)


def test_problem_is_of_the_media_type_and_has_errors_only_if_given() -> None:
    answer = problem(404, "nothing", {"Retry-After": "5"})
    body: Mapping[str, Any] = json.loads(bytes(answer.body))
    assert body == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "nothing",
    }
    assert (answer.media_type, answer.headers["retry-after"]) == (MEDIA_TYPE, "5")
    (error,) = json.loads(bytes(problem(422, "wrong", errors=[{"field": "a"}]).body))["errors"]
    assert error == {"field": "a"}


def test_problems_describes_each_status() -> None:
    described = problems(404, 503)
    assert {status: one["description"] for status, one in described.items()} == {
        status: ERRORS[status] for status in (404, 503)
    }
