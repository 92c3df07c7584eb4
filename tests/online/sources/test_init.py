"""The choice of sources."""

from citeproof.online.sources import chosen_sources


def test_chosen_sources_are_named_or_have_a_key() -> None:
    assert "semantic_scholar" not in chosen_sources("", ())
    assert "semantic_scholar" in chosen_sources("", {"semantic_scholar"})
    assert chosen_sources(" dblp, open-library,", ()) == ("dblp", "open_library")
