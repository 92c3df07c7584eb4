"""Archives: what is in them is read in place, and what is hostile costs only itself."""

import gzip
import io
import stat
import tarfile
import tracemalloc
import zipfile
from functools import partial

import pytest

from citeproof.model.reference import Diagnostic
from citeproof.readers.archive import Archive, open_archive, path_inside
from citeproof.readers.document import (
    Budget,
    Collection,
    Document,
    Member,
    RefusedError,
    is_archive,
)
from citeproof.readers.formats import read_all
from citeproof.readers.opening import open_bytes
from citeproof.readers.papers import papers_of


def zipped(**members: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_", "."), data)
    return target.getvalue()


def tarred(members: dict[str, bytes], links: tuple[str, ...] = ()) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name in links:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(info)
    return target.getvalue()


def opened(data: bytes) -> Archive:
    archive = open_archive("a", io.BytesIO(data), Budget())
    assert isinstance(archive, Archive)
    return archive


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress])
def test_open_archive_a_tar_names_what_it_does_not_read_and_reads_the_rest(pack: object) -> None:
    data = tarred(
        {"a.bib": b"one", "../b.bib": b"two", "/c.bib": b"three", "./d/e.bib": b"four"},
        links=("l.bib",),
    )
    archive = opened(pack(data))  # type: ignore[operator]
    assert {path: read() for path, read in archive.read.items()} == {
        "a.bib": b"one",
        "d/e.bib": b"four",
    }
    assert [(path, error.code) for path, error in archive.refused] == [
        ("../b.bib", "outside"),
        ("/c.bib", "outside"),
        ("l.bib", "link"),
    ]


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_open_archive_the_limit_counts_files_and_not_folders(kind: str) -> None:
    target = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(target, "w") as packed:
            for name in ("p/", "p/a.bib", "q/", "q/b.bib", "q/c.bib"):
                packed.writestr(name, b"")
    else:
        with tarfile.open(fileobj=target, mode="w") as archive:
            for name in ("p/", "p/a.bib", "q/", "q/b.bib", "q/c.bib"):
                info = tarfile.TarInfo(name)
                info.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
                archive.addfile(info)
    target.seek(0)
    found = open_archive("a", target, Budget(members=2))
    assert isinstance(found, Archive)
    assert list(found.read) == ["p/a.bib", "q/b.bib"]
    assert [str(error) for _, error in found.refused] == [
        "has more than 2 files; the rest is not read: split it"
    ]


