"""Reports on a run: the sections, sentences and JSON objects that all output formats share.

``formats/`` renders them, with one module for each output format. This package may import the verdicts and their
explanations (``verification.validation``). It looks nothing up and decides no verdict.
"""
