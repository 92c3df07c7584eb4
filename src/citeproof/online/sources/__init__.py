"""The online sources by name."""

from collections.abc import Collection

from citeproof.model.errors import ConfigurationError
from citeproof.online.source import Source
from citeproof.online.sources.catalogues import (
    Dblp,
    EuropePmc,
    OpenAlex,
    OpenLibrary,
    SemanticScholar,
)
from citeproof.online.sources.registrars import Arxiv, Crossref, DoiOrg

SOURCES: dict[str, type[Source]] = {
    source.name: source
    for source in (Crossref, OpenAlex, SemanticScholar, Dblp, Arxiv, DoiOrg, EuropePmc, OpenLibrary)
}
"""Map from names to classes of online sources, in the order of ``docs/sources.md``."""
_NEED_KEY = frozenset({"semantic_scholar"})  # sources that refuse most requests without an API key


def chosen_sources(names: str, with_key: Collection[str]) -> tuple[str, ...]:
    """Return the names of online sources in the comma-separated text ``names``. If it is empty,
    return the default sources.

    ``with_key`` are the sources for which the user has an API key. A source that needs an API key
    is a default source only if it is in ``with_key``. Raises :class:`ConfigurationError` for an
    unknown name.
    """
    chosen = tuple(filter(None, (name.strip().replace("-", "_") for name in names.split(","))))
    if unknown := next((name for name in chosen if name not in SOURCES), ""):
        raise ConfigurationError(
            f"no online source is called {unknown}; there are {', '.join(SOURCES)}"
        )
    return chosen or tuple(name for name in SOURCES if name not in _NEED_KEY or name in with_key)
