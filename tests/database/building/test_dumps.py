"""The published dumps that can be downloaded."""

from datetime import date

from citeproof.database.building.dumps import BY_NAME, DUMPS, MB, Dump


def test_urls_are_the_current_dump_and_then_the_newest_three_releases() -> None:
    dump = Dump(
        "d", "D", "", "", "https://x.example/now", releases="https://x.example/{0:%Y-%m-%d}"
    )
    assert dump.urls(date(2026, 1, 31)) == (
        "https://x.example/now",
        "https://x.example/2026-01-01",
        "https://x.example/2025-12-01",
        "https://x.example/2025-11-01",
    )
    assert dump.urls(date(2026, 3, 1))[1:] == (
        "https://x.example/2026-03-01",
        "https://x.example/2026-02-01",
        "https://x.example/2026-01-01",
    )
    assert Dump("d", "D", "", "").urls(date(2026, 1, 31)) == ()


def test_disk_and_seconds_grow_with_the_download() -> None:
    dump = Dump("d", "D", "", "", growth=5.3, seconds_a_mb=0.5)
    assert dump.disk(10 * MB) == 63 * MB
    assert dump.seconds(10 * MB) == 5.0


def test_dumps_without_an_address_say_how_to_get_them() -> None:
    assert list(BY_NAME) == [dump.name for dump in DUMPS]
    assert len(DUMPS) == len(BY_NAME) > 5
    for dump in DUMPS:
        assert dump.urls(date(2026, 11, 1)) or dump.listings or dump.by_hand
        assert dump.bytes
        assert dump.records
