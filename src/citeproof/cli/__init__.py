"""The command line: a file for each command or group of commands, imported when the command is called.

A command reads options, opens a session, hands the run to a report and returns an exit code. It may import every other
package, and no other package imports it. It compares nothing and decides nothing.
"""
