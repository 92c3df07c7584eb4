"""The web service: HTML pages and a JSON interface, with which clients verify references and look
up titles.
"""
