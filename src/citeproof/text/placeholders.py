"""Recognise placeholders for a name: ``Anonymous``, ``John Doe``, ``Firstname Lastname``, ``Author One``."""

import re
from functools import lru_cache

_PLACEHOLDERS = re.compile(
    r"""^(?:
        (?:the\s+)?anon(?:ymous|\.)?(?:\s+(?:authors?|submission|\d+))*
      | (?:john|jane)\s+(?:q\.?\s+)?(?:doe|roe|smith\s+doe) | doe,?\s+(?:john|jane|j\.?) | (?:j\.\s*)doe
      | (?:first|given|fore)[\s_-]*name[\s\d_-]*,?\s*(?:last|family|sur)[\s_-]*name[\s\d]*
      | (?:last|family|sur)[\s_-]*name[\s\d_-]*,?\s*(?:first|given|fore)[\s_-]*name[\s\d]*
      | (?:(?:first|second|third|fourth|last|main|lead|co|corresponding)[\s-]+)?authors?[\s,#_-]*
        (?:one|two|three|four|five|six|[a-e]|\d{1,2}|names?|unknown|list|here|first|second|third)?
      | (?:one|two|three|[a-e])\s*,\s*author
      | (?:name|names|author)\s+(?:not\s+(?:available|given|known)|unknown|withheld|redacted|tba|tbd|tbc|surname)
      | unknown(?:\s+authors?)? | n\.?/?a\.? | tba | tbd | to\s+be\s+(?:announced|determined|added)
      | no\s+authors?(?:\s+(?:listed|given))?
      | xxx+ | foo\s+bar | test\s+(?:author|user) | todo | lorem\s+ipsum | redacted
    )\.?$""",
    re.VERBOSE,
)
"""Regex of placeholders, for text in lower case: ignoring case would take three times as long."""


@lru_cache(maxsize=4096)
def is_placeholder(name: str) -> bool:
    """Whether ``name`` is a placeholder in place of a person."""
    return bool(_PLACEHOLDERS.match(" ".join(name.lower().replace("{", "").replace("}", "").split())))
