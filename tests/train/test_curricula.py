"""Curricula by hand-worked numbers, levels by their three rules, and runs that record in a pass-rate store and read from it."""

import json
import math
import sqlite3
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model
from train.test_filters import episodes as scored

import rlgym
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
from rlgym.dataset.rows import knobs_at
from rlgym.registry import environment
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.tasks import AdaptiveLevels, TaskConfig
from rlgym.train.loop import train, update_curriculum
from rlgym.train.registry import CURRICULA
from rlgym.train.tasks.cells import moved_level, normalised_variance
from rlgym.train.tasks.curriculum import Curriculum, eval_tasks
from rlgym.train.validate.config import check_config


def test_tasks_of_weak_levels_are_synthesised_from_their_knobs():
    levels = [0.0, 0.4, 0.8]
    part = TaskConfig(names=["linear_system"], levels=levels)
    curriculum = Curriculum([part], 0, "weak_cells", {"recombined_fraction": 0.5, "min_share": 0.0})
    of_levels = [knobs_at("linear_system", level) for level in levels]
    differ = {knob for knob in of_levels[0] if of_levels[1][knob] != of_levels[2][knob]}
    assert len(differ) > 1
    assert not any(task.knobs for _, task in curriculum.sample(0, 50))  # Nothing is known to be weak.
    for number, rate in enumerate([1.0, 0.2, 0.1]):
        for _ in range(30):
            curriculum.record(number, levels[number], rate, 8)
    drawn = [task for _, task in curriculum.sample(1, 400)]
    made = [dict(task.knobs) for task in drawn if task.knobs]
    assert 150 < len(made) < 250
    assert all(set(knobs) == differ for knobs in made)
    assert all(knobs[knob] in (of_levels[1][knob], of_levels[2][knob]) for knobs in made for knob in differ)
    new = [knobs for knobs in made if all(any(knobs[knob] != known[knob] for knob in differ) for known in of_levels)]
    assert len(new) > len(made) / 4
    assert {task.level for task in drawn if task.knobs} <= {0.4, 0.8}
    for task in (task for task in drawn[:40] if task.knobs):
        rlgym.task(task.name, 5, level=task.level, **task.knobs)
    assert curriculum.sample(1, 400) != curriculum.sample(2, 400)


def test_solve_rates_of_synthesised_tasks_count_for_no_level():
    levels = [0.0, 0.8]
    curriculum = Curriculum(
        [TaskConfig(names=["linear_system"], levels=levels)], 0, "weak_cells", {"recombined_fraction": 0.5, "min_share": 0.0}
    )
    for number in range(2):
        curriculum.record(number, levels[number], 0.25)
    drawn = curriculum.sample(1, 40)
    assert 0 < sum(bool(task.knobs) for _, task in drawn) < 40
    episodes, cells = [], []
    for group, (cell, task) in enumerate(drawn):
        cells.append(cell)
        episodes.append(replace(scored([1.0 if task.knobs else 0.25])[0], group=group, task=task))
    update_curriculum(SimpleNamespace(curriculum=curriculum), cells, episodes)
    assert all(cell.solve_rate < 0.25 for cell in curriculum.cells), "the right answers were those to synthesised tasks"
    fixed = Curriculum([TaskConfig(names=["chain_sum"], knobs={"terms": 5})], 0)
    assert not fixed.is_recombined(0, fixed.sample(0, 1)[0][1])


def weight(name, rates, group_size=4, **options):
    curriculum = Curriculum([TaskConfig(names=["chain_sum"])], 0, name, options)
    for rate in rates:
        curriculum.record(0, 0.0, rate, group_size)
    return CURRICULA[name](curriculum.cells[0], CURRICULA[name].options.from_dict(options))


