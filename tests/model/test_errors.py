import sys

import pytest

from citeproof.model.errors import (
    Exit,
    InputError,
    MissingExtraError,
    install_command,
    one_line,
)


def test_one_line_names_the_type_of_errors_that_are_not_ours() -> None:
    assert one_line(InputError("a.bib: is empty\nand more")) == "a.bib: is empty"
    assert one_line(ValueError("no number\nhere")) == "ValueError: no number"


def test_install_command_names_the_packages_of_an_extra() -> None:
    command = install_command("lsp")
    assert sys.executable in command
    assert command.endswith('"pygls>=2.0"')
    assert install_command("nothing").endswith('"citeproof[nothing]"')


@pytest.mark.parametrize(
    ("missing", "said"), [("pygls.server", "the package pygls"), (None, "more packages")]
)
def test_missing_extra_error_says_what_to_install(missing: str | None, said: str) -> None:
    error = MissingExtraError("citeproof lsp", "lsp", missing)
    assert str(error).startswith(f"citeproof lsp needs {said}: ")
    assert error.exit_code is Exit.USAGE
