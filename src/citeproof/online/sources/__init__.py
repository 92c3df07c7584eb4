"""The online sources by name. Each source is a class, which is listed here."""

from collections.abc import Collection

from citeproof.model.errors import ConfigurationError
from citeproof.online.source import Source
from citeproof.online.sources.catalogues import Dblp, EuropePmc, OpenAlex, OpenLibrary, SemanticScholar
from citeproof.online.sources.registrars import Arxiv, Crossref, DoiOrg

SOURCES: dict[str, type[Source]] = {
    source.name: source for source in (Crossref, OpenAlex, SemanticScholar, Dblp, Arxiv, DoiOrg, EuropePmc, OpenLibrary)
}
"""Map from names to sources, in the order of the documentation."""
_NEEDS_KEY = frozenset({"semantic_scholar"})  # sources that refuse most requests without a key


def chosen_sources(names: str, with_key: Collection[str]) -> tuple[str, ...]:
    """Return the names of the sources to query.

    ``names`` are separated by commas. By default, they are all sources that can be used without a key, and the sources
    ``with_key``, for which the user has a key. Raises :class:`ConfigurationError` if a name is unknown.
    """
    chosen = tuple(filter(None, (name.strip().replace("-", "_") for name in names.split(","))))
    for name in chosen:
        if name not in SOURCES:
            raise ConfigurationError(f"no online source is called {name}; there are {', '.join(SOURCES)}")
    return chosen or tuple(name for name in SOURCES if name not in _NEEDS_KEY or name in with_key)
