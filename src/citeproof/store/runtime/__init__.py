"""The runtime store of the web service: counters, events, batch runs and verification jobs.

``events`` and ``jobs`` have the values; ``store`` and ``job_store`` the SQL of both engines; ``engine`` what differs
between them. It imports the rest of :mod:`citeproof.store` and the model, and nothing of the web service.
"""
