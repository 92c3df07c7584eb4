"""Reference strings in other languages, of the humanities and in unusual orders."""

import pytest

from citeproof.readers.strings import (
    read_reference,
)


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
