"""Read the sources of an existing database, to copy them into a new database."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from citeproof.database import schema
from citeproof.database.building.source import Source
from citeproof.database.building.sources import Batch, Origin
from citeproof.database.layout import detect, sources_of
from citeproof.model.errors import BuildError, DatabaseError
from citeproof.store.sql import on_failure
from citeproof.store.sqlite import APPLICATION_ID, ReadOnlyFile

_BATCH_ROWS = 1000


class ExistingDatabase:
    """An existing database whose sources can be copied into a new database."""

    def __init__(self, path: Path) -> None:
        """Open the database at ``path``.

        Raises :class:`BuildError` if citeproof did not build the file.
        """
        try:
            file = self._file = ReadOnlyFile(path)
            self.close = file.close
            with on_failure(file.close):
                if file.application_id != APPLICATION_ID:
                    raise BuildError(
                        f"{path}: was not built by citeproof, so it cannot be updated; build"
                        " another one"
                    )
                self._layout = detect(file)
                self._described = sources_of(file)
        except DatabaseError as error:
            raise BuildError(str(error)) from None

    def records(self) -> dict[str, int]:
        """Return a map from the name of a source to the number of records, such as ``{"rfc":
        9700}``.
        """
        found: Counter[str] = Counter()
        for source in self._described:
            found[str(source["name"])] += int(source["records"])
        return found

    def origins(self) -> list[Origin]:
        """Return the download URL and version of every source.

        Both are empty if the source was not downloaded.
        """
        return list(map(_origin, self._described))

    def sources(self, without: Collection[str]) -> list[Source]:
        """Return the sources of the database, except the sources named in ``without``."""
        # The records of a source have consecutive ids, in the order of the table ``sources``.
        # Example: if the first source has 3 records and the second 2, the ids are 1 to 3, and 4 and
        # 5.
        found, ids = [], range(1, 1)
        for source in self._described:
            ids = range(ids.stop, ids.stop + int(source["records"]))
            if source["name"] not in without:
                found.append(
                    Source(
                        self._file.path,
                        int(source["bytes"]),
                        source["name"],
                        source["format"],
                        source["licence"],
                        self._batches(source, ids),
                        source["file"],
                        _origin(source),
                        int(source.get("faults") or 0),
                        from_file=False,
                        copied=True,
                    )
                )
        return found

    def _batches(self, described: dict[str, Any], ids: range) -> Iterator[Batch]:
        notices: tuple[Any, ...] = ()
        if described.get("notices"):
            notices = tuple(
                self._file.rows("SELECT * FROM notices WHERE source = ?", (described["name"],))
            )
        yield Batch([], described["dump_date"], int(described["skipped"]), (), notices)
        select = f"{self._layout.select} WHERE id BETWEEN ? AND ? ORDER BY id"
        for start in range(0, len(ids), _BATCH_ROWS):
            some = ids[start : start + _BATCH_ROWS]
            rows = self._file.rows(select, (some[0], some[-1]))
            if broken := [row[0] for row in rows if not self._layout.is_sound(row)]:
                raise BuildError(
                    f"{self._file.path}: record {broken[0]} does not agree with its checksum"
                )
            position = int(described["bytes"]) * (start + len(some)) // len(ids)
            yield Batch([row[1 : 1 + len(schema.COLUMNS)] for row in rows], position=position)


def _origin(described: dict[str, Any]) -> Origin:
    return Origin(*(described.get(name) or "" for name in Origin._fields))
