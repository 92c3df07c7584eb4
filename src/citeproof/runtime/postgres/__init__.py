"""The runtime store in a PostgreSQL database, which several hosts share."""
