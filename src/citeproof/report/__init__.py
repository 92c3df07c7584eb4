"""Reports on a run: sections, sentences and JSON objects for all output formats. A report decides no verdict."""
