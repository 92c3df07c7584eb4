import pytest

from citeproof.text.name_comparison import NameAgreement, compare_names, is_letter_apart
from citeproof.text.names import parse_name

SAME = [
    ("de Boor", "Carl de Boor"),
    ("El Abbadi", "Amr El Abbadi"),
    ("Vaswani, A.", "Ashish Vaswani"),
    ("A. Vaswani", "Ashish Vaswani"),
    ("Vaswani A", "Ashish Vaswani"),
    ("Müller, Jürgen", "Juergen Mueller"),
    ("Jurgen Muller", "Jürgen Müller"),
    ("Søren Kierkegård", "Soeren Kierkegaard"),
    ("Jan-Willem van de Meent", "Meent, J.-W. van de"),
    ("van de Meent, J. W.", "Jan-Willem van de Meent"),
    ("García Márquez, Gabriel", "Gabriel García Márquez"),
    ("Márquez, Gabriel García", "Gabriel Garcia Marquez"),
    ("Wei Zhang", "Zhang Wei"),
    ("X.-M. Li", "Xiao-Ming Li"),
    ("Xiaoming Li", "Xiao-Ming Li"),
    ("XM Li", "Xiao-Ming Li"),
    ("Bill Gates", "William Gates"),
    ("Sammy Davis, Jr.", "Sammy Davis"),
    ("Davis, Jr., Sammy", "Sammy Davis"),
    ("Lee III, Thomas F.", "Thomas F. Lee"),
    ("Lee III, Thomas F.", "Thomas Lee III"),
    ("Steele, Jr., G.", "Guy L. Steele Jr."),
    ("Daniel M Ziegler", "Daniel Ziegler"),
    ("Christopher Manning", "Christopher D. Manning"),
    ("J. David Smith", "David Smith"),
    ("Wei Wang 0001", "Wei Wang"),
    ("Plato", "Plato"),
    ("Shipman, Frank M.", "Frank M. Shipman III"),
    ("Y.-C. Wu", "Yi-Chiao Wu"),
    ("Lim, E.-P.", "Ee-Peng Lim"),
    ("J. O", "Jangmin O"),
    ("Smith JA", "John A. Smith"),
    ("Ortega y Gasset, José", "J. Ortega y Gasset"),
    ("ATLAS Collaboration", "The ATLAS Collaboration"),
    ("Пётр Иванов", "Petr Ivanov"),
    ("Alex Graves", "Alexandros Graves"),
    ("Ganea, Octavian", "Octavian-Eugen Ganea"),
    ("Anima Anandkumar", "Animashree Anandkumar"),
    ("Jean Serre", "Jean-Pierre Serre"),
    ("Themis Prodromakis", "Themistoklis Prodromakis"),
    ("Durk Kingma", "Diederik P. Kingma"),
    ("Manning Christopher", "Christopher D. Manning"),
    ("Christopher, Manning", "Christopher D. Manning"),
    ("Ross Girshick", "Ross B. Girshick"),
    ("Nesterov, Yu.", "Yurii Nesterov"),
    ("Zh. Alferov", "Zhores Alferov"),
    ("Lee, Xu", "Xu Lee"),
    ("Li, F.-F.", "Li Fei-Fei"),
    ("Li H", "Hang Li"),
    ("van Dijk M", "Marten van Dijk"),
    ("Isbell Jr. CL", "Charles Lee Isbell Jr."),
    ("Zeiler MD", "Matthew D. Zeiler"),
    ("Kang J-H", "Jeon-Hyung Kang"),
    ("Kang, J-H", "Jeon-Hyung Kang"),
    ("Rau P-LP", "Pei-Luen Patrick Rau"),
    ("de Carvalho ACPLF", "André C. P. L. F. de Carvalho"),
    ("LI H.", "Hang Li"),
    ("Ng AY", "Andrew Y. Ng"),
    ("Awawdeh, SA", "Shadi Al Awawdeh"),
    ("LI, Hang", "Hang Li"),
    ("F. F. Li", "Li Fei-Fei"),
    ("Minh Le Nguyen", "Minh-Le Nguyen"),
    ("Ai Ti Aw", "Aw AiTi"),
    ("Gao", "Tianyu Gao"),
]
GIVEN_DIFFERS = [
    ("Daniel Smith", "Maria Smith"),
    ("D. Smith", "Maria Smith"),
    ("Wei Zhang", "Lei Zhang"),
]
GIVEN_DIFFERS += [
    ("Zhao, Li", "Lingxiao Zhao"),
    ("Xu Han", "Xuezhi Han"),
    ("Xiao Chang", "Xiaojun Chang"),
    ("Seung Kim", "Seunghyun Kim"),
    ("Stefan Huber", "Stefanie Huber"),
    ("Jean Guy Meunier", "Jean-Noël Meunier"),
    ("Tom Altman", "Tomer Altman"),
]
NONE = [
    ("Ashish Vaswani", "Noam Shazeer"),
    ("John Smith", "John Miller"),
    ("Li Wang", "Li Wong"),
    ("", "Li Wang"),
]
NONE += [("Li, F.", "Li Fei-Fei"), ("Li, F.-G.", "Li Fei-Fei")]
NONE += [("Lin, W.", "Lin Wei"), ("Lin, Wen", "Lin Wei")]


