"""Training on a file of rollouts: no response is sampled, and the ratio of the loss is that to the initial model."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import learned_from, logprobs
from train.small_models import small_model
from train.test_sft_rollouts import SUITE

from rlgym.evaluate.episodes.episode import EpisodeConfig
from rlgym.evaluate.models.base import Sampling
from rlgym.evaluate.models.builtin import BuiltinModel
from rlgym.evaluate.plan import EvaluationPlan
from rlgym.evaluate.run import evaluate
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.validate.algorithms import check_algorithms


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    small_model(folder / "model", num_layers=1, hidden_size=32, max_seq_len=600, loud=1.0)
    for kind in ("oracle", "mistake"):
        evaluate(EvaluationPlan(SUITE, BuiltinModel(kind, SUITE.rows), EpisodeConfig(Sampling())), folder / kind)
    return folder


def config(runs, out, kind="mistake", **more):
    given = {
        "model": str(runs / "model"),
        "output_dir": str(out),
        "tasks": [{"names": ["chain_sum"]}],
        "held_out_fraction": 0.1,
        "steps": 3,
        "rollout": {"groups_per_step": 4, "max_new_tokens": 40, "max_seq_len": 500, "recorded": str(runs / kind)},
        "algorithm": {"advantage": "signed", "loss": "topr"},
        "update": {"lr": 1e-2, "warmup_steps": 0, "old_logprobs": "rollout"},
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 1},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    for name, value in more.items():
        given[name] = {**given[name], **value} if isinstance(given.get(name), dict) else value
    return Config.from_dict(given)


def test_a_run_learns_from_the_file_alone(runs, tmp_path, monkeypatch):
    learned = learned_from(monkeypatch)
    sampled = []
    rollout = RolloutWorker.rollout
    monkeypatch.setattr(
        RolloutWorker, "rollout", lambda worker, tasks, *given, **more: sampled.append(tasks) or rollout(worker, tasks, *given, **more)
    )
    train(config(runs, tmp_path / "run"))
    assert all(task.split == "test" for tasks in sampled for task in tasks)  # the evaluations, and nothing else
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert len(lines) == 3
    assert all(line["solve_rate"] == 0 and line["grad_norm"] > 0 for line in lines)
    assert all(line["rollout_tokens"] == 0 for line in lines)
    # Every task once before any comes again.
    seeds = [episode.seed for given in learned for episode in given]
    count = len(set(seeds))
    assert len(set(seeds[: min(count, len(seeds))])) == min(count, len(seeds))
    # The source is the initial model, also in the last step.
    initial = load_model(runs / "model")
    for given in (learned[0], learned[-1]):
        found = [logprob for logprob, own in zip(given[0].logprobs, given[0].loss_mask, strict=True) if own]
        torch.testing.assert_close(torch.tensor(found), logprobs(initial, given[0]).detach(), atol=1e-4, rtol=1e-4)


def test_solve_rates_of_a_file_are_recorded_for_its_levels(runs, tmp_path):
    """Where the curriculum has a cell for each level, that of the responses is updated, and no other."""
    from rlgym.train.rollout.stored import stored_groups, stored_round
    from rlgym.train.run import Run

    level = 0.0
    chosen = {"names": ["chain_sum"], "levels": [0.7, level]}
    run = Run.open(config(runs, tmp_path / "run", tasks=[chosen], task_sampling="weak_cells"))
    try:
        assert [cell.levels for cell in run.curriculum.cells] == [(0.7,), (level,)]
        assert {group[0].task.level for group in stored_groups(run)} == {level}
        assert set(stored_round(run).cells) == {1}
    finally:
        run.close()


def test_right_responses_of_a_file_become_likelier_and_wrong_ones_do_not(runs, tmp_path):
    """TOPR imitates what is right, and tapers what is wrong as the policy leaves it."""
    changed = {}
    for kind in ("oracle", "mistake"):
        train(config(runs, tmp_path / kind, kind=kind, steps=6))
        changed[kind] = [line["logprob_diff"] for line in read_lines(tmp_path / kind / "metrics.jsonl")]
        assert changed[kind][-1] > changed[kind][0]
    rates = {kind: read_lines(tmp_path / kind / "metrics.jsonl")[0]["solve_rate"] for kind in changed}
    assert rates == {"oracle": 1, "mistake": 0}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"update": {"old_logprobs": "trainer"}}, r"set update.old_logprobs='rollout'"),
        ({"algorithm": {"filter_zero_std": True, "dynamic_sampling_rounds": 2}}, r"does not support algorithm.dynamic_sampling_rounds"),
        ({"algorithm": {"kl_coef": 0.01, "reference_reset_steps": 2}}, r"does not support algorithm.reference_reset_steps"),
        ({"algorithm": {"reward_shaping": {"consistency": {}}}}, r"does not support algorithm.reward_shaping"),
        ({"log": {"thoughts": True}}, r"does not support log.thoughts"),
    ],
)
def test_what_the_file_cannot_give_is_refused(runs, tmp_path, more, message):
    with pytest.raises(TrainError, match=message):
        check_algorithms(config(runs, tmp_path, **more))


def test_a_file_without_a_fitting_response_is_refused(runs, tmp_path):
    with pytest.raises(TrainError, match=r"rollout.recorded=.* none of \d+ rows is of a task for training of countdown"):
        train(config(runs, tmp_path / "run", tasks=[{"names": ["countdown"]}], rollout={"max_seq_len": 590}))