def test_weak_cells_by_hand():
    assert weight("weak_cells", []) == 1
    assert weight("weak_cells", [0.25]) == 0.75
    # 0.9 * 0.25 + 0.1 * 1 = 0.325 is weak; a solved cell keeps the least share.
    assert weight("weak_cells", [0.25, 1.0]) == pytest.approx(0.675)
    assert weight("weak_cells", [0.5]) == 0.1
    assert weight("weak_cells", [0.5], threshold=0.6, min_share=0.2) == 0.5


def test_the_variance_of_a_group_by_hand():
    # One right of four: 1 * 3 / (4 * 3) = 1/4 of at most 2 * 2 / (4 * 3) = 1/3.
    assert normalised_variance(0.25, 4) == pytest.approx(0.75)
    assert normalised_variance(0.5, 4) == 1
    assert normalised_variance(1 / 3, 3) == pytest.approx(1)
    assert normalised_variance(1.0, 4) == normalised_variance(0.0, 5) == 0
    assert weight("variance", []) == 1
    assert weight("variance", [0.25]) == pytest.approx(0.75)
    # 0.9 * 0.75 + 0.1 * 0 = 0.675: groups that are all right lower the weight, though the mean rate moves towards one half.
    assert weight("variance", [0.25, 1.0]) == pytest.approx(0.675)
    assert weight("variance", [1.0]) == 0.1
    assert weight("variance", [0.25], threshold=0.8, min_share=0.05) == 0.05


def test_recap_by_hand():
    options = {"window": 4, "min_share": 0.0}
    assert weight("recap", [1.0] * 3, **options) == 1
    assert weight("recap", [1.0] * 4, **options) == 0
    assert weight("recap", [0.5] * 4, **options) == 0.5
    # From 0.5 to 1: t = 0.5, so 1 - 1 * 0.5 * 1.
    assert weight("recap", [0.5, 0.5, 1.0, 1.0], **options) == 0.5
    # Unstable: the later half has mean 0.5 and deviation 0.5.
    assert weight("recap", [0.5, 0.5, 0.0, 1.0], **options) == 1
    assert weight("recap", [0.0] * 4, **options) == 1


def test_levels_of_a_part_are_cells_of_their_own():
    parts = [TaskConfig(names=["chain_sum"], levels=[0.0, 0.5])]
    curriculum = Curriculum(parts, 0, "weak_cells")
    assert [(cell.level, cell.share) for cell in curriculum.cells] == [(0.0, 0.5), (0.5, 0.5)]
    for _ in range(10):
        curriculum.record(0, 0.0, 1.0)
        curriculum.record(1, 0.5, 0.0)
    drawn = [task.level for step in range(100) for _, task in curriculum.sample(step, 4)]
    assert 0.86 < sum(level == 0.5 for level in drawn) / len(drawn) < 0.95  # 1 / 1.1
    other = Curriculum(parts, 0, "weak_cells")
    other.load_state_dict(json.loads(json.dumps(curriculum.state_dict())))
    assert [other.sample(step, 3) for step in range(100, 104)] == [curriculum.sample(step, 3) for step in range(100, 104)]


def test_the_level_moves_by_its_rule():
    target = AdaptiveLevels(rule="target", step_size=0.5, target=0.5, sensitivity=2.0, max_level=0.9)
    assert moved_level(target, 0.2, 0.5) == 0.2
    assert moved_level(target, 0.2, 1.0) == pytest.approx(0.2 + 0.5 * math.tanh(1.0), abs=1e-6)
    assert moved_level(target, 0.2, 0.0) == 0
    assert moved_level(target, 0.8, 1.0) == 0.9
    up = AdaptiveLevels(rule="step_up", step_size=0.1, threshold=0.75)
    assert [moved_level(up, 0.2, accuracy) for accuracy in (0.74, 0.75, 0.0)] == [0.2, pytest.approx(0.3), 0.2]


