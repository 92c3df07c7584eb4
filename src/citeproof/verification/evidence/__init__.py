"""Evidence files.

Each line has a verdict and all data that is needed to decide the verdict again offline.
"""
