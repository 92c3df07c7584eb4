"""Where an error came from, without its message: that may quote a confidential title."""

from __future__ import annotations


def places(error: BaseException) -> list[str]:
    """Return file, line and function of each frame, the innermost last; those of another process come after ours."""
    found, trace = [], error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        found.append(f"{code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return found + getattr(error, "__notes__", [])
