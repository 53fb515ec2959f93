"""Whole runs: they learn, a killed one resumes bit for bit, and their logs are true."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.train.config.schema import Config
from rlgym.train.config.tasks import AdaptiveLevels, TaskConfig
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.tasks.curriculum import Curriculum

KEPT = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=48, max_seq_len=1600, loud=1.0)
    return folder


def configuration(start, out, **more):
    given = {
        "model": str(start),
        "output_dir": str(out),
        "seed": 1,
        "tasks": [
            {"names": ["chain_sum"], "levels": {"start_level": 0.0, "step_size": 0.02, "window": 2, "solve_rate_band": [0.0, 0.5]}},
            {"names": ["mastermind"], "weight": 0.5},
        ],
        "task_sampling": "learnability",
        "steps": 6,
        "sft": {"steps": 5, "batch_size": 4, "warmup_steps": 2},
        "rollout": {
            "groups_per_step": 3,
            "group_size": 3,
            "max_new_tokens": 24,
            "max_seq_len": 1500,
            "engine_options": {"max_num_seqs": 6},
        },
        "update": {"lr": 1e-3, "warmup_steps": 2, "tokens_per_micro_batch": 3000, "num_minibatches": 2},
        "algorithm": {
            "entropy_top_fraction": 0.5,
            "kl_coef": 0.01,
            "entropy_coef": 0.001,
            "filter_zero_std": False,
            "advantage": "dr_grpo",
            "reward_shaping": {"format_bonus": {"amount": 0.1}},
        },
        "scoring": {"num_workers": 1},
        "evaluation": {"tasks_per_level": 2, "every_steps": 3},
        "checkpoints": {"every_steps": 2},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    return given | more


PROGRAM = """
import json, sys
from rlgym.train.config.schema import Config
from rlgym.train.loop import train
if __name__ == "__main__":
    train(Config.from_dict(json.loads(sys.argv[1])))
