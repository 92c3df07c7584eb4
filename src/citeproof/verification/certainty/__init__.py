"""Estimates from labelled references: how often a verdict is right, and the chance that a reference is invented.

It may import ``model`` and ``text``; ``validation`` imports it. It compares no records and changes no status.
"""
