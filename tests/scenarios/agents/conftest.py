"""The session of the unit tests of the tools."""

from tests.agents.conftest import sample_session

__all__ = ["sample_session"]
