"""Names of the ``.bib`` files of other people in the shared data."""

FILES = (
    "01_mendeley_library",
    "02_zotero_biology_500",
    "03_jabref51_groups",
    "04_biblatex_apa_test",
    "05_lab_references",
    "06_zotero_bbt_vlhcc",
    "07_ieee_paper",
    "08_icml_paper",
    "09_cryptobib_proceedings",
    "10_cryptobib_misc",
    "11_parscit_lrec08",
    "12_refchecker_hallucinated",
    "13_edge_cases",
    "14_mendeley_ris_like",
    "15_preamble_macros",
    "16_percent_preamble",
    "30_xampl",
    "31_cyrillic",
    "32_IEEEtran_test",
)
MALFORMED = frozenset({"01_mendeley_library", "13_edge_cases", "32_IEEEtran_test"})
"""Files that other readers refuse, or that are wrong on purpose."""
