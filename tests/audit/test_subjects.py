"""The page of measured subjects shows what was measured, and the wrappers that need no other package work."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    modules = {}
    for name in ("audit_wrappers", "audit_subjects"):
        spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
        module = modules[name] = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    return modules


def test_the_page_shows_what_was_measured(benchmark):
    page = benchmark["audit_subjects"]
    rows = json.loads(page.KEPT.read_text(encoding="utf-8"))
    assert page.PAGE.read_text(encoding="utf-8") == page.page(rows)
    assert set(rows) <= set(benchmark["audit_wrappers"].SUBJECTS)
    assert rows["rlgym.answers.maths.equivalent"]["failed"] == {}


def test_wrappers_pay_a_right_answer_and_not_another(benchmark):
    wrappers = benchmark["audit_wrappers"]
    for function, response in ((wrappers.ours, "<answer>{}</answer>"), (wrappers.regular_expression, "{}"), (wrappers.exact_match, "{}")):
        assert function(response.format("42"), "42") == 1.0
        assert function(response.format("43"), "42") == 0.0
