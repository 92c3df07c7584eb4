"""Four tools for agents, over the Model Context Protocol (MCP). They share one session."""
