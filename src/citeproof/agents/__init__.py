"""Four tools for agents, which share one session, over the Model Context Protocol (MCP).

``tools.py`` has the tools, ``results.py`` their results as text and JSON, ``server.py`` the MCP server. The package
may import the session and the JSON objects of ``report``. It is separate from the web service and its API.
"""
