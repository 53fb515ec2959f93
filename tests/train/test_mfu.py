"""The share of the device's best rate that training reaches: the operations, the best rate, and the share itself."""

import json

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model
from train.test_update import rollouts

from rlgym.train.ceiling import ceiling, measured
from rlgym.train.config import Config
from rlgym.train.loop import Clock
from rlgym.train.rounds import Gathered
from rlgym.train.update import Scorer, as_batch


def configuration(**compute):
    return Config.of({"model": "m", "out": "o", "tasks": [{"names": ["chain_sum"]}], "compute": compute})


def test_counted_operations_are_those_that_torch_counts(tmp_path):
    from torch.utils.flop_counter import FlopCounterMode

    model = small_model(tmp_path, layers=6, width=64)
    sequences = [list(range(5, 35 + length)) for length in (0, 4, 8, 9)]
    batch = as_batch(rollouts(sequences))
    scorer = Scorer(model, 1000)
    with FlopCounterMode(display=False) as counter:
        scorer.read(batch)
    read = scorer.work.flops
    assert counter.get_total_flops() == pytest.approx(read, rel=0.1)
    with FlopCounterMode(display=False) as counter:
        scorer.descend(batch, torch.where(batch.rollout_T < 2, 0.1, 0.0) * batch.mask_T, None)
    # Two of four rollouts are carried backwards: 64 of 141 tokens, at three times the operations of a forward pass.
    assert counter.get_total_flops() == pytest.approx(scorer.work.flops - read, rel=0.1)
    assert (scorer.work.flops - read) / read == pytest.approx(3 * 64 / 141, rel=0.02)


def test_the_best_rate_is_measured_once_and_may_be_given(tmp_path, monkeypatch):
    cpu = torch.device("cpu")
    found = ceiling(tmp_path, configuration(), cpu)
    assert 1e8 < found < 1e13
    assert json.loads((tmp_path / "ceiling.json").read_text())["flops_per_s"] == found
    calls = []
    monkeypatch.setattr("rlgym.train.ceiling.measured", lambda *given: calls.append(given) or 5.0)
    assert ceiling(tmp_path, configuration(), cpu) == found
    assert ceiling(tmp_path, configuration(peak_tflops=0.25), cpu) == 0.25e12
    assert not calls
    # In another type it is another rate.
    assert ceiling(tmp_path, configuration(dtype="bfloat16"), cpu) == 5.0
    (tmp_path / "ceiling.json").write_text("{")
    assert ceiling(tmp_path, configuration(), cpu) == 5.0
    assert len(calls) == 2


def test_a_rate_counts_every_operation_of_a_product(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr("rlgym.train.ceiling.time.perf_counter", lambda: next(clock))
    assert measured(torch.device("cpu"), torch.float32, size=10) == 2000.0


def test_the_rates_of_a_step():
    episodes = rollouts()
    for number, episode in enumerate(episodes):
        episode.said = [("user", "go"), ("assistant", "1")] + [("user", "more"), ("assistant", "2")] * (number == 3)
    clock = Clock(parts={"rollout": 0.5, "old": 1.0, "train": 3.0, "wait": 0.25})
    played = Gathered([0, 0], episodes, sampled=sum(episode.sampled for episode in episodes), seconds=2.0, judged=0.5)
    found = clock.rates(played, trained=100, flops=8e12, ceiling=1e13)
    # 28 tokens in all, of which the first of each rollout was not sampled.
    wanted = {"mfu": 0.2, "train_tflops": 2.0, "train_tokens_per_s": 25.0, "verdicts_per_s": 10.0, "rollout_tokens_per_s": 12.0}
    assert {name: found[name] for name in wanted} == pytest.approx(wanted)
    assert found["seconds"] == 4.75
    assert (found["seconds_playing"], found["seconds_wait"]) == (2.0, 0.25)
