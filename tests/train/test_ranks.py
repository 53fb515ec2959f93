"""Several ranks train as one would: started by torchrun, on a CPU."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("httpx")

from safetensors.torch import load_file
from train.fake_vllm import FakeVllm
from train.small_models import small_model
from train.test_update import rollouts

from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.timing import StepTimer
from rlgym.train.loop import train
from rlgym.train.model.packing import balance_lengths
from rlgym.train.model.prefix_sharing import plan_micro_batches, shared_prefix_lengths
from rlgym.train.model.pretrained import load_model
from rlgym.train.run import Run
from rlgym.train.update.optimize import update_policy

# Seen once in some hundreds of runs: torch's own threads end a rank with this, without a frame of ours. Nothing else is tried again.
torchrun = pytest.mark.flaky(reruns=1, only_rerun=["terminate called without an active exception"])

KEPT = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl")
PROGRAM = """
import json, os, sys
from pathlib import Path
from rlgym.train.config.schema import Config
from rlgym.train.loop import train
if len(sys.argv) > 2:
    Path(sys.argv[2], "rank-" + os.environ["RANK"]).write_text(str(os.getpid()))
if __name__ == "__main__":
    train(Config.from_dict(json.loads(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=2, hidden_size=48, max_seq_len=1600, loud=1.0)
    return folder


def configuration(start, out, **more):
    given = {
        "model": str(start),
        "output_dir": str(out),
        "seed": 1,
        "tasks": [
            {
                "names": ["chain_sum"],
                "levels": {"start_level": 0.0, "max_level": 0.3, "step_size": 0.02, "window": 2, "solve_rate_band": [0.0, 0.5]},
            }
        ],
        "steps": 5,
        "sft": {"steps": 2, "batch_size": 5, "warmup_steps": 2},
        "rollout": {"groups_per_step": 4, "group_size": 3, "max_new_tokens": 24, "max_seq_len": 400, "engine_options": {"max_num_seqs": 6}},
        "update": {"lr": 1e-3, "warmup_steps": 2, "tokens_per_micro_batch": 500, "num_minibatches": 2},
        "algorithm": {
            "kl_coef": 0.01,
            "entropy_coef": 0.001,
            "filter_zero_std": False,
            "advantage": "dr_grpo",
            "reward_shaping": {"format_bonus": {"amount": 0.1}},
        },
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 3},
        "checkpoints": {"every_steps": 2},
        "compute": {"device": "cpu", "cpu_threads": 1, "dist_timeout_seconds": 60},
    }
    return given | more


def begun(program, *arguments, ranks=2):
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}", str(program), *arguments]
    settings = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command, start_new_session=True, env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def ended(process, seconds=150):
    """The exit code and what was said; the whole session is ended with it."""
    try:
        output, _ = process.communicate(timeout=seconds)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, output


def weights_of(run):
    place = sorted((run / "checkpoints").glob("[0-9]-*"))[-1]
    return place.name, dict(load_model(place / "model").weights())


UPDATES = """
import json, os, sys
from pathlib import Path
from safetensors.torch import save_file
sys.path.insert(0, sys.argv[1])
from train.test_ranks import updated
from rlgym.train.config.schema import Config
if __name__ == "__main__":
    for name, given in json.loads(sys.argv[2]).items():
        weights, facts = updated(Config.from_dict(given))
        if os.environ["RANK"] == "0":
            save_file(weights, Path(sys.argv[3]) / f"{name}.safetensors")
            (Path(sys.argv[3]) / f"{name}.json").write_text(json.dumps(facts))
"""


def updated(config):
    """The weights after two steps' updates from given episodes, and the metrics of the last."""
    run = Run.open(config)
    run.step = 5
    for _ in range(2):
        facts = update_policy(run, rollouts(), StepTimer())
    weights = {name: weight.clone() for name, weight in run.weights()}
    run.process_group.shutdown()
    run.close()
    return weights, facts


