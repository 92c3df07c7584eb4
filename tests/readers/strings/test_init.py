"""Reference strings in the styles that papers use."""

import pytest

from citeproof.readers.strings import (
    best_reading,
    candidates,
    read_reference,
    venue_of,
)
from citeproof.readers.strings.features import weight_of

TITLE = "A theory of the learnable"
STYLES = {
    "ieee": (
        "[1] L. G. Valiant, “A theory of the learnable,” Commun. ACM, vol. 27, no. 11, pp."
        " 1134–1142, Nov. 1984."
    ),
    "acm": (
        "[1] Leslie G. Valiant. 1984. A theory of the learnable. Commun. ACM 27, 11 (1984),"
        " 1134–1142."
    ),
    "acl": (
        "Leslie G. Valiant. 1984. A theory of the learnable. Communications of the ACM,"
        " 27(11):1134–1142."
    ),
    "apa": (
        "Valiant, L. G. (1984). A theory of the learnable. Communications of the ACM, 27(11),"
        " 1134–1142."
    ),
    "chicago": (
        "Valiant, Leslie G. 1984. “A Theory of the Learnable.” Communications of the ACM 27 (11):"
        " 1134–1142."
    ),
    "mla": (
        "Valiant, Leslie G. “A Theory of the Learnable.” Communications of the ACM 27.11 (1984):"
        " 1134–1142."
    ),
    "springer": "1. Valiant, L.G.: A theory of the learnable. Commun. ACM 27(11), 1134–1142 (1984)",
    "nature": "1. Valiant, L. G. A theory of the learnable. Commun. ACM 27, 1134–1142 (1984).",
    "vancouver": "1. Valiant LG. A theory of the learnable. Commun ACM. 1984;27(11):1134-42.",
    "harvard": (
        "Valiant, L.G., 1984. A theory of the learnable. Communications of the ACM, 27(11),"
        " pp.1134–1142."
    ),
    "elsevier": (
        "Valiant, L.G., 1984. A theory of the learnable, in: Proceedings of STOC. ACM, pp. 436–445."
    ),
    "gb/t": (
        "[1]VALIANT L G. A theory of the learnable[J]. Communications of the ACM, 1984, 27(11):"
        " 1134-1142."
    ),
}


@pytest.mark.parametrize("style", STYLES)
def test_read_reference_a_style_is_read(style: str) -> None:
    reading = read_reference(STYLES[style])[0]
    assert reading.title.lower() == TITLE.lower()
    assert "valiant" in reading.authors[0].lower()
    assert (len(reading.authors), reading.year) == (1, 1984)


@pytest.mark.parametrize("label", ["[1]: ", "[^1]: ", "[^valiant]: ", "[Val84]: ", "[1]", ""])
def test_read_reference_a_label_and_its_colon_are_no_part_of_the_authors(label: str) -> None:
    reading = read_reference(f"{label}L. G. Valiant. {TITLE}. Commun. ACM 27, 1984.")[0]
    assert (reading.authors, reading.title) == (("L. G. Valiant",), TITLE)


@pytest.mark.parametrize(
    "text",
    [
        "[1] E.P. Willems, Environment and Behavior 22 (1990) 468.",
        "1 D.J. Leigh, Modern Philology 67, 211 (1970).",
        "(1) Brodkin, W. E.; Kayne, H. L. Life Sciences 1966, 5, 1083–1089.",
    ],
)
def test_read_reference_a_style_without_titles_gives_none(text: str) -> None:
    assert read_reference(text)[0].title == ""


@pytest.mark.parametrize(
    ("text", "authors", "others"),
    [
        (
            "Smith, J., Jones, A. B., & van der Berg, C. (2010). On something real. Mind, 3, 1-2.",
            3,
            False,
        ),
        ("J. Smith, A. Jones, et al. On something real indeed. In Proc. of ICML, 2010.", 2, True),
        ("Smith J, Jones AB, Berg C. On something real indeed. J Biol. 2010;3:1-2.", 3, False),
        (
            (
                "Ann Smith and Bob Jones. 2010. On something real indeed. In Proceedings of ACL,"
                " pages 1-9."
            ),
            2,
            False,
        ),
    ],
)
def test_read_reference_counts_the_people(text: str, authors: int, others: bool) -> None:
    reading = read_reference(text)[0]
    assert (len(reading.authors), reading.and_others) == (authors, others)


