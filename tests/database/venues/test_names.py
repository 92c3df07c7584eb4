import pytest

from citeproof.database.venues.names import names_in_title, stream_of

TITLES = [
    (
        (
            "Proceedings of the 38th International Conference on Sheep, ICS 2021, 18-24 July 2021,"
            " Virtual Event"
        ),
        ["Proceedings of the 38th International Conference on Sheep", "ICS"],
    ),
    (
        "SHEEP '20: The 26th ACM Conference on Sheep, Virtual Event, August 23-27, 2020",
        ["SHEEP", "The 26th ACM Conference on Sheep"],
    ),
    (
        (
            "Counting: From Sheep to Stars, 6th Conference of the Sheep Society, COSS 2004, Oslo,"
            " Norway, May 2, 2004"
        ),
        ["6th Conference of the Sheep Society", "COSS"],
    ),
    (
        "The 33rd Conference on Sheep, COS 2019, The 31st Conference on Goats, COG 2019, Honolulu",
        ["The 33rd Conference on Sheep", "COS"],
    ),
    (
        (
            "Proceedings of the 8th Conference on Sheep, Goats, & Lambs, SGL 2008, July 14-17,"
            " 2008, Oslo, Norway"
        ),
        ["Proceedings of the 8th Conference on Sheep Goats & Lambs", "SGL"],
    ),
    (
        "Conference on Sheep, COS 2001, Paris, France, and the Workshop on Goats, May 3, 2001",
        ["Conference on Sheep", "COS"],
    ),
]


@pytest.mark.parametrize(("title", "names"), TITLES)
def test_names_in_titles_of_proceedings(title: str, names: list[str]) -> None:
    assert list(names_in_title(title)) == names


@pytest.mark.parametrize(
    ("key", "stream"),
    [
        ("conf/ics/AlmaB21", "conf/ics"),
        ("journals/jos/Alma21", "journals/jos"),
        ("phd/Alma21", ""),
        ("alma2021", ""),
    ],
)
def test_stream_of_streams(key: str, stream: str) -> None:
    assert stream_of(key) == stream
