"""Papers in bitmap fonts, whose letters have the codes of TeX's encodings."""

import pytest

from citeproof.readers.formats.pdf.bitmap import decoded, first_sign
from citeproof.readers.formats.pdf.page import read_pages
from tests.readers.formats.pdf.typeset import Text, pdf


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Ein Spa\x19 f\x7fur o\x0ezielle Ru\rin, \x0cn 3{4\r\n\\so\"", "Ein Spaß f¨ur oﬃzielle Ruﬂin, ﬁn 3–4\r\n“so”"),
        ("Ein Spaÿ für o\x1ezielle Ru\x1din 3\x154\r\n\x12so\x10", "Ein Spaß für oﬃzielle Ruﬂin 3–4\r\n„so“"),
    ],
    ids=["OT1", "T1"],
)  # fmt: skip
def test_decoded_tells_the_encodings_of_tex_apart(written: str, read: str) -> None:
    assert decoded(written) == read


def test_first_sign_is_none_in_other_texts() -> None:
    assert first_sign("Ein Spaß\r\nfür 3–4\ufffe\x02") is None


@pytest.mark.parametrize(
    ("bitmaps", "read"), [(True, "Lee, A. Efficient streets of Gießen, 3–4."), (False, "Lee, A. E cient streets of")]
)
def test_read_pages_decodes_bitmap_fonts_only(bitmaps: bool, read: str) -> None:
    line = Text(72, 700, "Lee, A. E\x0ecient streets of Gie\x19en, 3{4.")
    (page,) = read_pages(pdf([[line]], bitmaps=bitmaps))
    assert page.lines[0].text.startswith(read)
