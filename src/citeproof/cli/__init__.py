"""The command line.

Each command or group of commands has a module, which is imported when the command is called.
"""
