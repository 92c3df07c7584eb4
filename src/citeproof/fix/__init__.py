"""Correct, upgrade and complete a bibliography in place, and store which entries a person has accepted.

The package decides which bytes of a document change; :mod:`citeproof.cli` and :mod:`citeproof.web` write them.
"""
