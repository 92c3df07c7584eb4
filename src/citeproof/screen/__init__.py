"""Screen many papers: check each distinct reference once, and resume a stopped run.

The stages in order: :mod:`papers` lists the inputs, :mod:`reading` and :mod:`checking` read them and check their
references in worker processes, and :mod:`gathering` writes tables, signals and overview. :mod:`run` runs the stages and
:mod:`store` stores their results. The package may import verification, readers, report and everything below.
"""
