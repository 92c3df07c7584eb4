from __future__ import annotations

import pytest

from citeproof.models import Reference
from citeproof.validation.scope import out_of_scope


@pytest.mark.parametrize(
    ("reference", "outside"),
    [
        (Reference("a", entry_type="online"), True),
        (Reference("a", entry_type="book"), True),
        (Reference("a", entry_type="misc", url="https://example.org"), True),
        (Reference("a", entry_type="misc", url="https://example.org", venue="ICML"), False),
        (Reference("a", entry_type="article"), False),
        (Reference("a", entry_type="misc", url="https://arxiv.org/abs/1706.03762", arxiv_id="1706.03762"), False),
        (Reference("a", entry_type="online", doi="10.48550/arxiv.1706.03762"), False),
    ],
)
def test_kinds_that_need_not_be_held(reference: Reference, *, outside: bool) -> None:
    assert out_of_scope(reference) is outside
