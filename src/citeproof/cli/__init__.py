"""The command line.

Each command or group of commands has a module. The module is imported when the command is called.
"""
