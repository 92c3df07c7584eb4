"""``POST /api/verify``: a document becomes a job; ``POST /api/verify/reference``: one reference, answered at once."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from citeproof import formats
from citeproof.errors import InputError
from citeproof.runtime.jobs import JobDocument, QueueFullError
from citeproof.serialization import ResultObject, result_object
from citeproof.web.api.answer_schemas import problems
from citeproof.web.api.job_schemas import (
    JobAnswer,
    JobWithRun,
    OneReference,
    VerifyBody,
    job_object,
    job_with_run,
    plain_name,
)
from citeproof.web.api.request_schemas import VISIBLE
from citeproof.web.backend import MISSING, Backend
from citeproof.web.jobs.limits import MAX_DOCUMENT_BYTES, SMALL_REFERENCES, SMALL_SECONDS
from citeproof.web.middleware.failures import log_failure
from citeproof.web.problems import ProblemError
from citeproof.web.worker.reloading_database import DatabaseMissingError

if TYPE_CHECKING:
    from citeproof.runtime.jobs import Job

FULL = "As many documents wait to be verified as may. Try again in a minute, or use citeproof verify."
FULL_RETRY_SECONDS = 60
FAILED = "The verification failed; the service's log has the cause under the request id."
NO_DOCUMENT = "The form holds no document: send it as the field 'file', or text as the field 'text'."
EMPTY_FILE = "The file is empty."
HOW = "Send a file as a form (curl -F file=@refs.bib ...), or JSON with text, bibtex or references."
_FORM = {
    "type": "object",
    "properties": {
        "file": {
            "type": "string",
            "format": "binary",
            "description": "A document in any format, PDF and zip included.",
        },
        "text": {
            "type": "string",
            "description": "In place of a file: anything that may be pasted.",
        },
        "format": {"type": "string", "enum": ["", *formats.names()]},
    },
}


def routes(backend: Backend) -> APIRouter:
    """Return the routes of this subject."""
    router = APIRouter(tags=["verify"])

    @router.post(
        "/api/verify",
        summary="Verify a document",
        response_model=JobWithRun,
        responses={
            202: {"model": JobAnswer, "description": "The job has begun; `Location` is its address."},
            **problems(400, 401, 404, 408, 413, 422, 429, 500, 503),
        },
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/VerifyBody"}},
                    "multipart/form-data": {"schema": _FORM},
                },
            }
        },
    )
    async def verify(request: Request) -> Response:
        """Make a job of a document.

        Up to 50 references that take no more than two seconds are answered at once, with 200 and the run. Otherwise
        the answer is 202 with the job's address, where its state, its events and its reports are.
        """
        job = await start_job(backend, await document_of(request))
        address = {"Location": f"/api/jobs/{job.job_id}"}
        if not job.ended:
            return JSONResponse(job_object(job), 202, address)
        kept = await asyncio.to_thread(backend.jobs.store.verdicts, job.job_id)
        return JSONResponse(await asyncio.to_thread(job_with_run, job, kept), 200, address)

    @router.post(
        "/api/verify/reference",
        summary="Verify one reference",
        response_model=ResultObject,
        responses=problems(400, 401, 404, 408, 413, 422, 429, 500),
    )
    async def verify_reference(request: Request, body: OneReference) -> Response:
        """Answer with the verdict on one reference. Nothing of it is kept."""
        try:
            verdict = await backend.searcher.verify(body.document(), backend.threshold)
        except DatabaseMissingError:
            raise ProblemError(404, MISSING) from None
        except InputError as error:
            raise ProblemError(422, str(error)) from None
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this request's error alone
            log_failure(request.scope, error)
            raise ProblemError(500, FAILED) from None
        return JSONResponse(result_object(verdict))

    return router


async def start_job(backend: Backend, document: JobDocument) -> Job:
    """Return the new job for ``document``, ended where it is small.

    Raises :class:`ProblemError`: 404 without a database file, 503 where too many jobs wait.
    """
    backend.require_database()
    try:
        job_id = await backend.jobs.add(document)
    except QueueFullError:
        raise ProblemError(503, FULL, {"Retry-After": str(FULL_RETRY_SECONDS)}) from None
    job: Job | None = None
    async for job in backend.jobs.watch(job_id, SMALL_SECONDS):
        if job.header and (job.header.total is None or job.header.total > SMALL_REFERENCES):
            break  # one that is not read to its end yet is a long one
    if not job:
        raise ProblemError(500, FAILED)
    return job


async def document_of(request: Request) -> JobDocument:
    """Return what the request holds.

    Raises :class:`ProblemError` or :class:`RequestValidationError` for what cannot be used.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() == "multipart/form-data":
        return await _form(request)
    body = await request.body()
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise ProblemError(422, f"{'This is not valid JSON' if body else 'The request is empty'}. {HOW}") from None
    try:
        return VerifyBody.model_validate(content).document()
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


async def _form(request: Request) -> JobDocument:
    try:
        form = await request.form(max_files=1, max_fields=10, max_part_size=MAX_DOCUMENT_BYTES)
    except HTTPException as error:
        raise ProblemError(400, f"The form cannot be read: {error.detail}") from None
    given: dict[str, Any] = dict(form)
    try:
        named = given.get("format", "")
        if named and named not in formats.names():
            raise ProblemError(422, f"There is no format of that name; use one of {', '.join(formats.names())}.")
        file = given.get("file")
        if isinstance(file, UploadFile) and file.filename:
            data = await file.read()
            if not data:
                raise ProblemError(422, EMPTY_FILE)
            return JobDocument(data, plain_name(file.filename), named)
        text = given.get("text")
        if not isinstance(text, str) or not re.search(VISIBLE, text):
            raise ProblemError(422, NO_DOCUMENT)
        return JobDocument(text.encode("utf-8", "replace"), "", named, pasted=True)
    finally:
        await form.close()
