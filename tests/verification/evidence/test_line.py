"""The name of the code that decides."""

from importlib.resources import files

from citeproof.verification.evidence.line import _RULES, code_version


def test_code_version_covers_packages_that_exist() -> None:
    for package in _RULES:
        assert (files("citeproof") / package).is_dir(), package
        assert code_version(package) != code_version()
