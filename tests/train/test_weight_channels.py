"""Weights through shared memory and through files, to processes that read them."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import shared_memory

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import by_hand, small_model

from rlgym.train.rollout.engines.group_channel import GroupChannel, receive
from rlgym.train.rollout.engines.weight_channels import SharedMemoryChannel, choose_channel, is_local, read_shared

GIVEN = [[[3, 20, 4], [40, 41, 42]], [[3], [50, 51]]]
ENGINE = """
import json, sys
from pathlib import Path
from rlgym.train.model.pretrained import load_model
from rlgym.train.rollout.engines.base import Continuation
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.engines.group_channel import receive
from rlgym.train.rollout.engines.weight_channels import read_shared
from safetensors.torch import load_file

engine = NativeEngine(load_model(Path(sys.argv[1])), 4, 64)
given = [Continuation(tuple(prefix), tuple(tokens)) for prefix, tokens in json.loads(sys.argv[2])]
for line in sys.stdin:
    written = json.loads(line)
    sources = {"group": receive, "shared": read_shared, "file": lambda file: load_file(file).items()}
    (weights,) = (sources[kind](where) for kind, where in written.items())
    engine.update_weights(weights, 1)
    print(json.dumps(engine.score(given)), flush=True)
"""


@pytest.mark.parametrize("weights_dir", [None, "folder"])
def test_an_engine_in_another_process_scores_as_the_trainer_after_every_update(tmp_path, weights_dir):
    small_model(tmp_path / "start")
    (tmp_path / "folder").mkdir()
    channel = choose_channel(["http://127.0.0.1:1"], weights_dir and tmp_path / weights_dir)
    assert isinstance(channel, SharedMemoryChannel) == (weights_dir is None)
    command = [sys.executable, "-c", ENGINE, str(tmp_path / "start"), json.dumps(GIVEN)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    names = []
    for seed in (11, 12, 13):
        model = small_model(tmp_path / str(seed), seed=seed)
        written = channel.write(model.weights())
        names.append(written.get("shared", {}).get("name"))
        process.stdin.write(json.dumps(written) + "\n")
        process.stdin.flush()
        for (prefix, tokens), scores in zip(GIVEN, json.loads(process.stdout.readline()), strict=True):
            assert scores == pytest.approx(by_hand(model, prefix + tokens)[len(prefix) - 1 :].tolist(), abs=1e-5)
    assert len(set(names)) == 1  # the block is written again, not created again
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "leaked" not in errors
    # The reader has ended, and the block is there until the writer frees it.
    if weights_dir is None:
        assert dict(read_shared(written["shared"]))
    channel.close()
    if weights_dir is None:
        with pytest.raises(FileNotFoundError):
            shared_memory.SharedMemory(names[0])


def test_types_shapes_and_values_survive_and_the_value_head_stays_with_the_trainer():
    weights = [
        ("half", torch.tensor([[1.5, -2.25]], dtype=torch.bfloat16)),
        ("none", torch.zeros(0, 3)),
        ("value_head.weight", torch.ones(1, 2)),
        ("column", torch.arange(6.0).view(2, 3).t()),
    ]
    channel = SharedMemoryChannel()
    found = dict(read_shared(json.loads(json.dumps(channel.write(weights)))["shared"]))
    assert list(found) == ["half", "none", "column"]
    for name, weight in weights:
        if name in found:
            assert found[name].dtype == weight.dtype
            assert torch.equal(found[name], weight)
    # Other shapes get another block.
    first = channel._memory.name
    again = channel.write([("half", torch.ones(3))])
    assert again["shared"]["name"] != first
    assert torch.equal(dict(read_shared(again["shared"]))["half"], torch.ones(3))
    channel.close()


def test_which_servers_are_on_this_machine():
    assert is_local("http://127.0.0.1:8000")
    assert is_local("http://localhost:8000")
    assert not is_local("http://192.0.2.1:8000")  # reserved for documentation
    assert not is_local("http://no-such-host.invalid:8000")


def test_tensors_outlive_the_blocks_that_they_were_read_from():
    """They would be read from unmapped memory otherwise, which ends the process."""
    first, second = SharedMemoryChannel(), SharedMemoryChannel()
    kept = dict(read_shared(first.write([("w", torch.full((4096,), 3.0))])["shared"]))["w"]
    first.close()
    assert dict(read_shared(second.write([("w", torch.ones(2))])["shared"]))["w"].tolist() == [1, 1]
    second.close()
    assert kept.sum() == 3 * 4096


def test_threads_read_a_block_at_once():
    blocks = [SharedMemoryChannel() for _ in range(2)]
    written = [block.write([("w", torch.full((512,), float(number)))])["shared"] for number, block in enumerate(blocks)]
    with ThreadPoolExecutor(8) as pool:
        sums = list(pool.map(lambda turn: float(dict(read_shared(written[turn % 2]))["w"].sum()), range(400)))
    assert sums == [512.0 * (turn % 2) for turn in range(400)]
    for block in blocks:
        block.close()


def test_engines_in_two_processes_receive_the_weights_of_a_process_group(tmp_path):
    small_model(tmp_path / "start")
    channel = choose_channel(["http://127.0.0.1:1"], None, workers=2, weights_host="127.0.0.1")
    command = [sys.executable, "-c", ENGINE, str(tmp_path / "start"), json.dumps(GIVEN)]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for seed in (11, 12):
        model = small_model(tmp_path / str(seed), seed=seed)
        written = channel.write(model.weights())
        assert set(written) == {"group"}
        for process in processes:
            process.stdin.write(json.dumps(written) + "\n")
            process.stdin.flush()
        for process in processes:
            for (prefix, tokens), scores in zip(GIVEN, json.loads(process.stdout.readline()), strict=True):
                assert scores == pytest.approx(by_hand(model, prefix + tokens)[len(prefix) - 1 :].tolist(), abs=1e-5)
        channel.finish()
    channel.close()
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0


def test_a_worker_that_does_not_come_is_an_error_within_the_time_limit():
    channel = GroupChannel(1, "127.0.0.1", seconds=0.5)
    channel.write([("w", torch.ones(2))])
    with pytest.raises(RuntimeError, match=r"did not reach all of 1 workers .*rollout\.engine_options\.workers"):
        channel.finish()


def test_a_process_group_keeps_types_and_shapes_and_leaves_the_value_head_out():
    channel = GroupChannel(1, "127.0.0.1")
    given = [
        ("half", torch.tensor([[1.5, -2.25]], dtype=torch.bfloat16)),
        ("none", torch.zeros(0, 3)),
        ("value_head.weight", torch.ones(1)),
    ]
    given.append(("column", torch.arange(6.0).view(2, 3).t()))
    found = dict(receive(json.loads(json.dumps(channel.write(given)))["group"]))
    channel.finish()
    assert list(found) == ["half", "none", "column"]
    for name, weight in given:
        if name in found:
            assert found[name].dtype == weight.dtype
            assert torch.equal(found[name], weight)
