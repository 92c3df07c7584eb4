"""The web service: HTML pages and a JSON interface, with which users verify references and look up
titles.
"""
