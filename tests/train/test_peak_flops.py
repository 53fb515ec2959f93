"""The share of the device's best rate that training reaches: the operations, the best rate, and the share itself."""

import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model
from train.test_update import rollouts

from rlgym.train.bench.peak_flops import measure_peak_flops, peak_flops
from rlgym.train.config.schema import Config
from rlgym.train.data.collate import collate
from rlgym.train.logging.timing import StepTimer
from rlgym.train.rollout.collect import CollectedRollouts
from rlgym.train.update.policy import PolicyForward


def configuration(**compute):
    return Config.from_dict({"model": "m", "output_dir": "o", "tasks": [{"names": ["chain_sum"]}], "compute": compute})


def test_counted_operations_are_those_that_torch_counts(tmp_path):
    from torch.utils.flop_counter import FlopCounterMode

    model = small_model(tmp_path, num_layers=6, hidden_size=64)
    sequences = [list(range(5, 35 + length)) for length in (0, 4, 8, 9)]
    batch = collate(rollouts(sequences))
    scorer = PolicyForward(model, 1000)
    with FlopCounterMode(display=False) as counter:
        scorer.forward(batch)
    read = scorer.counter.flops
    assert counter.get_total_flops() == pytest.approx(read, rel=0.1)
    with FlopCounterMode(display=False) as counter:
        scorer.backward(batch, torch.where(batch.rollout_T < 2, 0.1, 0.0) * batch.loss_mask_T, None)
    # Two of four rollouts are carried backwards: 64 of 141 tokens, at three times the operations of a forward pass.
    assert counter.get_total_flops() == pytest.approx(scorer.counter.flops - read, rel=0.1)
    assert (scorer.counter.flops - read) / read == pytest.approx(3 * 64 / 141, rel=0.02)


def test_the_best_rate_is_measured_once_and_may_be_given(tmp_path, monkeypatch):
    cpu = torch.device("cpu")
    found = peak_flops(tmp_path, configuration(), cpu)
    assert 1e8 < found < 1e13
    assert json.loads((tmp_path / "peak_flops.json").read_text())["flops_per_s"] == found
    calls = []
    monkeypatch.setattr("rlgym.train.bench.peak_flops.measure_peak_flops", lambda *given: calls.append(given) or 5.0)
    assert peak_flops(tmp_path, configuration(), cpu) == found
    assert peak_flops(tmp_path, configuration(peak_tflops=0.25), cpu) == 0.25e12
    assert not calls
    # In another type it is another rate.
    assert peak_flops(tmp_path, configuration(dtype="bfloat16"), cpu) == 5.0
    (tmp_path / "peak_flops.json").write_text("{")
    assert peak_flops(tmp_path, configuration(), cpu) == 5.0
    assert len(calls) == 2


def test_a_rate_counts_every_operation_of_a_product(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr("rlgym.train.bench.peak_flops.time.perf_counter", lambda: next(clock))
    assert measure_peak_flops(torch.device("cpu"), torch.float32, size=10) == 2000.0


def test_the_rates_of_a_step():
    episodes = rollouts()
    for number, episode in enumerate(episodes):
        episode.messages = [("user", "go"), ("assistant", "1")] + [("user", "more"), ("assistant", "2")] * (number == 3)
    clock = StepTimer(parts={"rollout": 0.5, "old_logprobs": 1.0, "train": 3.0, "wait": 0.25})
    tokens = sum(episode.num_sampled for episode in episodes)
    rollouts_ = CollectedRollouts([0, 0], episodes, num_tokens=tokens, seconds=2.0, scoring_seconds=0.5)
    found = clock.seconds() | rollouts_.times() | clock.training_rates(100, 8e12, 1e13)
    # 28 tokens in all, of which the first of each rollout was not sampled.
    expected = {"mfu": 0.2, "train_tflops": 2.0, "train_tokens_per_s": 25.0, "scores_per_s": 10.0, "rollout_tokens_per_s": 12.0}
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert found["seconds"] == 4.75
    assert (found["seconds_generation"], found["seconds_wait"]) == (2.0, 0.25)
