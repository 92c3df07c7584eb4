"""Downloads from servers that cut, stall, redirect, answer with pages, change the file, and lie about its length."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from citeproof.errors import BuildError
from citeproof.net.download import ATTEMPTS, Arrived, Downloader, Version
from tests.net.file_server import serving

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = bytes(range(256)) * 4096
OTHER = CONTENT[::-1]


def downloader(folder: Path, paused: list[float] | None = None, stall_seconds: float = 30.0) -> Downloader:
    pauses = [] if paused is None else paused
    return Downloader(folder, pause=pauses.append, stall_seconds=stall_seconds)


def fetched(folder: Path, url: str, checksum: str = "") -> bytes:
    return downloader(folder).fetch(url, checksum)[0].read_bytes()


def test_a_file_arrives_whole_with_its_version(tmp_path: Path) -> None:
    seen: list[Arrived] = []
    with serving(CONTENT) as server:
        path, version = Downloader(tmp_path, progress=seen.append).fetch(server.url)
    assert path.read_bytes() == CONTENT
    assert (version.etag, version.modified, version.size) == ('"one"', server.modified, len(CONTENT))
    assert seen[-1] == Arrived(len(CONTENT), len(CONTENT))


def test_what_was_cut_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    paused: list[float] = []
    with serving(CONTENT, cut_after=[1000, 5000]) as server:
        path, _ = downloader(tmp_path, paused).fetch(server.url)
        assert [asked.get("Range") for asked in server.asked()] == [None, "bytes=1000-", "bytes=6000-"]
    assert path.read_bytes() == CONTENT
    assert paused == [1.0, 1.0]


def test_a_later_call_goes_on_too(tmp_path: Path) -> None:
    with serving(CONTENT, cut_after=[1000, *[0] * ATTEMPTS]) as server:
        with pytest.raises(BuildError, match=r"1,000 bytes are kept, run it again to go on"):
            fetched(tmp_path, server.url)
        server.cut_after.clear()
        assert fetched(tmp_path, server.url) == CONTENT
        assert server.asked()[-1]["Range"] == "bytes=1000-"


def test_a_server_that_falls_silent_is_left_and_asked_again(tmp_path: Path) -> None:
    with serving(CONTENT, stall_after=[1000]) as server:
        path, _ = downloader(tmp_path, stall_seconds=0.2).fetch(server.url)
        assert [asked.get("Range") for asked in server.asked()] == [None, "bytes=1000-"]
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("heeds", [True, False])
def test_a_file_that_changes_in_the_middle_is_fetched_anew(tmp_path: Path, heeds: bool) -> None:
    with serving(CONTENT, cut_after=[1000], change_to=OTHER, heeds_if_range=heeds) as server:
        path, version = downloader(tmp_path).fetch(server.url)
    assert path.read_bytes() == OTHER
    assert version.etag == '"two"'


def test_without_a_version_or_ranges_it_begins_anew(tmp_path: Path) -> None:
    with serving(CONTENT, cut_after=[1000], etag="", modified="") as server:
        assert fetched(tmp_path / "one", server.url) == CONTENT
    with serving(CONTENT, cut_after=[1000], ranges=False) as server:
        assert fetched(tmp_path / "other", server.url) == CONTENT


def test_a_server_that_promises_more_than_it_sends_is_given_up(tmp_path: Path) -> None:
    with serving(CONTENT, claimed=9) as server, pytest.raises(BuildError, match=r"says .* bytes and has sent"):
        fetched(tmp_path, server.url)
    assert len(server.asked()) <= 2 * ATTEMPTS


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"<!DOCTYPE html><title>Just a moment</title>", "application/gzip"), (b"wait", "text/html; charset=utf-8")],
)
def test_a_page_is_no_dump(tmp_path: Path, content: bytes, kind: str) -> None:
    with serving(content, kind=kind) as server, pytest.raises(BuildError, match="is a web page, not a dump"):
        fetched(tmp_path, server.url)
    assert [path.read_bytes() for path in tmp_path.glob("*.part")] == [b""]


def test_redirects_are_followed_and_none_without_tls(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        server.location = server.url
        assert fetched(tmp_path, f"http://127.0.0.1:{server.port}/moved") == CONTENT
        server.location = "ftp://127.0.0.1/dump.gz"
        with pytest.raises(BuildError, match="which is not https"):
            fetched(tmp_path, f"http://127.0.0.1:{server.port}/moved")


def test_a_busy_server_is_asked_again_after_the_time_it_names(tmp_path: Path) -> None:
    paused: list[float] = []
    with serving(CONTENT, statuses=[503, 429]) as server:
        path, _ = downloader(tmp_path, paused).fetch(server.url)
    assert path.read_bytes() == CONTENT
    assert paused == [7.0, 7.0]


def test_what_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with serving(CONTENT, statuses=[404]) as server, pytest.raises(BuildError, match="HTTP status 404"):
        fetched(tmp_path, server.url)
    assert len(server.asked()) == 1


def test_a_published_checksum_is_held_against_what_arrived(tmp_path: Path) -> None:
    right = hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()
    with serving(CONTENT, checksum=f"{right}  dump.gz\n") as server:
        assert fetched(tmp_path, server.url, server.url + ".md5") == CONTENT
        server.checksum = right.replace(right[0], "f" if right[0] != "f" else "e")
        with pytest.raises(
            BuildError, match=r"does not agree with the checksum at .*\.md5; what was fetched is thrown"
        ):
            fetched(tmp_path, server.url, server.url + ".md5")
        server.checksum = ""
        assert fetched(tmp_path, server.url, server.url + ".md5") == CONTENT


def test_a_version_that_is_known_is_not_fetched_again(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        for known in (
            Version(server.url, '"one"'),
            Version(server.url, "", server.modified, len(CONTENT)),
        ):
            assert downloader(tmp_path).look(server.url, known) is None
        found = downloader(tmp_path).look(server.url, Version(server.url, '"zero"'))
        assert found == Version(server.url, '"one"', server.modified, len(CONTENT))
        assert server.asked() == []


def test_a_file_that_was_kept_is_not_fetched_twice(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        fetching = downloader(tmp_path)
        path, _ = fetching.fetch(server.url)
        fetching.keep(path)
        path, version = fetching.fetch(server.url)
        assert path.read_bytes() == CONTENT
        assert version.etag == '"one"'
        assert server.asked()[-1]["Range"] == f"bytes={len(CONTENT)}-"
        fetching.drop(path)
    assert list(tmp_path.iterdir()) == []


def test_a_proxy_of_the_environment_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(CONTENT) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert fetched(tmp_path, "http://dumps.invalid/dump.gz") == CONTENT
        assert proxy.requests[0][1] == "http://dumps.invalid/dump.gz"


def test_nobody_there_is_one_clear_line(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        pass
    with pytest.raises(BuildError, match=r"cannot be fetched: Connection refused$"):
        fetched(tmp_path, server.url)
