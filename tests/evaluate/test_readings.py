"""Readings on record name environments, and the command and the page show them."""

import json
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

import rlgym
from rlgym.cli import app
from rlgym.evaluate import readings
from rlgym.evaluate.readings import Reading

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import readings as script

ROW = {"environment": "chain_sum", "version": 1, "level": 1.0, "date": "2026-11-27", "reader": "a planted reader", "read": 4, "solved": 3}


@pytest.fixture
def planted(tmp_path, monkeypatch):
    file = tmp_path / "readings.json"
    file.write_text(json.dumps([{**ROW, "not_solved": "an error of the reader"}, {**ROW, "environment": "chain_sum:several", "solved": 0}]))
    monkeypatch.setattr(readings, "FILE", file)
    readings.all_readings.cache_clear()
    yield readings.all_readings()
    readings.all_readings.cache_clear()


def test_every_reading_names_an_environment_and_no_later_version():
    for reading in readings.all_readings():
        assert rlgym.environment(reading.environment).version >= reading.version


def test_more_solved_than_read_is_refused():
    with pytest.raises(ValidationError, match="5 of 4 tasks are solved"):
        Reading.model_validate({**ROW, "solved": 5})


def test_show_prints_what_readers_solved(planted):
    shown = CliRunner().invoke(app, ["show", "chain_sum"], env={"COLUMNS": "300"}).output
    assert "chain_sum v1, level 1: 3 of 4 (a planted reader, 2026-11-27); not solved: an error of the reader" in shown
    assert "chain_sum:several v1, level 1: 0 of 4" in shown
    assert len(json.loads(CliRunner().invoke(app, ["show", "chain_sum", "--json"]).output)["readings"]) == 2


def test_the_page_sums_by_domain(planted):
    page = script.page(planted)
    assert "| arithmetic |  |  | 3 of 8 |" in page
    assert "| **all** |  |  | 3 of 8 |" in page
    assert "| `chain_sum` | 1 | 1 | 3 of 4 | an error of the reader | a planted reader | 2026-11-27 |" in page


def test_readings_beyond_level_1_have_a_column_of_their_own(planted):
    beyond = Reading.model_validate({**ROW, "read": 2, "solved": 0, "knobs": "terms=60"})
    page = script.page([*planted, beyond])
    assert "| arithmetic |  |  | 3 of 8 | 0 of 2 |" in page
    assert "| `chain_sum` | 1 | 1, terms=60 | 0 of 2 |" in page
    assert script._row(planted[0]).endswith('"not_solved":"an error of the reader"}')
    assert script._row(beyond).endswith('"knobs":"terms=60"}')


def test_the_page_is_that_of_the_readings_on_record():
    assert script.PAGE.read_text(encoding="utf-8") == script.page(readings.all_readings())


def test_the_page_says_whether_cost_predicts_what_readers_fail():
    hard = Reading.model_validate({**ROW, "environment": "sudoku", "read": 2, "solved": 0})
    easy = Reading.model_validate({**ROW, "read": 3, "solved": 3})
    lines = script.cost_lines([hard, easy], {"sudoku": 900.0, "chain_sum": 20.0})
    assert "has the higher mean `cost` in 100% of pairs (half would be chance; 2 failed, 3 solved)" in lines[2]
    assert lines[-2] == "| 900 to 900 | 0 of 1 |"
    reversed_costs = script.cost_lines([hard, easy], {"sudoku": 20.0, "chain_sum": 900.0})
    assert "in 0% of pairs" in reversed_costs[2]
    assert script.cost_lines([easy], {"chain_sum": 20.0}) == []  # nothing failed: there is nothing to compare
