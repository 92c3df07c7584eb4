"""The parts of reports that all output formats share: sections, sentences, and the JSON objects.

``formats/`` renders them, one output a file. This package may import the verdicts and how they are explained
(``verification.validation``). It looks nothing up and decides nothing.
"""
