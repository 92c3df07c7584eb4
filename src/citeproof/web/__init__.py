"""The web service: pages for people and a JSON interface, over one database and one runtime store."""
