"""Europe PMC and its notices."""

from typing import Any

from tests.online.works import RETRACTED, cite


def test_records_have_notices(ask: Any) -> None:
    result = {
        "id": "7",
        "source": "MED",
        "title": f"{RETRACTED.title}.",
        "doi": RETRACTED.doi,
        "pubYear": "2014",
        "authorList": {
            "author": [{"firstName": "Hanna", "lastName": "Gale"}, {"collectiveName": "X"}]
        },
        "commentCorrectionList": {
            "commentCorrection": [{"id": "9", "source": "MED", "type": "Retraction in"}]
        },
    }
    asked = ask("europe_pmc", {"resultList": {"result": [result]}})
    (candidate,) = asked.source.search(cite(RETRACTED)).candidates
    assert asked.requests[0].url.params["query"] == f'DOI:"{RETRACTED.doi}"'
    assert candidate.record.title == RETRACTED.title
    assert candidate.record.authors == ("Hanna Gale", "X")
    assert candidate.record.retraction == "https://europepmc.org/article/MED/9"