@pytest.mark.parametrize(("cited", "recorded"), SAME)
def test_compare_names_of_one_person(cited: str, recorded: str) -> None:
    assert compare_names(parse_name(cited), parse_name(recorded)) is NameAgreement.SAME
    assert compare_names(parse_name(recorded), parse_name(cited)) is NameAgreement.SAME


@pytest.mark.parametrize(("cited", "recorded"), GIVEN_DIFFERS)
def test_compare_names_with_other_given_names(cited: str, recorded: str) -> None:
    assert compare_names(parse_name(cited), parse_name(recorded)) is NameAgreement.GIVEN_DIFFERS


@pytest.mark.parametrize(("cited", "recorded"), NONE)
def test_compare_names_of_different_people(cited: str, recorded: str) -> None:
    assert compare_names(parse_name(cited), parse_name(recorded)) is NameAgreement.NONE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("John Michael Smith", "John Michael Jones"),
        ("Jean-Paul Sartre", "Jean-Paul Dupont"),
        ("Yi-min Yang", "Yi-min Xia"),
        ("Smith, John Michael", "Jones, John Michael"),
        ("Smith, John Michael", "John Michael Jones"),
        ("Garcia Lopez, Juan", "Juan Garcia Perez"),
    ],
)
def test_compare_names_omits_a_second_family_name_of_one_name_only(one: str, other: str) -> None:
    assert compare_names(parse_name(one), parse_name(other)) is NameAgreement.NONE
    assert compare_names(parse_name(other), parse_name(one)) is NameAgreement.NONE


@pytest.mark.parametrize(
    "cited",
    ["Juan Garcia", "Garcia, Juan", "J. Garcia", "Garcia Lopez, Juan", "Lopez, Juan Garcia"],
)
def test_compare_names_omits_one_of_two_family_names(cited: str) -> None:
    assert compare_names(parse_name(cited), parse_name("Juan Garcia Lopez")) is NameAgreement.SAME


def test_compare_names_finds_a_typo_beside_a_long_given_name() -> None:
    assert (
        compare_names(parse_name("Koen, Philipp"), parse_name("Philipp Koehn"))
        is NameAgreement.MISSPELT
    )
    assert compare_names(parse_name("Jiaming Liu"), parse_name("Jiaming Lin")) is NameAgreement.NONE


def test_compare_names_finds_a_typo_in_the_family_name() -> None:
    assert (
        compare_names(parse_name("Ashish Vaswanni"), parse_name("Ashish Vaswani"))
        is NameAgreement.MISSPELT
    )


@pytest.mark.parametrize(
    ("cited", "recorded", "apart"),
    [
        ("Yuxin Png", "Yuxin Peng", True),
        ("Pedo Meseguer", "Pedro Meseguer", True),
        ("Fn, X.", "Xiannian Fan", True),
        ("Jian-Xin X", "Jian-Xin Xu", True),
        ("Wei Wang", "Wei Yang", True),
        ("Wei Wang", "Wei Zhang", False),
        ("Wie Wnag", "Wei Wang", False),
        ("J. Smith", "K. Smith", False),
        ("Ann B. Lee", "Ann Lee", False),
        ("Web3 Foundation", "Web Foundation", False),
    ],
)
def test_is_letter_apart(cited: str, recorded: str, *, apart: bool) -> None:
    assert is_letter_apart(parse_name(cited), parse_name(recorded)) is apart
