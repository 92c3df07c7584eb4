"""The web service: pages for people and a JSON interface, over one database and one runtime store.

``app`` combines the parts, and ``server`` runs it. ``api`` and ``page`` answer requests, ``middleware`` and ``guard``
handle every request before that, ``searcher`` and ``jobs`` run the other processes. Readers and reports are in other
packages.
"""
