"""What the web service remembers about its own work: counters, events, batch runs. Never part of an answer."""
