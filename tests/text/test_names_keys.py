"""Keys that the spellings of a name share."""

import pytest

from citeproof.text import names
from citeproof.text.names import cited_keys, recorded_key, recorded_keys


@pytest.mark.parametrize(
    ("recorded", "cited"),
    [
        ("Ada Lovelace", "Lovelace, Ada"),
        ("Ada Lovelace 0002", "A. Lovelace"),
        ("Ada Lovelace", "Lovelace A."),
        ("J. Strother Moore", "Moore, J. S."),
        ("Guy L. Steele Jr.", "Steele, Jr., Guy L."),
        ("Thomas F. Icard III", "Icard, Thomas"),
        ("Md. Kamrul Hasan", "Hasan, Md. Kamrul"),
        ("Jürgen Müller", "Mueller, J."),
        ("Jürgen Müller", 'M{\\"u}ller, J{\\"u}rgen'),
        ("Kurt Gödel", "Godel, K."),
        ("Leonardo Mendonça de Moura", "de Moura, Leonardo"),
        ("Maria Garcia", "Garcia Lopez, Maria"),
        ("Wei Zhang", "Zhang Wei"),
        ("Jean-Pierre Serre", "Serre, J.-P."),
        ("Conor O'Brien", "OBrien, Conor"),
        ("Plato", "Plato"),
        ("Łukasz Kaiser", "Kaiser, Lukasz"),
    ],
)
def test_cited_keys_contain_the_key_of_the_record(recorded: str, cited: str) -> None:
    assert recorded_key(recorded) in cited_keys(cited)


@pytest.mark.parametrize("other", ["Grace Lovelace", "Ada Hopper", "Augusta King"])
def test_cited_keys_differ_for_other_people(other: str) -> None:
    same = other == "Augusta King"
    assert (recorded_key("Ada King" if same else "Ada Lovelace") in cited_keys(other)) is same


@pytest.mark.parametrize("name", ["", " ", "---"])
def test_cited_keys_of_no_name_are_empty(name: str) -> None:
    assert cited_keys(name) == frozenset()
    assert isinstance(recorded_key(name), int)


ODD_NAMES = (
    "Ada Lovelace",
    "Ada Lovelace 0002",
    "Guy L. Steele Jr.",
    "Md. Kamrul Hasan",
    "Md.",
    "Jr.",
    "0001",
    "Plato",
    "",
    " ",
    "---",
    " Ada  Lovelace ",
    "Ada\tLovelace",
    "Ada\u00a0Lovelace",
    "Jürgen Müller",
    "Łukasz Kaiser",
    "王伟",
    "J.-P. Serre",
)


def test_recorded_keys_are_those_of_recorded_key() -> None:
    assert recorded_keys(ODD_NAMES) == [recorded_key(name) for name in ODD_NAMES]


def test_recorded_keys_are_right_after_the_cache_was_full() -> None:
    recorded_keys([f"x{number} y{number}" for number in range(names._KEPT_WORDS + 1)])
    assert recorded_keys(ODD_NAMES) == [recorded_key(name) for name in ODD_NAMES]