def test_open_archive_a_cut_tar_keeps_what_stands_before_the_cut() -> None:
    data = gzip.compress(tarred({"a.bib": b"one", "b.bib": bytes(range(256)) * 400}))
    archive = opened(data[: len(data) // 2])
    assert archive.read["a.bib"]() == b"one"
    with pytest.raises(RefusedError, match="damaged"):
        archive.read["b.bib"]()


def test_open_archive_a_bomb_in_a_zip_is_refused_before_it_is_unpacked() -> None:
    archive = opened(zipped(good_bib=b"one", bomb_bib=b" " * 3_000_000))
    assert archive.read["good.bib"]() == b"one"
    with pytest.raises(RefusedError, match="100 times"):
        archive.read["bomb.bib"]()


def test_open_archive_a_gzip_bomb_is_refused() -> None:
    with pytest.raises(RefusedError, match="100 times"):
        open_archive("a", io.BytesIO(gzip.compress(b" " * 5_000_000)), Budget())


def test_open_archive_all_members_together_have_a_limit() -> None:
    archive = open_archive("a", io.BytesIO(zipped(a_bib=b"x" * 60, b_bib=b"x" * 60)), Budget(100))
    assert isinstance(archive, Archive)
    archive.read["a.bib"]()
    with pytest.raises(RefusedError, match="100 bytes"):
        archive.read["b.bib"]()


def test_open_archive_a_protected_and_a_damaged_member_cost_themselves() -> None:
    data = bytearray(zipped(a_bib=b"one", b_bib=b"two" * 100, c_bib=b"three"))
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flags of the first in the list of members
    start = data.index(b"b.bib") + 5
    data[start : start + 4] = b"\xff\xff\xff\xff"
    archive = opened(bytes(data))
    codes = {}
    for path, read in archive.read.items():
        try:
            read()
        except RefusedError as error:
            codes[path] = error.code
    assert codes == {"a.bib": "protected", "b.bib": "damaged"}


def test_archive_members_are_neighbours_and_none_lies_outside() -> None:
    archive = opened(zipped(**{"p/main_tex": b"a", "refs_bib": b"b"}))
    found = archive.neighbour("p", "../refs.bib")
    assert found
    assert (found.name, found.text) == ("a/refs.bib", "b")
    assert [
        name
        for name in ("../../refs.bib", "/refs.bib", "none", "a\0")
        if archive.neighbour("p", name)
    ] == []


@pytest.mark.parametrize(
    ("folder", "name", "path"),
    [
        ("sub", "../a", "a"),
        ("", "../a", None),
        ("", "/a", None),
        ("", "C:\\a", None),
        ("", "a\\b", "a/b"),
    ],
)
def test_path_inside_paths_inside(folder: str, name: str, path: str | None) -> None:
    assert path_inside(folder, name) == path


def test_open_archive_a_member_without_a_name_costs_itself() -> None:
    data = zipped(a_bib=b"one", bb=b"two").replace(b"\x02\x00\x00\x00bb", b"\x00\x00\x02\x00bb")
    at = data.rindex(b"PK\x01\x02")
    # a name of no letters, and two bytes of something else
    data = data[: at + 28] + b"\0\0\2\0" + data[at + 32 :]
    archive = opened(data)
    assert list(archive.read) == ["a.bib"]
    assert [(path, error.code) for path, error in archive.refused] == [("", "damaged")]


def test_open_archive_refuses_an_archive_inside_too_many_others() -> None:
    data = zipped(a_bib=b"one")
    for _ in range(3):
        data = zipped(a_zip=data)
    inner = open_bytes("a.zip", data)
    for _ in range(3):
        assert isinstance(inner, Collection)
        inner = inner.members[0].open()
    assert isinstance(inner, Diagnostic)
    assert inner.code == "document.nested"


def test_open_archive_a_link_in_a_zip_is_not_followed() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        info = zipfile.ZipInfo("l.bib")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(info, "/etc/passwd")
        made.writestr("a.bib", "one")
    archive = opened(target.getvalue())
    assert [(path, error.code) for path, error in archive.refused] == [("l.bib", "link")]
    assert list(archive.read) == ["a.bib"]


@pytest.mark.parametrize("pack", [zipped, lambda **members: tarred(dict(members))])
def test_open_archive_a_member_that_claims_2_gb_is_refused_without_being_read(pack: object) -> None:
    data = bytearray(pack(**{"a.bib": b"one", "b.bib": b"two"}))  # type: ignore[operator]
    if data.startswith(b"PK"):
        at = data.rindex(b"PK\x01\x02") + 24
        data[at : at + 4] = (2**31).to_bytes(4, "little")
    else:
        header = tarfile.TarInfo("b.bib")
        header.size = 2**31
        data[1024:1536] = header.tobuf()
    tracemalloc.start()
    archive = opened(bytes(data))
    assert archive.read["a.bib"]() == b"one"
    with pytest.raises(RefusedError, match="256 MB"):
        archive.read["b.bib"]()
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()


def test_archive_a_thousand_empty_members_are_left_out_and_counted() -> None:
    archive = Archive("a.zip", {f"{number}.bib": bytes for number in range(1_000)})
    members = tuple(
        Member(f"a.zip/{path}", partial(Document.of, path, b"")) for path in archive.read
    )
    found = read_all(
        [*papers_of([Collection("a.zip", members), open_bytes("b.bib", b"@misc{b, title={T}}")])]
    )
    assert [
        str(entry) for one in found for entry in one.entries if isinstance(entry, Diagnostic)
    ] == ["a.zip: has no paper or bibliography that was recognised; name its format with --from"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\x1b[31mred.bib", "a\\x1b[31mred.bib"),
        ("b\nline.bib", "b\\nline.bib"),
        ("c\u202etxt.bib", "c\\u202etxt.bib"),
    ],
)
def test_open_archive_a_name_that_commands_a_terminal_is_shown_escaped(
    name: str, shown: str
) -> None:
    data = tarred({name: b"@misc{a, title={One}}"}, links=(f"link {name}",))
    collection = open_bytes("a.tar", data)
    assert isinstance(collection, Collection)
    (member,) = collection.members
    document = member.open()
    assert isinstance(document, Document)
    assert (member.name, document.name, document.text) == (
        f"a.tar/{shown}",
        f"a.tar/{shown}",
        "@misc{a, title={One}}",
    )
    assert [one.file for one in collection.diagnostics] == [f"a.tar/link {shown}"]


def test_open_archive_an_office_document_is_no_archive() -> None:
    data = zipped(mimetype=b"application/vnd.oasis.opendocument.text")
    assert is_archive(data)
    assert isinstance(open_bytes("a.docx", data), Document)


def test_open_archive_a_file_that_is_packed_alone_loses_its_suffix() -> None:
    document = open_bytes("a.tex.gz", gzip.compress(b"text"))
    assert isinstance(document, Document)
    assert (document.name, document.text) == ("a.tex", "text")


@pytest.mark.parametrize("kind", ["zip", "tar", "gz"])
def test_open_archive_reads_files_up_to_the_largest_size(kind: str) -> None:
    content = bytes(range(256))
    for largest, refused in ((256, False), (255, True)):
        budget = Budget(largest=largest)
        if kind == "gz":
            stream = io.BytesIO(gzip.compress(content))
            reading = partial(open_archive, "a", stream, budget)
        else:
            packed = zipped(a_bib=content) if kind == "zip" else tarred({"a.bib": content})
            archive = open_archive("a", io.BytesIO(packed), budget)
            assert isinstance(archive, Archive)
            reading = archive.read["a.bib"]  # type: ignore[assignment]
        if refused:
            with pytest.raises(RefusedError) as caught:
                reading()
            assert caught.value.code == "too_large"
        else:
            assert reading() == content


def test_open_archive_reads_several_members_of_a_gzip_file_and_no_padding() -> None:
    data = gzip.compress(b"@misc{a}") + gzip.compress(b"@misc{b}") + b"\0" * 512
    assert open_archive("a", io.BytesIO(data), Budget()) == b"@misc{a}@misc{b}"


def test_open_archive_says_what_is_damaged() -> None:
    data = gzip.compress(b"@misc{a}" * 99)
    with pytest.raises(RefusedError, match="ends in the middle; download or make it again"):
        open_archive("a", io.BytesIO(data[:-12]), Budget())
    with pytest.raises(RefusedError, match=r"^is damaged: .+[^.]; download or make it again$"):
        open_archive("a", io.BytesIO(zipped(a_bib=b"x")[:40]), Budget())


def test_open_archive_refuses_a_zip_whose_list_of_members_would_fill_the_memory() -> None:
    data = bytearray(zipped(a_bib=b"@misc{a}"))
    end = data.rindex(b"PK\x05\x06")
    for size, code in ((64 * 2**20, "damaged"), (64 * 2**20 + 1, "too_large")):
        data[end + 12 : end + 16] = size.to_bytes(4, "little")
        with pytest.raises(RefusedError) as caught:
            open_archive("a", io.BytesIO(bytes(data)), Budget())
        assert caught.value.code == code
    longer = b"PK\x06\x06" + bytes(36) + (2**40).to_bytes(8, "little")
    with pytest.raises(RefusedError, match="list of members has more than 64 MB"):
        open_archive("a", io.BytesIO(bytes(data[:end]) + longer + bytes(data[end:])), Budget())


def test_open_archive_tells_office_documents_from_other_archives() -> None:
    for names, office in (
        (["a.bib", "[Content_Types].xml"], True),
        (["mimetype", "a.bib"], True),
        (["a.bib", "mimetype"], False),
    ):
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive:
            for name in names:
                archive.writestr(name, "x")
        assert opened(target.getvalue()).office is office
