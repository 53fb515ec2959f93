"""The comparison with TRL: both sides do the same work, and the figures are made of it."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from rlgym.core.errors import KnobError, PackageMissing, RlgymError
from rlgym.train.bench import trl_side
from rlgym.train.bench.compare import alternate, summary
from rlgym.train.bench.workload import StepStats, TextRewardPool, Workload, text_reward
from rlgym.train.rollout.scoring import ScoringJob
from rlgym.train.tasks.spec import TaskSettings, TaskSpec

needs_trl = pytest.mark.skipif(find_spec("trl") is None, reason="trl is not installed: pip install 'rlvrgym[train,trl]'")
SMALL = Workload(num_layers=1, hidden_size=32, groups_per_step=2, group_size=4, response_tokens=6, micro_batches=2, steps=2, warmup_steps=1)


@needs_trl
@pytest.mark.filterwarnings("default")
def test_both_sides_sample_and_train_the_same_number_of_tokens(tmp_path):
    pairs = alternate(SMALL, tmp_path)
    assert len(pairs) == SMALL.steps
    for ours, theirs_ in pairs:
        assert ours.sampled == theirs_.sampled == 2 * 4 * 6
        assert ours.trained == theirs_.trained == 2 * 4 * 6
        # Prompts and responses: the same tasks, encoded alike.
        assert ours.read == theirs_.read > ours.sampled
        for side in (ours, theirs_):
            assert set(side.parts) == {"sampling", "tasks and verdicts", "training"}
            assert all(seconds > 0 for seconds in side.parts.values())
            assert sum(side.parts.values()) == pytest.approx(side.seconds, rel=0.05)


@needs_trl
def test_the_command_prints_the_comparison():
    sizes = [
        f"-k{name}={getattr(SMALL, name)}"
        for name in ("num_layers", "hidden_size", "groups_per_step", "group_size", "response_tokens", "steps")
    ]
    command = [sys.executable, "-m", "rlgym", "bench", "train", *sizes, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | {"OMP_NUM_THREADS": "1"}, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["rlgym"]["sampled"] == report["trl"]["sampled"] == [48, 48]
    assert report["ratio_range"][0] <= report["ratio"] <= report["ratio_range"][1]


def test_without_trl_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "trl", None)
    with pytest.raises(PackageMissing, match=r"pip install 'rlvrgym\[train,trl\]'"):
        trl_side.trl_version()


def test_the_ratio_is_the_median_of_the_steps_own_ratios():
    seconds = [(1.0, 2.0), (1.0, 9.0), (2.0, 2.0)]
    pairs = [tuple(StepStats(8, 8, 20, element, {"sampling": element}) for element in pair) for pair in seconds]
    created = summary(pairs)
    assert created["ratio"] == 2.0
    assert created["ratio_range"] == [1.0, 9.0]
    assert (created["rlgym"]["seconds"], created["trl"]["seconds"]) == (1.0, 2.0)
    assert created["rlgym"]["tokens_per_s"] == 8.0


def test_verdicts_are_given_and_then_rewards_by_the_text():
    pool, rules, task = TextRewardPool(), TaskSettings(0, 0.1), TaskSpec("chain_sum", 0.0, 1, "train")
    pool.submit([ScoringJob(0, task, rules)])
    [(_, opened)] = pool.done(wait=True)
    assert opened.score is None
    pool.submit([ScoringJob(key, task, rules, opened.snapshot, text) for key, text in enumerate(("one", "two", "one"))])
    results = dict(pool.done(wait=True))
    assert [results[key].reward for key in range(3)] == [text_reward("one"), text_reward("two"), text_reward("one")]
    assert results[0].reward != results[1].reward
    assert all(result.score is not None and result.score.value == 0 for result in results.values())


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (["num_layres=2"], "Did you mean 'num_layers'"),
        (["group_size=1"], "group_size must be at least 2"),
        (["micro_batches=3"], "cannot be divided into 3"),
        (["response_tokens=many"], "response_tokens must be of type int"),
    ],
)
def test_sizes_that_cannot_be_are_refused(sizes, message):
    from rlgym.cli.bench_train import make_workload

    with pytest.raises((KnobError, RlgymError), match=message):
        make_workload(sizes)
