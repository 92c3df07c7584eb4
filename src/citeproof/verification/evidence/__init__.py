"""Evidence files: one line per verdict, with all from which it was decided, so that replay can repeat it offline.

It may import the validation and the pipeline. It opens no database and no connection.
"""
