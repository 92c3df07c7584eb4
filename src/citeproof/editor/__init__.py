"""A language server, which shows problems of references in an editor while a bibliography or a paper is written."""