def test_a_level_that_steps_up_follows_held_out_accuracy_alone():
    parts = [TaskConfig(names=["chain_sum"], levels=AdaptiveLevels(rule="step_up", step_size=0.1, window=1))]
    curriculum = Curriculum(parts, 0)
    for _ in range(5):
        curriculum.record(0, 0.0, 1.0)
    assert curriculum.cells[0].level == 0
    curriculum.record_held_out({(0, "chain_sum", 0.1): 1.0, (0, "nim", 0.0): 1.0})
    assert curriculum.cells[0].level == 0
    curriculum.record_held_out({(0, "chain_sum", 0.0): 0.8})
    assert curriculum.validated_levels() == [(0, "chain_sum", 0.1)]
    assert sorted({task.level for task in eval_tasks(parts, 1, [], curriculum.validated_levels())}) == [0.0, 0.1, 1.0]


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=48, max_seq_len=400, loud=1.0)
    return folder


def configuration(start, folder, **more):
    given = {
        "model": str(start),
        "output_dir": str(folder / "run"),
        "tasks": [{"names": ["chain_sum"]}],
        "steps": 3,
        "rollout": {"groups_per_step": 2, "group_size": 2, "max_new_tokens": 4, "max_seq_len": 380},
        "algorithm": {"filter_zero_std": False},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "checkpoints": {"every_steps": 2},
        "compute": {"device": "cpu", "cpu_threads": 1},
        "pass_rates": {"file": str(folder / "rates.sqlite")},
    }
    return Config.from_dict(given | more)


def counts(file):
    with sqlite3.connect(file) as connection:
        return sorted(connection.execute("SELECT * FROM counts"))


def test_a_run_records_its_groups_and_a_resumed_one_nothing_twice(start, tmp_path):
    config = configuration(start, tmp_path, model=str(start))
    train(config)
    first = counts(tmp_path / "rates.sqlite")
    assert len(first) == 6
    assert {row[7] for row in first} == {2}
    assert {row[1] for row in first} == {"run"}
    # Steps after the last checkpoint are recorded again in place of what a killed run left.
    with PassRates(tmp_path / "rates.sqlite") as store:
        (entry,) = [entry for entry in store.entries("run") if entry.key.seed == first[-1][6]]
        left = [Entry(TaskKey("run", "chain_sum", entry.key.version, 0.0, "{}", 1), 2, 1)]
        store.record(f"{(tmp_path / 'run').resolve()} step 2", left)
    for checkpoint in (tmp_path / "run" / "checkpoints").glob("*000003*"):
        for file in sorted(checkpoint.rglob("*"), reverse=True):
            file.rmdir() if file.is_dir() else file.unlink()
        checkpoint.rmdir()
    train(config)
    assert counts(tmp_path / "rates.sqlite") == first


def test_recorded_tasks_are_those_of_the_store_and_never_held_out_ones(start, tmp_path):
    version, knobs = environment("chain_sum").version, json.dumps(knobs_at("chain_sum", 0.0), sort_keys=True)
    with PassRates(tmp_path / "rates.sqlite") as store:
        for source, rates in (("a", [0, 1, 2, 3, 4]), ("b", [0, 1, 2, 3, 0])):
            keys = [TaskKey("base", "chain_sum", version, 0.0, knobs, seed) for seed in range(5)]
            store.record(source, [Entry(key, 4, right) for key, right in zip(keys, rates, strict=True)])
    part = {"names": ["chain_sum"], "recorded": {"model": "base", "low": 0.25, "high": 0.75}}
    config = configuration(start, tmp_path, tasks=[part], held_out_fraction=0.01)
    train(config)
    with PassRates(tmp_path / "rates.sqlite") as store:
        assert {entry.key.seed for entry in store.entries("run")} <= {1, 2, 3, 4}
    # One-shot: the task whose rate varied most between the recordings is the only one.
    part["recorded"] |= {"low": 0.0, "high": 1.0, "rank": "variance", "count": 1}
    once = configuration(start, tmp_path, tasks=[part], held_out_fraction=0.01, output_dir=str(tmp_path / "once"))
    train(once)
    with PassRates(tmp_path / "rates.sqlite") as store:
        (entry,) = store.entries("once")
        assert (entry.key.seed, entry.samples) == (4, 12)
    part["recorded"] |= {"min_samples": 100}
    none = configuration(start, tmp_path, tasks=[part], output_dir=str(tmp_path / "none"))
    with pytest.raises(TrainError, match="widen the band"):
        train(none)
    with pytest.raises(TrainError, match=r"set pass_rates\.file"):
        check_config(none.model_copy(update={"pass_rates": None}))


