"""A language server that shows problems of references while a bibliography or a paper is edited."""
