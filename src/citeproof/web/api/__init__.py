"""The JSON interface: one module of routes for each subject, and the shapes of requests and answers."""
