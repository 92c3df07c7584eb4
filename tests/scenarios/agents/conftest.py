"""The session of the unit tests of the tools."""

from __future__ import annotations

from tests.agents.conftest import sample_session

__all__ = ["sample_session"]
