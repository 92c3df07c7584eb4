"""The only package that speaks HTTP: one client, which keeps to the pace of each source, and one kind of error."""
