"""What every request passes through: request id, access log, counting, headers, failures, body limit."""
