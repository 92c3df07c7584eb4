"""Screen many papers: check each distinct reference once, and resume a stopped run.

The stages in order: :mod:`papers` lists the inputs, :mod:`reading` reads them in worker processes and recognises
duplicates, :mod:`checking` checks the references in worker processes, and :mod:`gathering` writes tables, signals and
overview. :mod:`run` runs the stages and :mod:`store` stores their results. The package may import verification,
readers, report and everything below. It decides no verdict itself.
"""
