"""What all tests share: where the data folder beside the checkout is, and the skip when it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real data beside the checkout, or skip and say so."""
    if not (SHARED / "README.md").is_file():
        pytest.skip("needs the data folder ../shared, which is not part of the project")
    return SHARED
