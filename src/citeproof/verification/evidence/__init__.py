"""Evidence files.

Each line has a verdict and all data from which the verdict can be decided again offline.
"""
