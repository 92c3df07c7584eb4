"""The built-in sample database: about 300 landmark works, built on first use from the XML in the package."""

from __future__ import annotations

import hashlib
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from platformdirs import user_cache_path

from citeproof.bibdb.build import build
from citeproof.bibdb.schema import SCHEMA_VERSION
from citeproof.errors import BuildError, DatabaseError
from citeproof.text.normalize import VERSION


def sample_database() -> Path:
    """Return the path of the sample database; build it where this version has not done so before.

    It stands in the user's cache folder, or in the folder for temporary files where that cannot be written.
    Its name tells what it was built from, so that another version builds its own.
    """
    resource = files("citeproof").joinpath("data/sample.xml")
    origin = hashlib.sha256(resource.read_bytes()).hexdigest()[:12]
    name = f"sample-{SCHEMA_VERSION}.{VERSION}-{origin}.db"
    folders = (user_cache_path("citeproof"), Path(tempfile.gettempdir()) / "citeproof")
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    failure: Exception | None = None
    with as_file(resource) as xml:
        for folder in folders:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                build([xml], folder / name)
            except (OSError, BuildError, DatabaseError) as error:
                failure = error
            else:
                return folder / name
    raise DatabaseError(f"the sample database cannot be built: {failure}; name one with --bib-db")
