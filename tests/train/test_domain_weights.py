"""Weights of families in SFT, from the gradient of a held-out loss after one step on the mixture."""

import dataclasses

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import small_model

from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.logging.progress import ProgressCallback
from rlgym.train.loop import train
from rlgym.train.run import Run
from rlgym.train.sft.data import SftData
from rlgym.train.sft.domain_weights import DomainWeights, _gradient
from rlgym.train.sft.train import run_sft
from rlgym.train.validate.config import check_config


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights") / "model"
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=512, loud=1.0)
    return folder


def config(start, out, steps=6, **changes):
    weights = {"every_steps": 2, "examples": 4, "lr": 0.5} | changes
    return Config.from_dict(
        {
            "model": str(start),
            "output_dir": str(out),
            "tasks": [{"names": ["chain_sum"]}, {"names": ["roman_numerals"]}],
            "steps": 0,
            "sft": {"steps": steps, "batch_size": 8, "lr": 3e-3, "warmup_steps": 0, "domain_weights": weights},
            "rollout": {"max_new_tokens": 4, "max_seq_len": 400, "group_size": 2, "groups_per_step": 1},
            "scoring": {"num_workers": 0},
            "evaluation": {"tasks_per_level": 1},
            "checkpoints": {"every_steps": 2},
            "compute": {"device": "cpu", "cpu_threads": 1, "peak_tflops": 1.0},
        }
    )


class Corrupted(SftData):
    """The labels of roman numerals are replaced by a text that answers nothing."""

    def _examples(self, *given):
        found = super()._examples(*given)
        nonsense = tuple(self.chat.response_tokens("zq zq zq zq zq"))
        return [self._broken(one, nonsense) if one.task.name == "roman_numerals" else one for one in found]

    @staticmethod
    def _broken(example, nonsense):
        prompt = example.tokens[: example.loss_mask.index(True)]
        return dataclasses.replace(example, tokens=prompt + nonsense, loss_mask=(False,) * len(prompt) + (True,) * len(nonsense))


def test_a_family_of_corrupted_labels_loses_its_weight(start, tmp_path):
    run = Run.open(config(start, tmp_path / "run", 24, held_out_names=["chain_sum"]))
    try:
        run_sft(run, ProgressCallback(), Corrupted(run.config, run.worker.chat, run.worker.settings))
    finally:
        run.close()
    last = read_lines(tmp_path / "run" / "metrics.jsonl")[-1]
    right, wrong = last["domain_weight/chain_sum"], last["domain_weight/roman_numerals"]
    assert right + wrong == pytest.approx(2)
    assert wrong < 0.5 < right


def test_an_update_is_the_cosine_with_the_held_out_gradient_after_one_step_and_leaves_the_model(start, tmp_path):
    run = Run.open(config(start, tmp_path / "run", held_out_names=["chain_sum"]))
    try:
        data = SftData(run.config, run.worker.chat, run.worker.settings)
        weights = DomainWeights(run, data)
        before = [weight.detach().clone() for weight in run.model.parameters()]
        batches = [data.family_batch(0, family, 4) for family in range(2)]
        assert [{example.task.name for example in batch} for batch in batches] == [{"chain_sum"}, {"roman_numerals"}]
        found = weights.moved(run, batches)
        assert all(torch.equal(old, weight) for old, weight in zip(before, run.model.parameters(), strict=True))
        parameters = list(run.model.parameters())
        own = [torch.cat([part.flatten() for part in _gradient(run, parameters, batch)]) for batch in batches]
        with torch.no_grad():
            torch.nn.utils.vector_to_parameters(
                torch.cat([weight.flatten() for weight in before]) - 0.1 * (own[0] + own[1]) / 2, parameters
            )
        after = torch.cat([part.flatten() for part in _gradient(run, parameters, weights.held_out)])
        cosines = [torch.cosine_similarity(after, one, 0) for one in own]
        wanted = torch.softmax(0.5 * torch.stack(cosines), 0) * 2
        assert found == pytest.approx(wanted.tolist(), abs=1e-4)
        assert found[0] > 1 > found[1]
    finally:
        run.close()


