"""The only package that speaks HTTP: one client with manners, and failures as one kind of error."""
