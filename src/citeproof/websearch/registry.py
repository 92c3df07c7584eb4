"""All web search engines by name, in the order in which they are tried. An engine is one file and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.websearch.brave import Brave
from citeproof.websearch.scrapingdog import ScrapingDog
from citeproof.websearch.searxng import Searxng
from citeproof.websearch.serpapi import SerpApi

if TYPE_CHECKING:
    from citeproof.websearch.engine import Engine

ENGINES: dict[str, type[Engine]] = {engine.name: engine for engine in (Searxng, SerpApi, ScrapingDog, Brave)}
"""One's own first, then those that search scholarly works, then the general one."""
