"""The selection of workers, and errors of a cluster."""

from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from citeproof.model.version import __version__
from citeproof.screen.checking import basis_of
from citeproof.settings import load
from citeproof.verification.startup import kept_session, open_session

cluster = pytest.importorskip("citeproof.screen.cluster", reason="the extra bulk is not installed")


@pytest.fixture
def run() -> tuple[str, str]:
    """Return settings and basis of a run against the sample."""
    with open_session(load(no_cache=True)) as session:
        return session.settings_json, basis_of(session)


def test_fault_of_an_equal_worker_is_empty(run: tuple[str, str]) -> None:
    assert cluster.fault(__version__, *run, (str(Path(__file__)),)) == ""
    kept_session(run[0]).close()
    kept_session.cache_clear()


def test_fault_names_what_a_worker_lacks(run: tuple[str, str]) -> None:
    chosen, basis = run
    assert "and the run has version 0.0.1" in cluster.fault("0.0.1", chosen, basis, ())
    assert "it cannot read /nowhere" in cluster.fault(__version__, chosen, basis, ("/nowhere",))
    assert "is not the database of the run" in cluster.fault(__version__, chosen, "0" * 16, ())
    missing = chosen.replace(".db", ".gone")
    assert "no such file" in cluster.fault(__version__, missing, basis, ())


def test_cluster_without_a_scheduler_is_an_error_of_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", 0.2)
    with pytest.raises(
        cluster.ClusterError, match=r"127\.0\.0\.1:9: no Dask scheduler answers there"
    ):
        cluster.Cluster("tcp://127.0.0.1:9")


@pytest.mark.parametrize(
    "error", [CancelledError(), cluster.ClosedClientError("Client is closed"), TimeoutError()]
)
def test_cluster_that_loses_its_scheduler_is_an_error_of_one_line(error: Exception) -> None:
    left = object.__new__(cluster.Cluster)
    left._address = "tcp://node:8786"
    with (
        pytest.raises(
            cluster.ClusterError,
            match=r"tcp://node:8786: the scheduler has stopped; start it again",
        ),
        left,
    ):
        raise error
