"""Works as their sources describe them, as records: the same for an answer of a service and for a line of a dump."""
