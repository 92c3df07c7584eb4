"""The strategies: each looks for a reference in one place and returns findings.

They may import databases, online sources, stores and the comparisons of ``validation``; they do not import each other.
Strategies do not decide; the validator does.
"""
