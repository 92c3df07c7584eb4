"""Read policies by name or from a file.

A policy sets how serious each difference is; see ``docs/policies.md``.

A file can make a difference less or more serious. Only a difference that makes a reference INVALID
by default can do so under another policy. Example::

    about = "Our journal prints no page numbers."
    not_compared = ["pages"]
    [weights]
    year.near = "issue"
    [thresholds]
    proved = 0.999
"""

import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from citeproof.model.errors import ConfigurationError
from citeproof.settings.values import ALIKE, toml_file
from citeproof.verification.validation.policy import DEFAULT, MEASURED, WEIGHTS, Policy, Weight

POLICIES = (MEASURED, "author", "editor", "lenient", "strict", "acl-2026", "invented")
"""Names of the policies in this package. A TOML file defines each policy."""
FIELDS: Mapping[str, tuple[str, ...]] = {
    "year": ("year.off", "year.other_edition", "year.near", "arxiv.after_year"),
    "venue": (
        "venue.different",
        "venue.no_such_edition",
        "venue.twice",
        "venue.unknown",
        "venue.not_confirmed",
        "venue.like",
        "preprint.as_published",
        "preprint.not_confirmed",
        "volume.without_it",
        "volume.companion_not_held",
    ),
    "pages": ("pages.differ",),
    "volume": ("volume.differs",),
    "number": ("number.differs",),
    "doi": ("doi.differs", "doi.other_volume", "doi.not_confirmed", "doi.link", "doi.short"),
}
"""Map from a field to the issue codes that are ignored if a policy file excludes the field."""
THRESHOLDS = ("complete", "proved", "without_gaps", "given", "held")
"""Names of the thresholds of a :class:`Policy` that a policy file may raise."""
FIXED = frozenset(
    {"reading.unclear", "reading.doubtful", "program.fault", "sources.narrow", "sources.failed"}
)
"""Issue codes whose weight a policy file cannot change.

These codes concern the run instead of the reference.
"""
_KEYS = ("about", "source", "date", "not_compared", "weights", "thresholds")


def chosen_policy(chosen: str) -> Policy:
    """Return the policy ``chosen``, which is a name such as ``strict`` or the path of a TOML file.

    Raises :class:`ConfigurationError` if there is no such policy.
    """
    if is_file(chosen):
        path = Path(chosen)
        try:
            content = toml_file(path)
        except ConfigurationError as error:
            raise ConfigurationError(f"policy {str(error).partition(chr(10))[0]}") from None
        return policy_of(content, path.name, str(path))
    if chosen not in POLICIES:
        known = ", ".join(POLICIES)
        raise ConfigurationError(
            f"policy {chosen!r}: is not one of {known}; the name of a policy file must end in .toml"
        )
    text = files("citeproof.verification").joinpath("policies", f"{chosen}.toml").read_text("utf-8")
    return policy_of(tomllib.loads(text), chosen, chosen)


def is_file(chosen: str) -> bool:
    """Return whether ``chosen`` is the path of a TOML file instead of the name of a policy in this
    package.
    """
    return chosen.endswith(".toml")


def policy_of(content: Mapping[str, Any], name: str, where: str) -> Policy:
    """Return the policy with the name ``name`` from the parsed TOML ``content``.

    Raises :class:`ConfigurationError` with the file name ``where`` in the message if ``content`` is
    invalid.
    """
    try:
        for key, value in content.items():
            if _one_of(key, _KEYS, "key") in {"about", "source"} and not isinstance(value, str):
                raise ValueError(f"{key}: is not a string")
        if type(content.get("date", date.min)) is not date:
            raise ValueError("date: is not a date such as 2026-05-26 (without quotes)")
        weights = {code: _weight(code, word) for code, word in _weights(content)}
        shares = {key: _share(key, value) for key, value in _table(content, "thresholds").items()}
        fields = content.get("not_compared", [])
        if not isinstance(fields, list):
            raise ValueError('not_compared: is not a list such as ["pages"]')
        left_out = (code for field in fields for code in FIELDS[_one_of(field, FIELDS, "field")])
        return Policy({**WEIGHTS, **weights}, name, frozenset(left_out), **shares)
    except ValueError as error:
        raise ConfigurationError(f"policy {where}: {error}") from None


def _weight(code: str, word: object) -> Weight:
    """Return the weight of the issue code ``code`` from a word in a policy file, such as ``note``.

    If the default weight is ``conflict``, it may only be changed to ``open``. Both weights prevent
    the status VALID. Any other default weight may not be changed to ``conflict``.
    """
    _one_of(code, [known for known in WEIGHTS if known not in FIXED], "code")
    words = ("open", "conflict") if WEIGHTS[code] is Weight.CONFLICT else ("note", "open", "issue")
    if word not in words:
        raise ValueError(f"{code}: weight {word!r} is not one of {', '.join(words)}")
    return Weight[str(word).upper()]


def _share(name: str, value: object) -> float:
    """Return the threshold ``name`` from a policy file.

    Raises :class:`ValueError` if the value is below the default or above 1.
    """
    least = getattr(DEFAULT, _one_of(name, THRESHOLDS, "threshold"))
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1:
        raise ValueError(f"{name}: {value!r} is not a number from {least} to 1")
    return float(value)


def _one_of(name: object, known: Iterable[str], what: str) -> str:
    """Return ``name`` if it is in ``known``.

    Otherwise raise :class:`ValueError` with a message that suggests a similar name. ``what`` is the
    noun in this message, such as ``threshold``.
    """
    names = list(known)
    if isinstance(name, str) and name in names:
        return name
    close = get_close_matches(str(name), names, 1, ALIKE)
    meant = f"perhaps {close[0]!r} was meant" if close else f"there are {', '.join(names[:10])}"
    raise ValueError(f"unknown {what} {name!r}; {meant}")


def _table(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = content.get(name, {})
    if not isinstance(table, dict):
        raise ValueError(f"{name}: is not a table; write [{name}], then one line for each value")
    return table


def _weights(content: Mapping[str, Any]) -> Iterable[tuple[str, object]]:
    """Yield pairs of issue code and weight from the table ``weights`` in ``content``, a parsed
    policy file.

    TOML parses ``year.near`` without quotes as the key ``near`` in a table ``year``.
    """
    for key, value in _table(content, "weights").items():
        if isinstance(value, dict):
            yield from ((f"{key}.{rest}", word) for rest, word in value.items())
        else:
            yield key, value
