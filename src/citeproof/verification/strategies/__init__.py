"""Search strategies.

Each strategy searches for a reference in one kind of source, such as a database or the web.
"""
