"""One title: looked up, recorded, then answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.runtime.events import Search
from citeproof.web.bodies import collapse
from citeproof.web.middleware.failures import log_failure
from citeproof.web.problems import ProblemError
from citeproof.web.service import MISSING, Service
from citeproof.web.shelf import DatabaseMissingError

if TYPE_CHECKING:
    from starlette.requests import Request

    from citeproof.models import Lookup

FAILED = "The look-up failed; the service's log has the cause under the request id."


async def search_title(service: Service, request: Request, title: str, max_candidates: int) -> Lookup:
    """Return the answer to ``title`` once it is recorded.

    Raises :class:`ProblemError`: 404 without a database file, 500 when the look-up failed or the runtime store
    stayed locked. A failed look-up is recorded as well.
    """
    title = collapse(title)
    request_id = request.scope["request_id"]
    try:
        lookup = await service.look_up(title, max_candidates)
    except DatabaseMissingError:
        raise ProblemError(404, MISSING) from None
    except Exception as error:  # noqa: BLE001 - whatever the look-up raises is this request's error alone
        log_failure(request.scope, error)
        await service.recorded(service.store.record_single(request_id, max_candidates, Search(title, error=error)))
        raise ProblemError(500, FAILED) from None
    try:
        await service.recorded(service.store.record_single(request_id, max_candidates, Search(title, lookup)))
    except ProblemError as error:
        service.store.owe_single(request_id, max_candidates, Search(title, error=error))
        raise
    return lookup
