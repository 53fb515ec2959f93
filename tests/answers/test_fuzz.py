"""The long fuzz of all answer formats, with few texts; and that it finds planted faults."""

import importlib.util
import sys
from pathlib import Path

import pytest

from rlgym.answers import Integer
from rlgym.core.rng import Rng

FILE = Path(__file__).parents[2] / "benchmarks" / "fuzz_answers.py"


@pytest.fixture(scope="module")
def fuzzing():
    spec = importlib.util.spec_from_file_location("fuzz_answers", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz_answers"] = module
    spec.loader.exec_module(module)
    return module


class Crashing(Integer):
    def parse(self, text):
        if "7" in text:
            raise KeyError(text)
        return super().parse(text)


class Quadratic(Integer):
    """Reads every prefix, far slower than a linear format reads the same text, so that noise cannot hide it."""

    def parse(self, text):
        return super().parse(str(sum(text[:end].count("x") for end in range(0, len(text), 2))))


def test_formats_read_mutated_answers(fuzzing):
    names = ["chain_sum", "sudoku", "integral", "roman_numerals", "zebra", "natural_deduction", "triangle_solve", "table_question"]
    report = fuzzing.fuzz(names, texts=2000, seed=5, long=0)
    assert report.texts >= 2000
    assert report.read > 500
    assert report.crashes == []


def test_a_planted_crash_is_found(fuzzing):
    found = fuzzing.crash(Crashing(), "about 7", "")
    assert (found or "").startswith("KeyError")
    assert fuzzing.crash(Integer(), "about 7", "") == ""
    assert fuzzing.crash(Integer(), "7", "") is None


def test_planted_quadratic_time_is_found(fuzzing):
    slow = fuzzing.Format("planted", Quadratic(), [""], ["12"])
    linear = fuzzing.Format("sound", Integer(), [""], ["12"])
    assert next(fuzzing.growing(slow, ["3"], Rng(1), 8000))
    assert not list(fuzzing.growing(linear, ["3"], Rng(1), 8000))
