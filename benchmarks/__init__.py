"""Benchmarks.

Each module measures citeproof beside something else in one run and prints a table.
"""
