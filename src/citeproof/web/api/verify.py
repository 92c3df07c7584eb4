"""HTTP routes ``/api/verify``, which starts a job that verifies a document, and
``/api/verify/reference``, which verifies one reference.
"""

import asyncio
import json
import re
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from citeproof.model.errors import DatabaseError, InputError
from citeproof.readers import formats
from citeproof.report.schema import ResultObject
from citeproof.report.serialization import result_object
from citeproof.store.runtime.jobs import Job, JobDocument, QueueFullError
from citeproof.web.api.shapes import (
    VISIBLE,
    JobAnswer,
    JobWithRun,
    OneReference,
    VerifyBody,
    job_object,
    job_with_run,
)
from citeproof.web.backend import MISSING, Backend, unrecorded
from citeproof.web.logs import log
from citeproof.web.middleware import is_form, log_failure
from citeproof.web.options import MAX_DOCUMENT_BYTES, MAX_NAME, SMALL_REFERENCES
from citeproof.web.problems import ProblemError, problems
from citeproof.web.reloading_database import DatabaseMissingError
from citeproof.web.searcher import Answer, Searches

_SMALL_SECONDS = 2.0  # maximum seconds that a request to /api/verify waits until the job has ended
FAILED = "The verification failed; the service's log has the cause under the request id."
HOW = "Send a file as a form (curl -F file=@refs.bib ...), or JSON with text, bibtex or references."
_FILE = {
    "type": "string",
    "format": "binary",
    "description": "A document in any format, PDF and zip included.",
}
_TEXT = {"type": "string", "description": "Pasted text of any kind, instead of a file."}
_FORMAT = {"type": "string", "enum": ["", *formats.names()]}
_BODIES = {
    "application/json": {"schema": {"$ref": "#/components/schemas/VerifyBody"}},
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "properties": {"file": _FILE, "text": _TEXT, "format": _FORMAT},
        }
    },
}  # OpenAPI description of the request bodies that /api/verify accepts


def add_routes(router: APIRouter, backend: Backend) -> None:
    """Add the HTTP routes for verifying documents and references to ``router``."""

    @router.post(
        "/api/verify",
        summary="Verify a document",
        response_model=JobWithRun,
        responses={
            202: {
                "model": JobAnswer,
                "description": "The job has begun; `Location` has its URL.",
            },
            **problems(400, 401, 404, 408, 413, 422, 429, 500, 503),
        },
        openapi_extra={"requestBody": {"required": True, "content": _BODIES}},
    )
    async def verify(request: Request) -> Response:
        """Create a verification job.

        If the document has at most 50 references and they are verified within two seconds, the
        answer is 200 with the run. Otherwise it is 202 with the address of the job, which has its
        state, events and reports.
        """
        job = await start_job(backend, await document_of(request))
        address = {"Location": f"/api/jobs/{job.job_id}"}
        if not job.ended:
            return JSONResponse(job_object(job), 202, address)
        return JSONResponse(
            await asyncio.to_thread(job_with_run, backend.jobs.store, job), 200, address
        )

    @router.post(
        "/api/verify/reference",
        summary="Verify one reference",
        response_model=ResultObject,
        responses=problems(400, 401, 404, 408, 413, 422, 429, 500),
    )
    async def verify_reference(request: Request, body: OneReference) -> Response:
        """Return the verdict on one reference. Nothing is stored."""
        answer = backend.searcher.ask(Searches.verify, body.document(), backend.threshold)
        return JSONResponse(result_object(await searched(request, answer)))


async def searched(request: Request, answer: Awaitable[Answer]) -> Answer:
    """Await and return ``answer``, the result of a search process.

    Errors are raised as :class:`ProblemError`.
    """
    try:
        return await answer
    except DatabaseMissingError:
        raise ProblemError(404, MISSING) from None
    except InputError as error:
        raise ProblemError(422, str(error)) from None
    except Exception as error:  # noqa: BLE001 - any error fails this request only
        log_failure(request.scope, error)
        raise ProblemError(500, FAILED) from None


async def start_job(backend: Backend, document: JobDocument) -> Job:
    """Create a job.

    If the document has at most 50 references, wait up to 2 seconds for the job to end.

    Raises :class:`ProblemError` with status 404 if there is no database, and 503 if the queue is
    full.
    """
    backend.require_database()
    name = document.name.replace("\\", "/").rpartition("/")[2]  # some browsers send a path
    name = "".join(letter for letter in name if letter.isprintable())[:MAX_NAME].strip()
    try:
        job_id = await backend.jobs.add(replace(document, name=name))
    except QueueFullError:
        said = "The queue is full. Try again in a minute, or use citeproof verify."
        raise ProblemError(503, said, {"Retry-After": "60"}) from None
    except DatabaseError as error:
        log.error("a job could not be added: %s", error)
        raise unrecorded(error) from None
    job: Job | None = None
    async for job in backend.jobs.watch(job_id, _SMALL_SECONDS):
        if job.begun and (job.total is None or job.total > SMALL_REFERENCES):
            break  # do not wait for a document that was not read completely, because it is long
    if not job:
        raise ProblemError(500, FAILED)
    return job


async def document_of(request: Request) -> JobDocument:
    """Return the document in a request.

    Raises an error such as :class:`ProblemError` if the request is invalid.
    """
    if is_form(request.headers.get("content-type", "")):
        return await _form(request)
    return await asyncio.to_thread(_json, await request.body())


def _json(body: bytes) -> JobDocument:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise ProblemError(
            422, f"{'This is not valid JSON' if body else 'The request is empty'}. {HOW}"
        ) from None
    try:
        return VerifyBody.model_validate(content).document()
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


async def _form(request: Request) -> JobDocument:
    try:
        async with request.form(
            max_files=1, max_fields=10, max_part_size=MAX_DOCUMENT_BYTES
        ) as form:
            given: dict[str, Any] = dict(form)
            file, text, named = given.get("file"), given.get("text"), given.get("format", "")
            data = await file.read() if isinstance(file, UploadFile) and file.filename else None
    except HTTPException as error:
        raise ProblemError(400, f"The form cannot be read: {error.detail}") from None
    if named and named not in formats.names():
        raise ProblemError(
            422, f"There is no format of that name; use one of {', '.join(formats.names())}."
        )
    if file and data:
        return JobDocument(data, file.filename, named)
    if data is not None:
        raise ProblemError(422, "The file is empty.")
    if not isinstance(text, str) or not re.search(VISIBLE, text):
        raise ProblemError(
            422,
            (
                "The form has no document: send a file as the field 'file', or text as the "
                "field 'text'."
            ),
        )
    return JobDocument(text.encode("utf-8", "replace"), "", named, pasted=True)
