"""Time and memory of whole commands, compared with the import of libraries that they need.

    python -m benchmarks.start --database dblp.db [--files FILE...] [--turns N]

The commands run alternately, each in a new process. `verify` is run on a generated entry that no
database has, and on each FILE, which is a bibliography or a paper. The table has the minimum
processor time of all turns (of all processes of the command), the minimum wall time, the ratio of
processor time to that of `python -c "import numpy, pydantic"`, and the memory of the largest
process. Mapped files that other processes share count as memory; on Linux, the last column leaves
them out. The modules are compiled before the measurement, as in an installation.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep

from benchmarks.bibliographies import document, works

CITEPROOF = ("-m", "citeproof")
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""Variable with which each command would compile all modules again."""


@dataclass(slots=True)
class Costs:
    """Costs of one command, one value per turn."""

    processor: list[float] = field(default_factory=list)  # in seconds, of all processes
    clock: list[float] = field(default_factory=list)  # in seconds
    memory: list[float] = field(default_factory=list)  # in megabytes, of the largest process
    own: list[float] = field(default_factory=list)  # in megabytes, of the first process


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--database", type=Path, required=True, help="built by `citeproof db build`"
    )
    parser.add_argument("--files", type=Path, nargs="*", default=[], help="to verify")
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(Path(folder), arguments.database, arguments.files)
        costs = {name: Costs() for name in commands}
        for _ in range(arguments.turns):
            for name, command in commands.items():
                _run(command, costs[name])
    beside = min(costs["import numpy, pydantic"].processor)
    print("| command | processor time | by the clock | beside the imports | memory | its own |")
    print("|---|---|---|---|---|---|")
    for name, cost in costs.items():
        least = min(cost.processor)
        print(
            f"| {name} | {least:.2f} s | {min(cost.clock):.2f} s | {least / beside:.1f}"
            f" | {min(cost.memory):.0f} MB | {max(cost.own):.0f} MB |"
        )


def _commands(folder: Path, database: Path, files: list[Path]) -> dict[str, tuple[str, ...]]:
    """Return each command by its name in the table, with the file that it needs in ``folder``."""
    (folder / "one.bib").write_bytes(document("bibtex", works(1)).data)
    known = ("--bib-db", str(database))
    verify = (*CITEPROOF, "verify", *known, "--no-cache")
    return {
        "import numpy, pydantic": ("-c", "import numpy, pydantic"),
        "citeproof --help": (*CITEPROOF, "--help"),
        "citeproof lookup": (*CITEPROOF, "lookup", "On the speed of starting", *known),
        "citeproof verify, 1 entry": (*verify, str(folder / "one.bib")),
        **{f"citeproof verify {file.name}": (*verify, str(file)) for file in files},
    }


def _run(command: tuple[str, ...], costs: Costs) -> None:
    """Run ``command`` and add its costs to ``costs``."""
    compiled = {name: text for name, text in os.environ.items() if name != NO_BYTECODE}
    began = perf_counter()
    process = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=compiled,
    )
    own = 0.0
    while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        own = max(own, _own_memory(process.pid))
        sleep(0.01)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    costs.processor.append(usage.ru_utime + usage.ru_stime)
    costs.clock.append(perf_counter() - began)
    costs.memory.append(usage.ru_maxrss / 1024)
    costs.own.append(own)


def _own_memory(process: int) -> float:
    """Return the memory of a process without mapped files in megabytes, or 0 if it is unknown."""
    try:
        status = Path(f"/proc/{process}/status").read_text("utf-8")
    except OSError:
        return 0.0
    _, _, stated = status.partition("RssAnon:")
    return int(stated.split()[0]) / 1024 if stated else 0.0


if __name__ == "__main__":
    main()
