"""Scripts, styles and icons, read once from the package and named by what they contain."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import PurePath

MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file with its media type and its ``ETag``."""

    content: bytes
    media_type: str
    etag: str


def load_static_files() -> dict[str, StaticFile]:
    """Return the files of the package's ``static`` folder by name."""
    found = {}
    for file in sorted(files("citeproof.web").joinpath("static").iterdir(), key=lambda file: file.name):
        suffix = PurePath(file.name).suffix
        if suffix not in MEDIA_TYPES:
            continue
        content = file.read_bytes()
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        found[file.name] = StaticFile(content, MEDIA_TYPES[suffix], etag)
    return found


def version_of(static: dict[str, StaticFile]) -> str:
    """Return a name that changes whenever one of the files does; it is a folder of their addresses."""
    return hashlib.sha256("".join(file.etag for file in static.values()).encode()).hexdigest()[:12]


STATIC_FILES = load_static_files()
STATIC_VERSION = version_of(STATIC_FILES)
