"""Whole runs: they learn, a killed one goes on to the bit, and what they write down is true."""

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

from rlgym.train.config import Config
from rlgym.train.curriculum import Curriculum
from rlgym.train.loop import train
from rlgym.train.metrics import read_lines
from rlgym.train.model import load_model
from rlgym.train.watch import Watch

KEPT = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, layers=1, width=48, context=1600, loud=1.0)
    return folder


def configuration(start, out, **more):
    given = {
        "model": str(start),
        "out": str(out),
        "seed": 1,
        "tasks": [
            {"names": ["chain_sum"], "levels": {"start": 0.0, "stride": 0.02, "sight": 2, "band": [0.0, 0.5]}},
            {"names": ["mastermind"], "weight": 0.5},
        ],
        "sampling": "weakness",
        "steps": 6,
        "sft": {"steps": 5, "batch": 4, "warmup": 2},
        "rollout": {"groups": 3, "group": 3, "tokens": 24, "context": 1500, "options": {"rows": 6}},
        "update": {"lr": 1e-3, "warmup": 2, "tokens": 3000, "minibatches": 2},
        "algorithm": {
            "forks": 0.5,
            "kl": 0.01,
            "entropy": 0.001,
            "skip_dead": False,
            "advantage": "dr_grpo",
            "shaping": {"readable_bonus": {"amount": 0.1}},
        },
        "scoring": {"workers": 1},
        "evaluation": {"tasks": 2, "every": 3},
        "checkpoints": {"every": 2},
        "compute": {"device": "cpu", "threads": 1},
    }
    return given | more


PROGRAM = """
import json, sys
from rlgym.train.config import Config
from rlgym.train.loop import train
if __name__ == "__main__":
    train(Config.of(json.loads(sys.argv[1])))
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
    (name, one), (other_name, other) = weights_of(tmp_path / "whole"), weights_of(tmp_path / "killed")
    assert name == other_name
    assert all(torch.equal(one[weight], other[weight]) for weight in one)
    assert not list((tmp_path / "killed" / "checkpoints").glob(".*"))


def test_what_a_run_writes_down(start, tmp_path):
    tables = train(Config.of(configuration(start, tmp_path / "run")))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["step"] for line in lines] == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6]
    for line in lines[5:]:
        for name in (
            "reward",
            "solve",
            "entropy",
            "kl",
            "groups_dead",
            "groups_saturated",
            "length",
            "staleness",
            "mismatch",
            "masked",
            "gradient",
        ):
            assert name in line, name
        assert line["staleness"] == 0
        assert 0 < line["mismatch"] < 1e-5
        assert any(name.startswith("solve/") for name in line)
    assert set(tables) == {"start", "middle", "step 3", "end"}
    assert set(tables["end"]) >= {"mean", "mastermind@0"}
    times = read_lines(tmp_path / "run" / "times.jsonl")
    assert all(line["rollout_tokens_per_s"] > 0 and line["train_tokens_per_s"] > 0 for line in times[5:])
    said = read_lines(tmp_path / "run" / "transcripts.jsonl")
    assert {line["messages"][0][0] for line in said} == {"user"}
    assert all("reason" in line["score"] for line in said)
    for place in (tmp_path / "run" / "checkpoints").glob("[0-9]-*"):
        import transformers

        transformers.AutoModelForCausalLM.from_pretrained(place / "model")
        transformers.AutoTokenizer.from_pretrained(place / "model")


class Loudest(Watch):
    """Notes what it hears."""

    def __init__(self):
        self.heard = []

    def phase(self, name, steps, done):
        self.heard.append((name, steps, done))


def test_an_engine_that_sleeps_between_rollouts_changes_nothing(start, tmp_path):
    for name, compute in (("awake", {}), ("asleep", {"sleep": True})):
        given = configuration(start, tmp_path / name, steps=2, sft=None)
        train(Config.of(given | {"compute": given["compute"] | compute}))
    assert (tmp_path / "awake" / "metrics.jsonl").read_bytes() == (tmp_path / "asleep" / "metrics.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("g++"), reason="torch.compile needs a C++ compiler on a CPU")
@pytest.mark.filterwarnings("ignore")  # what torch's compiler says of itself
def test_a_compiled_model_learns_the_same(start, tmp_path):
    lines = []
    for name, compute in (("plain", {}), ("compiled", {"compile": True})):
        given = configuration(start, tmp_path / name, steps=1, sft=None)
        train(Config.of(given | {"compute": given["compute"] | compute}))
        lines.append(read_lines(tmp_path / name / "metrics.jsonl")[0])
    assert lines[0]["gradient"] > 0
    for fact in ("loss", "gradient", "entropy", "reward"):
        assert lines[1][fact] == pytest.approx(lines[0][fact], rel=1e-3, abs=1e-5), fact


def test_a_watch_hears_of_the_phases_also_of_a_run_that_goes_on(start, tmp_path):
    given = configuration(start, tmp_path / "run", steps=2, sft={"steps": 2, "batch": 2}, scoring={"workers": 0})
    first, again = Loudest(), Loudest()
    train(Config.of(given), first)
    train(Config.of(given), again)
    assert first.heard == [("sft", 2, 0), ("rl", 2, 0)]
    assert again.heard == [("rl", 2, 2)]
    shutil.rmtree(tmp_path / "run" / "checkpoints" / "1-rl-0000002")
    third = Loudest()
    train(Config.of(given), third)
    assert third.heard[-1][0] == "rl"


def tasks(**levels):
    return Config.of({"model": "m", "out": "o", "tasks": [{"names": ["chain_sum"], "levels": levels}, {"names": ["nim"]}]}).tasks


def test_levels_follow_the_solve_rate_and_survive_a_checkpoint():
    made = Curriculum(tasks(start=0.1, stride=0.05, band=[0.3, 0.7], sight=2, most=0.2), seed=0)
    moves = []
    for rate in (0.9, 0.9, 0.5, 0.6, 0.9, 0.9, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0):
        made.learn(0, made.arms[0].level, rate)
        moves.append(made.arms[0].level)
    assert moves == [0.1, 0.15, 0.15, 0.15, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.15, 0.15] or moves[-1] < 0.2
    assert max(moves) == 0.2
    assert moves[0] == 0.1
    # What was tried at another level than the present one says nothing about it.
    before = made.state()
    made.learn(0, 0.9, 1.0)
    made.learn(0, 0.9, 1.0)
    assert made.arms[0].level == before[made.arms[0].key]["level"]
    other = Curriculum(tasks(start=0.1, stride=0.05, band=[0.3, 0.7], sight=2, most=0.2), seed=0)
    other.restore(json.loads(json.dumps(made.state())))
    assert [other.choose(step, 5) for step in range(4)] == [made.choose(step, 5) for step in range(4)]


def test_weak_environments_are_drawn_more_often_and_all_by_their_weights_otherwise():
    even, weak = (Curriculum(tasks(start=0.0), seed=0, sampling=sampling) for sampling in ("even", "weakness"))
    for made in (even, weak):
        for _ in range(50):
            made.learn(0, 0.0, 0.5)
            made.learn(1, 0.5, 1.0)
    shares = [sum(place == 0 for step in range(200) for place, _ in made.choose(step, 5)) / 1000 for made in (even, weak)]
    assert 0.44 < shares[0] < 0.56
    assert shares[1] > 0.8
