from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import httpx2
import pytest

from citeproof.online.net.limits import MAX_RETRY_AFTER, Breaker, RateLimiter, stated_pace
from citeproof.online.net.service import NOT_COUNTED, Kind, Pace, Service, SourceError


def times_of(bucket: Any, clock: Any, count: Any) -> Any:
    times = []
    for _ in range(count):
        with bucket.slot():
            times.append(clock.monotonic())
    return times


def test_slot_allows_one_request_in_three_seconds(manual_clock: Any) -> None:
    times = times_of(RateLimiter(Pace(1, 3.0), manual_clock), manual_clock, 4)
    assert [later - earlier >= 3.0 for earlier, later in pairwise(times)] == [True] * 3
    assert times[-1] - times[0] < 9.1


@pytest.mark.parametrize(("requests", "seconds"), [(10, 1.0), (3, 1.0), (1, 2.0), (5, 0.5)])
def test_slot_keeps_the_limit_in_every_window(
    manual_clock: Any, requests: Any, seconds: Any
) -> None:
    times = times_of(RateLimiter(Pace(requests, seconds), manual_clock), manual_clock, 5 * requests)
    for first, past in zip(times, times[requests:], strict=False):
        assert past - first >= seconds


def test_slot_keeps_the_limit_for_all_threads(manual_clock: Any) -> None:
    limiter = RateLimiter(Pace(2, 1.0), manual_clock)

    def ask(_: Any) -> Any:
        with limiter.slot():
            return manual_clock.monotonic()

    with ThreadPoolExecutor(8) as pool:
        times = sorted(pool.map(ask, range(20)))
    for first, past in zip(times, times[2:], strict=False):
        assert past - first >= 1.0


def test_slow_down_never_raises_the_limit(manual_clock: Any) -> None:
    bucket = RateLimiter(Pace(10), manual_clock)
    bucket.slow_down(Pace(150))
    bucket.slow_down(Pace(2))
    times = times_of(bucket, manual_clock, 6)
    assert times[2] - times[0] >= 1.0


def test_get_obeys_the_rate_limit_headers(client_of: Any, manual_clock: Any) -> None:
    headers = {"x-rate-limit-limit": "1, 1", "x-rate-limit-interval": "5s, 5s"}
    client = client_of(lambda _: httpx2.Response(200, headers=headers, json={}))
    service = Service("s", "https://s.example", {"": Pace(10)})
    for _ in range(4):
        client.send(service, "/", read=lambda answer: answer.json_object(), fields=())
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


def test_get_limits_services_on_one_host_separately(client_of: Any, manual_clock: Any) -> None:
    client = client_of(lambda _: httpx2.Response(200, json={}))
    quick = Service("quick", "https://mirror.example/quick", {"": Pace(100)})
    slow = Service("slow", "https://mirror.example/slow", {"": Pace(1, 5.0)})
    for service in (quick, slow, quick, slow):
        client.send(service, "/", read=lambda answer: answer.json_object(), fields=())
    assert sum(manual_clock.slept) >= 5.0


def test_slot_stores_only_one_window(manual_clock: Any) -> None:
    bucket = RateLimiter(Pace(5, 1.0), manual_clock)
    times_of(bucket, manual_clock, 200)
    assert bucket._window.count() <= 10


def opened(clock: Any) -> Breaker:
    """Return a breaker after three failures."""
    breaker = Breaker(clock)
    for number in range(3):
        assert breaker.check() == 0
        breaker.failed(SourceError(Kind.TIMEOUT, f"failure {number}"))
    return breaker


def kind_of(breaker: Breaker) -> Kind | None:
    """Return why the breaker lets no request pass; None if it does."""
    try:
        breaker.check()
    except SourceError as error:
        return error.kind
    return None


def test_check_lets_one_trial_pass_after_each_two_minutes(manual_clock: Any) -> None:
    breaker = opened(manual_clock)
    with pytest.raises(SourceError, match="failure 2") as refused:
        breaker.check()
    assert refused.value.kind is Kind.CIRCUIT_OPEN
    manual_clock.sleep(119)
    assert kind_of(breaker) is Kind.CIRCUIT_OPEN
    manual_clock.sleep(1)
    assert breaker.check() == 1
    assert kind_of(breaker) is Kind.CIRCUIT_OPEN, "the first trial has not ended"
    manual_clock.sleep(120)
    assert kind_of(breaker) is None


def test_close_lets_all_requests_pass_and_forgets_failures(manual_clock: Any) -> None:
    breaker = opened(manual_clock)
    assert breaker.close()
    assert not breaker.close()
    for _ in range(2):
        breaker.failed(SourceError(Kind.TIMEOUT, "again"))
        assert kind_of(breaker) is None
    breaker.failed(SourceError(Kind.TIMEOUT, "again"))
    assert kind_of(breaker) is Kind.CIRCUIT_OPEN


def test_failed_counts_only_what_the_service_did_wrong(manual_clock: Any) -> None:
    breaker = Breaker(manual_clock)
    for _ in range(5):
        breaker.failed(SourceError(next(iter(NOT_COUNTED)), "not its fault"))
    assert kind_of(breaker) is None


def test_recheck_refuses_requests_that_waited_while_it_opened(manual_clock: Any) -> None:
    breaker = opened(manual_clock)
    breaker.recheck(1)
    with pytest.raises(SourceError):
        breaker.recheck(0)


def test_failed_with_a_long_retry_after_stops_requests_until_then(manual_clock: Any) -> None:
    breaker = Breaker(manual_clock)
    breaker.failed(SourceError(Kind.TIMEOUT, "soon", retry_after=MAX_RETRY_AFTER))
    assert kind_of(breaker) is None
    breaker.failed(SourceError(Kind.TIMEOUT, "later", retry_after=MAX_RETRY_AFTER + 1))
    assert kind_of(breaker) is Kind.OUT_FOR_THE_RUN
    manual_clock.sleep(MAX_RETRY_AFTER + 1)
    assert kind_of(breaker) is None
    breaker.failed(SourceError(Kind.REFUSED, "the key is wrong"))
    manual_clock.sleep(1e9)
    assert kind_of(breaker) is Kind.OUT_FOR_THE_RUN
