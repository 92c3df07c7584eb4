"""Online sources, web search engines and a language model.

Only this package opens HTTP connections.
"""
