"""``citeproof sources``: show the online sources, their configuration, and whether they
respond.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from urllib.parse import urlsplit

import click

from citeproof.model.errors import CiteproofError, Exit
from citeproof.online.net.service import Clock, SourceError
from citeproof.online.search_engines import ENGINES
from citeproof.online.sources import SOURCES, chosen_sources
from citeproof.report.wording import wrapped
from citeproof.settings import Settings, load


@click.command()
@click.option(
    "--check", is_flag=True, help="Send each configured source one query without any of your data."
)
def command(check: bool) -> Exit:
    """Show the online sources, web search engines and language model, and how each is configured.

    With --check: exit code 0 if all configured sources answer, otherwise 3.
    """
    settings = load()
    for name, title, state in _rows(settings):
        click.echo(wrapped(f"{title}: {state}", f"{name:<18}"))
    if not check:
        return Exit.CLEAN
    if settings.offline:
        raise CiteproofError("the setting offline is on, so no source can be checked")
    click.echo()
    configured = list(_configured(settings))
    answered = 0
    with ThreadPoolExecutor(len(configured)) as pool:
        for name, failure, seconds in pool.map(_check, configured):
            click.echo(wrapped(failure or f"answers, {seconds * 1000:.0f} ms", f"{name:<18}"))
            answered += not failure
    click.echo(f"\n{answered} of {len(configured)} answer.")
    return Exit.CLEAN if answered == len(configured) else Exit.INCOMPLETE


def _rows(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield name, title and state of each online service.

    The state is a text such as ``asked, no key``.
    """
    chosen = _chosen(settings)
    for name, source in SOURCES.items():
        takes_key = source.key_header or source.key_param
        key = ("key set" if _has_key(settings, name) else "no key") if takes_key else "needs no key"
        elsewhere = (
            f", at {_shown(settings.source_urls[name])}" if name in settings.source_urls else ""
        )
        yield name, source.title, f"{'asked' if name in chosen else 'not asked'}, {key}{elsewhere}"
    for name, engine in ENGINES.items():
        configured = bool(settings.searxng_url) if name == "searxng" else _has_key(settings, name)
        yield name, engine.title, "asked last" if configured else "not configured"
    configured = bool(settings.llm_url and settings.llm_model)
    model = f"asked last, {settings.llm_model} at {_shown(settings.llm_url)}"
    yield "llm", "language model", model if configured else "not configured"


def _shown(url: str) -> str:
    """Return a URL without user name, password and parameters, which may be secret."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _chosen(settings: Settings) -> Sequence[str]:
    return chosen_sources(settings.sources, {name for name in SOURCES if _has_key(settings, name)})


def _has_key(settings: Settings, name: str) -> bool:
    return bool(getattr(settings, f"{name}_key", None))


def _configured(settings: Settings) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the name of each configured service, and a function that sends a test request to the
    service.
    """
    from citeproof.verification import online_chain

    clock = Clock()
    client = online_chain.build_client(settings, clock)
    for source in online_chain.build_sources(settings, _chosen(settings), client, clock):
        yield source.name, source.probe
    for engine in online_chain.build_engines(settings, client, clock):
        yield engine.name, engine.probe
    if reader := online_chain.build_reader(settings, client):
        yield "llm", reader.probe


def _check(configured: tuple[str, Callable[[], None]]) -> tuple[str, str, float]:
    """Send a test request to a service. ``configured`` has the name of the service, and a function
    that sends the request.

    Return the name, an error message or an empty text, and the seconds taken.
    """
    (name, probe), failure = configured, ""
    start = perf_counter()
    try:
        probe()
    except SourceError as error:
        failure = str(error)
    return name, failure, perf_counter() - start
