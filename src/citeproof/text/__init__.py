"""Normalise and compare titles, names, venues and identifiers. All functions are pure."""
