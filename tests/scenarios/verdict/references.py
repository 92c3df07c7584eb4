"""References to the papers of the small world: true, wrong, and damaged in small ways."""

from tests.scenarios.verdict.corpus import TWINS, cited, misdescribed, papers

PAPERS = papers()
TRUE = [cited(paper) for paper in PAPERS]
WRONG = [
    reference
    for paper, other in zip(PAPERS[::80], PAPERS[17::80], strict=False)
    for reference in misdescribed(paper, other)
]
SLIPPED = [cited(own, title=other.title) for pair in TWINS for own, other in (pair, pair[::-1])]
"""Each twin with the other's title."""
MISSPELT = [cited(paper, title=paper.title.replace("ing ", "nig ", 1)) for paper in PAPERS[:450:30]]
NOBODY_WROTE = "Nobody Has Ever Written About Marzipan Submarines"
IMPOSSIBLE = [cited(paper, authors=("Zora Quux", "Yves Prax")) for paper in PAPERS[:20]]
"""A preprint and its publication name the people; two records are not wrong alike."""
EVERYTHING = [*TRUE[::7], *WRONG, *SLIPPED, *MISSPELT, *IMPOSSIBLE]
