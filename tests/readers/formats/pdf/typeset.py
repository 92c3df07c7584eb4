"""Small PDF files for tests: lines of text at given places, in the standard font Helvetica."""

from dataclasses import dataclass

WIDTH, HEIGHT = 612, 792


@dataclass(frozen=True, slots=True)
class Text:
    """One line: its left edge and its base line in points from the page's lower left corner."""

    left: float
    bottom: float
    text: str
    size: float = 10.0
    link: str = ""
    """Where a click on it leads."""


_OUTLINES = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
_GLYPH = "6 0 0 0 6 7 d1 0 0 5 7 re f"


def _bitmaps(glyph: int) -> str:
    """Return a bitmap font as pdfTeX writes it: without a name, and its characters are ``a0`` to
    ``a255``.
    """
    names = [f"/a{code}" for code in range(256)]
    glyphs = " ".join(f"{name} {glyph} 0 R" for name in names)
    return (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -2 6 8] /FontMatrix [0.1 0 0 0.1 0 0]"
        f" /FirstChar 0 /LastChar 255 /Widths [{' 6' * 256}] /CharProcs << {glyphs} >> /Encoding <<"
        f" /Differences [0 {' '.join(names)}] >> >>"
    )


def pdf(pages: list[list[Text]], *, bitmaps: bool = False) -> bytes:
    """Return a PDF with ``pages``; with ``bitmaps`` their letters are pictures."""
    font = 3 + 2 * len(pages)
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
    ]
    for number, page in enumerate(pages):
        stream = "\n".join(
            f"BT /F {line.size} Tf {line.left} {line.bottom} Td ({_escaped(line.text)}) Tj ET"
            for line in page
        )
        links = " ".join(
            f"<< /Type /Annot /Subtype /Link /Rect [{line.left} {line.bottom - 2} {line.left + 200}"
            f" {line.bottom + 8}] /A << /S /URI /URI ({_escaped(line.link)}) >> >>"
            for line in page
            if line.link
        )
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Resources << /Font <<"
            f" /F {font} 0 R >> >> /Contents {4 + 2 * number} 0 R /Annots [{links}] >>"
        )
        objects.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
    objects.append(_bitmaps(font + 1) if bitmaps else _OUTLINES)
    objects.append(f"<< /Length {len(_GLYPH)} >>\nstream\n{_GLYPH}\nendstream")
    data, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    trailer = (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    )
    return data + (end + trailer).encode("cp1252")


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def column(
    lines: list[str], left: float = 72, top: float = 700, indent: float = 12, size: float = 10
) -> list[Text]:
    """Return lines one below the other; a line that begins with a space stands further in."""
    return [
        Text(left + (indent if text.startswith(" ") else 0), top - 12 * number, text.strip(), size)
        for number, text in enumerate(lines)
    ]
