"""The glossary explains every name of the service that a user meets."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import rlgym.serve.client as client
from rlgym.serve.access.keys import ApiKey
from rlgym.serve.client.errors import BY_CODE
from rlgym.serve.protocol.errors import CODES
from rlgym.serve.settings import Settings
from rlgym.serve.telemetry.metrics import Metrics
from rlgym.serve.workers.supervisor import SupervisorConfig
from rlgym.serve.workers.worker import forwarded_counter

DOCS = Path(__file__).parents[2] / "docs"
SECTION = (DOCS / "glossary.md").read_text().partition("## Service\n")[2].partition("\n## ")[0]
TERMS = set(re.findall(r"`([^`]+)`", SECTION))


@pytest.mark.parametrize("config", [Settings, SupervisorConfig, ApiKey])
def test_every_configuration_field_is_explained(config):
    missing = {field.name for field in fields(config)} - TERMS - {"settings", "name"}
    assert not missing, f"add these fields of {config.__name__} to docs/glossary.md: {sorted(missing)}"


def test_every_metric_is_explained():
    registered = [*Metrics().registry.collect(), *forwarded_counter().collect()]
    names = {f"{metric.name}_total" if metric.type == "counter" else metric.name for metric in registered}
    assert names <= TERMS, sorted(names - TERMS)


def test_the_public_classes_of_the_client_are_explained():
    classes = {name for name, value in vars(client).items() if isinstance(value, type) and name[0].isupper()}
    errors = {error.__name__ for error in BY_CODE.values()} | {"SessionGone"}
    assert classes - errors - {"Snapshot"} <= TERMS, sorted(classes - errors - TERMS)


def test_every_error_code_is_documented():
    page = (DOCS / "serve.md").read_text()
    assert all(f"| `{code}` | {kind.status} |" in page for code, kind in CODES.items())


def test_every_file_that_the_glossary_names_exists():
    paths = re.findall(r"`(rlgym/[^`]+)`", SECTION)
    assert len(paths) > 50
    assert [path for path in paths if not (DOCS.parent / path).exists()] == []
