"""What ``citeproof verify`` shows on a narrow terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.program import Program

TITLE = "Kiln Ledgers of the Upper Valley Potters and Weavers"


def test_a_title_is_whole_where_its_place_and_key_fill_the_line(citeproof: Program) -> None:
    (citeproof.folder / "references.bib").write_text(
        f"@misc{{osk2014kilnledgers, author = {{Osk, Mira}}, title = {{{TITLE}}}, year = 2014}}\n"
    )
    for columns, whole in (("40", True), ("80", False)):
        citeproof.environment["COLUMNS"] = columns
        shown = citeproof("verify", "references.bib", "--no-cache").stdout
        assert "osk2014kilnledgers" in shown
        assert (TITLE in " ".join(shown.split())) is whole
