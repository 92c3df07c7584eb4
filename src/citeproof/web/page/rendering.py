"""The HTML pages, rendered from the templates in the package."""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from citeproof.version import __version__
from citeproof.web.page.static_files import STATIC_VERSION

_templates = Environment(
    loader=PackageLoader("citeproof.web.page"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def _code(text: str) -> Markup:
    """Return ``text`` as HTML, with what stands in backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped just before


_templates.filters["code"] = _code
_templates.globals.update(version=__version__, static=f"/static/{STATIC_VERSION}")


def render(name: str, **values: Any) -> str:
    """Return the page ``name``."""
    defaults: dict[str, Any] = {"here": name.removesuffix(".html"), "text": "", "answer": None, "error": ""}
    return _templates.get_template(name).render(defaults | values)
