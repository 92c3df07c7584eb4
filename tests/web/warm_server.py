"""Imported once by the process that all test servers are forked from, so that each starts in moments."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import uvicorn.lifespan.on
import uvicorn.protocols.http.auto  # noqa: F401

import citeproof.web.server  # noqa: F401
from citeproof.web.app import create_app
from citeproof.web.metrics import Metrics
from citeproof.web.service import Service

NOWHERE = Path("nowhere")

# No store and no database: a process with open files and threads must not be forked.
NOBODY = cast("Any", None)
create_app(Service(NOBODY, NOBODY, Metrics(NOWHERE), NOBODY)).openapi()
