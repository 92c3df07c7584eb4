"""``python -m citeproof``."""

from citeproof.cli.main import run

run()