@pytest.mark.parametrize(
    ("text", "title", "authors"),
    [
        (
            "Bergmann NG,, Holt IS. 1982. Life of frogs in ponds. J Hyg Epidemiol 3: 291-299.",
            "Life of frogs in ponds",
            2,
        ),
        (
            "Moore, Terry K.-F., & Hill, Ellen M. 1987. Learning of words. Mind 2, 217–236.",
            "Learning of words",
            2,
        ),
        (
            (
                "Frost, Keith T and Ann Hill. 2000. Winter: A history of snow. Oxford University"
                " Press."
            ),
            None,
            2,
        ),
        (
            "Frost, Joshua (Jed). Unseasonable Snow. New York: Oxford University Press, 2012.",
            "Unseasonable Snow",
            1,
        ),
        (
            (
                "Kapir, O.; Contal, A.; Casel, M. Maria; & Volt, V. 2005. From ice to snow. Ice 5,"
                " 155–177."
            ),
            None,
            4,
        ),
        ("Hill, I.; Frost, M.; Holt. P.; Reuse of Snow; ACM Press; 1997.", "Reuse of Snow", 3),
        (
            (
                "Hill, S.A and Frost,R.J., Magnetism of the far mountains, Nature, v. 435, p. 198."
                " 2005."
            ),
            None,
            2,
        ),
        (
            "The Winter Consulting Group. Perspectives on Snow. Boston: Ice Press, 1968.",
            "Perspectives on Snow",
            1,
        ),
        ("U.S. National Library of Medicine. The winter atlas, 2015.", "The winter atlas", 1),
        ("R.S. Frost (ed. by), Oral Literature and the Snow, Ann Arbor 1976, pp. 73-106.", None, 1),
        (
            "D. Frost – S. Holt-Frost (eds.), The Medieval Snow, Albany 2002.",
            "The Medieval Snow",
            2,
        ),
        (
            "FROST, Ján a kol. 2007. Ekonómia v zime. 2. vyd. Bratislava: Iura Edition, 2007.",
            "Ekonómia v zime",
            1,
        ),
        (
            "Yan, Wang, Xiaoye Han, and Vladimir Frost (2012a). Reuse of Snow. London: Ice Press.",
            "Reuse of Snow",
            3,
        ),
        (
            "FROST, Mark C., Maria HOLT a Ann KELLER, 2014b. Reuse of Snow. Ice Press.",
            "Reuse of Snow",
            3,
        ),
        (
            "Frost, A., Holt- Lee, B. & Ray, M. Reuse of snow. European Journal of Ice 2005, 6, 7.",
            "Reuse of snow",
            3,
        ),
        (
            "R. Frost Jr, R. Holt, and T. Lozano-Ray, “Reuse of snow in winter,” in Proceedings of"
            " the Ice: Snow and Systems Conference (ISS), 2010.",
            "Reuse of snow in winter",
            3,
        ),
        (
            "Frost, W. Holt and Ann B. Lee (2015). “Reuse of Snow”. In: Journal of Ice 5, pp. 1–9.",
            "Reuse of Snow",
            2,
        ),
    ],
)
def test_read_reference_reads_unusual_lists_of_authors(
    text: str, title: str | None, authors: int
) -> None:
    reading = read_reference(text)[0]
    assert len(reading.authors) == authors
    assert title is None or reading.title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "Frost, D. B. 2010. Regulating Snow and Ice PhD thesis Duke University.",
            "Regulating Snow and Ice",
        ),
        (
            (
                "Holt, O. et al., 2017. No snow in German winters W. M. Frost, ed. PLOS ONE, 12(8),"
                " p.e0183496."
            ),
            "No snow in German winters",
        ),
        (
            (
                "Holt, L., & Frost, H. (2004). Snow in the north: A history. 3 vols. Translated by"
                " A. Hill. Ice, 1974."
            ),
            "Snow in the north: A history",
        ),
        (
            "Frost, W.P. 1962. The South in Early Maps. University of Oslo Press. Oslo, Norway.",
            "The South in Early Maps",
        ),
        (
            (
                "Hill LS, Frost D (1993) Modeling of snow in winter. Body of ice and modes of cold"
                " action. Environ Sci Technol 27:1719-1728"
            ),
            "Modeling of snow in winter. Body of ice and modes of cold action",
        ),
        ("Frost, Jürgen: Theorie des Winters. 2 Bde. Frankfurt a. M. 1981.", "Theorie des Winters"),
        (
            "A. Lee and B. Ray, Snow: Issues, ice threats, and solutions, Cold Comput. Surv., 45"
            " (2013), p. 17.",
            "Snow: Issues, ice threats, and solutions",
        ),
        (
            "Lee A, et. al., SnowReduce: Simplified Processing of Ice, OSDI 2004.",
            "SnowReduce: Simplified Processing of Ice",
        ),
        ("\uf02d P. Frost, Language et pouvoir, Paris, Seuil, 2001.", "Language et pouvoir"),
        (
            "A. Lee and B. Ray. Snow minors. VIII. A theorem on ice, 1990.",
            "Snow minors. VIII. A theorem on ice",
        ),
        (
            "Ann Lee. Snow and its actions on rings, volume 82 of Conference Series in Winter."
            " Northern Society, 1993.",
            "Snow and its actions on rings",
        ),
        (
            "Lee, A., & Ray, B. (2012). Agents that see snow (demonstration).",
            "Agents that see snow (demonstration)",
        ),
        (
            "Lee, Ann (1999): Bericht zur 1. Tagung der Dörfer. Köln: Böhlau.",
            "Bericht zur 1. Tagung der Dörfer",
        ),
        (
            "Lee, Ann. “Getting to Know You...”: Snow, Power, and the Body” In Theorizing Snow, ed."
            " Bo Ray, 1-11. London: Frost, 1993.",
            "Getting to Know You...”: Snow, Power, and the Body",
        ),
    ],
)
def test_read_reference_ends_titles_before_particulars(text: str, title: str) -> None:
    assert read_reference(text)[0].title == title


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        (
            "A. Author. A title of some words. Mind, 2010. https://doi.org/10.1145/1968.1972.",
            "10.1145/1968.1972",
        ),
        (
            "A. Author. A title of some words. Mind, 2010. doi:10.1145/1968.\n1972",
            "10.1145/1968.1972",
        ),
        (
            "A. Author. A title of some words. Mind, 2010. DOI: 10.1016/0004-3702(83)90012-X",
            "10.1016/0004-3702(83)90012-X",
        ),
        ("A. Author. A title of some words. Mind, 2010.", ""),
    ],
)
def test_read_reference_dois(text: str, doi: str) -> None:
    assert read_reference(text)[0].doi == doi


