"""Faults of sources, each made from the correct response."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2

from tests.online.replay import Reply

if TYPE_CHECKING:
    from collections.abc import Callable

CHALLENGE = (
    b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking</body></html>"
)


def refused(reply: Reply) -> Reply:
    raise httpx2.ConnectError("connection refused")


def hanging(reply: Reply) -> Reply:
    raise httpx2.ReadTimeout("no byte in time")


def rate_limited(reply: Reply) -> Reply:
    return Reply(429, b"<html><h1>429 Too Many Requests</h1></html>", {"content-type": "text/html"})


def budget_gone(reply: Reply) -> Reply:
    headers = {"content-type": "application/json", "retry-after": "54000"}
    return Reply(
        429, b'{"error": "Rate limit exceeded", "message": "Daily budget exhausted"}', headers
    )


def server_error(reply: Reply) -> Reply:
    return Reply(502, b"<html><h1>502 Bad Gateway</h1></html>", {"content-type": "text/html"})


def html_with_200(reply: Reply) -> Reply:
    return Reply(200, CHALLENGE, {"content-type": "text/html"})


def html_called_data(reply: Reply) -> Reply:
    return Reply(200, CHALLENGE, reply.headers)


def truncated(reply: Reply) -> Reply:
    return Reply(reply.status, reply.body[: len(reply.body) // 2], reply.headers)


def empty(reply: Reply) -> Reply:
    return Reply(200, b"", reply.headers)


def wrong_content_type(reply: Reply) -> Reply:
    return Reply(reply.status, reply.body, {**reply.headers, "content-type": "text/html"})


def doubled_headers(reply: Reply) -> Reply:
    headers = {name: f"{value}, {value}" for name, value in reply.headers.items()}
    return Reply(
        reply.status, reply.body, {**headers, "retry-after": "5, 5", "x-rate-limit-limit": "50, 50"}
    )


FAULTS: dict[str, Callable[[Reply], Reply]] = {
    fault.__name__: fault
    for fault in (
        refused,
        hanging,
        rate_limited,
        budget_gone,
        server_error,
        html_with_200,
        html_called_data,
        truncated,
        empty,
        wrong_content_type,
        doubled_headers,
    )
}
OTHER_WORK = "other_work"
"""A fault: the record of another work.

The replay makes it, because it needs the source's format.
"""
