"""Shapes in which works are printed: how the people are written, a line, and what it is filled
with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.accuracy import typeset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FULL = typeset.each(typeset.full, typeset.joined(", and "))
_FULL_PLAIN = typeset.each(typeset.full, typeset.joined(" and "))
_SHORT = typeset.each(typeset.initials_first, typeset.joined(", and "))
_SHORT_PLAIN = typeset.each(typeset.initials_first, typeset.joined(" and "))
_ET_AL = typeset.each(typeset.full, typeset.joined(", and ", most=6, others=", et al"))
_FEW_ET_AL = typeset.each(typeset.full, typeset.joined(", and ", most=1, others=" et al"))
_SHORT_ET_AL = typeset.each(
    typeset.initials_first, typeset.joined(", and ", most=6, others=", et al")
)
_APA = typeset.each(typeset.family_initials, typeset.joined(", & "))
_NATURE = typeset.each(typeset.family_initials, typeset.joined(" & ", most=5))
_LNCS = typeset.each(typeset.tight, typeset.joined(", "))
_VANCOUVER = typeset.each(typeset.bare_joined, typeset.joined(", ", most=6, others=", et al"))
_INVERTED = typeset.each(typeset.inverted, typeset.joined("; ", "; "))
_SLASHED = typeset.each(typeset.inverted, typeset.joined("/", "/"))
_SEMICOLONS = typeset.each(typeset.family_initials, typeset.joined("; ", "; "))
_FULL_COMMA = typeset.each(typeset.full, typeset.joined(", "))
_CAPITALS = typeset.each(typeset.in_brackets, typeset.joined(", "))
_DOTTED_BEHIND = typeset.each(lambda name: typeset.family_initials(name, " "), typeset.joined(", "))
_CHICAGO = typeset.first_inverted(typeset.joined(", and "))
_UND = typeset.each(typeset.inverted, typeset.joined(" und ", "; "))
_FIRST_UND = typeset.first_inverted(typeset.joined(" und "))
_INITIALS_UND = typeset.each(typeset.family_initials, typeset.joined(" und "))
_FULL_UND = typeset.each(typeset.full, typeset.joined(" und "))
_SPACED = typeset.each(typeset.inverted, typeset.joined(" / ", " / "))
_FULL_ET = typeset.each(typeset.full, typeset.joined(" et "))
_HARVARD = typeset.each(typeset.family_initials, typeset.joined(" and "))

_STYLES: dict[str, tuple[tuple[Callable[[Sequence[str]], str], ...], dict[str, str]]] = {
    "natbib": (
        (_FULL, _FULL, _FULL_PLAIN, _SHORT, _SHORT_PLAIN, _ET_AL, _FEW_ET_AL, _SHORT_ET_AL),
        {
            "misc": "{people}. {title}, {year}.{tail}",
            "misc_dot": "{people}. {title}. {year}.{tail}",
            "misc_month": "{people}. {title}, {month} {year}.{tail}",
            "arxiv": "{people}. {title}. arXiv preprint arXiv:{arxiv}, {year}.{tail}",
            "arxiv_abs": "{people}. {title}. ArXiv, abs/{arxiv}, {year}.{tail}",
            "corr": "{people}. {title}. CoRR, abs/{arxiv}, {year}.{tail}",
            "article": "{people}. {title}. {venue}, {volume}({number}):{pages}, {year}.{tail}",
            "article_bare": "{people}. {title}. {venue}, {year}.{tail}",
            "paper": "{people}. {title}. In {venue}, pages {pages}, {year}.{tail}",
            "paper_house": "{people}. {title}. In {venue}, pages {pages}. {house}, {year}.{tail}",
            "paper_bare": "{people}. {title}. In {venue}, {year}.{tail}",
            "report": "{people}. {title}. Technical report, {school}, {year}.{tail}",
            "thesis": "{people}. {title}. PhD thesis, {school}, {year}.{tail}",
            "book": "{people}. {title}. {house}, {year}.{tail}",
        },
    ),
    "acl": (
        (_FULL, _FULL, _FULL_PLAIN, _ET_AL, _FEW_ET_AL),
        {
            "misc": "{people}. {year}. {title}.{tail}",
            "arxiv": "{people}. {year}. {title}. arXiv preprint arXiv:{arxiv}.{tail}",
            "preprint": "{people}. {year}. {title}. Preprint, arXiv:{arxiv}.{tail}",
            "arxiv_class": "{people}. {year}. {title}. arXiv:{arxiv} [cs.CL]{tail}",
            "corr": "{people}. {year}. {title}. CoRR, abs/{arxiv}.{tail}",
            "article": "{people}. {year}. {title}. {venue}, {volume}:{pages}.{tail}",
            "acm_article": (
                "{people}. {year}. {title}. {venue} {volume}, {number} ({month} {year}),"
                " {pages}.{tail}"
            ),
            "paper": "{people}. {year}. {title}. In {venue}, pages {pages}, {city}. {house}.{tail}",
            "acm_paper": "{people}. {year}. {title}. In {venue}. {house}, {pages}.{tail}",
        },
    ),
    "apa": (
        (_APA,),
        {
            "misc": "{people} ({year}). {title}.{tail}",
            "arxiv": "{people} ({year}). {title}. arXiv.{tail}",
            "arxiv_id": "{people} ({year}). {title} (arXiv:{arxiv}). arXiv.{tail}",
            "article": "{people} ({year}). {title}. {venue}, {volume}({number}), {pages}.{tail}",
            "paper": "{people} ({year}). {title}. In {venue} (pp. {pages}). {house}.{tail}",
        },
    ),
    "nature": (
        (_NATURE,),
        {
            "misc": "{people} {title} ({year}).{tail}",
            "arxiv": "{people} {title}. Preprint at https://arxiv.org/abs/{arxiv} ({year}).",
            "article": "{people} {title}. {venue} {volume}, {pages} ({year}).{tail}",
            "paper": "{people} {title}. In {venue} {pages} ({house}, {year}).{tail}",
        },
    ),
    "vancouver": (
        (_VANCOUVER,),
        {
            "misc": "{people}. {title}. {year}.{tail}",
            "online": "{people}. {title} [Internet]. {year} [cited {year} {month} 3].{tail}",
            "arxiv": "{people}. {title}. arXiv:{arxiv} [Preprint]. {year}.{tail}",
            "article": "{people}. {title}. {venue}. {year};{volume}({number}):{pages}.{tail}",
            "paper": "{people}. {title}. In: {venue}; {year}. p. {pages}.{tail}",
        },
    ),
    "lncs": (
        (_LNCS,),
        {
            "misc": "{people}: {title} ({year}){tail}",
            "arxiv": "{people}: {title}. arXiv preprint arXiv:{arxiv} ({year}){tail}",
            "article": "{people}: {title}. {venue} {volume}({number}), {pages} ({year}){tail}",
            "paper": "{people}: {title}. In: {venue}, pp. {pages}. {house} ({year}){tail}",
        },
    ),
    "ieee": (
        (_SHORT, _SHORT_PLAIN, _SHORT_ET_AL),
        {
            "misc": "{people}, “{title},” {year}.{tail}",
            "arxiv": "{people}, “{title},” arXiv preprint arXiv:{arxiv}, {year}.{tail}",
            "article": (
                "{people}, “{title},” {venue}, vol. {volume}, no. {number}, pp. {pages}, {month}"
                " {year}.{tail}"
            ),
            "paper": "{people}, “{title},” in {venue}, {year}, pp. {pages}.{tail}",
            "bare": (
                "{people}, {title}, {venue}, vol. {volume}, no. {number}, pp. {pages},"
                " {year}.{tail}"
            ),
            "bare_paper": "{people}, {title}, in: {venue}, {year}, pp. {pages}.{tail}",
            "bare_misc": "{people}, {title}, {year}.{tail}",
        },
    ),
    "german": (
        (_SLASHED, _SLASHED, _SEMICOLONS, _INVERTED),
        {
            "book": "{people} ({year}): {subtitled}. {city}: {house}.",
            "book_comma": "{people} ({year}), {subtitled}, {city}: {house}.",
            "book_hg": "{people} (Hg.) ({year}): {subtitled}. {city}: {house}.",
            "book_last": "{people}: {subtitled}. {city}: {house} {year}.",
            "book_short": "{people}: {subtitled}, {city} {year}.",
            "book_sociology": "{people}, {year}: {subtitled}. {city}: {house}.",
            "edition": "{people}: {subtitled}, {number}. Aufl., {city} {year}, S. {pages}.",
            "article": "{people} ({year}): {subtitled}. In: {venue} {volume}, S. {pages}.",
            "article_issue": (
                "{people}: {subtitled}, in: {venue}, Jg. {volume}, H. {number}, {year}, S. {pages}."
            ),
            "chapter": (
                "{people} ({year}): {subtitled}. In: {editors} (Hg.): {venue}. {city}: {house}, S."
                " {pages}."
            ),
        },
    ),
    "german-quoted": (
        (_UND, _FIRST_UND, _SPACED, _SLASHED),
        {
            "article": "{people}: „{subtitled}“, in: {venue} {volume} ({year}), S. {pages}.",
            "article_issue": (
                "{people}: „{subtitled}“. In: {venue} {volume} ({year}), H. {number}. S. {pages}."
            ),
            "article_year": (
                "{people} ({year}): „{subtitled}“. In: {venue}, Jg. {volume}, Nr. {number},"
                " {pages}."
            ),
            "article_stop": (
                "{people} ({year}). „{subtitled}“. In: {venue} {volume}.{number}, S. {pages}."
            ),
            "chapter": (
                "{people}: „{subtitled}“. In: {editors} (Hg.): {venue}. {city} {year}. S. {pages}."
            ),
            "paper": "{people} (Mai {year}). „{subtitled}“. In: {venue}. {city}, S. {pages}.",
        },
    ),
    "german-plain": (
        (_UND, _FIRST_UND, _INITIALS_UND, _SPACED),
        {
            "book": "{people} ({year}). {subtitled}. {city}: {house}.",
            "book_place": "{people}: {subtitled}, {city}: {house} {year}.",
            "book_series": "{people}: {subtitled} ({school} {number}), {city} {year}.",
            "book_stop": "{people}. {subtitled}. {number}. Aufl. {city}: {house}, {year}.",
            "book_edited": "{people} (Hrsg.): {subtitled}. {city}: {house} {year}.",
            "book_editor": (
                "{people} ({year}). {subtitled}. Hrsg. von {editors}. {number}. Aufl. {city}:"
                " {house}."
            ),
            "article": "{people} ({year}). {subtitled}. {venue}, {volume}({number}), {pages}.",
            "chapter": (
                "{people}: {subtitled}, in: {editors} (Hg.), {venue}, {city} {year}, S. {pages}."
            ),
            "chapter_year": (
                "{people}, {year}: {subtitled}, S. {pages} in: {editors} (Hg.), {venue}. {city}:"
                " {house}."
            ),
            "thesis": "{people} ({year}): {subtitled}. Dissertation, Universität {city}.",
            "online": (
                "{people} ({year}): {subtitled}. https://example.org/{arxiv} (besucht am 12. 03."
                " {year})."
            ),
        },
    ),
    "german-notes": (
        (_FULL_UND,),
        {
            "book": "{people}, {subtitled}, {city} {year}, S. {number}.",
            "chapter": (
                "{people}, {subtitled}, in: {editors} (Hg.), {venue}, {city} {year}, S. {pages}."
            ),
        },
    ),
    "french": (
        (_FULL_COMMA, _CAPITALS, _INVERTED),
        {
            "book": "{people}, {subtitled}, {city}, {house}, {year}.",
            "article": "{people}, « {title} », {venue}, {volume}, {year}, p. {pages}.",
            "chapter": (
                "{people}, « {title} », dans {editors} (dir.), {venue}, {city}, {house}, {year}, p."
                " {pages}."
            ),
        },
    ),
    "french-dated": (
        (_FULL_ET, _CHICAGO, _HARVARD),
        {
            "book": "{people} ({year}), {subtitled}, {city}, {house}.",
            "article": (
                "{people} ({year}). « {title} ». {venue}, vol. {volume}, n° {number}, p. {pages}."
            ),
        },
    ),
    "books": (
        (_APA, _HARVARD, _CHICAGO),
        {
            "apa": "{people} ({year}). {title}. {city}: {house}.",
            "chapter": (
                "{people} ({year}). {title}. In {editors} (Ed.), {venue} (pp. {pages}). {city}:"
                " {house}."
            ),
            "harvard": "{people}, {year}. {title}. {venue}, {volume}({number}), pp.{pages}.",
            "chicago": "{people}. {year}. {subtitled}. {city}: {house}.",
            "mla": "{people}. {subtitled}. {city}: {house}, {year}.",
            "quoted": (
                "{people} ({month} {year}). “{subtitled}”. In: {venue} {volume}.{number}, pp."
                " {pages}."
            ),
            "quoted_last": (
                "{people}. “{subtitled}”. In: {venue} {volume}.{number} ({year}), pp. {pages}."
            ),
            "comma": "{people}, {subtitled}, {city}: {house}, {year}.",
        },
    ),
    "russian": (
        (_DOTTED_BEHIND,),
        {
            "article": "{people} {title} // {venue}. {year}. Т. {volume}, № {number}. С. {pages}.",
            "book": "{people} {title}. М.: {house}, {year}. {volume} с.",
        },
    ),
    "chicago": (
        (_CHICAGO, _INVERTED),
        {
            "misc": "{people}. {year}. {title}.{tail}",
            "article": "{people}. {year}. “{title}.” {venue} {volume} ({number}): {pages}.{tail}",
            "paper": "{people}. “{title}.” In {venue}, {pages}. {house}, {year}.{tail}",
        },
    ),
}
SHAPES = [
    (f"{style} {kind}", people, line)
    for style, (people, lines) in _STYLES.items()
    for kind, line in lines.items()
]
"""Name of a shape, its ways to write the people, and its line."""
TAILS = (
    "",
    "",
    "",
    " URL https://arxiv.org/abs/{arxiv}.",
    " URL https://doi.org/{doi}.",
    " doi: {doi}.",
    " https://doi.org/{doi}",
    " https://arxiv.org/abs/{arxiv}",
    " arXiv:{arxiv}.",
    " arXiv:{arxiv} [cs.LG]",
    " Accessed: {year}-05-03.",
    " [Online]. Available: https://example.org/{arxiv}",
    " https://example.org/p{number}.pdf (accessed May 3, {year}).",
)
MONTHS = ("Jan.", "February", "Mar.", "May", "June", "July", "Sept.", "October", "Nov.", "December")
HOUSES = (
    "Association for Computational Linguistics",
    "ACM",
    "IEEE",
    "Springer",
    "PMLR",
    "MIT Press",
    "Elsevier",
    "Curran Associates, Inc.",
)
SCHOOLS = (
    "Stanford University",
    "OpenAI",
    "MIT",
    "University of Edinburgh",
    "Google DeepMind",
    "ETH Zürich",
)
HUMANISTS = (
    "Frankfurt a. M.",
    "Opladen",
    "Wiesbaden",
    "Berlin",
    "München",
    "Frankfurt/New York",
    "Tübingen",
    "Köln",
    "Paris",
    "Lyon",
    "Bruxelles",
    "Genève",
    "Frankfurt am Main",
    "Weinheim",
    "London",
)
EDITORS = ("Max Kaase", "Müller, Walter", "Jean Dupont", "U. Beck", "Esser, H.")
CITIES = ("Online", "Vienna, Austria", "Toronto, Canada", "Seattle, WA, USA")
HUMANIST_HOUSES = (
    "Suhrkamp",
    "Westdeutscher Verlag",
    "Campus",
    "VS Verlag für Sozialwissenschaften",
    "Nomos",
    "Rowohlt",
    "UTB",
    "C. H. Beck",
    "Kohlhammer",
    "de Gruyter",
    "Leske + Budrich",
    "Mohr Siebeck",
    "Vandenhoeck & Ruprecht",
    "Seuil",
    "Presses Universitaires de France",
    "Cambridge University Press",
    "Routledge",
    "Sage",
)
BODIES = (
    "UNESCO",
    "OECD",
    "Statistisches Bundesamt",
    "World Bank",
    "European Commission",
    "Euripides",
    "Aristoteles",
    "IUCN",
    "Anonym",
    "Deutscher Bundestag",
    "Freie und Hansestadt Hamburg",
    "United Nations",
)
"""Authors with a single name: organizations and the ancients."""
