"""Which verdicts are about entries that a person has accepted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citeproof.acceptance import file
from citeproof.acceptance.content import content_of
from citeproof.errors import InputError
from citeproof.models import Acceptance, Lapse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from citeproof.acceptance.file import Accepted
    from citeproof.models import Verdict

UNREAD_NOTE = "{}; nothing that it accepts is taken as accepted."
GONE_NOTE = "{}: has no entry {!r} any more, which {} accepts; 'citeproof accept --remove' takes it out."


class Acceptances:
    """What is accepted of the bibliographies of a run; each file is read when the first of their entries comes."""

    def __init__(self, today: Callable[[], date], *, none: bool = False) -> None:
        """``today`` says which acceptances have ended; with ``none`` nothing is accepted."""
        self._today = today
        self._none = none
        self._of_folder: dict[Path, Mapping[tuple[str, str], Accepted]] = {}
        self._of_file: dict[str, Mapping[str, Accepted]] = {}
        self._waiting: dict[tuple[str, str], Path] = {}
        """Files and keys that are accepted and not met so far, each with the file that accepts it."""
        self.troubles: list[str] = []
        """What could not be read, as sentences."""

    def applied(self, verdict: Verdict) -> Verdict:
        """Return ``verdict`` with its acceptance, where its entry has one, whether or not that holds."""
        reference = verdict.reference
        if reference.file not in self._of_file:
            self._open(reference.file)
        if reference.place.paper:  # of which only what is cited is checked
            self._waiting = {name: path for name, path in self._waiting.items() if name[0] != reference.file}
        one = self._of_file[reference.file].get(reference.key)
        if not one:
            return verdict
        self._waiting.pop((reference.file, reference.key), None)
        lapsed = None
        if one.content != content_of(reference):
            lapsed = Lapse.CHANGED
        elif one.until and one.until < self._today():
            lapsed = Lapse.EXPIRED
        until = one.until.isoformat() if one.until else ""
        return replace(verdict, acceptance=Acceptance(one.because, one.on.isoformat(), until, lapsed))

    def unmet(self) -> tuple[str, ...]:
        """Return what is accepted of files that were read and is not in them, as sentences."""
        return tuple(GONE_NOTE.format(name, key, path) for (name, key), path in self._waiting.items())

    def _open(self, name: str) -> None:
        path = Path(name)
        known = self._folder(path.parent) if name and not self._none else {}
        self._of_file[name] = {key: one for (own, key), one in known.items() if own == path.name}
        self._waiting |= {(name, key): path.parent / file.NAME for key in self._of_file[name]}

    def _folder(self, folder: Path) -> Mapping[tuple[str, str], Accepted]:
        if folder not in self._of_folder:
            self._of_folder[folder] = {}
            try:
                self._of_folder[folder] = {one.name: one for one in file.read(folder / file.NAME)}
            except InputError as error:
                self.troubles.append(UNREAD_NOTE.format(error))
        return self._of_folder[folder]
