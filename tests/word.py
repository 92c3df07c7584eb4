"""Word documents, made of the XML of their bodies."""

import json
import zipfile
from html import escape
from io import BytesIO

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word_document(body: str, **notes: str) -> bytes:
    """Return a ``.docx`` of ``body``; ``footnotes`` and ``endnotes`` are the XML of such parts."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as written:
        parts = {"document": f"<w:body>{body}</w:body>", **notes}
        for name, content in parts.items():
            # No compression: hostile bodies repeat themselves, and what shrinks a thousandfold is
            # refused.
            xml = f'{_XML}<w:{name} xmlns:w="{_NAMESPACE}">{content}</w:{name}>'
            written.writestr(zipfile.ZipInfo(f"word/{name}.xml"), xml)
        written.writestr(zipfile.ZipInfo("[Content_Types].xml"), f"{_XML}<Types/>")
    return packed.getvalue()


def paragraph(text: str, style: str = "") -> str:
    """Return a paragraph."""
    return (
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{escape(text)}</w:t></w:r></w:p>'
    )


def field(code: str, printed: str = "[1]", data: str = "") -> str:
    """Return a paragraph with a field, its code in two pieces as Word likes to part them."""
    middle = len(code) // 2
    pieces = "".join(
        f"<w:instrText>{escape(piece)}</w:instrText>" for piece in (code[:middle], code[middle:])
    )
    return (
        f'<w:p><w:r><w:fldChar w:fldCharType="begin"><w:fldData>{data}</w:fldData></w:fldChar>'
        f'</w:r><w:r>{pieces}</w:r><w:r><w:fldChar w:fldCharType="separate"/>'
        f'<w:t>{printed}</w:t><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    )


def zotero(*items: dict[str, object]) -> str:
    """Return the code by which Zotero cites ``items``; Mendeley's lacks the second word."""
    cited = [{"id": item.get("id"), "itemData": item} for item in items]
    return f" ADDIN ZOTERO_ITEM CSL_CITATION {json.dumps({'citationItems': cited})} "