@pytest.mark.parametrize(
    ("rest", "venue"),
    [
        (", Numer. Algorithms 8 (1993) 5--23", "Numer. Algorithms"),
        (". In D. S. Lee, editor, Neural Networks, Vol. 2, pages 1-9", "Neural Networks"),
        (". In: Chen, L., Wu, B. (eds.) Proc. of Sheep, pp. 1-9", "Proc. of Sheep"),
        (". The Sheep Web-ISWC 2009 pp. 650-665 (2009)", "The Sheep Web-ISWC 2009"),
        (". Sheep Matching p. 158 (2010)", "Sheep Matching"),
        (
            ". In In Proc. Intl. Conf. Art. Intell., pages 1-9, 1983.",
            "Proc. Intl. Conf. Art. Intell",
        ),
        (". In CVPR. IEEE, 2019", "CVPR"),
        (". In 2011 Conference on Sheep, pages 1-9", "2011 Conference on Sheep"),
        (", 2024b. arXiv preprint.", "arXiv preprint"),
        (", 2022a.", ""),
        (". Nature. 2014;12", "Nature"),
        (" 3. Aufl., Köln 2004.", ""),
        (". Vol. 2: The Kiln, 3rd ed. Oak Press", ""),
        (", Volume IV. Oak Press", ""),
        (", Part A 3(4)", "Part A"),
        (". Accessed 3 May 2022", ""),
        (". Retrieved June 19, 1998", ""),
        (". Visited Gardens 12, 3-9", "Visited Gardens"),
    ],
)
def test_venue_of_ends_where_the_name_does(rest: str, venue: str) -> None:
    assert venue_of(rest) == venue


