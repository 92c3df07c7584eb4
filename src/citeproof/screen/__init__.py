"""Screen many papers: check each distinct reference once, and resume a stopped run.

The stages in order: :mod:`papers` lists the inputs; :mod:`reading` and :mod:`checking` read them, join references that
are equal after normalisation, and check these, all in worker processes; the main process alone queries online sources
about references that are not VALID; :mod:`gathering` writes tables, signals and overview. :mod:`run` runs the stages
and :mod:`store` stores their results. The package may import verification, readers, report and everything below.
"""
