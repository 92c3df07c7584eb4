"""The pages for people and the files they load. All work without JavaScript.

They use the functions of :mod:`citeproof.web.api`, so that a page and the interface give the same answers.
"""
