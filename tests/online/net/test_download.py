"""Downloads from servers that close connections, stall, redirect, send web pages, or state a wrong
length.
"""

from __future__ import annotations

import hashlib
import socket
import threading
from typing import TYPE_CHECKING

import pytest

from citeproof.model.errors import BuildError
from citeproof.online.net.download import ATTEMPTS, Downloader, Version
from tests.online.net.file_server import serving

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = bytes(range(256)) * 4096
OTHER = CONTENT[::-1]


def downloader(
    folder: Path, paused: list[float] | None = None, stall_seconds: float = 30.0
) -> Downloader:
    pauses = [] if paused is None else paused
    return Downloader(folder, pause=pauses.append, stall_seconds=stall_seconds)


def fetched(folder: Path, url: str, checksum: str = "") -> bytes:
    return downloader(folder).fetch(url, checksum)[0].read_bytes()


def test_fetch_returns_the_whole_file_and_its_version(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with serving(CONTENT) as server:
        path, version = Downloader(tmp_path, progress=lambda *state: seen.append(state)).fetch(
            server.url
        )
    assert path.read_bytes() == CONTENT
    assert (version.etag, version.modified, version.size) == (
        '"one"',
        server.modified,
        len(CONTENT),
    )
    assert seen[-1] == (len(CONTENT), len(CONTENT))


def test_fetch_resumes_an_interrupted_download(tmp_path: Path) -> None:
    paused: list[float] = []
    with serving(CONTENT, cut_after=[1000, 5000]) as server:
        path, _ = downloader(tmp_path, paused).fetch(server.url)
        assert [asked.get("Range") for asked in server.asked()] == [
            None,
            "bytes=1000-",
            "bytes=6000-",
        ]
    assert path.read_bytes() == CONTENT
    assert paused == [1.0, 1.0]


def test_fetch_resumes_the_download_of_an_earlier_process(tmp_path: Path) -> None:
    with serving(CONTENT, cut_after=[1000, *[0] * ATTEMPTS]) as server:
        with pytest.raises(BuildError, match=r"1,000 bytes are kept, run it again to go on"):
            fetched(tmp_path, server.url)
        server.cut_after.clear()
        assert fetched(tmp_path, server.url) == CONTENT
        assert server.asked()[-1]["Range"] == "bytes=1000-"


def test_fetch_reconnects_to_a_stalled_server(tmp_path: Path) -> None:
    with serving(CONTENT, stall_after=[1000]) as server:
        path, _ = downloader(tmp_path, stall_seconds=0.2).fetch(server.url)
        assert [asked.get("Range") for asked in server.asked()] == [None, "bytes=1000-"]
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("heeds", [True, False])
def test_fetch_restarts_if_the_file_changed(tmp_path: Path, heeds: bool) -> None:
    with serving(CONTENT, cut_after=[1000], change_to=OTHER, heeds_if_range=heeds) as server:
        path, version = downloader(tmp_path).fetch(server.url)
    assert path.read_bytes() == OTHER
    assert version.etag == '"two"'


def test_fetch_restarts_without_a_version_or_ranges(tmp_path: Path) -> None:
    with serving(CONTENT, cut_after=[1000], etag="", modified="") as server:
        assert fetched(tmp_path / "one", server.url) == CONTENT
    with serving(CONTENT, cut_after=[1000], ranges=False) as server:
        assert fetched(tmp_path / "other", server.url) == CONTENT


def test_fetch_repeats_an_incomplete_response_without_a_length(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
    replies = [
        head + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        head + b"Content-Length: 6\r\n\r\nabcdef",
    ]

    def answer() -> None:
        for reply in replies:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(reply)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer)
        thread.start()
        assert (
            fetched(tmp_path, f"http://127.0.0.1:{listening.getsockname()[1]}/dump.gz") == b"abcdef"
        )
        thread.join()


def test_fetch_fails_if_the_file_stays_incomplete(tmp_path: Path) -> None:
    with (
        serving(CONTENT, claimed=9) as server,
        pytest.raises(BuildError, match=r"says .* bytes and has sent"),
    ):
        fetched(tmp_path, server.url)
    assert len(server.asked()) <= 2 * ATTEMPTS


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<!DOCTYPE html><title>Just a moment</title>", "application/gzip"),
        (b"wait", "text/html; charset=utf-8"),
    ],
)
def test_fetch_refuses_a_web_page(tmp_path: Path, content: bytes, kind: str) -> None:
    with (
        serving(content, kind=kind) as server,
        pytest.raises(BuildError, match="is a web page, not a dump"),
    ):
        fetched(tmp_path, server.url)
    assert [path.read_bytes() for path in tmp_path.glob("*.part")] == [b""]


