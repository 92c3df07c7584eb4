"""The pages for people: the title search, the documentation of the interface, and the files they load."""
