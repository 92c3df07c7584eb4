"""Write a number with its noun, as in ``3 papers``."""


def quantity(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun: ``1 entry``, ``1,234 papers``.

    ``nouns`` is the plural, if it is not the singular with an "s".
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"
