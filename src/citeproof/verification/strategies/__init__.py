"""Search strategies.

Each strategy searches for a reference in one place, such as a database or the web.
"""
