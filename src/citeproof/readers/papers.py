"""Find the papers in a folder or an archive, and the files that belong to each paper.

A LaTeX paper with its bibliographies, ``.bbl``, ``.aux`` and PDF is one paper, which is read from
the ``.tex`` file.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from os.path import exists
from pathlib import PurePosixPath
from typing import TypeAlias, cast

from citeproof.model.errors import InputError
from citeproof.model.quantity import quantity
from citeproof.model.reference import Bibliography, Diagnostic, Place, Reference, Severity
from citeproof.readers import formats
from citeproof.readers.document import Collection, Document, Member, Opened
from citeproof.readers.opening import open_data, open_documents
from citeproof.text.normalize import normalize_title

File: TypeAlias = str | PathLike[str] | bytes
"""Type of a file that a caller passes: its name, or its bytes."""
Paper: TypeAlias = File | Document | Bibliography | Reference | Diagnostic
"""Type of a paper that a caller passes: a file, an opened document, or what was read from a
document.
"""

CODES = {
    "document.left_out": (
        "a note, not a fault: files of a folder or archive that have no references or are "
        "parts of a paper"
    ),
}

# formats whose files name bibliographies, in the order in which they are read
_SOURCES = (("latex", "markdown"), ("latex-aux",))
# formats of files that LaTeX generates and names like the paper
_PRINTED = frozenset({"pdf", "bbl"})
_NO_LIST = {
    "document.empty",
    "bibtex.only_macros",
    "latex.no_citation",
    "latex-aux.no_citation",
    "pdf.without_text",
}
_NO_LIST |= {"docx.without_list", "markdown.without_list", "pdf.without_list"}
"""Codes of diagnostics that mean that a document is well-formed but has no references."""
ARCHIVES = frozenset({".zip", ".tar", ".tgz", ".gz"})
"""Suffixes of archives and of compressed files."""
OWN_FILES = ("citeproof.toml", "citeproof.accepted.toml")
"""Ends of the names of citeproof's own files. They are not counted as files that are left out."""
_NAMED = 8  # maximum number of file names in the note on files that are left out
_TEMPORARY = re.compile(
    r"(?:__latexindent_temp\.tex|_region_\.tex|texput\..*|.*-blx\.bib|~\$.*|.*\.synctex\.gz)",
    re.IGNORECASE,
)
"""Regex for the names of temporary files of latexindent, AUCTeX, LaTeX, biblatex, Word and
SyncTeX.
"""
_SHORTEST_TITLE = 15  # minimum number of characters of a cited title that is searched for in a PDF


def papers_of(
    opened: Iterable[Opened], read: Callable[[Document], Bibliography] = formats.read
) -> Iterator[Document | Diagnostic | Bibliography]:
    """Yield the papers in each folder or archive of ``opened``, in natural order: ``paper 2``
    before ``paper 10``. ``read`` parses a document. Other items of ``opened`` are yielded
    unchanged.
    """
    for one in opened:
        yield from _Reading(one, read).papers() if isinstance(one, Collection) else (one,)


def may_be_paper(name: str, input_format: str = "") -> bool:
    """Return whether a file called ``name`` is read when it is found in a folder. Its suffix must
    be that of an archive or of a format, or of ``input_format`` if this is given. It must not be a
    temporary file of an editor or of LaTeX.
    """
    suffix = PurePosixPath(name).suffix.lower()
    is_read = suffix in ARCHIVES or suffix in formats.suffixes(input_format)
    return is_read and not _TEMPORARY.fullmatch(name.rpartition("/")[2])


def paper_in(document: Document) -> Bibliography | None:
    """Read a document that was found in a folder.

    None if the document has no references and is not expected to have any, such as a README.
    """
    reading = _Reading(Collection(document.name, ()), formats.read)
    reading._read_document(Member(document.name, lambda: document), document, whole=False)
    return next((bibliography for _, bibliography in reading.found), None)


