"""The reference page names the code that the tests compare with, neither more nor less."""

from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the trainer needs torch")

from train.source_cases import SOURCES

from rlgym.train.reference import read_compared, reference_page
from rlgym.train.registry import REGISTRIES

ROWS = read_compared((Path(__file__).parents[2] / "docs" / "train" / "compared.yaml").read_text(encoding="utf-8"))


def test_the_table_lists_what_the_tests_compare():
    for path in Path(__file__).parent.glob("test_against_*.py"):
        import_module(f"train.{path.stem}")
    assert {row.subject: sorted(row.sources) for row in ROWS} == {subject: sorted(found) for subject, found in SOURCES.items()}


def test_registered_names_exist_and_their_sections_say_with_what_they_were_compared():
    page = reference_page(ROWS)
    for row in ROWS:
        kind, _, name = row.subject.partition(" ")
        if kind in REGISTRIES:
            assert name in REGISTRIES[kind]
            section = page.split(f"### {kind.replace('_', ' ')} `{name}`\n")[1].split("\n#")[0]
            assert f"Compared with: {row}" in section
        else:
            assert f"| {row.subject} | {row} |" in page
