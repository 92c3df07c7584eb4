"""A language server that shows problems of references in a bibliography or paper while it is
edited.
"""
