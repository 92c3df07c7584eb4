"""Reference strings in the styles that papers use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeproof.readers.strings import (
    candidates,
    is_prose,
    is_reference_string,
    read_reference,
    take_links,
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
def test_people(text: str, authors: int, others: bool) -> None:
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
    ],
)
def test_venue_of_ends_where_the_name_does(rest: str, venue: str) -> None:
    assert venue_of(rest) == venue


@pytest.mark.parametrize(
    ("text", "title", "first"),
    [
        (
            "Lee Ann and Bo Wu. Growing Sheep in Scotland, 2010.",
            "Growing Sheep in Scotland",
            "Lee Ann",
        ),
        (
            "A. Lee and C. Ma. The growth of sheep, 2010. URL https://a.org.",
            "The growth of sheep",
            "A. Lee",
        ),
        (
            "Ann Lee. 2010. On sheep. arXiv:1001.00001 [cs.CL] https://arxiv.org/abs/1001.00001",
            "On sheep",
            "Ann Lee",
        ),
        (
            "Ann Lee. Sheep, goats, and cattle in the hills, 2010a.",
            "Sheep, goats, and cattle in the hills",
            "Ann Lee",
        ),
        (
            "Ann Lee. The Sheep Growing Interface (SGI) for Hills, 2010.",
            "The Sheep Growing Interface (SGI) for Hills",
            "Ann Lee",
        ),
        (
            "A. J. Lee Jr., Y.-x. Gu, and B. Wu. On sheep in hills, May 2010.",
            "On sheep in hills",
            "A. J. Lee Jr.",
        ),
    ],
)
def test_read_reference_reads_a_title_before_nothing_but_a_year(
    text: str, title: str, first: str
) -> None:
    reading = read_reference(text)[0]
    assert (reading.title, reading.authors[0], reading.year) == (title, first, 2010)


@pytest.mark.parametrize(
    ("text", "title", "people"),
    [
        (
            "Habermas, Jürgen: Theorie des Handelns. Bd. 1. Frankfurt a. M.: Suhrkamp 1981.",
            "Theorie des Handelns",
            1,
        ),
        (
            "Beck, Ulrich/Lash, Scott (Hg.) (1996): Reflexive Moderne. Berlin: Suhrkamp.",
            "Reflexive Moderne",
            2,
        ),
        (
            "Esser, Hartmut, 1991: Alltagshandeln und Verstehen. Tübingen: Mohr.",
            "Alltagshandeln und Verstehen",
            1,
        ),
        (
            "Weber, Max (1922): Wirtschaft und Gesellschaft, 5. Aufl., Tübingen: Mohr.",
            "Wirtschaft und Gesellschaft",
            1,
        ),
        (
            "Vgl. Bourdieu, Pierre: Die feinen Unterschiede, Berlin 1982, S. 277.",
            "Die feinen Unterschiede",
            1,
        ),
        (
            "Jean Vernant, « Espace et organisation en Grèce », Annales, 20, 1965, p. 576.",
            "Espace et organisation en Grèce",
            1,
        ),
        (
            "BRAUDEL (F.), La Méditerranée et le monde ancien, Paris, A. Colin, 1949.",
            "La Méditerranée et le monde ancien",
            1,
        ),
        (
            "张三, 李四. 基于深度学习的图像识别方法[J]. 计算机学报, 2018, 41(3): 512-525.",
            "基于深度学习的图像识别方法",
            2,
        ),
        (
            "张三，李四．基于深度学习的图像识别方法［Ｊ］．计算机学报，2018，41（3）：512-525．",
            "基于深度学习的图像识别方法",
            2,
        ),
        (
            "Петров П. П. Методы машинного обучения // Вестник МГУ. 2015. Т. 3. С. 15–27.",
            "Методы машинного обучения",
            1,
        ),
        (
            "Вапник В. Н. Восстановление зависимостей. М.: Наука, 1979.",
            "Восстановление зависимостей",
            1,
        ),
    ],
)
def test_read_reference_reads_other_languages(text: str, title: str, people: int) -> None:
    reading = read_reference(text)[0]
    assert (reading.title, len(reading.authors)) == (title, people)


@pytest.mark.parametrize(
    ("text", "title", "first", "year"),
    [
        (
            "Weber, Max (6. März 1919). Wissenschaft als Beruf. München: Duncker.",
            "Wissenschaft als Beruf",
            "Weber, Max",
            1919,
        ),
        (
            "Lee, Ann (Sept. 2, 2016). “How villages remember”. In: Memory Studies 9.3, pp. 1–9.",
            "How villages remember",
            "Lee, Ann",
            2016,
        ),
        (
            "Lee, Ann (o. J.): Das Gedächtnis der Dörfer. Köln: Böhlau.",
            "Das Gedächtnis der Dörfer",
            "Lee, Ann",
            None,
        ),
        (
            "Geer, Ingrid de: Die Inseln im Norden, Köln 1985.",
            "Die Inseln im Norden",
            "Geer, Ingrid de",
            1985,
        ),
        (
            "Birol, Ekin / Cox, Vera (2007): Wie Dörfer planen. Köln: Böhlau.",
            "Wie Dörfer planen",
            "Birol, Ekin",
            2007,
        ),
        (
            "Lee, Ann und Bo Ray: Die Erkennung des Schnees (Dorfreihe 6), Tübingen 2008b.",
            "Die Erkennung des Schnees",
            "Lee, Ann",
            2008,
        ),
        (
            "Lee, Ann / Ray, Bo (Mai 2014). „Die Erkennung des Schnees“. In: Winter. Köln, S. 1-9.",
            "Die Erkennung des Schnees",
            "Lee, Ann",
            2014,
        ),
        (
            "Lee, Ann: Die Geschichte der Dörfer, Köln 72004.",
            "Die Geschichte der Dörfer",
            "Lee, Ann",
            2004,
        ),
        (
            "Lee, Ann (Bearb.) (1998): Die Akten der Dörfer. Köln: Böhlau.",
            "Die Akten der Dörfer",
            "Lee, Ann",
            1998,
        ),
        (
            "Lee 1998: Lee, Ann: Die Akten der Dörfer. Köln 1998.",
            "Die Akten der Dörfer",
            "Lee, Ann",
            1998,
        ),
        ("— (1998). Die Akten der Dörfer. Köln: Böhlau.", "Die Akten der Dörfer", "—", 1998),
        (
            "Lee, Ann: Die Akten der Dörfer, Köln 1998, https://a.example (besucht am 3. 4. 2011).",
            "Die Akten der Dörfer",
            "Lee, Ann",
            1998,
        ),
    ],
    ids=[
        "day",
        "month",
        "undated",
        "particle",
        "slashes",
        "joined by und",
        "month behind slashes",
        "edition",
        "editor",
        "short form",
        "dash",
        "visit",
    ],
)
def test_read_reference_reads_what_the_humanities_print(
    text: str, title: str, first: str, year: int | None
) -> None:
    reading = read_reference(text)[0]
    assert (reading.title, reading.authors[0], reading.year) == (title, first, year)


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


@given(st.text(max_size=300))
def test_read_reference_any_text_has_a_reading(text: str) -> None:
    assert len(read_reference(text)) >= 1


@pytest.mark.parametrize("piece", ["A. B. ", "A.-B. ", "Lee (A. B.) ", "a.", "(", "“"])
def test_read_reference_a_string_of_nothing_but_one_sign_is_read_at_once(piece: str) -> None:
    """A form of names that could be matched in two ways at each space took years for forty
    initials.
    """
    assert read_reference(piece * (3000 // len(piece)))


def test_read_reference_a_long_number_is_read_at_once() -> None:
    """A pattern that gives digits back would try 2 to the 59th ways to part these."""
    assert (
        read_reference(f"Lee, A. 2001. On winter in old towns. {'1' * 60}!")[0].title
        == "On winter in old towns"
    )


@pytest.mark.parametrize(
    ("text", "url", "rest"),
    [
        (
            "Snow. http : / / www . example . org / ice / a.pdf (2014).",
            "http://www.example.org/ice/a.pdf",
            "Snow. (2014).",
        ),
        (
            "Snow. Ice Press. https: / / example.org/ Winter",
            "https://example.org/",
            "Snow. Ice Press. Winter",
        ),
    ],
)
def test_take_links_a_url_that_its_line_spreads_out_is_one(text: str, url: str, rest: str) -> None:
    found, links = take_links(text)
    assert (links.url, found) == (url, rest)


@pytest.mark.parametrize(
    "text",
    [
        "Knuth, D. E. The art of programming. 1968.",
        "D. E. Knuth, The art of programming, 1968.",
        "[3] D. Knuth and A. Lee. On winter, 1984",
        "Knuth DE, Lee A. On winter. J Snow. 1984;3:1-2.",
        "Donald Knuth. 1984. On winter.",
        "Donald Knuth (1984): On winter.",
    ],
)
def test_people_and_a_year_make_a_reference(text: str) -> None:
    assert is_reference_string(text)


@pytest.mark.parametrize(
    "text",
    [
        "The winter of 1984",
        "Knuth, D. and his friends",
        "Snow 2019, 5th Conference on Snow, Oslo, Norway",
        "A survey of snow (1990-2000) in towns",
        "Is 1984 here? An essay",
    ],
)
def test_is_reference_string_a_title_is_none(text: str) -> None:
    assert not is_reference_string(text)


SENTENCES = (
    "Winter comes early to the old towns of the north, and few of their streets are cleared. " * 5
)


def test_is_prose_a_long_text_without_a_year_or_people_in_front_is_prose() -> None:
    assert is_prose(SENTENCES)


@pytest.mark.parametrize(
    "text",
    [
        SENTENCES[:200],
        f"{SENTENCES} (1984)",
        f"{SENTENCES} In press.",
        f"{SENTENCES} https://example.org/winter",
        f"Knuth, D. E. {SENTENCES}",
    ],
)
def test_is_prose_a_text_that_is_short_dated_or_somebodys_may_be_a_reference(text: str) -> None:
    assert not is_prose(text)
