"""Decide the verdict on a reference from the records found for it."""
