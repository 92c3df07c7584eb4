"""Correct, upgrade and complete a bibliography, and record which entries a person has accepted."""
