"""One source, asked with answers that a test gives."""

from __future__ import annotations

from typing import Any

import pytest

from tests.online.asked import Asked


@pytest.fixture
def ask(manual_clock: Any) -> Any:
    return lambda name, *answers, **options: Asked(manual_clock, name, *answers, **options)