@pytest.mark.slow
@torchrun
def test_two_ranks_make_the_update_of_one(start, tmp_path):
    """The four rollouts are of very different lengths, so that the ranks have different numbers of passes."""
    algorithms = {
        "many": {"advantage": "dr_grpo", "kl_coef": 0.1, "entropy_coef": 0.01},
        "one": {"loss": "gspo", "entropy_top_fraction": 0.5, "advantage": "reinforce_pp"},
        "rounded": {"advantage": "dr_grpo"},
    }
    given = {}
    for name, algorithm in algorithms.items():
        given[name] = configuration(start, tmp_path / name, algorithm=algorithm, sft=None)
        given[name]["update"] |= {"tokens_per_micro_batch": 420, "num_minibatches": 1}
    given["one"]["compute"] |= {"gradient_checkpointing": True}
    given["rounded"]["compute"] |= {"dtype": "bfloat16"}
    program = tmp_path / "program.py"
    program.write_text(UPDATES)
    code, output = ended(begun(program, str(Path(__file__).parents[1]), json.dumps(given), str(tmp_path)))
    assert code == 0, output
    before = dict(load_model(start).weights())
    for name in algorithms:
        item, facts = updated(Config.from_dict(given[name] | {"output_dir": str(tmp_path / f"{name} alone")}))
        two = load_file(tmp_path / f"{name}.safetensors")
        assert sum(float((item[weight] - before[weight]).abs().max()) > 1e-4 for weight in item) > len(item) / 2
        found = json.loads((tmp_path / f"{name}.json").read_text())
        assert facts["grad_norm"] > 0
        if name == "rounded":
            # What bfloat16 leaves of a gradient decides the way of a first step, but not its size.
            assert found["grad_norm"] == pytest.approx(facts["grad_norm"], rel=0.05)
            assert found["entropy"] == pytest.approx(facts["entropy"], rel=0.01)
            assert {weight.dtype for weight in two.values()} == {torch.float32}
            continue
        for weight in item:
            # Two steps of 1e-3: what the order of a sum leaves in a gradient near zero, Adam divides by a number as small.
            torch.testing.assert_close(two[weight], item[weight], atol=1e-5, rtol=0)
        assert found == pytest.approx(facts, abs=1e-5)


def small(start, out, **more):
    return configuration(start, out, sft={"steps": 2, "batch_size": 5, "warmup_steps": 2}, **more)


@pytest.mark.slow
@torchrun
def test_two_ranks_play_and_learn_what_one_does_and_write_it_once(start, tmp_path):
    given = small(start, tmp_path / "two")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    code, output = ended(begun(program, json.dumps(given)))
    assert code == 0, output
    train(Config.from_dict(given | {"output_dir": str(tmp_path / "one")}))
    lines, expected = (read_lines(tmp_path / name / "metrics.jsonl") for name in ("two", "one"))
    assert [line["step"] for line in lines] == [1, 2, 1, 2, 3, 4, 5]
    for line, second in zip(lines, expected, strict=True):
        assert {name: value for name, value in line.items() if isinstance(value, float)} == pytest.approx(
            {name: value for name, value in second.items() if isinstance(value, float)}, abs=1e-4
        )
    for name in ("evaluations.jsonl", "transcripts.jsonl"):
        assert read_lines(tmp_path / "two" / name) == read_lines(tmp_path / "one" / name)
    (name, two), (other_name, first) = weights_of(tmp_path / "two"), weights_of(tmp_path / "one")
    assert name == other_name
    for weight in first:
        torch.testing.assert_close(two[weight], first[weight], atol=1e-4, rtol=0)
    # What two have left, one goes on with, and the optimizer's state with it.
    train(Config.from_dict(given | {"checkpoints": {"every_steps": 3}}))
    state = [torch.load(tmp_path / name / "checkpoints" / other_name / "state.pt")["optimizer"]["state"] for name in ("two", "one")]
    assert len(state[0]) == len(state[1]) > 10
    for place, entry in state[1].items():
        for key, value in entry.items():
            torch.testing.assert_close(state[0][place][key], value, atol=1e-4, rtol=0)


