"""From references to verdicts: sessions, the pipeline, strategies, validation, evidence. Start with ``pipeline.py``."""
