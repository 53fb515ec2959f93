"""The pass-rate store keeps counts through kills and repetitions, and tasks, levels and teachers are chosen by it."""

import json
import math
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import rlgym
from rlgym import Rng
from rlgym.cli import app
from rlgym.core.errors import RowError
from rlgym.dataset import Recipe, build, load
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
from rlgym.dataset.pass_rates.calibration import levels_between
from rlgym.dataset.pass_rates.selection import learnability_weights, row_of_entry, selected, teacher_tasks
from rlgym.dataset.pass_rates.store import StoreError
from rlgym.dataset.recipe import plan
from rlgym.dataset.rows import knobs_at
from rlgym.episode.calibration import Calibration, Curve
from rlgym.registry import environment

ENV = "chain_sum"


def key(seed, level=0.5, model="m", env=ENV, version=None):
    version = rlgym.registry.environment(env).version if version is None else version
    return TaskKey(model, env, version, level, json.dumps(knobs_at(env, level), sort_keys=True), seed)


def simulated(intercept, slope, tasks=400, samples=8, seed=0, env=ENV):
    """A model that solves a task at a level with the probability of a logistic curve."""
    rng = Rng("simulated", seed)
    for number in range(tasks):
        level = number % 11 / 10
        rate = 1 / (1 + math.exp(slope * level - intercept))
        yield Entry(key(number, level, env=env), samples, sum(rng.chance(rate) for _ in range(samples)), 10 * samples)


def test_a_source_that_is_recorded_again_is_counted_once_and_sources_are_added(tmp_path):
    with PassRates(tmp_path / "s.sqlite") as store:
        for right in (1, 3):
            store.record("run a", [Entry(key(1), 4, right, 100)])
        store.record("run b", [Entry(key(1), 2, 0)])
        (entry,) = store.entries("m")
        assert (entry.samples, entry.right, entry.tokens) == (6, 3, None)
        assert store.models() == ["m"]
        assert list(store.entries("other")) == []


@pytest.mark.parametrize(("samples", "right"), [(0, 0), (4, 5), (4, -1)])
def test_impossible_counts_are_refused_and_nothing_of_the_source_is_kept(tmp_path, samples, right):
    with PassRates(tmp_path / "s.sqlite") as store:
        with pytest.raises(StoreError, match="is impossible"):
            store.record("run", [Entry(key(1), 4, 2), Entry(key(2), samples, right)])
        assert store.models() == []


def test_masked_rows_do_not_count(tmp_path):
    row = {"env": ENV, "version": 1, "level": 0.5, "knobs": "{}", "seed": 3, "completion_tokens": 7}
    with PassRates(tmp_path / "s.sqlite") as store:
        rows = [row | {"right": right, "masked": masked} for right, masked in ((True, False), (False, False), (False, True))]
        assert store.add_run(rows, "m", "run") == 1
        (entry,) = store.entries("m")
        assert (entry.samples, entry.right, entry.tokens) == (2, 1, 14)