@pytest.mark.slow
@torchrun
def test_ranks_share_servers_and_the_first_gives_them_the_weights(start, tmp_path):
    fakes = [FakeVllm(context=400) for _ in range(2)]
    given = configuration(start, tmp_path / "run", sft=None, steps=3)
    given["rollout"] |= {"engine": "vllm", "async_steps": 1, "engine_options": {"urls": [fake.url for fake in fakes], "max_num_seqs": 4}}
    given["algorithm"] |= {"loss_options": {"tis_cap": 2.0}}
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    code, output = ended(begun(program, json.dumps(given)))
    assert code == 0, output
    place = sorted((tmp_path / "run" / "checkpoints").glob("[0-9]-*"))[-1]
    trained, untrained = (
        float(next(iter(load_file(model / "model.safetensors").values())).flatten()[0]) for model in (place / "model", start)
    )
    assert trained != untrained
    assert [fake.weights for fake in fakes] == [trained, trained]
    # Three steps of 4 groups of 3; before and after, 3 held-out tasks at the lowest and 3 at the highest level.
    request = [set(fake.asked) for fake in fakes]
    assert sum(len(fake.asked) for fake in fakes) == 3 * 4 * 3 + 2 * 2 * 3
    assert all(request)
    assert [line["staleness"] for line in read_lines(tmp_path / "run" / "metrics.jsonl")] == [0, 1, 1]
    for fake in fakes:
        fake.http.shutdown()
        fake.http.server_close()


@pytest.mark.slow
@torchrun
def test_a_rank_that_dies_ends_the_others_and_all_go_on_to_the_bit(start, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    for name in ("whole", "killed"):
        given = small(start, tmp_path / name)
        given["rollout"] |= {"async_steps": 1}
        given["algorithm"] |= {"loss_options": {"tis_cap": 2.0}}
        process = begun(program, json.dumps(given), str(tmp_path))
        if name == "killed":
            file = tmp_path / name / "metrics.jsonl"
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline:
                if file.exists() and len(file.read_bytes().splitlines()) >= 5:
                    break
                time.sleep(0.002)
            assert process.poll() is None
            ranks = [int((tmp_path / f"rank-{rank}").read_text()) for rank in range(2)]
            os.kill(ranks[1], signal.SIGKILL)
            died = time.monotonic()
            code, output = ended(process, 60)
            assert code != 0, output
            assert time.monotonic() - died < 45
            assert not any(Path(f"/proc/{pid}").exists() for pid in ranks)
            assert not (tmp_path / name / "checkpoints" / "1-rl-0000005").exists()
            process = begun(program, json.dumps(given), str(tmp_path))
        code, output = ended(process)
        assert code == 0, output
    for name in KEPT:
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    (_, first), (_, second) = weights_of(tmp_path / "whole"), weights_of(tmp_path / "killed")
    assert all(torch.equal(first[weight], second[weight]) for weight in first)


def test_work_is_shared_out_evenly_and_one_prompt_is_not_parted():
    lengths = [90, 10, 20, 30, 40, 50, 60]
    assert balance_lengths(lengths, 3) == [[0, 2], [1, 3, 6], [4, 5]]
    sequences = [[number] * length for number, length in enumerate(lengths)]
    found = plan_micro_batches(sequences, [1] * 7, 90, 3)
    assert sorted(number for plan in found for members in plan for family in members for number in family) == list(range(7))
    assert all(sum(lengths[number] for family in members for number in family) <= 90 for plan in found for members in plan)
    # Three answers to one prompt lie on one rank, with the prompt once; the other prompt's is on the other.
    answers = [[5, 6, 7, 1], [5, 6, 7, 2], [8, 9, 1, 1], [5, 6, 7, 3]]
    found = plan_micro_batches(answers, [3, 3, 3, 3], 90, 2)
    assert sorted(found) == [[[[0, 1, 3]]], [[[2]]]]
    assert shared_prefix_lengths([members for plan in found for members in plan], [3, 3, 3, 3]) == [0, 3, 0, 3]
