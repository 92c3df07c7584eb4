"""Five tools that agents can call over the Model Context Protocol (MCP)."""
