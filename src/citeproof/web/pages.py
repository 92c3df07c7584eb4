"""The HTML pages, rendered from the templates in the package."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from citeproof.version import __version__

_templates = Environment(
    loader=PackageLoader("citeproof.web"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def render(name: str, **values: Any) -> str:
    """Return the page ``name``."""
    defaults: dict[str, Any] = {"title": "", "result": None, "words": [], "error": ""}
    return _templates.get_template(name).render(version=__version__, **(defaults | values))
