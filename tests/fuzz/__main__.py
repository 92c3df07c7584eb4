"""Fuzz a reader with atheris: ``python -m tests.fuzz TARGET... [--minutes N]``.

Atheris (``pip install atheris``, for Python 3.11 to 3.13) steers its inputs by the lines of
citeproof that they reach. What is found is kept in ``--folder``: ``corpus/TARGET`` (inputs that
reach something new) and ``faults/TARGET`` (inputs of which the oracle says that something does not
hold, each place in the code once). ``--keep`` writes the fewest inputs that reach all that the
corpus reaches to ``tests/data/fuzz/TARGET``, which the suite reads.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import traceback
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from time import process_time

SLOWDOWN = 20.0
"""A program whose lines are counted is slower by so much at most."""


def main() -> None:
    """Fuzz each target in a process of its own, one after another."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    parser.add_argument("--minutes", type=float, default=3.0, help="processor time of each target")
    parser.add_argument("--folder", type=Path, default=Path("fuzzing"))
    parser.add_argument(
        "--seeds", type=Path, nargs="*", default=[], help="more files to begin with"
    )
    parser.add_argument(
        "--keep", action="store_true", help="do not fuzz; keep the smallest corpus for the suite"
    )
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for target in arguments.targets:
        if arguments.keep:
            from tests.fuzz.smallest import keep

            keep(target, arguments.folder / "corpus" / target)
        elif arguments.alone:
            fuzz(target, arguments.minutes, arguments.folder, arguments.seeds)
        else:
            more = ["--seeds", *map(str, arguments.seeds)] if arguments.seeds else []
            command = [
                sys.executable,
                "-m",
                "tests.fuzz",
                target,
                "--alone",
                "--minutes",
                str(arguments.minutes),
            ]
            subprocess.run([*command, "--folder", str(arguments.folder), *more], check=False)


def fuzz(target: str, minutes: float, folder: Path, more: list[Path]) -> None:
    """Fuzz ``target`` for so long; does not return."""
    import atheris

    with atheris.instrument_imports(include=["citeproof"]):
        import citeproof

        for part in ("readers", "text"):
            for module in walk_packages(
                [str(Path(citeproof.__file__).parent / part)], f"citeproof.{part}."
            ):
                import_module(module.name)
        from tests.fuzz.oracle import check
        from tests.fuzz.seeds import LONGEST, seeds, words
    corpus, faults = folder / "corpus" / target, folder / "faults" / target
    for place in (corpus, faults):
        place.mkdir(parents=True, exist_ok=True)
    for data in (*seeds(target), *(path.read_bytes() for path in more)):
        (corpus / hashlib.sha1(data[:LONGEST]).hexdigest()).write_bytes(data[:LONGEST])
    dictionary = folder / f"{target}.words"
    escaped = ("".join(map("\\x{:02x}".format, word)) for word in words(target))
    dictionary.write_text("".join(f'"{word}"\n' for word in escaped))
    start, runs, seen = process_time(), 0, set[str]()

    def one(data: bytes) -> None:
        nonlocal runs
        runs += 1
        try:
            check(target, data, SLOWDOWN)
        except Exception as error:  # noqa: BLE001 - whatever is raised is a find
            frames = traceback.extract_tb(error.__traceback__)
            said = re.sub(r"\d+", "#", str(error))[:40]
            where = f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno} {said}"
            if where not in seen:
                seen.add(where)
                (faults / hashlib.sha1(data).hexdigest()).write_bytes(data)
                print(f"FAULT {target}: {where}\n  {error}"[:600], flush=True)
        if process_time() - start > minutes * 60:
            spent, kept = process_time() - start, len(list(corpus.iterdir()))
            print(
                f"{target}: {runs:,} inputs in {spent:.0f} s, corpus {kept}, faults {len(seen)}",
                flush=True,
            )
            os._exit(0)

    atheris.Setup(
        [
            sys.argv[0],
            f"-dict={dictionary}",
            f"-max_len={LONGEST}",
            "-timeout=300",
            "-rss_limit_mb=2500",
            "-verbosity=0",
            f"-artifact_prefix={faults}/",
            str(corpus),
        ],
        one,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
