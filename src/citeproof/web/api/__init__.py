"""The JSON interface: one module for each subject with ``routes(backend)``, and the shapes of bodies and answers.

It does not import the engine of a store. :mod:`citeproof.web.page` has the pages for people.
"""
