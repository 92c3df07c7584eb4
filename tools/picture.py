"""Draw the picture of the README: the report on a few entries of the examples, as an SVG that loads
nothing.

``make picture`` runs it.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "picture.svg"
ENTRIES = ("vaswani2017attention", "parliament98", "valiant88", "fredman87")
"""Keys of the entries of the examples that are shown."""
COLUMNS = 84
_LOADED = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)


def bibliography() -> str:
    """Return the chosen entries of the examples."""
    entries = re.findall(
        r"^@\w+\{.*?^\}$", (ROOT / "examples" / "references.bib").read_text("utf-8"), re.M | re.S
    )
    return (
        "\n\n".join(
            entry for entry in entries if entry.partition("{")[2].partition(",")[0] in ENTRIES
        )
        + "\n"
    )


def report() -> str:
    """Return what ``citeproof verify refs.bib`` prints on a terminal, in colour, without the notes
    at the end.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "refs.bib").write_text(bibliography(), "utf-8")
        colours = {"FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
        own = {
            "HOME": folder,
            "XDG_CACHE_HOME": folder,
            "XDG_DATA_HOME": folder,
            "CITEPROOF_NO_CACHE": "true",
            "CITEPROOF_SAMPLE": "landmarks",
        }
        done = subprocess.run(
            [sys.executable, "-m", "citeproof", "verify", "refs.bib"],
            cwd=folder,
            env=os.environ | colours | own,
            capture_output=True,
            text=True,
            check=False,
        )
    return done.stdout.partition("Checked against")[0].rstrip()


def drawn(printed: str) -> str:
    """Return ``printed`` as an SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ citeproof verify refs.bib", "bold"))
    console.print(Text.from_ansi(printed))
    return _LOADED.sub("", console.export_svg(title="citeproof", unique_id="citeproof"))


if __name__ == "__main__":
    PICTURE.write_text(drawn(report()), "utf-8")
