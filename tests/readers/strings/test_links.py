import pytest

from citeproof.readers.strings.links import take_links


@pytest.mark.parametrize(
    ("text", "url", "rest"),
    [
        (
            "Snow. http : / / www . example . org / ice / a.pdf (2014).",
            "http://www.example.org/ice/a.pdf",
            "Snow. (2014).",
        ),
        ("Snow. Ice Press. https: / / example.org/ Winter", "https://example.org/", "Snow. Ice Press. Winter"),
    ],
)
def test_a_url_that_its_line_spreads_out_is_one(text: str, url: str, rest: str) -> None:
    links = take_links(text)
    assert (links.url, links.text) == (url, rest)
