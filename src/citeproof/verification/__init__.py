"""From references to verdicts: the session, the pipeline, the strategies, the validation and the evidence.

Start with ``pipeline.py``. This package may import readers, databases, online sources and stores. It renders nothing:
outputs are in ``report``.
"""