def test_held_out_tasks_on_record_are_left_out(start, tmp_path):
    from rlgym.train.tasks.recorded import read_store

    version, knobs = environment("chain_sum").version, json.dumps(knobs_at("chain_sum", 0.0), sort_keys=True)
    with PassRates(tmp_path / "rates.sqlite") as store:
        store.record("a", [Entry(TaskKey("base", "chain_sum", version, 0.0, knobs, seed), 2, 1) for seed in range(200)])
    part = {"names": ["chain_sum"], "recorded": {"model": "base"}}
    config = configuration(start, tmp_path, tasks=[part], held_out_fraction=0.5)
    curriculum = Curriculum(config.tasks, 0)
    read_store(config, curriculum.cells)
    assert 60 < len(curriculum.cells[0].recorded) < 140
    other = Curriculum(config.tasks, 0)
    other.load_state_dict(json.loads(json.dumps(curriculum.state_dict())))
    assert other.cells[0].recorded == curriculum.cells[0].recorded


def test_tasks_that_fail_without_retrieval_are_played_with_it(start, tmp_path):
    """UR²: the rates of tasks whose library stood in the prompt choose which of the same tasks have a search, and which are played as they were."""
    from rlgym.train.tasks.recorded import read_store

    name = "wiki_search_qa"
    of = {access: json.dumps(knobs_at(name, 0.0) | {"access": access}, sort_keys=True) for access in ("given", "search")}
    version, rates = environment(name).version, [0, 1, 2, 3, 4, 0]
    with PassRates(tmp_path / "rates.sqlite") as store:
        store.record("a", [Entry(TaskKey("base", name, version, 0.0, of["given"], seed), 4, right) for seed, right in enumerate(rates)])
        store.record("b", [Entry(TaskKey("base", name, version, 0.0, of["search"], 50), 4, 0)])
    given = {"model": "base", "with_knobs": {"access": "given"}}
    hard = {"names": [name], "recorded": given | {"low": 0.0, "high": 0.25, "play_with": {"access": "search"}}}
    easy = {"names": [name], "recorded": given | {"low": 0.5, "high": 1.0}}
    rollout = {"groups_per_step": 2, "group_size": 2, "max_new_tokens": 32, "max_seq_len": 16384}
    config = configuration(start, tmp_path, tasks=[hard, easy], held_out_fraction=0.0001, rollout=rollout)
    curriculum = Curriculum(config.tasks, 0)
    read_store(config, curriculum.cells)
    searched, told = (cell.recorded for cell in curriculum.cells)
    assert [task.seed for task in searched] == [0, 1, 5]
    assert [task.seed for task in told] == [2, 3, 4]
    assert {dict(task.knobs).get("access", "search") for task in searched} == {"search"}
    assert {dict(task.knobs)["access"] for task in told} == {"given"}
    wrong = configuration(start, tmp_path, tasks=[hard | {"recorded": given | {"play_with": {"acess": "search"}}}], rollout=rollout)
    with pytest.raises(TrainError, match=r"name knobs of wiki_search_qa: .*acess"):
        check_config(wrong)


