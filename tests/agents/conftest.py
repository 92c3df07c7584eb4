"""A session with the sample database and without a cache, shared by all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import citeproof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citeproof.verification.session import Session


@pytest.fixture(scope="session")
def sample_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.delenv("CITEPROOF_BIB_DB", raising=False)
        with citeproof.open_session(no_cache=True) as session:
            yield session
