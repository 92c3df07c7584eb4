"""The runtime store: the web service's database of counters, events, batches of titles, and
verification jobs.
"""