def test_families_count_by_their_shares_in_the_unrolled_step(start, tmp_path):
    given = config(start, tmp_path / "run", held_out_names=["chain_sum"], inner_lr=5.0)
    parts = [part.model_copy(update={"weight": weight}) for part, weight in zip(given.tasks, (3.0, 1.0), strict=True)]
    run = Run.open(given.model_copy(update={"tasks": parts}))
    try:
        data = SftData(run.config, run.worker.chat, run.worker.settings)
        assert data.shares == [0.75, 0.25]
        weights = DomainWeights(run, data)
        before = [weight.detach().clone() for weight in run.model.parameters()]
        batches = [data.family_batch(0, family, 4) for family in range(2)]
        data.weights = [1.5, 0.5]
        found = weights.moved(run, batches)
        parameters = list(run.model.parameters())
        own = [torch.cat([part.flatten() for part in _gradient(run, parameters, batch)]) for batch in batches]
        with torch.no_grad():
            step = 5.0 * (0.75 * 1.5 * own[0] + 0.25 * 0.5 * own[1]) / (0.75 * 1.5 + 0.25 * 0.5)
            torch.nn.utils.vector_to_parameters(torch.cat([weight.flatten() for weight in before]) - step, parameters)
        after = torch.cat([part.flatten() for part in _gradient(run, parameters, weights.held_out)])
        raised = torch.tensor([1.5, 0.5]) * torch.exp(0.5 * torch.stack([torch.cosine_similarity(after, one, 0) for one in own]))
        assert found == pytest.approx((raised / raised.mean()).tolist(), abs=1e-4)
    finally:
        run.close()


def test_held_out_environments_have_levels_and_knobs_of_their_own(start, tmp_path):
    """The first part of the tasks has knobs that another environment lacks, and levels that are not asked for here."""
    given = config(start, tmp_path / "run", held_out_names=["roman_numerals"])
    first = given.tasks[0].model_copy(update={"knobs": {"terms": 2}, "levels": [0.0, 0.1, 0.2]})
    run = Run.open(given.model_copy(update={"tasks": [first, given.tasks[1]]}))
    try:
        held_out = DomainWeights(run, SftData(run.config, run.worker.chat, run.worker.settings)).held_out
        assert {(example.task.name, example.task.level, tuple(example.task.knobs)) for example in held_out} == {("roman_numerals", 0.0, ())}
    finally:
        run.close()


def test_held_out_environments_are_checked_before_the_run(start, tmp_path):
    with pytest.raises(TrainError, match=r"sft.domain_weights.held_out_names: no environment or domain is called 'chain_sun'"):
        check_config(config(start, tmp_path / "run", held_out_names=["chain_sun"]))


class Killed(ProgressCallback):
    def on_step_end(self, name, done, metrics):
        if done == 5:
            raise KeyboardInterrupt


def test_a_killed_run_goes_on_with_its_weights(start, tmp_path):
    train(config(start, tmp_path / "whole"), ProgressCallback())
    with pytest.raises(KeyboardInterrupt):
        train(config(start, tmp_path / "killed"), Killed())
    train(config(start, tmp_path / "killed"), ProgressCallback())
    whole, killed = (read_lines(tmp_path / name / "metrics.jsonl") for name in ("whole", "killed"))
    assert whole == killed
    assert whole[-1]["domain_weight/chain_sum"] != whole[0]["domain_weight/chain_sum"]


def test_one_family_cannot_be_weighed(start, tmp_path):
    single = config(start, tmp_path / "run")
    single = single.model_copy(update={"tasks": single.tasks[:1]})
    with pytest.raises(TrainError, match=r"needs at least two, got \['chain_sum'\]"):
        train(single, ProgressCallback())
