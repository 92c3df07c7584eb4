"""Given names that are made of East Asian syllables, where a beginning is another name and no short form.

``Li`` is not short for ``Lingxiao`` as ``Alex`` is for ``Alexandros``: each syllable carries meaning, and names are
told apart by the later ones. Pinyin, Wade-Giles, the romanisations of Korean and Cantonese and Japanese kana all
read as a consonant, a vowel or two and a nasal or stop; other names that read so are treated alike.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SYLLABLE = r"""
(?:zh|ch|sh|hs|ts|tz|kw|gw|hw|jh|ng|[bpmfdtnlgkhjqxrzcsyw])? y?
(?:a(?:e|i|o|u|n|ng|k|l|m|p|t)?
 |e(?:e|i|h|n|ng|o|ok|ol|om|on|ong|u|ui|ul|un|ung|up)?
 |i(?:a|ao|an|ang|e|eh|en|u|n|ng|ong|h|k|l|m|p|t)?
 |o(?:o|ok|on|u|ul|un|ung|i|k|l|m|n|ng|p)?
 |u(?:a|ai|an|ang|e|ei|eh|en|h|i|k|l|m|n|ng|o|t)?)
"""
_NAME = re.compile(rf"(?:{_SYLLABLE})+", re.VERBOSE)


@lru_cache(maxsize=4096)
def is_syllabic(name: str) -> bool:
    """Whether a name in lower case reads as East Asian syllables: ``lingxiao``, ``seunghyun``, not ``alexandros``."""
    return _NAME.fullmatch(name) is not None
