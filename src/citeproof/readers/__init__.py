"""Read the documents that a user names: open them, and turn each entry into a reference or a diagnostic.

The package opens files, folders and archives. It has one module for each format, and what formats share: fields,
reference strings and reference lists. It imports the model, text functions, settings and processes. It looks nothing
up, opens no connection and runs nothing that a document contains.
"""
