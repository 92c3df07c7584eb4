"""Pictures of results as inline SVG. They need no script and no network. Their colours come from
``style.css``.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from markupsafe import Markup

from citeproof.model.quantity import quantity
from citeproof.model.run import counted
from citeproof.report.overview import WORST_FIRST

STYLE = files("citeproof.report").joinpath("style.css").read_text("utf-8")
"""The stylesheet of all HTML pages: report, dossier, overview of a screening, web service."""
EVEN = 0.5
"""Probability, 0 to 1, that a paper has an invented reference. Papers with at least this
probability are marked as worth a look, because at least half of them have an invented reference.
"""
_MOST_POINTS = 400  # maximum number of points of a curve


def status_bar(by_status: Mapping[str, int], total: int = 0) -> Markup:
    """Return a bar with a part for each status in ``by_status``, a map from status to number. The
    worst status comes first.

    If ``total`` is larger than the sum of the numbers, the rest of the bar is empty.
    """
    counts = {status.value: by_status.get(status.value, 0) for status in WORST_FIRST}
    said = counted(counts)
    done = sum(counts.values())
    whole = max(total, done, 1)
    if total > done:
        said = f"{said or 'nothing'} of {total:,} so far"
    parts, left = Markup(""), 0
    for status, count in counts.items():
        if count:
            part = Markup(
                '<rect class="{}" x="{}" width="{}" height="1"><title>{:,} {}</title></rect>'
            )
            parts += part.format(status, left, count, count, status.lower())
            left += count
    svg = Markup(
        '<svg class="bar" viewBox="0 0 {} 1" preserveAspectRatio="none" role="img"'
        ' aria-label="{}">{}</svg>'
    )
    return svg.format(whole, said or "no references", parts)


def share_bar(share: float) -> Markup:
    """Return a bar whose length is ``share``, 0 to 1.

    Screen readers skip the bar, because the page also shows the number.
    """
    svg = Markup(
        '<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{:.2f}" height="1"/></svg>'
    )
    return svg.format(100 * share)


def chance_plot(chances: Sequence[float]) -> Markup:
    """Return a curve of the probabilities, 0 to 1, that papers have an invented reference.
    ``chances`` are sorted, the largest first.

    The part of the curve with papers of a probability of at least :data:`EVEN` is marked.
    """
    count = len(chances)
    step = max(1, count // _MOST_POINTS)
    places = [*range(0, count, step), *([count - 1] if (count - 1) % step else [])]
    curve = "".join(
        f"H{100 * place / count:.2f}V{100 - 100 * chances[place]:.2f}" for place in places
    )
    pays = sum(chance >= EVEN for chance in chances)
    svg = Markup(
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="pays" width="{:.2f}" height="100"/>'
        '<path class="area" d="M0 100{}H100V100Z"/>'
        '<path class="axis" d="M0 {:.0f}H100M{:.2f} 0V100"/></svg>'
    )
    papers = quantity(count, "paper")
    said = f"The chances of {papers}, from {chances[0]:.0%} down to {chances[-1]:.0%}"
    return svg.format(said, 100 * pays / count, curve, 100 - 100 * EVEN, 100 * pays / count)