def test_a_task_is_not_played_with_other_knobs_if_it_is_held_out_so(start, tmp_path):
    from rlgym.train.tasks.recorded import read_store

    name = "wiki_search_qa"
    version, knobs = environment(name).version, json.dumps(knobs_at(name, 0.0) | {"access": "given"}, sort_keys=True)
    with PassRates(tmp_path / "rates.sqlite") as store:
        store.record("a", [Entry(TaskKey("base", name, version, 0.0, knobs, seed), 4, 2) for seed in range(40)])
    found = {}
    for access in ("given", "search"):
        part = {"names": [name], "recorded": {"model": "base", "play_with": {"access": access}}}
        config = configuration(start, tmp_path, tasks=[part], held_out_fraction=0.5)
        curriculum = Curriculum(config.tasks, 0)
        read_store(config, curriculum.cells)
        found[access] = {task.seed for task in curriculum.cells[0].recorded}
    assert found["search"] < found["given"]


def test_the_curriculum_starts_from_recorded_rates(start, tmp_path):
    from rlgym.train.tasks.recorded import read_store

    version, knobs = environment("chain_sum").version, json.dumps(knobs_at("chain_sum", 0.0), sort_keys=True)
    with PassRates(tmp_path / "rates.sqlite") as store:
        store.record("a", [Entry(TaskKey("base", "chain_sum", version, 0.0, knobs, seed), 4, 1) for seed in range(3)])
    config = configuration(start, tmp_path, pass_rates={"file": str(tmp_path / "rates.sqlite"), "prior": "base"})
    curriculum = Curriculum(config.tasks, 0, "weakness")
    read_store(config, curriculum.cells)
    assert curriculum.cells[0].solve_rate == 0.25
    unknown = configuration(start, tmp_path, pass_rates={"file": str(tmp_path / "rates.sqlite"), "prior": "bse"})
    with pytest.raises(TrainError, match="base"):
        read_store(unknown, curriculum.cells)


def test_rarely_solved_tasks_stand_in_the_data_more_often():
    """OREAL: six times below 0.2, four times below 0.6, twice below 0.8, once above."""
    from rlgym.train.tasks.recorded import repeated
    from rlgym.train.tasks.spec import TaskSpec

    tasks = [TaskSpec("chain_sum", 0.0, 0, "train", seed=seed) for seed in range(5)]
    found = repeated(tasks, [0.1, 0.2, 0.59, 0.79, 0.8], [(0.2, 6), (0.6, 4), (0.8, 2)])
    assert Counter(task.seed for task in found) == {0: 6, 1: 4, 2: 4, 3: 2, 4: 1}
    # In rounds, so that copies of a task are apart.
    assert [task.seed for task in found[:5]] == [0, 1, 2, 3, 4]
    assert [task.seed for task in found[-2:]] == [0, 0]
    assert repeated(tasks, [0.1] * 5, []) == tuple(tasks)


def test_repeats_that_do_not_rise_are_refused(start, tmp_path):
    recorded = {"model": "base", "repeats": [[0.6, 4], [0.2, 6]]}
    config = configuration(start, tmp_path, tasks=[{"names": ["chain_sum"], "recorded": recorded}])
    with pytest.raises(TrainError, match=r"tasks.recorded.repeats needs rising solve rates"):
        check_config(config)


def test_a_run_draws_its_recorded_tasks_as_often_as_their_rates_say(start, tmp_path):
    from rlgym.train.tasks.recorded import read_store

    version, knobs = environment("chain_sum").version, json.dumps(knobs_at("chain_sum", 0.0), sort_keys=True)
    with PassRates(tmp_path / "rates.sqlite") as store:
        keys = [TaskKey("base", "chain_sum", version, 0.0, knobs, seed) for seed in range(4)]
        store.record("a", [Entry(key, 4, right) for key, right in zip(keys, [0, 1, 2, 4], strict=True)])
    recorded = {"model": "base", "low": 0.0, "high": 1.0, "repeats": [[0.2, 3], [0.6, 2]]}
    config = configuration(start, tmp_path, tasks=[{"names": ["chain_sum"], "recorded": recorded}], held_out_fraction=0.001)
    curriculum = Curriculum(config.tasks, 0)
    read_store(config, curriculum.cells)
    drawn = Counter(task.seed for _, task in curriculum.sample(0, 8))
    assert drawn == {0: 3, 1: 2, 2: 2, 3: 1}
