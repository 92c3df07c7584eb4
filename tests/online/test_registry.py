"""Which sources are asked."""

from __future__ import annotations

from citeproof.online.registry import chosen_sources


def test_sources_are_chosen_by_name_or_by_key() -> None:
    assert "semantic_scholar" not in chosen_sources("", ())
    assert "semantic_scholar" in chosen_sources("", {"semantic_scholar"})
    assert chosen_sources(" dblp, open-library,", ()) == ("dblp", "open_library")
