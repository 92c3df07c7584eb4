"""Prepare a release: set the version where it is stated, check a clean copy, commit, tag.

``make release VERSION=0.2.0 URL=https://host/owner/citeproof`` runs it. Nothing is published:
pushing the tag starts ``.github/workflows/release.yml``, which refuses a release without the
address of the project.

1. The folder must be clean, the tag new and the version a number behind the last release.
2. The version is written into the package, ``CITATION.cff`` and ``CHANGELOG.md``, where it replaces
   "Unreleased". In the first release with ``URL``, the address of the project replaces
   ``example.org``, and the pages say how to install a published package instead of a clone.
3. ``make test`` passes; wheel and sdist are built into ``dist``; the wheel checks the examples in a
   fresh environment.
4. The change is committed and tagged. If a step fails, the files are set back.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "citeproof" / "model" / "version.py"
CITATION = ROOT / "CITATION.cff"
CHANGELOG = ROOT / "CHANGELOG.md"
FILES = (
    PACKAGE,
    CITATION,
    CHANGELOG,
    ROOT / "pyproject.toml",
    ROOT / "README.md",
    ROOT / "docs" / "ci.md",
    ROOT / "docs" / "cli.md",
)
"""The files that state the version, the project's address, or how citeproof is installed."""
NOWHERE = "https://example.org/citeproof"
"""Address of the project in :data:`FILES` before the first release."""
PUBLISHED = {
    "pip install .                       # in this folder, until citeproof is published": (
        "pip install citeproof"
    ),
    "| extra | in a clone | adds |": "| extra | installed by | adds |",
    "`pip install '.[": "`pip install 'citeproof[",
}
"""Map from how the pages say that citeproof is installed from a clone to how a package is."""
_NUMBER = re.compile(r"\d+\.\d+\.\d+")
_RELEASED = re.compile(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$", re.MULTILINE)


def last_release(changelog: str) -> tuple[str, str]:
    """Return the version and the day of the last release."""
    found = _RELEASED.search(changelog)
    return (found[1], found[2]) if found else ("0.0.0", "")


def refusal(version: str, changelog: str, address: str) -> str:
    """Return why ``version`` cannot be released next; empty if it can.

    ``address`` is that of the project, or :data:`NOWHERE` while it is not published.
    """
    if not re.fullmatch(r"https://[^/\s]+/\S*[^/\s]", address):
        return f"{address!r} is no address of the project; give URL=https://host/owner/citeproof"
    if not _NUMBER.fullmatch(version):
        return f"{version!r} is no version such as 0.2.0"
    last, _ = last_release(changelog)
    if _parts(version) <= _parts(last):
        return f"{version} does not follow {last}"
    if not re.search(r"^## Unreleased\n(?:(?!## ).*\n)*\* ", changelog, re.MULTILINE):
        return "CHANGELOG.md has nothing under 'Unreleased'"
    return ""


def released(path: Path, text: str, version: str, day: date, address: str) -> str:
    """Return the ``text`` of one of :data:`FILES` as it is in the release."""
    text = text.replace(NOWHERE, address)
    for in_a_clone, published in PUBLISHED.items() if address != NOWHERE else ():
        text = text.replace(in_a_clone, published)
    if path == PACKAGE:
        return re.sub(r'(?m)^(__version__ = )".*"$', rf'\g<1>"{version}"', text)
    if path == CITATION:
        text = re.sub(r"(?m)^version: .*$", f"version: {version}", text)
        return re.sub(r"(?m)^date-released: .*$", f"date-released: {day}", text)
    return text.replace("## Unreleased\n", f"## {version} - {day}\n", 1)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _run(*words: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, check=False, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        sys.exit(f"release: {' '.join(map(str, words))} failed")
    return done.stdout.strip()


def _check_wheel(version: str) -> None:
    """Build into ``dist``, and let the wheel check the examples in an environment of its own."""
    _run(sys.executable, "-m", "pip", "install", "-q", "build", "twine")
    _run(sys.executable, "-m", "build", "--outdir", ROOT / "dist")
    wheel = ROOT / "dist" / f"citeproof-{version}-py3-none-any.whl"
    _run(
        sys.executable,
        "-m",
        "twine",
        "check",
        "--strict",
        wheel,
        ROOT / "dist" / f"citeproof-{version}.tar.gz",
    )
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        _run(programs / "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel)
        if not _run(programs / "citeproof", "--version", cwd=Path(folder)).endswith(version):
            sys.exit("release: the wheel has another version")
        examples = ROOT / "examples" / "references.bib"
        _run(
            programs / "citeproof",
            "verify",
            examples,
            "--no-cache",
            "--fail-on",
            "never",
            cwd=Path(folder),
        )


def stated_address() -> str:
    """Return the address of the project that ``pyproject.toml`` states."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["urls"]["Repository"])


def main(version: str, address: str = "") -> None:
    """Make the release ``version``. Only the first published release needs the ``address`` of the
    project.
    """
    address = address or stated_address()
    if reason := refusal(version, CHANGELOG.read_text("utf-8"), address):
        sys.exit(f"release: {reason}")
    if _run("git", "status", "--porcelain"):
        sys.exit("release: commit or remove what is changed first")
    if _run("git", "tag", "--list", f"v{version}"):
        sys.exit(f"release: there is a tag v{version} already")
    before = {path: path.read_bytes() for path in FILES}
    try:
        for path in FILES:
            day = datetime.now(UTC).date()
            path.write_text(released(path, path.read_text("utf-8"), version, day, address), "utf-8")
        _run("make", "test")
        _check_wheel(version)
        _run("git", "commit", "-q", "-m", f"Release {version}", *FILES)
    except BaseException:
        for path, data in before.items():
            path.write_bytes(data)
        raise
    _run("git", "tag", "-a", f"v{version}", "-m", f"citeproof {version}")
    print(f"Released {version} here. To publish it: git push origin HEAD v{version}")
    if address == NOWHERE:
        print("It states no address of the project, so it cannot be published: give URL=... next.")


if __name__ == "__main__":
    main(*sys.argv[1:])
