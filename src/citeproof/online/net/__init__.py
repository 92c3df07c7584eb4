"""The HTTP client of the online sources, and the download of files. No other package imports an HTTP library."""
