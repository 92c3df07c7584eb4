"""Screen many papers: verify the references of all papers, and verify equal references only once.

The stages in order: :mod:`papers` lists the input files. :mod:`bibliographies` parses them in
worker processes. Equal references are merged, and :mod:`checking` verifies them in worker
processes. The main process then queries online sources about references that are not VALID.
:mod:`gathering` writes :mod:`tables`, a :mod:`workbook` and :mod:`pages`. :mod:`run` runs the
stages and :mod:`store` stores their results, so that a stopped run can be resumed.
"""
