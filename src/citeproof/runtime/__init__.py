"""The web service's own store: counters, events, batch runs."""
