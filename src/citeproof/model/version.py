"""The version of citeproof and of its code, in a module that every other module may import."""

from functools import cache
from pathlib import Path

__version__ = "0.2.0"
ROOT = Path(__file__).parents[1]
"""The folder of the package ``citeproof``."""


@cache
def code_version(*parts: str) -> str:
    """Return a checksum of the source code of ``parts``, which are paths of modules and packages in
    the package ``citeproof``: ``text``, ``verification/decision``.

    The checksum is the first 12 hexadecimal digits of a SHA-256 hash.
    """
    return code_digest(ROOT, *parts)[:12]


def code_digest(root: Path, *parts: str) -> str:
    """Return the SHA-256 hash, in hexadecimal digits, of the modules and packages ``parts`` in the
    folder ``root``.
    """
    from hashlib import sha256  # late, because most commands do not need OpenSSL

    total = sha256()
    for part in parts:
        for path in sorted((root / part).rglob("*.*")) or [root / part]:
            if path.suffix in {".py", ".json"}:
                total.update(
                    f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes() + b"\0"
                )
    return total.hexdigest()
