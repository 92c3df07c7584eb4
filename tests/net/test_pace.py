from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import httpx2
import pytest

from citeproof.net.pace import Bucket, Pace, Pacer, stated_pace
from citeproof.net.service import Service


def times_of(bucket: Any, clock: Any, count: Any) -> Any:
    times = []
    for _ in range(count):
        with bucket.place():
            times.append(clock.monotonic())
    return times


def test_one_request_in_three_seconds(manual_clock: Any) -> None:
    times = times_of(Bucket(Pace(1, 3.0), manual_clock), manual_clock, 4)
    assert [later - earlier >= 3.0 for earlier, later in pairwise(times)] == [True] * 3
    assert times[-1] - times[0] < 9.1


@pytest.mark.parametrize(("requests", "seconds"), [(10, 1.0), (3, 1.0), (1, 2.0), (5, 0.5)])
def test_no_window_holds_more_than_the_pace_allows(manual_clock: Any, requests: Any, seconds: Any) -> None:
    times = times_of(Bucket(Pace(requests, seconds), manual_clock), manual_clock, 5 * requests)
    for first, past in zip(times, times[requests:], strict=False):
        assert past - first >= seconds


def test_threads_share_one_bucket(manual_clock: Any) -> None:
    pacer = Pacer(manual_clock)

    def ask(_: Any) -> Any:
        with pacer.bucket("host", "", Pace(2, 1.0)).place():
            return manual_clock.monotonic()

    with ThreadPoolExecutor(8) as pool:
        times = sorted(pool.map(ask, range(20)))
    for first, past in zip(times, times[2:], strict=False):
        assert past - first >= 1.0


def test_the_stated_pace_slows_down_and_never_speeds_up(manual_clock: Any) -> None:
    bucket = Bucket(Pace(10), manual_clock)
    bucket.slow_down(Pace(150))
    bucket.slow_down(Pace(2))
    times = times_of(bucket, manual_clock, 6)
    assert times[2] - times[0] >= 1.0


def test_the_client_obeys_the_headers(client_of: Any, manual_clock: Any) -> None:
    headers = {"x-rate-limit-limit": "1, 1", "x-rate-limit-interval": "5s, 5s"}
    client = client_of(lambda _: httpx2.Response(200, headers=headers, json={}))
    service = Service("s", "https://s.example", {"": Pace(10)})
    for _ in range(4):
        client.get(service, "/", read=lambda answer: answer.json(), fields=())
    assert sum(manual_clock.slept) >= 10.0


@pytest.mark.parametrize(
    ("limit", "interval", "pace"),
    [
        ("50", "1s", Pace(50, 1.0)),
        ("50, 3", "1s, 1s", Pace(3, 1.0)),
        ("", "1s", None),
        ("x", "y", None),
        ("0", "1s", None),
        ("5" * 5000, "1s", None),
        ("1", "60s", Pace(1, 60.0)),
        ("100", "3600s", Pace(1, 36.0)),
        ("1", "3600s", None),
        ("1", "999999999s", None),
    ],
)
def test_stated_pace(limit: Any, interval: Any, pace: Any) -> None:
    assert stated_pace({"x-rate-limit-limit": limit, "x-rate-limit-interval": interval}) == pace


def test_services_of_one_host_have_a_pace_each(client_of: Any, manual_clock: Any) -> None:
    client = client_of(lambda _: httpx2.Response(200, json={}))
    quick = Service("quick", "https://mirror.example/quick", {"": Pace(100)})
    slow = Service("slow", "https://mirror.example/slow", {"": Pace(1, 5.0)})
    for service in (quick, slow, quick, slow):
        client.get(service, "/", read=lambda answer: answer.json(), fields=())
    assert sum(manual_clock.slept) >= 5.0


def test_a_long_run_keeps_no_more_than_a_window(manual_clock: Any) -> None:
    bucket = Bucket(Pace(5, 1.0), manual_clock)
    times_of(bucket, manual_clock, 200)
    assert bucket._window.count() <= 10
