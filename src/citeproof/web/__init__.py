"""The web service. It has HTML pages and a JSON interface to verify references and to look up
titles.
"""
