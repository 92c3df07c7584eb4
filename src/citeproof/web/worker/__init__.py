"""The processes of a running service: its servers, the search process of each, and how they talk."""
