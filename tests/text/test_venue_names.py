import pytest

from citeproof.text.venue_names import (
    acronyms,
    document_type,
    is_beside,
    is_called,
    is_preprint_server,
    is_publisher,
    is_series,
    may_spell,
    spells_out,
    venue_pieces,
    venue_words,
)

ONE_VENUE = [
    (
        "Proceedings of the 36th International Conference on Machine Learning",
        "International Conference on Machine Learning",
    ),
    ("Proc. Int. Conf. Mach. Learn.", "International Conference on Machine Learning"),
    ("Journal of Machine Learning Research", "J. Mach. Learn. Res."),
    (
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        "IEEE Trans. Pattern Anal. Mach. Intell.",
    ),
    (
        "2022 IEEE/CVF Conference on Sheep and Pattern Recognition",
        "Conference on Sheep and Pattern Recognition",
    ),
    (
        "Advances in Neural Information Processing Systems 35",
        "Advances in Neural Information Processing Systems",
    ),
    ("Commun. ACM", "Communications of the ACM"),
    ("Eurographics - Posters", "Eurographics (Posters)"),
    ("TPAMI", "IEEE Transactions on Pattern Analysis and Machine Intelligence"),
    ("Computational Linguistics. Formerly the American Journal of It", "Computational Linguistics"),
]
TWO_VENUES = [
    ("European Conference on Machine Learning", "International Conference on Machine Learning"),
    ("Symposium on Neural Scaling Laws", "International Conference on Learning Representations"),
    ("ICML", "NeurIPS"),
]


@pytest.mark.parametrize(("name", "other"), ONE_VENUE)
def test_may_spell_accepts_spellings_of_one_venue(name: str, other: str) -> None:
    assert may_spell(name, other)


@pytest.mark.parametrize(("name", "other"), TWO_VENUES)
def test_may_spell_refuses_two_venues(name: str, other: str) -> None:
    assert not may_spell(name, other)


INVERTED = [
    ("Computers, IEEE Transactions on", "IEEE Transactions on Computers"),
    ("VLDB Endowment, Proceedings of the", "Proceedings of the VLDB Endowment"),
    (
        (
            "Acoustics, Speech, and Signal Processing, 1997. ICASSP-97., 1997 IEEE International"
            " Conference on"
        ),
        (
            "1997 IEEE International Conference on Acoustics, Speech, and Signal Processing, 1997."
            " ICASSP-97."
        ),
    ),
]


@pytest.mark.parametrize(("name", "in_order"), INVERTED)
def test_venue_words_and_pieces_put_an_inverted_name_in_order(name: str, in_order: str) -> None:
    assert venue_words(name) == venue_words(in_order)
    assert venue_pieces(name) == venue_pieces(in_order)


def test_venue_words_keeps_the_order_of_a_name_with_a_place() -> None:
    assert venue_words("Conference on Sheep, University of Wool") == (
        "conference",
        "sheep",
        "university",
        "wool",
    )


def test_venue_words_omits_years_and_ordinals() -> None:
    assert venue_words(
        "Proceedings of the Twenty-Third Annual Conference on Learning Theory, 2010"
    ) == (
        "conference",
        "learning",
        "theory",
    )


@pytest.mark.parametrize(
    ("name", "acronym"),
    [
        ("Symposium on Theory of Computing", "STOC"),
        ("Neural Information Processing Systems", "NeurIPS"),
    ],
)
def test_spells_out_accepts_an_acronym_of_beginnings(name: str, acronym: str) -> None:
    assert spells_out(name, acronym)


def test_spells_out_refuses_another_acronym() -> None:
    assert not spells_out("Symposium on Theory of Computing", "ICML")


def test_acronyms_are_spelled_or_contained() -> None:
    assert {"icml"} <= acronyms("International Conference on Machine Learning")
    assert {"kdd"} <= acronyms("ACM SIGKDD Conference (KDD)")


@pytest.mark.parametrize("name", ["arXiv preprint arXiv:1606.06565", "CoRR", "bioRxiv"])
def test_is_preprint_server(name: str) -> None:
    assert is_preprint_server(name)


@pytest.mark.parametrize(
    "name", ["PMLR", "Springer", "Lecture Notes in Computer Science", "MIT Press"]
)
def test_is_series(name: str) -> None:
    assert is_series(name)


@pytest.mark.parametrize("name", ["Proceedings of the IEEE", "Proc. IEEE", "Learned Publishing"])
def test_a_journal_named_like_a_publisher_is_a_journal(name: str) -> None:
    assert not is_series(name)
    assert not is_publisher(name)


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("ICML Workshop on Safety", True),
        ("Findings of EMNLP", True),
        ("Conference on Machine Translation: Panel Descriptions", True),
        ("ICML", False),
    ],
)
def test_is_beside(name: str, *, beside: bool) -> None:
    assert is_beside(name) is beside


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("SIGCOMM Comput. Commun. Rev.", "Computer Communication Review"),
        ("Inform. Proc. Lett.", "Inf. Process. Lett."),
        ("SIGOPS Oper. Syst. Rev.", "Operating Systems Review"),
        ("ACM TOG", "ACM Trans. Graph."),
        ("ACM TODS", "ACM Trans. Database Syst."),
        ("IEEE TPAMI", "IEEE Trans. Pattern Anal. Mach. Intell."),
        ("IEEE TAFFC", "T. Affective Computing"),
        ("IEEE T-IP", "IEEE Transactions on Image Processing"),
        ("Trans. Storage", "TOS"),
        (
            "Journal of Software Testing, Verification and Reliability",
            "Softw. Test., Verif. Reliab.",
        ),
        ("Annals of Software Engineering", "Ann. Software Eng."),
        ("Progress in AI", "Progress in Artificial Intelligence"),
        ("Proc. 4th Annu. ACM-SIAM Symp. Discrete Algorithms", "Symposium on Discrete Algorithms"),
    ],
)
def test_may_spell_reads_short_forms_word_by_word(name: str, other: str) -> None:
    assert may_spell(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Machine Learning", "Journal of Machine Learning Research"),
        ("Bioinformatics", "BMC Bioinformatics"),
        ("Neural Networks", "Neural Computation"),
        ("IEEE Trans. Inf. Theory", "IEEE Trans. Inf. Foren. Secur."),
        ("TVC", "The Visual Computer"),
    ],
)
def test_may_spell_keeps_similar_names_apart(name: str, other: str) -> None:
    assert not may_spell(name, other)


def test_is_called_needs_all_words_but_those_for_a_type_of_venue() -> None:
    assert is_called(
        "Proc. Int. Conf. Mach. Learn.", "International Conference on Machine Learning"
    )
    assert is_called("SC Conference", "SC")
    assert not is_called("BMC Bioinformatics", "Bioinformatics")
    assert not is_called("Computer Vision", "Computer Vision and Pattern Recognition")


@pytest.mark.parametrize(
    ("name", "entry_type"),
    [
        ("Ph.D", "thesis"),
        ("Master's thesis, University of Oil", "thesis"),
        ("Tech. rep", "report"),
        ("White paper", "report"),
        ("Unpublished manuscript", "unpublished"),
        ("Thesis Eleven", ""),
        ("PhD Symposium", ""),
    ],
)
def test_document_type_names_the_kind_in_place_of_a_venue(name: str, entry_type: str) -> None:
    assert document_type(name) == entry_type
