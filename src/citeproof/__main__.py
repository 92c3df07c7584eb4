"""Run the command line with ``python -m citeproof``."""

from citeproof.cli.main import run

run()
