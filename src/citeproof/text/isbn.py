"""Find ISBNs in entries, and check their last digits."""

import re
from collections.abc import Iterator

# regex for an ISBN field in BibTeX and JSON
_FIELD = re.compile(r'\bisbn"?\s*[=:]\s*["{]+([^}"]*)', re.IGNORECASE)
_ISBN = re.compile(
    r"(?<!\d)(?:97[89][\s\-\u2010-\u2015]?)?(?:\d[\s\-\u2010-\u2015]?){9}[\dXx](?!\d)"
)


def isbns_in(entry: str) -> Iterator[str]:
    """Yield each ISBN of 10 or 13 digits in the field ``isbn`` of ``entry``, without hyphens and
    spaces.

    >>> list(isbns_in("isbn = {0-262-03384-4 (hardcover), 978-0-262-03384-8}"))
    ['0262033844', '9780262033848']
    """
    for field in _FIELD.findall(entry):
        yield from (re.sub(r"[^\dX]", "", isbn.upper()) for isbn in _ISBN.findall(field))


def is_isbn(digits: str) -> bool:
    """Return whether ``digits``, an ISBN of 10 or 13 characters without hyphens, ends in the right
    check digit (ISO 2108).
    """
    values = [10 if digit == "X" else int(digit) for digit in digits]
    if len(digits) == 13:
        return sum(value * (1, 3)[place % 2] for place, value in enumerate(values)) % 10 == 0
    if digits.isdigit() and is_isbn(f"978{digits}"):  # an ISBN of 13 digits without ``978``
        return True
    return sum(value * (10 - place) for place, value in enumerate(values)) % 11 == 0
