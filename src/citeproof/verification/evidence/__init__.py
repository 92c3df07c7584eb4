"""Evidence files: one line a verdict, with everything that it was decided from; replay decides it again offline.

It may import the validation and the pipeline. It opens no database and no connection.
"""
