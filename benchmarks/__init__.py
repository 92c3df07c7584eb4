"""What is fast, against what, in one run; each module prints a table."""
