"""The web service: pages for people and a JSON interface, over one database and one runtime store.

``app`` puts it together; ``server`` runs it. ``api`` and ``page`` answer requests, ``middleware`` does what all
requests need, ``jobs`` verifies documents in processes beside the server. Look-ups, readers and reports are elsewhere.
"""
