"""The settings: names, types, defaults, and which settings a project may set."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from citeproof.model.chance import BASE_RATE
from citeproof.settings import values as read
from citeproof.settings.values import Read, Secret, setting
from citeproof.store.sql import ServerAddress

MAX_CANDIDATES = 2**31 - 1
"""Maximum value of the setting ``bib_max_candidates``. No database has as many titles."""


def _candidates(given: object) -> int:
    """Convert ``given`` to a whole number of at least 1.

    Numbers above :data:`MAX_CANDIDATES` are reduced to this maximum.
    """
    return int(min(read.whole(1)(given), MAX_CANDIDATES))


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """The settings of a run.

    The field ``port``, for example, is set as ``port`` in a settings file or by the variable
    ``CITEPROOF_PORT``.
    """

    bib_db: Path | None = setting(read.file)
    """The bibliographic database.

    None: ``dblp.db`` in the user's data folder or, if missing, the built-in sample.
    """
    further_bib_dbs: tuple[Path, ...] = setting(read.files, ())
    """Databases that are queried after ``bib_db``."""
    bib_index_dir: Path | None = setting(read.file, own=True)
    """Folder with the title index of the database. None: the folder of the database."""
    bib_threshold: float = setting(read.real(0.5, 1), 0.9)
    """Minimum similarity, from 0.5 to 1, of a cited title and the title of a record that matches
    it.
    """
    bib_max_candidates: int = setting(_candidates, 100_000)
    """Maximum number of titles that a look-up compares if there is a title index.

    Without a title index, a look-up compares all titles.
    """
    sample: str = setting(read.one_of("works", "landmarks"), "works")
    """The built-in database to use if there is no other: ``works`` that papers often cite, or a few
    ``landmarks``.
    """
    require_database: bool = setting(read.truth, False)
    """Whether to exit with code 2 if there is no database except the built-in sample."""
    disable_bib: bool = setting(read.truth, False)
    enable_online: bool = setting(read.truth, False, own=True)
    concurrent: int = setting(read.whole(1), 10)
    """Maximum number of references that are verified at the same time."""
    processes: int | None = setting(read.whole(1))
    """Number of processes of an offline run.

    None: one per CPU core on the command line, one in Python.
    """
    cache: Path | ServerAddress | None = setting(read.store, own=True)
    """Cache of verified references: a file or PostgreSQL server.

    None: ``verified.db`` in the user's cache folder.
    """
    no_cache: bool = setting(read.truth, False)
    """Whether to neither read nor write the cache."""
    format: str = setting(read.text, "table")
    """Format of the report of ``citeproof verify``, such as ``table``."""
    statistics: bool = setting(read.truth, False)
    """Whether to end a ``jsonl`` report with a line of statistics."""
    policy: str = setting(read.text, "default")
    """Name or ``.toml`` file of a policy, which says how much weight each difference has in a
    verdict.
    """
    base_rate: float = setting(read.real(0.0001, 0.2), BASE_RATE)
    """Assumed share of invented references among all references, from which the probability that a
    reference is invented is computed.
    """
    fail_on: str = setting(read.text, "suspicious")
    """The statuses for which ``citeproof verify`` exits with another code than 0, such as
    ``invalid``. This is the value of ``--fail-on``.
    """
    no_accepted: bool = setting(read.truth, False)
    """Whether to ignore ``citeproof.accepted.toml``, the list of entries that a person has
    accepted. If it is not set, :func:`load` sets it to the value of :attr:`no_project_settings`.
    """
    offline: bool = setting(read.truth, False, own=True)
    """Whether to open no network connection, whatever the other settings are."""
    sources: str = setting(read.text, "", own=True)
    """Names of the online sources to query, separated by commas.

    Empty: all sources that need no key, and those whose key is set.
    """
    max_age: float = setting(read.real(0, 36_500), 30.0, own=True)
    """Maximum age, in days, of a cached response of a source.

    A cached "not found" is used for at most one day.
    """
    contact: str = setting(read.text, "", own=True)
    """E-mail address sent to the online sources.

    Crossref has a higher rate limit for requests with an address.
    """
    source_urls: dict[str, str] = setting(read.addresses, {}, own=True)
    """Map from the name of an online source to the URL of a mirror or local server to use
    instead.
    """
    key_hosts: str = setting(read.text, "", own=True)
    """Hosts to which API keys may be sent, separated by commas. The setting ``source_urls`` can
    replace the URL of a service. The key of that service is sent to the new host only if this
    setting names the host.
    """
    openalex_key: Secret | None = setting(read.secret, own=True)
    semantic_scholar_key: Secret | None = setting(read.secret, own=True)
    searxng_url: str = setting(read.text, "", own=True)
    """URL of a SearXNG server on which the output format JSON is enabled."""
    brave_key: Secret | None = setting(read.secret, own=True)
    serpapi_key: Secret | None = setting(read.secret, own=True)
    scrapingdog_key: Secret | None = setting(read.secret, own=True)
    llm_url: str = setting(read.text, "", own=True)
    """URL of an OpenAI-compatible API, such as ``http://localhost:11434/v1``."""
    llm_model: str = setting(read.text, "", own=True)
    llm_key: Secret | None = setting(read.secret, own=True)
    llm_budget: int = setting(read.whole(0), 50, own=True)
    """Maximum number of references per run that are sent to a language model for parsing."""
    host: str = setting(read.text, "127.0.0.1", own=True)
    """IP address or host name at which ``citeproof serve`` listens."""
    port: int = setting(read.whole(0, 65535), 8092, own=True)
    """Port that ``citeproof serve`` listens on; 0: any free port."""
    workers: int = setting(read.whole(1), 1, own=True)
    """Number of server processes of ``citeproof serve``."""
    runtime_store: Path | ServerAddress | None = setting(read.store, own=True)
    """Database of counters and events of the web service.

    None: ``runtime.db`` in the user's state folder.
    """
    no_title_log: bool = setting(read.truth, False, own=True)
    """Whether the web service logs a keyed hash of a title instead of the title."""
    retain_days: float | None = setting(read.real(0), own=True)
    """Days after which logged events are deleted. None: never. Counters are kept."""
    retain_hours: float = setting(read.real(0), 24.0, own=True)
    """Hours after which the results of a finished job are deleted."""
    token: Secret | None = setting(read.secret, own=True)
    """Bearer token that requests must have; None: no token is needed."""
    allowed_hosts: str = setting(read.text, "", own=True)
    """Host names, separated by commas, at which ``citeproof serve`` may be called in addition to
    ``localhost``.
    """
    rate_limit: int = setting(read.whole(0), 0, own=True)
    """Maximum number of searches per client and minute; 0: no limit."""
    no_project_settings: bool = setting(read.truth, False, own=True)
    """Whether to ignore the settings files of projects."""
    from_project: Mapping[str, Path] = field(default_factory=dict, repr=False)
    """Map from the name of each setting that a project's file has set to the path of this file.
    This field is not a setting itself.
    """

    @property
    def deciding(self) -> dict[str, str]:
        """The settings in :attr:`from_project` that affect what is found or flagged, each with the
        path of its file as text.
        """
        return {name: str(path) for name, path in self.from_project.items() if name not in HARMLESS}

    @property
    def project_notes(self) -> tuple[str, ...]:
        """A sentence for reports that names the settings in :attr:`deciding`. Empty if there are no
        such settings.
        """
        return project_notes(self.deciding)

    @property
    def searches_database_of_project(self) -> bool:
        """Whether a bibliographic database of this run was named by a project's file."""
        return not self.from_project.keys().isdisjoint({"bib_db", "further_bib_dbs"})


PROJECT_NOTE = (
    "Settings of this project affect the results: {}. --no-project-settings ignores them."
)
"""Template of the sentence that names the settings of a project."""
HARMLESS = frozenset({"concurrent", "processes", "no_cache", "format", "statistics", "base_rate"})
"""Names of the settings by which a project cannot hide a wrong reference."""
_READABLE = [one for one in fields(Settings) if "read" in one.metadata]
SETTINGS: Mapping[str, Read] = {one.name: one.metadata["read"] for one in _READABLE}
"""Map from the name of a setting to the function that converts and checks values of the setting."""
OWN = frozenset(one.name for one in _READABLE if one.metadata["own"])
"""Names of the own settings: only the user's own settings file can set them, and not the file of a
project.
"""


def project_notes(deciding: Mapping[str, str]) -> tuple[str, ...]:
    """Return a sentence that names settings of a project. ``deciding`` maps each of them to its
    settings file.

    The result is empty if ``deciding`` is empty.
    """
    names: dict[str, list[str]] = {}
    for name, path in deciding.items():
        names.setdefault(path, []).append(name)
    said = "; ".join(f"{path} sets {', '.join(own)}" for path, own in names.items())
    return (PROJECT_NOTE.format(said),) if said else ()