@dataclass(slots=True)
class _Reading:
    """The state of reading one folder or archive."""

    collection: Collection
    read: Callable[[Document], Bibliography]
    # pairs of a file name and the bibliography that was read from the file
    found: list[tuple[str, Bibliography]] = field(default_factory=list)
    # names of files that were read for a paper, such as its .bib files
    used: set[str] = field(default_factory=set)
    # paths, without suffix, of LaTeX papers that were read
    sources: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)  # paths, without suffix, of all LaTeX files
    # pair of folder and cited titles for each LaTeX paper
    lists: list[tuple[str, set[str]]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def papers(self) -> Iterator[Bibliography]:
        """Yield one bibliography for each paper. If files were left out, yield a last bibliography
        that has only a note on them.
        """
        try:
            waiting = self._members()
            self.written = {
                member.stem for member in waiting if member.suffix in formats.load("latex").SUFFIXES
            }
            for names in _SOURCES:
                suffixes = {suffix for name in names for suffix in formats.load(name).SUFFIXES}
                waiting = [
                    one
                    for one in waiting
                    if one.suffix not in suffixes or not self._read(one, whole=True)
                ]
            for member in waiting:
                self._read(member, whole=False)
        finally:
            self.collection.close()
        self.found += [(said.file, Bibliography((said,))) for said in self.collection.diagnostics]
        yield from (bibliography for _, bibliography in sorted(self.found, key=_natural))
        if not self.found:
            message = (
                "has no paper or bibliography that was recognised; name its format with --from"
            )
            yield Bibliography(
                (Diagnostic(Place(self.collection.name), "document.empty", message),)
            )
        elif self.left_out:
            yield Bibliography((), (self._note(),))

    def _members(self) -> list[Member]:
        """Return the files whose suffix can be read, such as ``.bib`` or ``.zip``. Record the other
        files as left out.
        """
        found: list[Member] = []
        for member in self.collection.members:
            if may_be_paper(member.name, self.collection.format):
                found.append(member)
            elif not member.name.endswith(OWN_FILES):
                self.left_out.append(member.name)
        return found

    def _read(self, member: Member, *, whole: bool) -> bool:
        """Read the file ``member`` and return True. If ``whole`` is true and it is uncertain
        whether the file is a paper, return False without reading it.
        """
        if member.name in self.used:
            return True
        opened = member.open()
        if isinstance(opened, Diagnostic):
            self.found.append((member.name, Bibliography((opened,))))
            return True
        opened = replace(
            opened, format=self.collection.format, everything=self.collection.everything
        )
        if isinstance(opened, Document):
            return self._read_document(member, opened, whole=whole)
        self.found += [(member.name, paper) for paper in _Reading(opened, self.read).papers()]
        return True

    def _read_document(self, member: Member, document: Document, *, whole: bool) -> bool:
        chosen = formats.detect(document) if document.data else None
        sure = chosen.accepts(document) if chosen else 0
        if whole and sure < 2 and document.data:
            return False
        damaged = chosen is not None and not sure and formats.is_damaged(document, chosen)
        # A text file that is taken for a list of titles may as well be something else.
        guessed = chosen and chosen.NAME == "titles" and not document.format
        paper = (
            self.read(document)
            if chosen and (sure or damaged) and not guessed and not self._belongs(member, chosen)
            else None
        )
        if (
            not chosen
            or not paper
            or (not damaged and self._adds_nothing(member, chosen, paper, sure))
        ):
            self.left_out.append(member.name)
            return True
        if (chosen.NAME == "latex" or paper.parts) and paper.references:
            self.used |= set(paper.parts)
            self.sources.add(member.stem)
            titles = {normalize_title(reference.title) for reference in paper.references}
            self.lists.append(
                (member.folder, {title for title in titles if len(title) >= _SHORTEST_TITLE})
            )
        self.found.append((member.name, paper))
        return True

    def _belongs(self, member: Member, chosen: formats.Format) -> bool:
        """Whether the file ``member`` in the format ``chosen`` belongs to a paper that was read,
        such as the .bbl file of the paper.
        """
        if chosen.NAME == "latex-aux":
            return member.stem in self.written or self._is_below_a_paper(member)
        if chosen.NAME in _PRINTED and member.stem in self.sources:
            return True
        # A bibliography in the folder of a paper that does not name it is read only with ``--all``.
        is_support = chosen.NAME in {"bibtex", "bbl"} and not self.collection.everything
        return is_support and any(member.folder == folder for folder, _ in self.lists)

    def _is_printed(self, member: Member, paper: Bibliography) -> bool:
        """Whether ``paper``, read from ``member``, is the PDF of a LaTeX paper in a folder above or
        below: that paper cites two thirds of the works in the PDF.
        """
        printed = [normalize_title(reference.raw) for reference in paper.references]
        return any(
            3 * sum(any(title in text for title in titles) for text in printed) >= 2 * len(printed)
            for folder, titles in self.lists
            if f"{member.folder}/".startswith(f"{folder}/")
            or folder.startswith(f"{member.folder}/")
        )

    def _adds_nothing(
        self, member: Member, chosen: formats.Format, paper: Bibliography, sure: int
    ) -> bool:
        """Whether ``paper``, read from the file ``member`` in the format ``chosen``, is left out.
        This is so if it is the PDF of a LaTeX paper, or a document that is not expected to cite
        works. ``sure`` is the value of ``chosen.accepts``.
        """
        is_printed = chosen.NAME in _PRINTED and self._is_printed(member, paper)
        if is_printed or paper.references:
            return is_printed
        codes = {entry.code for entry in paper.entries if isinstance(entry, Diagnostic)}
        may_lack_list = codes.isdisjoint(
            {"pdf.without_list", "pdf.without_text"}
        ) or self._is_below_a_paper(member)
        if "document.too_costly" in codes:
            return False
        return sure < 2 or (codes <= _NO_LIST and may_lack_list)

    def _is_below_a_paper(self, member: Member) -> bool:
        return any(f"{member.folder}/".startswith(f"{folder}/") for folder, _ in self.lists)

    def _note(self) -> Diagnostic:
        name = self.collection.name
        message = left_out_message(self.left_out, f"{name.rstrip('/')}/")
        return Diagnostic(Place(name), "document.left_out", message, severity=Severity.NOTE)


def left_out_message(names: list[str], folder: str = "") -> str:
    """Return a sentence that counts the files that are left out, and names the first of them. The
    prefix ``folder`` is removed from their names.
    """
    number = len(names)
    shown = ", ".join(name.removeprefix(folder) for name in sorted(names)[:_NAMED])
    more = f" and {number - _NAMED:,} more" if number > _NAMED else ""
    count = quantity(number, "file")
    why = "without references, or a part of another paper"
    return f"{count} not checked ({why}): {shown}{more}"


def _natural(named: tuple[str, Bibliography]) -> list[tuple[int, int, str]]:
    """Return the key for sorting papers in natural order: ``paper 2`` before ``paper 10``."""
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.split(r"(\d+)", named[0])
        if part
    ]


