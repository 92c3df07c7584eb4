"""Correct, upgrade and complete a bibliography in place, and store which entries a person has
accepted.
"""
