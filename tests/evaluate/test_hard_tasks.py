"""A suite of mined tasks: those that models fail most, held out, with the error rate of models that did not choose."""

import json

import pytest
from typer.testing import CliRunner

import rlgym
from rlgym.cli import app
from rlgym.dataset.pass_rates import Entry, PassRates, TaskKey
from rlgym.dataset.rows import content_hash, knobs_at, split_of
from rlgym.evaluate import hard_tasks
from rlgym.evaluate.hard_tasks import Place, pin_hard_tasks
from rlgym.evaluate.pinning import HELD_OUT
from rlgym.evaluate.suites import SuiteError, load
from rlgym.registry import environment

ENV, LEVEL = "chain_sum", 0.5


def is_held_out(seed):
    prompt = rlgym.task(ENV, seed, level=LEVEL).prompt
    return split_of(content_hash({"env": ENV, "prompt": prompt}), HELD_OUT) == "test"


SEEDS = [seed for seed in range(120) if is_held_out(seed)][:6]
TRAIN = [seed for seed in range(20) if not is_held_out(seed)][:3]


def entry(model, seed, right, samples=8, level=LEVEL, knobs=None):
    text = json.dumps(knobs or knobs_at(ENV, level), sort_keys=True)
    return Entry(TaskKey(model, ENV, environment(ENV).version, level, text, seed), samples, right)


@pytest.fixture
def file(tmp_path):
    """Models a and b find the last tasks hardest; c, which does not choose, fails half of the last one."""
    with PassRates(tmp_path / "s.sqlite") as store:
        for place, seed in enumerate(SEEDS):
            store.record(f"a {seed}", [entry("a", seed, 8 - place)])
            store.record(f"b {seed}", [entry("b", seed, 8 - place)])
            store.record(f"c {seed}", [entry("c", seed, 4 if seed == SEEDS[-1] else 8)])
        store.record("train", [entry(model, seed, 0) for seed in TRAIN for model in "abc"])
        store.record("rare", [entry("a", 10_000 + seed, 0) for seed in range(200)])
        store.record("knobs", [entry("a", SEEDS[0], 0, knobs={"terms": 3})])
    return tmp_path / "s.sqlite"


def test_the_least_solved_held_out_tasks_are_pinned(file, tmp_path):
    out = tmp_path / "mined.json"
    with PassRates(file) as store:
        mined = pin_hard_tasks(store, ["a", "b"], out, count=2, witnesses=["c"])
        with pytest.raises(SuiteError, match="a suite never changes"):
            pin_hard_tasks(store, ["a", "b"], out, count=2)
    assert mined.places == [Place(ENV, LEVEL, SEEDS[-1]), Place(ENV, LEVEL, SEEDS[-2])]
    assert mined.error_rate == (pytest.approx((5 + 4) / 16), pytest.approx((0 + 1 + 2 + 3 + 4 + 5) / 48))
    assert mined.witnesses == {"c": (pytest.approx(0.25), pytest.approx(0.5 / 6))}
    assert mined.left_out["it belongs to the train split"] >= len(TRAIN)
    assert mined.left_out["its knobs are not those of its level"] == 1
    assert mined.left_out["not met by every model with 1 samples"] > 0
    assert sorted(row["seed"] for row in load(out).rows) == sorted(SEEDS[-2:])


def test_no_more_tasks_are_generated_than_are_chosen(file, tmp_path, monkeypatch):
    plain, generated = hard_tasks._why_not, []
    with PassRates(file) as store:
        reasons = {place: plain(place) for place in {Place(ENV, LEVEL, seed) for seed in (*SEEDS, *TRAIN)}}
        monkeypatch.setattr(hard_tasks, "_why_not", lambda place: reasons.get(place, "rare"))
        task = rlgym.task
        monkeypatch.setattr(rlgym, "task", lambda name, seed, **more: generated.append(seed) or task(name, seed, **more))
        mined = pin_hard_tasks(store, ["a", "b"], tmp_path / "mined.json", count=2)
    assert generated[:2] == [place.seed for place in mined.places]
    assert set(generated) == {place.seed for place in mined.places}


def test_a_task_failed_often_comes_before_one_failed_once(tmp_path):
    with PassRates(tmp_path / "s.sqlite") as store:
        store.record("x", [entry("a", SEEDS[0], 0, samples=1), entry("a", SEEDS[1], 0, samples=8)])
        mined = pin_hard_tasks(store, ["a"], tmp_path / "m.json", count=1)
    assert mined.places[0].seed == SEEDS[1]


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        (["a", "z"], {}, "has no model 'z'"),
        (["a"], {"witnesses": ["a"]}, "a witness must not choose, got 'a'"),
        (["a", "b"], {"levels": [1.0]}, "the models have no task in common"),
        (["a", "b"], {"min_samples": 9}, "no recorded task of a, b can be chosen"),
    ],
)
def test_what_cannot_be_mined_is_refused(file, tmp_path, models, options, message):
    with PassRates(file) as store, pytest.raises(SuiteError) as error:
        pin_hard_tasks(store, models, tmp_path / "m.json", count=2, **options)
    assert message in str(error.value)
    assert not (tmp_path / "m.json").exists()


def test_the_command_pins_and_reports(file, tmp_path):
    options = ["--store", str(file), "--model", "a", "--model", "b", "--witness", "c", "--levels", "0.5", "-n", "3"]
    done = CliRunner().invoke(app, ["pass-rates", "hard-tasks", *options, "-o", str(tmp_path / "m.json"), "--json"])
    assert done.exit_code == 0, done.output
    facts = json.loads(done.output)
    assert (facts["tasks"], len(facts["places"])) == (3, 3)
    assert facts["witnesses"]["c"][0] > facts["witnesses"]["c"][1]
    done = CliRunner().invoke(app, ["pass-rates", "hard-tasks", *options, "-o", str(tmp_path / "n.json")])
    assert "0.500" in done.output
    assert "wrote" in done.output
