"""The HTML pages, which work without JavaScript.

They call the functions of :mod:`citeproof.web.api`.
"""
