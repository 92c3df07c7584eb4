"""The strategies: each looks for a reference in one place and returns findings, from which the validator decides."""