"""


def begun(given, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    return subprocess.Popen([sys.executable, str(program), json.dumps(given)], start_new_session=True)


def weights_of(run):
    place = sorted((run / "checkpoints").glob("[0-9]-*"))[-1]
    return place.name, dict(load_model(place / "model").weights())


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_moment_goes_on_as_if_it_had_not_been(start, tmp_path):
    assert begun(configuration(start, tmp_path / "whole"), tmp_path).wait(timeout=300) == 0
    given = configuration(start, tmp_path / "killed")
    deaths = 0
    # Killed after each further line, also while a checkpoint is being written.
    for lines in (2, 4, 7, 9):
        process = begun(given, tmp_path)
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            file = tmp_path / "killed" / "metrics.jsonl"
            if file.exists() and len(file.read_bytes().splitlines()) >= lines:
                break
            time.sleep(0.002)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            deaths += 1
        process.wait()
    assert deaths >= 3
    assert begun(given, tmp_path).wait(timeout=300) == 0
    for name in KEPT:
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    (name, first), (other_name, second) = weights_of(tmp_path / "whole"), weights_of(tmp_path / "killed")
    assert name == other_name
    assert all(torch.equal(first[weight], second[weight]) for weight in first)
    assert not list((tmp_path / "killed" / "checkpoints").glob(".*"))


def test_what_a_run_writes_down(start, tmp_path):
    tables = train(Config.from_dict(configuration(start, tmp_path / "run")))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["step"] for line in lines] == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6]
    for line in lines[5:]:
        for name in (
            "reward",
            "solve_rate",
            "entropy",
            "kl",
            "groups_all_wrong",
            "groups_all_right",
            "response_length",
            "staleness",
            "logprob_diff",
            "masked",
            "grad_norm",
        ):
            assert name in line, name
        assert line["staleness"] == 0
        assert 0 < line["logprob_diff"] < 1e-5
        assert any(name.startswith("solve_rate/") for name in line)
    assert set(tables) == {"start", "middle", "step 3", "end"}
    assert set(tables["end"]) >= {"mean", "mastermind@0"}
    times = read_lines(tmp_path / "run" / "times.jsonl")
    assert all(line["rollout_tokens_per_s"] > 0 and line["train_tokens_per_s"] > 0 for line in times[5:])
    text = read_lines(tmp_path / "run" / "transcripts.jsonl")
    assert {line["messages"][0][0] for line in text} == {"user"}
    assert all("reason" in line["score"] for line in text)
    for place in (tmp_path / "run" / "checkpoints").glob("[0-9]-*"):
        import transformers

        transformers.AutoModelForCausalLM.from_pretrained(place / "model")
        transformers.AutoTokenizer.from_pretrained(place / "model")


class Loudest(ProgressCallback):
    """Notes what it hears."""

    def __init__(self):
        self.heard = []

    def on_phase_start(self, name, steps, done):
        self.heard.append((name, steps, done))


def test_an_engine_that_sleeps_between_rollouts_changes_nothing(start, tmp_path):
    for name, compute in (("awake", {}), ("asleep", {"engine_sleep": True})):
        given = configuration(start, tmp_path / name, steps=2, sft=None)
        train(Config.from_dict(given | {"compute": given["compute"] | compute}))
    assert (tmp_path / "awake" / "metrics.jsonl").read_bytes() == (tmp_path / "asleep" / "metrics.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("g++"), reason="torch.compile needs a C++ compiler on a CPU")
@pytest.mark.filterwarnings("ignore")  # what torch's compiler says of itself
def test_a_compiled_model_learns_the_same(start, tmp_path):
    lines = []
    for name, compute in (("plain", {}), ("compiled", {"compile": True})):
        given = configuration(start, tmp_path / name, steps=1, sft=None)
        train(Config.from_dict(given | {"compute": given["compute"] | compute}))
        lines.append(read_lines(tmp_path / name / "metrics.jsonl")[0])
    assert lines[0]["grad_norm"] > 0
    for fact in ("loss", "grad_norm", "entropy", "reward"):
        assert lines[1][fact] == pytest.approx(lines[0][fact], rel=1e-3, abs=1e-5), fact


def test_a_watch_hears_of_the_phases_also_of_a_run_that_goes_on(start, tmp_path):
    given = configuration(start, tmp_path / "run", steps=2, sft={"steps": 2, "batch_size": 2}, scoring={"num_workers": 0})
    first, repeated = Loudest(), Loudest()
    train(Config.from_dict(given), first)
    train(Config.from_dict(given), repeated)
    assert first.heard == [("sft", 2, 0), ("rl", 2, 0)]
    assert repeated.heard == [("rl", 2, 2)]
    shutil.rmtree(tmp_path / "run" / "checkpoints" / "1-rl-0000002")
    third = Loudest()
    train(Config.from_dict(given), third)
    assert third.heard[-1][0] == "rl"


def tasks(**levels):
    return Config.from_dict(
        {"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"], "levels": levels}, {"names": ["nim"]}]}
    ).tasks


def test_a_fixed_number_of_tasks_is_sampled_in_turn():
    parts = [{"names": ["chain_sum"], "num_tasks": 3}, {"names": ["dyck_completion"]}]
    curriculum = Curriculum(Config.from_dict({"model": "m", "output_dir": "o", "tasks": parts}).tasks, 0)
    drawn = [task for step in range(10) for _, task in curriculum.sample(step, 4)]
    sums = [task.index for task in drawn if task.name == "chain_sum"]
    assert len(sums) > 6
    assert sums == [place % 3 + 1 for place in range(len(sums))]
    others = [task.index for task in drawn if task.name == "dyck_completion"]
    assert others == list(range(1, len(others) + 1))


def test_levels_follow_the_solve_rate_and_survive_a_checkpoint():
    curriculum = Curriculum(tasks(start_level=0.1, step_size=0.05, solve_rate_band=[0.3, 0.7], window=2, max_level=0.2), seed=0)
    moves = []
    for rate in (0.9, 0.9, 0.5, 0.6, 0.9, 0.9, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0):
        curriculum.record(0, curriculum.cells[0].level, rate)
        moves.append(curriculum.cells[0].level)
    assert moves == [0.1, 0.15, 0.15, 0.15, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.15, 0.15] or moves[-1] < 0.2
    assert max(moves) == 0.2
    assert moves[0] == 0.1
    # What was tried at another level than the present one says nothing about it.
    before = curriculum.state_dict()
    curriculum.record(0, 0.9, 1.0)
    curriculum.record(0, 0.9, 1.0)
    assert curriculum.cells[0].level == before["cells"][curriculum.cells[0].key]["level"]
    other = Curriculum(tasks(start_level=0.1, step_size=0.05, solve_rate_band=[0.3, 0.7], window=2, max_level=0.2), seed=0)
    other.load_state_dict(json.loads(json.dumps(curriculum.state_dict())))
    assert [other.sample(step, 5) for step in range(4)] == [curriculum.sample(step, 5) for step in range(4)]


def test_an_environment_in_two_parts_repeats_no_task_and_resumes():
    parts = [{"names": ["chain_sum"]}, {"names": ["chain_sum", "nim"], "weight": 3.0}, {"names": ["chain_sum"], "levels": [0.0, 0.5]}]
    mixture = [TaskConfig(**part) for part in parts]
    curriculum = Curriculum(mixture, seed=0)
    drawn = [task for step in range(40) for _, task in curriculum.sample(step, 4)]
    assert len({(task.name, task.level, task.index) for task in drawn}) == len(drawn)
    assert len({place for step in range(40, 60) for place, _ in curriculum.sample(step, 4)}) == 4
    curriculum.record(0, 0.0, 0.25)
    curriculum.record(1, 0.0, 0.75)
    other = Curriculum(mixture, seed=0)
    other.load_state_dict(json.loads(json.dumps(curriculum.state_dict())))
    assert [cell.solve_rate for cell in other.cells] == [0.25, 0.75, None, None]
    assert [other.sample(step, 5) for step in range(4)] == [curriculum.sample(step, 5) for step in range(4)]


def test_levels_of_an_environment_in_two_parts_are_both_logged():
    adaptive = AdaptiveLevels(start_level=0.1)
    curriculum = Curriculum([TaskConfig(names=["nim"], levels=adaptive), TaskConfig(names=["nim", "chain_sum"], levels=adaptive)], seed=0)
    assert curriculum.levels() == {"nim#0": 0.1, "nim#1": 0.1, "chain_sum": 0.1}


def test_weak_environments_are_drawn_more_often_and_all_by_their_weights_otherwise():
    even, weak = (Curriculum(tasks(start_level=0.0), seed=0, task_sampling=sampling) for sampling in ("uniform", "learnability"))
    for created in (even, weak):
        for _ in range(50):
            created.record(0, 0.0, 0.5)
            created.record(1, 0.5, 1.0)
    shares = [sum(place == 0 for step in range(200) for place, _ in count.sample(step, 5)) / 1000 for count in (even, weak)]
    assert 0.44 < shares[0] < 0.56
    assert shares[1] > 0.8
