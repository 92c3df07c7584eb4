"""Benchmarks.

Each module measures citeproof and another program in the same run, and prints a table.
"""
