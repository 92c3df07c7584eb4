"""The runtime store of the web service: counters, events, batch runs and verification jobs."""
