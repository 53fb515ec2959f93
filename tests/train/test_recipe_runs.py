"""Recipes at the toy size: a sample of them runs, learns from something and resumes after kills."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


from rlgym.core.errors import RlgymError
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.model.checkpoint import last_model
from rlgym.train.recipes.recipe import recipe, recipe_names
from rlgym.train.recipes.run import run_recipe
from rlgym.train.recipes.toy import has_learning_signal
from rlgym.train.study import folder as study_folder

NAMES = recipe_names()


MEASURED, SAMPLE = "guru", 2
"""A recipe with a stage that measures, which the tests always run, and how many others they run."""


SANDBOXED = ("absolute_zero", "verpo")
"""Recipes whose check runs programs in the sandbox."""


MUTE = ("chain_of_agents", "prover_verifier", "spark", "stp")
"""Recipes whose rewards come from critiques in words, agents, roles or proofs, which a toy model cannot write: nothing differs at the toy size."""


def rotating_sample():
    """The recipes that the tests run: others with every version of the trainer's source, and the same for a version on every machine."""
    version = study_folder.code_version()
    others = [name for name in NAMES if name not in (MEASURED, *SANDBOXED)]
    return [MEASURED, *sorted(others, key=lambda name: hashlib.sha256(f"{version} {name}".encode()).digest())[:SAMPLE]]


KILLED = """
import sys
from rlgym.train.recipes import run as recipes
from rlgym.train.recipes.recipe import recipe
name, out, model, log = sys.argv[1:]
plain = recipes.collect_rollouts
def counted(run, progress):
    sampled = plain(run, progress)
    with open(log, "a") as lines:
        lines.write(f"{run.step}\\n")
    return sampled
recipes.collect_rollouts = counted
recipes.run_recipe(recipe(name), out, model, toy=True)
"""


def kill_at(command, file, lines):
    """Start a process and kill it once a file has some lines; False if it ended before."""
    process, deadline = subprocess.Popen(command, cwd=os.getcwd()), time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline and not (file.exists() and len(file.read_bytes().splitlines()) >= lines):
        time.sleep(0.005)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def numbers(done):
    """What a stage computed: the metrics of its steps, or its comparison."""
    return (done.folder / ("comparison.json" if done.table else "metrics.jsonl")).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", rotating_sample())
def test_a_recipe_of_the_rotating_sample_runs_learns_from_something_and_resumes_after_kills(tmp_path, name):
    chosen = recipe(name)
    results = run_recipe(chosen, tmp_path / "whole", toy=True)
    assert [done.stage for done in results] == [stage.name for stage in chosen.stages]
    assert any(has_learning_signal(done.folder) for done in results) or name in MUTE
    assert (results[-1].model / "config.json").is_file()
    with pytest.raises(RlgymError, match="another seed"):
        run_recipe(chosen, tmp_path / "whole", toy=True, seed=1)
    start = last_model(tmp_path / "whole" / "toy-model" / "run")
    killed, log = tmp_path / "killed", tmp_path / "measured"
    command = [sys.executable, "-c", KILLED, name, str(killed), str(start), str(log)]
    trained = [done for done in results if not done.table]
    deaths = [kill_at(command, killed / done.folder.name / "metrics.jsonl", lines) for done in trained for lines in (1, 2)]
    assert any(deaths)
    again = run_recipe(chosen, killed, start, toy=True)
    for one, two in zip(results, again, strict=True):
        assert numbers(one) == numbers(two), one.stage
    if log.exists():  # A measurement samples a step again only if it was killed before the step was on disk.
        assert max(Counter(log.read_text().split()).values()) <= 2


def test_rewards_that_differ_are_a_signal_in_groups_or_in_the_step_where_groups_are_of_one(tmp_path):
    def with_step(size, **step):
        (tmp_path / "config.json").write_text(json.dumps({"rollout": {"group_size": size}}))
        (tmp_path / "metrics.jsonl").write_text(json.dumps({"step": 1, "grad_norm": 0.5} | step) + "\n")
        return has_learning_signal(tmp_path)

    assert with_step(8, solve_rate=0.5, groups_zero_std=0.75)
    assert not with_step(8, solve_rate=0.5, groups_zero_std=1.0)
    assert with_step(1, solve_rate=0.5, groups_zero_std=1.0)
    assert not with_step(1, solve_rate=1.0, groups_zero_std=1.0)
    assert not with_step(1, solve_rate=0.5, groups_zero_std=1.0, grad_norm=0.0)


def test_the_sample_rotates_with_the_trainers_source(monkeypatch):
    samples = []
    for version in ("0" * 12, "1" * 12):
        monkeypatch.setattr(study_folder, "code_version", lambda version=version: version)
        samples.append(rotating_sample())
    assert samples[0] != samples[1]
    assert all(len(set(sample)) == len(sample) == SAMPLE + 1 and sample[0] == MEASURED for sample in samples)
    assert set(samples[0] + samples[1]) <= set(NAMES) - set(SANDBOXED)


class Killed(ProgressCallback):
    """Ends the process's work after a number of steps of reinforcement learning, as an interruption would."""

    def __init__(self, steps):
        self.left = steps

    def on_step_end(self, name, done, metrics):
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_a_recipe_that_is_killed_in_or_between_stages_goes_on_as_if_it_had_not_been(tmp_path):
    chosen = recipe("one_shot").model_copy(update={"toy": recipe("one_shot").toy.model_copy(update={"sft_steps": 400})})
    whole = run_recipe(chosen, tmp_path / "start", toy=True)
    start = tmp_path / "start" / "toy-model" / "run" / "checkpoints" / "1-rl-0000000" / "model"
    for steps in (2, 3):
        with pytest.raises(KeyboardInterrupt):
            run_recipe(chosen, tmp_path / "killed", start, toy=True, callback=Killed(steps))
    partly = run_recipe(chosen, tmp_path / "killed", start, toy=True, until="rank")
    assert [done.stage for done in partly] == ["rank"]
    done = run_recipe(chosen, tmp_path / "killed", start, toy=True)
    for one, two in zip(whole, done, strict=True):
        assert numbers(one) == numbers(two)
    before = (done[1].folder / "metrics.jsonl").stat().st_mtime_ns
    run_recipe(chosen, tmp_path / "killed", start, toy=True)
    assert (done[1].folder / "metrics.jsonl").stat().st_mtime_ns == before