def test_fetch_follows_redirects_except_from_https_to_http(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        server.location = server.url
        assert fetched(tmp_path, f"http://127.0.0.1:{server.port}/moved") == CONTENT
        server.location = "ftp://127.0.0.1/dump.gz"
        with pytest.raises(BuildError, match="which is not https"):
            fetched(tmp_path, f"http://127.0.0.1:{server.port}/moved")


def test_fetch_waits_as_long_as_retry_after(tmp_path: Path) -> None:
    paused: list[float] = []
    with serving(CONTENT, statuses=[503, 429]) as server:
        path, _ = downloader(tmp_path, paused).fetch(server.url)
    assert path.read_bytes() == CONTENT
    assert paused == [7.0, 7.0]


def test_fetch_fails_at_once_with_status_404(tmp_path: Path) -> None:
    with (
        serving(CONTENT, statuses=[404]) as server,
        pytest.raises(BuildError, match="HTTP status 404"),
    ):
        fetched(tmp_path, server.url)
    assert len(server.asked()) == 1


def test_fetch_compares_the_file_with_its_checksum(tmp_path: Path) -> None:
    right = hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()
    with serving(CONTENT, checksum=f"{right}  dump.gz\n") as server:
        assert fetched(tmp_path, server.url, server.url + ".md5") == CONTENT
        server.checksum = right.replace(right[0], "f" if right[0] != "f" else "e")
        with pytest.raises(
            BuildError,
            match=r"does not agree with the checksum at .*\.md5; what was fetched is thrown",
        ):
            fetched(tmp_path, server.url, server.url + ".md5")
        server.checksum = "request 0123456789abcdef0123456789abcdef0123\n"  # 36 digits: no checksum
        assert fetched(tmp_path, server.url, server.url + ".md5") == CONTENT
        server.checksum = ""
        assert fetched(tmp_path, server.url, server.url + ".md5") == CONTENT


def test_look_returns_none_for_a_known_version(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        for known in (
            Version(server.url, '"one"'),
            Version(server.url, "", server.modified, len(CONTENT)),
        ):
            assert downloader(tmp_path).look(server.url, known) is None
        found = downloader(tmp_path).look(server.url, Version(server.url, '"zero"'))
        assert found == Version(server.url, '"one"', server.modified, len(CONTENT))
        assert server.asked() == []


@pytest.mark.parametrize("kept", [True, False])  # False: the process was killed after the fetch
def test_keep_or_a_kill_saves_the_next_fetch(tmp_path: Path, *, kept: bool) -> None:
    with serving(CONTENT) as server:
        fetching = downloader(tmp_path)
        path, _ = fetching.fetch(server.url)
        if kept:
            fetching.keep(path)
        path, version = fetching.fetch(server.url)
        assert path.read_bytes() == CONTENT
        assert version.etag == '"one"'
        assert server.asked()[-1]["Range"] == f"bytes={len(CONTENT)}-"
        fetching.drop(path)
    assert list(tmp_path.iterdir()) == []


def test_fetch_uses_a_proxy_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(CONTENT) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert fetched(tmp_path, "http://dumps.invalid/dump.gz") == CONTENT
        assert proxy.requests[0][1] == "http://dumps.invalid/dump.gz"


def test_look_and_fetch_report_an_unreachable_server_in_one_line(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        pass
    with pytest.raises(BuildError, match=r"cannot be fetched: Connection refused$"):
        fetched(tmp_path, server.url)


ZENODO = b"""{"files": [
    {"key": "note.txt", "size": 9, "checksum": "md5:1", "links": {"self": "https://a.b/note"}},
    {"key": "csv.zip", "size": 99, "checksum": "md5:d4", "links": {"self": "https://a.b/csv"}}]}"""
FIGSHARE = b"""{"files": [
    {"name": "csv.zip", "size": 99, "download_url": "https://a.b/7", "computed_md5": "d4"}]}"""


@pytest.mark.parametrize(
    ("content", "found"),
    [(ZENODO, ("https://a.b/csv", "d4", 99)), (FIGSHARE, ("https://a.b/7", "d4", 99))],
)
def test_listed_is_the_largest_file_of_a_list(
    tmp_path: Path, content: bytes, found: tuple[str, str, int]
) -> None:
    with serving(content) as server:
        assert downloader(tmp_path).listed(server.url) == found


@pytest.mark.parametrize("content", [b"<html>", b'{"files": []}', b"[]", b'{"files": [{}]}'])
def test_listed_says_that_a_list_has_no_file(tmp_path: Path, content: bytes) -> None:
    with serving(content) as server, pytest.raises(BuildError, match="lists no file"):
        downloader(tmp_path).listed(server.url)


def test_listed_says_that_a_server_refuses(tmp_path: Path) -> None:
    with (
        serving(ZENODO, statuses=[403]) as server,
        pytest.raises(BuildError, match="answers with HTTP status 403"),
    ):
        downloader(tmp_path).listed(server.url)


def test_fetch_compares_the_file_with_a_checksum_that_is_given(tmp_path: Path) -> None:
    with serving(CONTENT) as server:
        checksum = hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()
        assert fetched(tmp_path, server.url, checksum) == CONTENT
        with pytest.raises(BuildError, match=f"does not agree with the checksum {'0' * 32};"):
            fetched(tmp_path, server.url, "0" * 32)
