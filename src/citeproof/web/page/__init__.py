"""The pages for people and the files that they load. All pages work without JavaScript.

They call the functions of :mod:`citeproof.web.api`, so that a page and the interface give the same answers.
"""
