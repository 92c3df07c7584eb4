"""What the web service offers is documented: options, addresses, counters, tables, fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from click import Context

from citeproof.cli.serve import command
from citeproof.runtime.statistics import COUNTERS, TABLES
from citeproof.settings import SETTINGS
from citeproof.web.api.answer_schemas import ERRORS, BatchItem, BatchSummary, LookupAnswer
from citeproof.web.worker.options import GRACE_SECONDS

DOCS = Path(__file__).parents[2] / "docs"
API = (DOCS / "api.md").read_text("utf-8")
OPERATIONS = (DOCS / "operations.md").read_text("utf-8")


@pytest.mark.parametrize("option", [option.opts[0] for option in command.params])
def test_every_option(option: str) -> None:
    assert f"`{option}" in OPERATIONS


@pytest.mark.parametrize("name", COUNTERS)
def test_every_counter(name: str) -> None:
    assert f"`{name}`" in API


@pytest.mark.parametrize("name", TABLES)
def test_every_table(name: str) -> None:
    assert f"`{name}`" in OPERATIONS


@pytest.mark.parametrize("name", sorted({*LookupAnswer.members(), *BatchItem.members(), *BatchSummary.model_fields}))
def test_every_field(name: str) -> None:
    assert f"`{name}`" in API


@pytest.mark.parametrize("status", sorted(ERRORS))
def test_every_error(status: int) -> None:
    assert f"| {status} |" in API


@pytest.mark.parametrize("name", ["citeproof.service", "Dockerfile"])
def test_what_is_deployed_uses_options_that_exist(name: str) -> None:
    text = (DOCS.parent / "deploy" / name).read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith(("ExecStart=", "ENTRYPOINT")))
    used = re.findall(r"--[a-z-]+", line)
    known = {option for parameter in command.params for option in parameter.opts}
    assert len(used) >= 2
    assert set(used) <= known


def test_the_hosts_of_the_compose_file_share_a_store_by_options_and_settings_that_exist() -> None:
    services = yaml.safe_load((DOCS.parent / "deploy" / "compose.yaml").read_text("utf-8"))["services"]
    hosts = [service for service in services.values() if "serve" in service.get("entrypoint", [])]
    assert len(hosts) == 2
    for host in hosts:
        _, name, *arguments = host["entrypoint"]
        assert name == "serve"
        assert command.make_parser(Context(command)).parse_args(list(arguments))[1] == []
        assert set(host["environment"]) == {"CITEPROOF_RUNTIME_STORE"}
        assert all(value.startswith("postgresql://") for value in host["environment"].values())
    assert "runtime_store" in SETTINGS


@pytest.mark.parametrize("name", ["citeproof.service", "Dockerfile"])
def test_what_is_deployed_is_installed_from_this_project_and_not_by_a_name_in_an_index(name: str) -> None:
    text = (DOCS.parent / "deploy" / name).read_text("utf-8")
    installed = re.findall(r"pip install (.*)", text)
    assert len(installed) == 1
    assert installed[0].split()[-1] in {".", "'.[postgres]'"}


def test_the_service_manager_waits_longer_than_a_stop_takes() -> None:
    unit = (DOCS.parent / "deploy" / "citeproof.service").read_text("utf-8")
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.M)
    assert int(seconds) > GRACE_SECONDS