def test_another_file_is_not_taken_for_a_store(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database " * 100)
    with pytest.raises(StoreError, match="no pass-rate store"):
        PassRates(file)
    assert file.read_text().startswith("not a database")


WRITER = """
import sys
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
store = PassRates(sys.argv[1])
for batch in range(10_000):
    store.record(f"run {batch}", [Entry(TaskKey("m", "chain_sum", 1, 0.5, "{}", seed), 4, 2, 8) for seed in range(5)])
    print(batch, flush=True)
"""


def test_a_killed_writer_leaves_whole_sources(tmp_path):
    file = tmp_path / "s.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(30):
            done = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
    with PassRates(file) as store:
        entries = list(store.entries("m"))
        assert len(entries) == 5
        assert len({entry.samples for entry in entries}) == 1
        assert entries[0].samples >= 4 * (done + 1)


def test_the_exported_table_is_read_back(tmp_path):
    pytest.importorskip("pyarrow")
    with PassRates(tmp_path / "a.sqlite") as store, PassRates(tmp_path / "b.sqlite") as other:
        store.record("run", simulated(1, 3, tasks=30))
        assert store.export(tmp_path / "t.parquet") == 30
        assert other.import_(tmp_path / "t.parquet") == 30
        assert other.import_(tmp_path / "t.parquet") == 30
        assert list(store.entries("m")) == list(other.entries("m"))


def test_tasks_in_a_band_are_selected_and_generated_again(tmp_path):
    with PassRates(tmp_path / "s.sqlite") as store:
        store.record("run", [Entry(key(seed), 8, seed) for seed in range(9)])
        store.record("old", [Entry(key(50, version=10_000), 8, 4)])
        found = selected(store, "m", low=0.2, high=0.8, min_samples=4)
        assert [entry.key.seed for entry in found] == [2, 3, 4, 5, 6]
        row = row_of_entry(found[0])
        assert row["prompt"] == rlgym.task(ENV, seed=2, level=0.5).prompt
        for arguments, message in (({"low": 0.9, "high": 0.1}, "above"), ({"min_samples": 99}, "no task")):
            with pytest.raises(RowError, match=message):
                selected(store, "m", **arguments)
        with pytest.raises(RowError, match="no model 'mm'"):
            selected(store, "mm")
    out = tmp_path / "tasks.jsonl"
    arguments = ["pass-rates", "select", "--model", "m", "--store", str(tmp_path / "s.sqlite"), "--out", str(out), "--json"]
    report = json.loads(CliRunner().invoke(app, arguments).output)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert report["tasks"] == len(rows) == 5
    assert {row["pass_rate"] for row in rows} == {0.25, 0.375, 0.5, 0.625, 0.75}


def test_learnable_environments_weigh_most(tmp_path):
    with PassRates(tmp_path / "s.sqlite") as store:
        for env, right in (("chain_sum", 8), ("gcd_lcm", 4)):
            store.record(env, [Entry(key(seed, env=env), 8, right) for seed in range(5)])
        weights = learnability_weights(store, "m", ["chain_sum", "gcd_lcm", "countdown"])
    assert weights["gcd_lcm"] > weights["countdown"] > weights["chain_sum"]


def test_runs_of_an_evaluation_are_recorded_once(tmp_path):
    run, store = str(tmp_path / "run"), str(tmp_path / "s.sqlite")
    arguments = ["eval", "--suite", "chain_sum,gcd_lcm", "--count", "6", "--model", "oracle", "--samples", "2", "--out", run]
    assert CliRunner().invoke(app, [*arguments, "--pass-rates", store, "--json"]).exit_code == 0
    result = CliRunner().invoke(app, ["pass-rates", "add", run, "--store", store])
    assert "6 tasks" in result.output
    with PassRates(store) as rates:
        entries = list(rates.entries("oracle"))
        assert [(entry.samples, entry.right) for entry in entries] == [(2, 2)] * 6
        assert all(row_of_entry(entry)["seed"] == entry.key.seed for entry in entries)
    log = (tmp_path / "run" / "episodes.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "run" / "episodes.jsonl").write_text("".join(log[:5]))
    info = json.loads((tmp_path / "run" / "run.json").read_text()) | {"finished": None}
    (tmp_path / "run" / "run.json").write_text(json.dumps(info))
    half = CliRunner().invoke(app, ["pass-rates", "add", run, "--store", str(tmp_path / "half.sqlite")])
    assert "unfinished: 5 of 12 episodes" in half.output.replace("\n", " ")
    shown = CliRunner().invoke(app, ["pass-rates", "show", "--store", store, "--json"])
    assert json.loads(shown.output) == {"oracle": {"chain_sum": 1.0, "gcd_lcm": 1.0}}


def test_scored_responses_to_a_dataset_fill_the_store(tmp_path):
    build(Recipe(names=["chain_sum"], levels=[0.0], count=6, seed=3, format="jsonl"), tmp_path / "data")
    rows = list(load(tmp_path / "data"))
    said = [
        {"id": row["id"], "response": row["oracle_response"] if sample <= place else "no"}
        for place, row in enumerate(rows)
        for sample in range(3)
    ]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in said))
    store = str(tmp_path / "s.sqlite")
    arguments = ["dataset", "score", str(tmp_path / "data"), "--responses", str(tmp_path / "said.jsonl"), "--pass-rates", store]
    for _ in range(2):  # the same responses do not count twice
        assert CliRunner().invoke(app, [*arguments, "--model", "m", "--json"]).exit_code == 0
    with PassRates(store) as rates:
        found = {entry.key.seed: (entry.samples, entry.right) for entry in rates.entries("m", current=True)}
    assert found == {row["seed"]: (3, min(place + 1, 3)) for place, row in enumerate(rows)}
    assert "--model go together" in CliRunner().invoke(app, arguments).output.replace("\n", " ")


