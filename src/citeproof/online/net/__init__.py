"""The HTTP client of the online sources, and the download of files.

Only this package imports an HTTP library.
"""
