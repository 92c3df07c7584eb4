"""The runtime store of the web service: counters, events, batch runs and verification jobs.

``store`` and ``jobs`` have the values and the SQL of both engines, ``engine`` what differs between SQLite and
PostgreSQL. It imports the rest of :mod:`citeproof.store` and the model, and nothing of the web service.
"""