def test_read_reference_readings_are_several_and_ordered() -> None:
    readings = read_reference(STYLES["acl"])
    assert 1 < len(readings) <= 5
    assert [reading.score for reading in readings] == sorted(
        (reading.score for reading in readings), reverse=True
    )


@pytest.mark.parametrize("style", STYLES)
def test_read_reference_a_reading_weighs_what_its_signs_weigh(style: str) -> None:
    found = candidates(STYLES[style])
    assert [reading.score for reading, _ in found] == [weight_of(signs) for _, signs in found]
    assert max(reading.score for reading, _ in found) == read_reference(STYLES[style])[0].score


@pytest.mark.parametrize(
    ("text", "title", "venue"),
    [
        ("Lee A B 2009 Wool and snow in hills ICML pp 144–7", "Wool and snow in hills", "ICML"),
        (
            "Lee A 2009 Sheep on unbounded sets Appl. Math. Lett. 5 1–9",
            "Sheep on unbounded sets",
            "Appl. Math. Lett",
        ),
        ("Lee A. Wool in hills. Communications of Snow 38 39-41", "Wool in hills", "Snow"),
    ],
)
def test_best_reading_ends_a_title_before_an_abbreviated_venue_with_pages(
    text: str, title: str, venue: str
) -> None:
    reading, _ = best_reading(text)
    assert reading.title == title
    assert reading.venue.endswith(venue)


@pytest.mark.parametrize("family", ["Schriber", "SCHRIBER"])
def test_best_reading_keeps_a_second_person_with_an_initial_out_of_the_title(family: str) -> None:
    reading, _ = best_reading(
        f"{family}, Richard W. and {family}, Thomas J. Interactive analysis. Winter. 1978. p. 1–9."
    )
    assert reading.title == "Interactive analysis"
    assert len(reading.authors) == 2


def test_best_reading_takes_no_given_name_for_the_mark_of_an_editor() -> None:
    reading, _ = best_reading("Ann Lee, Bo Ray, Ed H. Fox, and Dan Sato. On winter. Snow 3, 2022.")
    assert reading.title == "On winter"
    assert reading.authors == ("Ann Lee", "Bo Ray", "Ed H. Fox", "Dan Sato")


@pytest.mark.parametrize(
    "text",
    [
        "Lee A. Imaginary Gradient Folding. NeurIPS 2019.",
        "Lee, A. Imaginary Gradient Folding. NeurIPS 2019.",
        "Lee A. Imaginary Gradient Folding. Neurocomputing 12 (2019).",
    ],
)
def test_best_reading_takes_no_title_for_the_beginning_of_a_venue(text: str) -> None:
    reading, _ = best_reading(text)
    assert reading.title == "Imaginary Gradient Folding"
    assert reading.venue.startswith("Neur")


@pytest.mark.parametrize(
    "text",
    [
        "Lee, A. (1996, September). Good chemistry. Journal of Snow, 3(1), 4-9.",
        "Lee, A. Good chemistry. (1996, September). Journal of Snow, 3(1), 4-9.",
        "Lee, A. Good chemistry (1996, Sept. 3–5). Journal of Snow, 3(1), 4-9.",
    ],
)
def test_best_reading_takes_a_date_with_a_month_for_no_part_of_title_or_venue(text: str) -> None:
    reading, _ = best_reading(text)
    assert (reading.title, reading.venue, reading.year) == (
        "Good chemistry",
        "Journal of Snow",
        1996,
    )


@pytest.mark.parametrize("dots", ["...", ". . .", "…", "... &", "…, &"])
def test_best_reading_takes_dots_between_authors_for_others(dots: str) -> None:
    reading, _ = best_reading(f"Lee, A., Ray, B., {dots} Fox, C. (2019). On winter. Snow, 3, 4-9.")
    assert reading.authors == ("Lee, A.", "Ray, B.", "Fox, C.")
    assert reading.and_others