def open_papers(
    papers: Paper | Iterable[Paper],
) -> Iterator[Document | Bibliography | Reference | Diagnostic]:
    """Yield ``papers``, one or several, after opening those that are file names or bytes.

    Raises :class:`InputError` for values of other types.
    """
    several = isinstance(papers, Iterable) and not isinstance(
        papers, str | PathLike | bytes | Document | Bibliography
    )
    for paper in cast("Iterable[Paper]", papers if several else (papers,)):
        if isinstance(paper, Document | Bibliography | Reference | Diagnostic):
            yield paper
        else:
            yield from open_file(paper)


def open_file(
    file: File, input_format: str | None = None
) -> Iterator[Document | Bibliography | Diagnostic]:
    """Yield the document in ``file``, or the papers in it if it is a folder or an archive.

    Raises InputError if ``file`` is neither a name nor bytes.
    """
    if isinstance(file, bytes):
        yield from papers_of([open_data(file, input_format)])
    elif not isinstance(file, str | PathLike):
        given = type(file).__name__
        raise InputError(
            f"a paper is the name of a file, its bytes, a Bibliography or a Reference, not {given}"
        )
    # ``Path`` raises an error for a long name
    elif "\n" in (name := fspath(file)) and not exists(name):  # noqa: PTH110
        raise InputError(
            "a text in place of a file's name; give the content of a file as bytes: text.encode()"
        )
    else:
        yield from papers_of(open_documents([name], input_format))
