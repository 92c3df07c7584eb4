from citeproof.screen.signals.shared import connected


def test_connected_returns_the_components_in_the_order_of_their_pairs() -> None:
    assert connected([(1, 2), (3, 4), (5, 5), (2, 3)]) == [[1, 2, 3, 4], [5]]