def test_levels_of_a_band_make_a_recipe(tmp_path):
    version = environment("chain_sum").version
    table = Calibration(
        "m",
        {
            "chain_sum": Curve(2.0, 4.0, 10, 80, 0.0, 1.0, version),
            "nim": Curve(9.0, 1.0, 10, 80, 0.0, 1.0, environment("nim").version),
            "dyck_completion": Curve(2.0, 4.0, 10, 80, 0.0, 1.0, environment("dyck_completion").version + 1),
        },
    )
    levels, left_out = levels_between(table, ["chain_sum", "nim", "dyck_completion", "sudoku"], 0.2, 0.8, 3)
    # logit 0.8 = 1.386, so the levels are (2 -+ 1.386) / 4, and one half is solved at 0.5.
    assert levels == {"chain_sum": [pytest.approx(0.153426, abs=1e-6), 0.5, pytest.approx(0.846574, abs=1e-6)]}
    assert left_out.keys() == {"nim", "dyck_completion", "sudoku"}
    recipe = Recipe(names=["chain_sum", "nim"], count=12, levels_by_env=levels, levels=[0.0])
    found = {(slot.name, slot.level) for slot in plan(recipe)}
    assert found == {("nim", 0.0), *(("chain_sum", level) for level in levels["chain_sum"])}
    table.write(tmp_path / "m.json")
    result = CliRunner().invoke(
        app,
        [
            *["dataset", "build", "--names", "chain_sum,nim", "-n", "6", "--between", "0.2,0.8"],
            *["--calibration", str(tmp_path / "m.json"), "--out", str(tmp_path / "data"), "--format", "jsonl"],
        ],
    )
    assert result.exit_code == 0, result.output
    assert "left out: nim" in result.output
    rows = [json.loads(line) for file in (tmp_path / "data").rglob("*.jsonl") for line in file.read_text().splitlines()]
    assert len(rows) == 6
    assert all(0.15 <= row["level"] <= 0.85 for row in rows)
    with pytest.raises(RowError, match="low < high"):
        levels_between(table, ["chain_sum"], 0.8, 0.2)
    with pytest.raises(RowError, match="no environment"):
        levels_between(table, ["nim"], 0.2, 0.8)


def test_a_teacher_is_asked_what_it_knows_and_the_student_does_not(tmp_path):
    version, knobs = environment("chain_sum").version, json.dumps(knobs_at("chain_sum", 0.0), sort_keys=True)
    with PassRates(tmp_path / "rates.sqlite") as store:
        for model, rights in (("student", [0, 4, 2, 0]), ("teacher", [4, 4, 4, 0])):
            store.record(model, [Entry(TaskKey(model, "chain_sum", version, 0.0, knobs, seed), 4, n) for seed, n in enumerate(rights)])
        # (1 - p_student) p_teacher: 0.9 * 0.9, 0.1 * 0.9, 0.5 * 0.9, 0.9 * 0.1.
        assert [entry.key.seed for entry in teacher_tasks(store, "student", "teacher", 2)] == [0, 2]
        with pytest.raises(RowError, match="teacher"):
            teacher_tasks(store, "student", "techer", 3)
    arguments = ["--student", "student", "--teacher", "teacher", "-n", "2", "--store", str(tmp_path / "rates.sqlite")]
    result = CliRunner().invoke(app, ["pass-rates", "teacher", *arguments, "--out", str(tmp_path / "tasks.jsonl")])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in (tmp_path / "tasks.jsonl").read_text().splitlines()]
    assert [(row["seed"], row["pass_rate"]) for row in rows] == [(0, 0.0), (2, 0.5)]


def test_a_source_is_replaced_as_a_whole_and_can_be_left_out(tmp_path):
    version = environment("chain_sum").version
    keys = [TaskKey("m", "chain_sum", version, 0.0, "{}", seed) for seed in range(3)]
    with PassRates(tmp_path / "rates.sqlite") as store:
        store.record("run step 1", [Entry(keys[0], 4, 4), Entry(keys[1], 4, 4)])
        store.record("run step 1", [Entry(keys[1], 4, 2)], replace=True)
        store.record("other", [Entry(keys[1], 4, 0)])
        assert [(entry.samples, entry.right) for entry in store.entries("m")] == [(8, 2)]
        assert [(entry.samples, entry.right) for entry in store.entries("m", without="run step ")] == [(4, 0)]
        assert store.variances("m", "chain_sum") == {keys[1]: pytest.approx(0.0625)}
