"""Several ranks train as one would: started by torchrun, on a CPU."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.train.metrics import read_lines
from rlgym.train.model import load_model
from rlgym.train.team import Team, evenly

KEPT = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl")
PROGRAM = """
import json, sys
from rlgym.train.config import Config
from rlgym.train.loop import train
if __name__ == "__main__":
    train(Config.of(json.loads(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, layers=2, width=48, context=1600, loud=1.0)
    return folder


def configuration(start, out, **more):
    given = {
        "model": str(start),
        "out": str(out),
        "seed": 1,
        "tasks": [{"names": ["chain_sum"], "levels": {"start": 0.0, "stride": 0.02, "sight": 2, "band": [0.0, 0.5]}}],
        "steps": 5,
        "sft": {"steps": 2, "batch": 5, "warmup": 2},
        "rollout": {"groups": 4, "group": 3, "tokens": 24, "context": 400, "options": {"rows": 6}},
        "update": {"lr": 1e-3, "warmup": 2, "tokens": 500, "minibatches": 2},
        "algorithm": {
            "kl": 0.01,
            "entropy": 0.001,
            "skip_dead": False,
            "advantage": "dr_grpo",
            "shaping": {"readable_bonus": {"amount": 0.1}},
        },
        "scoring": {"workers": 0},
        "evaluation": {"tasks": 3},
        "checkpoints": {"every": 2},
        "compute": {"device": "cpu", "threads": 1, "patience": 60},
    }
    return given | more


def begun(program, *arguments, ranks=2):
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}", str(program), *arguments]
    settings = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, start_new_session=True, env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def ended(process, seconds=150):
    """The exit code and what was said; the whole session is ended with it."""
    try:
        said, _ = process.communicate(timeout=seconds)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, said


def train_on(folder, given, ranks=2):
    program = folder / "program.py"
    program.write_text(PROGRAM)
    code, said = ended(begun(program, json.dumps(given), ranks=ranks))
    assert code == 0, said
    return said


def ranks_of(process):
    """The process ids of the ranks that a torchrun has started."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout
    return [int(pid) for pid in found.split()]


def weights_of(run):
    place = sorted((run / "checkpoints").glob("[0-9]-*"))[-1]
    return place.name, dict(load_model(place / "model").weights())


UPDATE = """
import sys
import torch
from safetensors.torch import save_file
sys.path.insert(0, sys.argv[1])
from train.test_update import rollouts
from rlgym.train.config import Config
from rlgym.train.loop import Clock, learn
from rlgym.train.run import Run
import json
if __name__ == "__main__":
    run = Run.open(Config.of(json.loads(sys.argv[2])))
    run.step = 5
    for _ in range(2):
        facts = learn(run, rollouts(), Clock())
    weights = {name: weight.clone() for name, weight in run.weights()}
    if run.team.leads:
        save_file(weights, sys.argv[3] + "/weights.safetensors")
        print("FACTS", json.dumps(facts))
    run.team.leave()
    run.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [{"advantage": "dr_grpo", "kl": 0.1, "entropy": 0.01}, {"loss": "gspo", "forks": 0.5}])
def test_two_ranks_make_the_update_of_one(start, tmp_path, algorithm):
    """The four rollouts are of very different lengths, so that the two ranks have different numbers of passes."""
    from pathlib import Path

    from safetensors.torch import load_file

    program = tmp_path / "program.py"
    program.write_text(UPDATE)
    found = []
    for ranks in (1, 2):
        out = tmp_path / str(ranks)
        given = configuration(start, out / "run", algorithm=algorithm, sft=None)
        given["update"] |= {"tokens": 420, "minibatches": 1}
        out.mkdir()
        code, said = ended(begun(program, str(Path(__file__).parents[1]), json.dumps(given), str(out), ranks=ranks))
        assert code == 0, said
        facts = json.loads(next(line for line in said.splitlines() if line.startswith("FACTS"))[5:])
        found.append((load_file(out / "weights.safetensors"), facts))
    (one, facts), (two, other_facts) = found
    before = dict(load_model(start).weights())
    assert sum(float((one[name] - before[name]).abs().max()) > 1e-4 for name in one) > len(one) / 2
    for name in one:
        torch.testing.assert_close(two[name], one[name], atol=1e-6, rtol=0)
    assert facts["gradient"] > 0
    assert other_facts == pytest.approx(facts, abs=1e-5)


def test_work_is_shared_out_evenly_and_every_rank_has_as_many_passes():
    lengths = [90, 10, 20, 30, 40, 50, 60]
    shares = [[index for index in part] for part in evenly(lengths, 3)]
    assert sorted(index for part in shares for index in part) == list(range(7))
    assert max(sum(lengths[index] for index in part) for part in shares) == 100
    passes = [Team(rank, 3).passes(lengths, 90) for rank in range(3)]
    assert len({len(mine) for mine in passes}) == 1
    assert sorted(index for mine in passes for pack in mine for index in pack) == list(range(7))
    assert all(sum(lengths[index] for index in pack) <= 90 for mine in passes for pack in mine)
    # One sequence for three ranks: two of them go along with nothing.
    assert [Team(rank, 3).passes([7], 90) for rank in range(3)] == [[[0]], [[]], [[]]]
