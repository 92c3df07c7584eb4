"""Evidence files: one verdict per line, with all that it was decided from, so that replay can decide it again offline.

It may import the validation and the pipeline. It opens no database and no connection.
"""
