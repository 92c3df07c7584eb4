"""The HTML pages, which work without JavaScript.

The pages call the functions of :mod:`citeproof.web.api`.
"""
