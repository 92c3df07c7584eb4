"""The published schema of the JSON results."""

from __future__ import annotations

import json
from importlib.resources import files

from citeproof.report.schema import ALWAYS, LookupObject, results_schema, schema_of
from citeproof.report.serialization import SCHEMA_VERSION


def test_results_schema_is_the_published_file() -> None:
    published = files("citeproof.report").joinpath("results.schema.json").read_text("utf-8")
    assert json.loads(published) == json.loads(json.dumps(results_schema()))


def test_results_schema_describes_fields_without_titles_that_repeat_them() -> None:
    schema = results_schema()
    assert schema["properties"]["schema_version"]["const"] == SCHEMA_VERSION
    result = schema["$defs"]["ResultObject"]
    assert set(result["required"]) == set(result["properties"])
    for name, field in result["properties"].items():
        assert field.get("title", "").lower() != name.replace("_", " ")
    status = result["properties"]["status"]
    assert "VALID" in json.dumps(status) or "VALID" in json.dumps(schema["$defs"]["Status"])
    assert result["properties"]["notes"]["minimum"] == 0


def test_schema_of_a_look_up_requires_only_what_each_answer_has() -> None:
    schema = schema_of(LookupObject)
    assert schema["required"] == list(ALWAYS)
    assert {"title", "others", "nearest"} <= set(schema["properties"])
