"""The JSON schema of a run, ``data/results.schema.json``: ``make schema`` writes it from the declarations."""

from __future__ import annotations

import json
from typing import Any

from citeproof.json_model import DIALECT, schema_of
from citeproof.serialization import RunObject


def results_schema() -> dict[str, Any]:
    """Return the JSON schema of a run."""
    return {"$schema": DIALECT, **schema_of(RunObject), "title": "Results of citeproof verify --format json"}


if __name__ == "__main__":
    print(json.dumps(results_schema(), indent=2))
