"""Messages come out of a pipe as they went in; what is no message is seen."""

from __future__ import annotations

import subprocess
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from citeproof.child_process import Unframer, command, environment, framed, read_message

if TYPE_CHECKING:
    from pathlib import Path

CONTENTS = [b"", b"one", b"two" * 1000]


def test_a_stream_is_read_message_by_message() -> None:
    stream = BytesIO(b"".join(map(framed, CONTENTS)))
    assert [read_message(stream) for _ in range(4)] == [*CONTENTS, None]


@pytest.mark.parametrize("size", range(1, 7))
def test_a_message_that_is_cut_off_is_none(size: int) -> None:
    assert read_message(BytesIO(framed(b"one")[:size])) is None


@pytest.mark.parametrize("size", [1, 3, 50, 10_000])
def test_parts_of_any_size_are_put_together(size: int) -> None:
    stream = b"".join(map(framed, CONTENTS))
    unframer = Unframer()
    parts = [stream[first : first + size] for first in range(0, len(stream), size)]
    assert [content for part in parts for content in unframer.feed(part)] == CONTENTS


def test_text_is_no_message() -> None:
    with pytest.raises(ValueError, match="not a message"):
        list(Unframer().feed(b"text"))


def test_a_module_of_the_folder_that_it_runs_in_is_not_taken_for_ours(tmp_path: Path) -> None:
    (tmp_path / "platform.py").write_text("raise SystemExit('not this one')")
    done = subprocess.run(command("platform"), env=environment(), cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0
