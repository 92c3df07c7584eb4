"""The strategies, one a file: each looks for a reference in one place and returns findings.

They may import databases, online sources, stores and the comparisons of ``validation``; they do not import each other.
A strategy does not decide: the validator does.
"""
