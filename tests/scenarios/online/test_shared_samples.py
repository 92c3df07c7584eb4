"""Recorded responses of the sources, from the data folder beside the project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2
import pytest

from citeproof.online.net.client import Client
from citeproof.online.net.service import Access, Response, Service, SourceError
from citeproof.online.search_engines import ENGINES
from citeproof.online.source import ARXIV_ID, DOI, TITLE, Query
from citeproof.online.sources import SOURCES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared
UNUSED: Any = None

RECORDS = {
    ("crossref", "works_doi_200"): [
        "Convalescent-anti-sars-cov-2-plasma/immune-globulin: Fever and mild decrease in baseline"
        " oxygen saturation following off-label use: 3 case reports"
    ],
    ("crossref", "works_doi_404_plain_text"): [],
    ("crossref", "works_doi_proceedings_200"): [
        "Accurate and explicit differentiation of wireless and congestion losses"
    ],
    ("crossref", "works_query_title_200_empty"): [],
    ("crossref", "works_query_title_attention_200_wrong_top_hit"): [
        "Self-Attention with Relative Position Representations"
    ],
    ("openalex", "works_doi_200"): ["Convalescent-anti-sars-cov-2-plasma/immune-globulin"],
    ("openalex", "works_doi_404"): [],
    ("openalex", "works_filter_title_search_200"): [
        "Effect of native oxide layers on copper thin-film tensile properties: A reactive molecular"
        " dynamics study"
    ],
    ("semanticscholar", "paper_doi_200"): ["Convalescent-anti-sars-cov-2-plasma/immune-globulin"],
    ("semanticscholar", "paper_doi_404"): [],
    ("semanticscholar", "search_empty_200"): [],
    ("semanticscholar", "search_match_200"): ["Attention is All you Need"],
    ("semanticscholar", "search_match_200_empty_data"): [],
    ("semanticscholar", "search_match_404"): [],
    ("dblp", "search_publ_200"): [
        "Attentional Transfer is All You Need: Technology-aware Layout Pattern Generation"
    ],
    ("dblp", "search_publ_single_author_object_200"): [
        "Perceptrons: An Introduction to Computational Geometry",
        'A Review of "Perceptrons" by Marvin Minsky and Seymour Papert',
    ],
    ("dblp", "search_publ_zero_hits_200"): [],
    ("arxiv", "id_list_200"): ["Heat-bath random walks with Markov bases"],
    ("arxiv", "id_list_empty_200"): [],
    ("arxiv", "id_list_old_style_200"): [
        "Frequency of Hot Jupiters and Very Hot Jupiters from the OGLE-III Transit Surveys Toward"
        " the Galactic Bulge and Carina"
    ],
    ("doi_org", "unknown_doi_404_html"): [],
    ("crossref", "works_query_rows2_200"): [
        "Communicating Ecology",
        "Chemical Ecology",
    ],
    ("crossref", "works_query_title_200"): [
        "Effect of native oxide layers on copper thin-film tensile properties: A reactive molecular"
        " dynamics study"
    ],
    ("crossref", "works_retraction_update_to_200"): [
        "The Dilemma and Countermeasures of Music Education under the Background of Big Data"
    ],
    ("semanticscholar", "paper_not_found_404"): [],
    ("semanticscholar", "search_200"): [
        (
            "Using DeepSpeed and Megatron to Train Megatron-Turing NLG 530B, A Large-Scale"
            " Generative Language Model"
        ),
        "Quantum theory, the Church–Turing principle and the universal quantum computer",
        "Putting ChatGPT's Medical Advice to the (Turing) Test",
    ],
    ("dblp", "search_publ_2019_author_strings_200"): [
        (
            "A Test Cost Reduction Method by Test Response and Test Vector Overlapping for"
            " Full-Scan Test Architecture"
        ),
        "Hybrid monkey testing - enhancing automated GUI tests with random test generation",
        (
            "Test Veri Yonetiminde Alternatif Bir Yaklasim, Test Veri Yonetimi Otomasyonu(An"
            " Alternative Approach in Test Data Management, Automation of Test Data Management)"
        ),
        (
            "Editorial for the special issue of STVR on tests and proofs volume 1 - tests and"
            " proofs in model-based testing"
        ),
        (
            "Editorial for the special issue of STVR on tests and proofs volume 2 - tests and"
            " proofs for improving the generation time and quality of test data suites"
        ),
    ],
    ("arxiv", "id_list_one_missing_200"): [
        "Proceedings of Workshop AEW10: Concepts in Information Theory and Communications"
    ],
    ("arxiv", "search_query_200"): [
        "Testing Deep Learning Models: A First Comparative Study of Multiple Testing Techniques",
        "Towards Explainable Test Case Prioritisation with Learning-to-Rank Models",
        "Active Fuzzing for Testing and Securing Cyber-Physical Systems",
    ],
    ("doi_org", "csl_json_200"): [
        (
            "The Structure of Ordinary Water: New data and interpretations are yielding new"
            " insights into this fascinating substance."
        ),
    ],
}
NOT_ASKED = {
    "crossref": {"transform_bibtex_200", "transform_bibtex_404", "works_400_validation"},
    "openalex": {"works_doi_select_200"},
    "semanticscholar": {"paper_batch_403", "paper_fields_400", "search_traversing_200"},
    "dblp": {"rec_xml_200"},
    "arxiv": {"id_list_bad_400"},
    "doi_org": {"bibtex_200", "malformed_doi_400_html", "redirect_302", "text_apa_200"},
}
"""Responses to requests that are never sent: other formats and fields, and invalid identifiers."""
NAMES = {"semanticscholar": "semantic_scholar"}
IDENTIFIED = ("doi", "id_list", "paper_doi")


def answer_in(path: Path) -> Response:
    sample = json.loads(path.read_text("utf-8"))
    response = sample["response"]
    body = response["body"] if isinstance(response["body"], str) else json.dumps(response["body"])
    headers = {name.lower(): str(value) for name, value in response["headers"].items()}
    host = urlsplit(sample["request"]["url"]).hostname or ""
    return Response(response["status"], headers.get("content-type", ""), body.encode(), host)


def records(folder: str, path: Path) -> list[str]:
    source = SOURCES[NAMES.get(folder, folder)](UNUSED, UNUSED, Access())
    subject = TITLE
    if any(word in path.stem for word in IDENTIFIED):
        subject = ARXIV_ID if folder == "arxiv" else DOI
    question = Query(subject, "/")
    answer = answer_in(path)
    if answer.not_found:
        source.not_found(answer, question)
        return []
    return [record.title for record in source.records(answer, question)]


@pytest.mark.parametrize(("folder", "name"), RECORDS)
def test_records(shared: Path, folder: str, name: str) -> None:
    assert (
        records(folder, shared / "samples" / "api" / folder / f"{name}.json")
        == RECORDS[folder, name]
    )


@pytest.mark.parametrize("folder", NOT_ASKED)
def test_records_covers_every_recorded_response(shared: Path, folder: str) -> None:
    files = {path.stem for path in (shared / "samples" / "api" / folder).glob("*.json")}
    assert files == {name for where, name in RECORDS if where == folder} | NOT_ASKED[folder]


@pytest.mark.parametrize(
    "name", ["any_200_empty_body", "any_200_html_instead_of_json", "any_200_truncated_json"]
)
@pytest.mark.parametrize(
    "source", ["crossref", "openalex", "semanticscholar", "dblp", "arxiv", "doi_org"]
)
def test_records_fails_on_broken_bodies(shared: Path, source: str, name: str) -> None:
    with pytest.raises(SourceError):
        records(source, shared / "samples" / "api" / "errors" / f"{name}.json")


@pytest.mark.parametrize(
    ("engine", "name", "title"),
    [
        (
            "serpapi",
            "serpapi_200",
            "Anticholinergics in the treatment of children and adults with acute asthma",
        ),
        ("serpapi", "serpapi_error_no_results_200", ""),
        ("scrapingdog", "scrapingdog_200", "Deep-learning-based real-time road traffic prediction"),
    ],
)
def test_hits_of_google_scholar(shared: Path, engine: str, name: str, title: str) -> None:
    answer = answer_in(shared / "samples" / "api" / "google_scholar" / f"{name}.json")
    hits = list(ENGINES[engine](UNUSED, UNUSED, Access("", "k")).hits(answer))
    assert [shown.startswith(title) for shown, _, _ in hits[:1]] == ([True] if title else [])


def test_get_fails_on_every_recorded_error(shared: Path, manual_clock: Any) -> None:
    outcomes = {}
    for path in sorted((shared / "samples" / "api" / "errors").glob("*.json")):
        response = json.loads(path.read_text("utf-8"))["response"]
        body = (
            response["body"] if isinstance(response["body"], str) else json.dumps(response["body"])
        )
        headers = {
            k: v
            for k, v in response["headers"].items()
            if k.lower() not in {"content-length", "content-encoding"}
        }
        reply = httpx2.Response(response["status"], content=body.encode(), headers=headers)
        client = Client(manual_clock, transport=httpx2.MockTransport(lambda _, reply=reply: reply))
        try:
            client.send(
                Service("s", "https://s.example"), "/", read=Response.json_object, fields=()
            )
            outcomes[path.stem] = "answered"
        except SourceError as error:
            outcomes[path.stem] = error.kind.name
    assert outcomes.pop("crossref_200_double_rate_headers") == "answered"
    assert "answered" not in outcomes.values()
    assert len(outcomes) >= 13
