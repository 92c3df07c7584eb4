"""The name of the code that decides."""

from importlib.resources import files

from citeproof.model.version import code_version
from citeproof.verification.evidence.line import RULES


def test_code_version_covers_packages_that_exist() -> None:
    for part in RULES:
        found = files("citeproof") / part
        assert found.is_dir() or found.is_file(), part
        assert code_version(part) != code_version()
