"""The rollout engine's view of the policy against the trainer's: context, precision, and the first update."""

from dataclasses import replace
from math import log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.distributed.process_group import SINGLE_PROCESS
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.losses.mixed_policy import estimate_source
from rlgym.train.model.tokenizer import load_tokenizer
from rlgym.train.rollout.setup import make_worker


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("model")
    small_model(place, num_layers=1, hidden_size=32, max_seq_len=40_960)
    return place


def test_the_cache_of_the_engine_has_the_length_of_an_episode_and_not_of_the_model(folder):
    from rlgym.train.model.pretrained import load_model

    config = Config.from_dict(sums(folder, "out"))
    worker = make_worker(config, load_model(folder), load_tokenizer(folder), SINGLE_PROCESS, torch.device("cpu"))
    assert worker.engine.max_seq_len == config.rollout.max_seq_len == 250
    worker.engine.submit(0, [5, 6], worker_params())
    while worker.engine.pending:
        worker.engine.step()
    assert worker.engine._cache.cache.shape[-2] == 250


def worker_params():
    from rlgym.train.rollout.engines.base import SamplingParams

    return SamplingParams(2)


@pytest.mark.parametrize(("engine", "loss"), [("vllm", "pg_clip"), ("vllm", "cispo"), ("native", "pg_clip")])
def test_the_first_update_corrects_for_an_engine_that_differs_from_the_trainer(folder, tmp_path, monkeypatch, engine, loss):
    # This engine reports a log-probability of -1 for every token, whatever the trainer's is.
    knowing(monkeypatch, lambda request: answer(request.key % 2 == 0, request))
    more = {"rollout": {"engine": engine}, "update": {"old_logprobs": "rollout"}, "algorithm": {"loss": loss}}
    train(Config.from_dict(sums(folder, tmp_path / "run", steps=1, **more)))
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    # The native engine shares weights and precision with the trainer, so its log-probabilities are taken as they are.
    assert (line["ratio"] == 1) == (engine == "native")
    assert line["logprob_diff"] > 0.5


def test_a_cap_that_would_have_no_effect_is_refused(folder, tmp_path):
    given = sums(folder, tmp_path / "run", algorithm={"loss_options": {"tis_cap": 2.0}}, update={"old_logprobs": "rollout"})
    with pytest.raises(RlgymError, match=r"tis_cap or tis_floor has no effect with update\.old_logprobs='rollout'"):
        train(Config.from_dict(given))
    assert not (tmp_path / "run").exists()


def test_precision_follows_the_device_unless_it_is_set():
    compute = Config.from_dict(sums("m", "o")).compute
    assert (compute.dtype_on("cuda"), compute.dtype_on("cpu")) == ("bfloat16", "float32")
    fixed = compute.model_copy(update={"dtype": "float32"})
    assert fixed.dtype_on("cuda") == "float32"


def test_the_unknown_probability_of_the_oracle_is_estimated_for_multiple_importance_sampling(build):
    batch = build([1, 0], logprobs=[[log(1e-4), log(0.3)], [log(0.5)]], oracle=[True, False])
    batch = replace(batch, rollout_logprobs_T=batch.rollout_logprobs_T.where(~batch.oracle_N[batch.rollout_T], 0.0))
    oracle = {"oracle_fraction": 0.5, "oracle_loss_options": {"weighting": "multiple"}}
    estimated = estimate_source(batch, 1000, Config.from_dict(sums("m", "o", algorithm=oracle)))
    source = estimated.rollout_logprobs_T[batch.loss_mask_T].exp().tolist()
    assert source == pytest.approx([(1e-4 + 1e-3) / 2, (0.3 + 1e-3) / 2, 0.5])
    shaped = Config.from_dict(sums("m", "o", algorithm={"oracle_fraction": 0.5}))
    assert estimate_source(batch, 1000, shaped) is batch


def test_rare_tokens_of_the_oracle_weigh_most_in_a_run(folder, tmp_path, monkeypatch):
    from rlgym.train.losses.mixed_policy import MixedPolicyOptions, mixed_policy_loss

    weights = {}
    for chance in (1e-4, 1e-2, 0.3, 0.9):
        batch, new = one_oracle_token(chance)
        loss, _ = mixed_policy_loss(new, batch, torch.ones(1), no_loss, MixedPolicyOptions(weighting="multiple"))
        loss.backward()
        weights[chance] = -float(new.grad)
    assert weights[1e-4] > weights[0.3] > weights[0.9]
    assert weights[1e-2] > 1


def no_loss(new_logprobs_T, batch, advantage_T):
    return new_logprobs_T.sum() * 0, {}


def one_oracle_token(chance):
    from rlgym.train.data.batch import Batch

    old = torch.tensor([log(chance)])
    flags = {"valid_N": torch.tensor([True]), "truncated_N": torch.tensor([False]), "oracle_N": torch.tensor([True])}
    index = torch.zeros(1, dtype=torch.int64)
    batch = Batch(index, index, torch.tensor([True]), torch.zeros(1), old, torch.ones(1), index, **flags)
    config = Config.from_dict(sums("m", "o", algorithm={"oracle_fraction": 0.5, "oracle_loss_options": {"weighting": "multiple"}}))
    return estimate_source(batch, 50_000, config), old.clone().requires_grad_()


def test_a_penalty_is_a_mean_over_the_units_of_the_loss(folder, tmp_path, monkeypatch):
    # Of two rollouts one is five times as long: a mean over rollouts weighs its tokens less.
    from types import SimpleNamespace

    from rlgym.train.update.optimize import make_objective

    def gradient(aggregation, build):
        batch = build([1, 1], logprobs=[[-1.0], [-1.0] * 5], reference=[[-2.0], [-1.0] * 5], gaps=False)
        algorithm = {"kl_coef": 1.0, "loss_options": {"aggregation": aggregation}}
        run = SimpleNamespace(config=Config.from_dict(sums("m", "o", algorithm=algorithm)))
        new = batch.old_logprobs_T.clone().requires_grad_()
        total, _ = make_objective(run, batch, torch.zeros(6))(new, torch.zeros(6))
        total.backward()
        return float(new.grad[0])

    from train.conftest import _build

    per_token = 1 - 1 / torch.e
    assert gradient("token", _build) == pytest.approx(per_token / 6, rel=1e-4)
    assert gradient("rollout", _build) == pytest.approx(per_token / 2, rel=1e-4)
