"""Corrections of a bibliography: what an identified work contradicts, mended in place."""
