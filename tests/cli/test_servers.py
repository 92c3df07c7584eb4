"""Warnings of the services before they listen."""

import pytest

from citeproof.cli import servers
from citeproof.settings.values import Secret


@pytest.mark.parametrize(
    ("host", "token", "warns"),
    [
        ("0.0.0.0", None, True),
        ("citeproof.example", None, True),
        ("::", None, True),
        ("0.0.0.0", Secret("t"), False),
        ("127.0.0.1", None, False),
        ("localhost", None, False),
        ("::1", None, False),
        ("", None, False),
        ("1.2.3.999", None, False),
    ],
)
def test_warn_if_open_warns_if_other_machines_need_no_token(
    capsys: pytest.CaptureFixture[str], host: str, token: Secret | None, warns: bool
) -> None:
    servers._warn_if_open(host, token)
    said = capsys.readouterr().err
    assert (f"listens on {host} and requires no token" in said) == warns
    assert bool(said) == warns
