"""All online sources by name. A source is one file and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citeproof.errors import ConfigurationError
from citeproof.online.arxiv import Arxiv
from citeproof.online.crossref import Crossref
from citeproof.online.dblp import Dblp
from citeproof.online.doi_org import DoiOrg
from citeproof.online.europe_pmc import EuropePmc
from citeproof.online.open_library import OpenLibrary
from citeproof.online.openalex import OpenAlex
from citeproof.online.semantic_scholar import SemanticScholar

if TYPE_CHECKING:
    from collections.abc import Collection

    from citeproof.online.source import Source

SOURCES: dict[str, type[Source]] = {
    source.name: source for source in (Crossref, OpenAlex, SemanticScholar, Dblp, Arxiv, DoiOrg, EuropePmc, OpenLibrary)
}
"""In the order of the documentation."""

_ONLY_WITH_KEY = frozenset({"semantic_scholar"})
"""Sources that are asked only with a key or by name: without one they refuse more often than they answer."""


def chosen_sources(names: str, with_key: Collection[str]) -> tuple[str, ...]:
    """Return the sources to ask: ``names``, parted by commas, or by default all that are of use without more ado.

    ``with_key`` are the sources for which the user has a key. Raises :class:`ConfigurationError` for an unknown name.
    """
    chosen = tuple(filter(None, (name.strip().replace("-", "_") for name in names.split(","))))
    for name in chosen:
        if name not in SOURCES:
            raise ConfigurationError(f"no online source is called {name}; there are {', '.join(SOURCES)}")
    return chosen or tuple(name for name in SOURCES if name not in _ONLY_WITH_KEY or name in with_key)
