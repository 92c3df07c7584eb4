"""The JSON interface: modules with HTTP routes, and the schemas of request and response bodies."""
