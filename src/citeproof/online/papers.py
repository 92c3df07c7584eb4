"""Fetch papers from arXiv, so that their references can be checked."""

from citeproof.online.net.client import Client
from citeproof.online.net.service import Kind, Pace, Response, Service, SourceError

_LARGEST = 64 * 2**20  # maximum number of bytes of a paper
_PACE = Pace(1, 3.0, 1)  # arXiv's terms of use


def fetch_paper(client: Client, base_url: str, arxiv_id: str) -> bytes:
    """Return the source files of the paper ``arxiv_id`` as arXiv stores them: an archive, a
    compressed file, or a PDF. ``base_url`` is the URL of arXiv or of a mirror.

    Raises :class:`SourceError` if the request fails or arXiv does not have the paper.
    """
    service = Service("arxiv papers", base_url, {"": _PACE}, accept="*/*", largest=_LARGEST)

    def read(response: Response) -> bytes:
        if response.not_found:
            raise SourceError(Kind.NOT_DESCRIBED, "arXiv has no such paper")
        return response.data()

    return client.send(service, f"/e-print/{arxiv_id}", read=read, fields=("arxiv_id",))
