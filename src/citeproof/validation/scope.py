"""What bibliographic databases of papers need not hold: web pages, software, books, reports, theses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from citeproof.validation.compare.identifiers import arxiv_id_of

if TYPE_CHECKING:
    from citeproof.models import Reference

_KIND_LIST = """
online www electronic webpage website software dataset data manual book booklet inbook mvbook collection
mvcollection incollection bookinbook suppbook thesis phdthesis mastersthesis techreport report patent standard
legislation legal jurisdiction unpublished audio video movie image letter periodical reference mvreference
inreference artwork music performance post postweblog motionpicture song speech graphic map broadcast interview

adver blog bill book case chap clswk comp dict ebook echap edbook elec encyc govdoc hear mgzn mpct multi news pamp pat
pcomm press rprt slide sound stand stat thes unpb web

audiorecording blogpost booksection computerprogram dictionaryentry document email encyclopediaarticle film forumpost
hearing instantmessage magazinearticle manuscript newspaperarticle podcast presentation radiobroadcast statute
tvbroadcast videorecording

audiovisualmaterial ancienttext classicalwork dictionary editedbook electronicbook electronicbooksection encyclopedia
filmorbroadcast governmentdocument legalruleorregulation multimediaapplication onlinedatabase onlinemultimedia pamphlet
personalcommunication pressrelease socialmedia televisionepisode unpublishedwork
"""
"""The words of BibTeX, biblatex and CSL; of RIS; of Zotero; of EndNote: without the signs and spaces inside them."""
_KINDS = frozenset(_KIND_LIST.split())
_SIGNS = re.compile(r"[\W_]+")


def out_of_scope(reference: Reference) -> bool:
    """Whether a miss says nothing because of the kind of work that is cited; a preprint of arXiv is a paper."""
    if arxiv_id_of(reference):
        return False
    if _SIGNS.sub("", reference.entry_type) in _KINDS:
        return True
    return reference.entry_type == "misc" and bool(reference.url) and not (reference.venue or reference.doi)
