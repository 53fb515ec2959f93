"""The GPU benchmark at toy size on a CPU: every part runs, a failing one costs no other, and its arithmetic is right."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

FOLDER = Path(__file__).parents[2] / "benchmarks" / "gpu"


def ran(*arguments):
    command = [sys.executable, "-W", "ignore", str(FOLDER / "run.py"), "--small", "--device", "cpu", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | {"OMP_NUM_THREADS": "1"}, check=False)


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))

    def loaded(name):
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        created = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, created)
        spec.loader.exec_module(created)
        return created

    return loaded


@pytest.mark.slow
def test_every_part_runs_at_toy_size(tmp_path):
    done = ran("--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    parts = {part["part"]: part for part in json.loads((tmp_path / "results.json").read_text())["parts"]}
    assert list(parts) == ["checks", "rollout", "training", "step", "compared with TRL", "learning"]
    assert not any("failed" in part for part in parts.values())
    for name, part in parts.items():
        assert part["rows"] or "skipped" in part, name
        # A method or an engine that fails is reported in its row.
        assert not any("failed" in row["unit"] for row in part["rows"]), part["rows"]
    accuracies = [row for row in parts["learning"]["rows"] if row["against"].startswith("start")]
    assert len(accuracies) == 25
    phases = [row["share"] for row in parts["step"]["rows"] if row["share"] is not None]
    assert sum(phases) == pytest.approx(1, abs=0.02)
    assert (tmp_path / "table.txt").read_text() in done.stdout + "\n"


def test_a_part_that_fails_is_a_line_of_the_table_and_costs_no_other(tmp_path, module, monkeypatch):
    run, steps = module("run"), module("steps")

    def broken(place):
        raise RuntimeError("no such kernel")

    monkeypatch.setattr(steps, "step", broken)
    given = {"device": "cpu", "small": True, "minutes": 0.01, "folder": str(tmp_path)}
    results = [run.one_part(part, given) for part in ("step", "checks")]
    assert results[0]["failed"] == "RuntimeError: no such kernel"
    assert "broken" in results[0]["traceback"]
    assert len(results[1]["rows"]) == 2
    assert "FAILED: RuntimeError: no such kernel" in run.table(results)


def test_a_part_in_a_process_of_its_own_comes_back_even_if_it_dies(tmp_path):
    done = ran("--out", tmp_path, "--apart", "--parts", "checks")
    assert done.returncode == 0, done.stderr
    assert len(json.loads((tmp_path / "results.json").read_text())["parts"][0]["rows"]) == 2
    assert ran("--out", tmp_path, "--parts", "nothing").returncode == 2


def test_a_check_that_is_off_says_by_how_much(module):
    checks = module("checks")
    assert checks.within("gradient", 0.01, 0.02).value == 0.01
    with pytest.raises(checks.Wrong, match=r"gradient: off by 0\.03, at most 0\.02 is right"):
        checks.within("gradient", 0.03, 0.02)
    with pytest.raises(checks.Wrong):
        checks.within("gradient", float("nan"), 0.02)


def test_a_wrong_engine_is_found(tmp_path, module, monkeypatch):
    measure, checks = module("measure"), module("checks")
    from rlgym.train.rollout.engines.cache import DeviceCache

    honest = DeviceCache.copy
    place = measure.Place("cpu", True, 0.01, str(tmp_path))
    assert checks.engine_row(place).value < 1e-5
    # A prompt that is copied without its last token's keys.
    monkeypatch.setattr(DeviceCache, "copy", lambda memory, source, targets, tokens: honest(memory, source, targets, tokens - 1))
    with pytest.raises(checks.Wrong, match="engine's log-probabilities"):
        checks.engine_row(place)
