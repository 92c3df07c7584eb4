"""The look-up service: one page, a JSON interface, and what an operator needs to run it."""
