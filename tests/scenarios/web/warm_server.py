"""Modules that the fork server of the test servers imports once, so that each server starts
fast.
"""

from pathlib import Path
from typing import Any, cast

import uvicorn.lifespan.on
import uvicorn.protocols.http.auto  # noqa: F401

import citeproof.web.server  # noqa: F401
from citeproof.web.app import create_app
from citeproof.web.backend import Backend, Metrics

NOWHERE = Path("nowhere")

# No store and no database: a process with open files and threads must not be forked.
NOBODY = cast("Any", None)
create_app(Backend(NOBODY, NOBODY, Metrics(NOWHERE), NOBODY, NOBODY)).openapi()
