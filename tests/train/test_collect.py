"""Which episodes a step learns from: further rounds in place of groups without a signal."""

import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model
from rlgym.train.rollout import collect


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32)
    return folder


def steps(out):
    return read_lines(out / "metrics.jsonl")


def last_weights(out):
    place = sorted((out / "checkpoints").glob("[0-9]-*"))[-1]
    return dict(load_model(place / "model").weights())


def same_to_the_bit(first, second):
    assert (first / "metrics.jsonl").read_bytes() == (second / "metrics.jsonl").read_bytes()
    mine, theirs = last_weights(first), last_weights(second)
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def cut_short(given, full, out):
    """A run that stops at the first checkpoint and is begun again there."""
    shutil.copytree(full, out)
    (out / "config.json").write_text(Config.from_dict(given).model_dump_json())
    for place in sorted((out / "checkpoints").glob("1-rl-*"))[1:]:
        shutil.rmtree(place)
    train(Config.from_dict(given))


def teaching(request):
    """Sums below 3 teach: half of the answers are right. Of the others all are wrong."""
    return answer(request.total < 3 and request.turn % 2 == 0, request)


def test_further_rounds_fill_a_step_with_groups_that_teach(model, tmp_path, monkeypatch):
    knowing(monkeypatch, teaching)
    offered = []
    gather = collect.collect_rollouts
    monkeypatch.setattr("rlgym.train.loop.collect_rollouts", lambda *given: offered.append(gather(*given)) or offered[-1])
    train(Config.from_dict(sums(model, tmp_path / "run", algorithm={"dynamic_sampling_rounds": 20}, steps=8)))
    surplus = 0
    for gathered, line in zip(offered, steps(tmp_path / "run"), strict=True):
        groups = collect.group_ids(gathered.offered)
        rewards = {group: [e.reward for e in gathered.sampled if e.group == group] for group in range(len(gathered.cells))}
        teach = [group for group, of in rewards.items() if len(set(of)) == 2]
        # The first three that teach, in the order in which they were drawn, and nothing is drawn once there are three.
        assert groups == teach[:3]
        surplus += len(teach) > 3
        assert len(gathered.offered) == 12
        assert line["groups_kept"] == 3
        assert line["groups_sampled"] == len(gathered.cells) == len(rewards)
        assert line["solve_rate"] == pytest.approx(0.5 * len(teach) / len(rewards))
        assert len({(e.task.name, e.task.index) for e in gathered.sampled}) == len(gathered.cells)
    assert any(line["sampling_rounds"] > 1 for line in steps(tmp_path / "run"))
    assert surplus


def test_rounds_end_where_the_limit_is_and_without_any_signal_nothing_is_learned(model, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(False, request))
    train(Config.from_dict(sums(model, tmp_path / "run", algorithm={"dynamic_sampling_rounds": 2}, steps=1)))
    (line,) = steps(tmp_path / "run")
    assert (line["sampling_rounds"], line["groups_sampled"], line["groups_kept"], line["updates"]) == (3, 9, 0, 0)
    before = dict(load_model(model).weights())
    assert all(torch.equal(weight, before[name]) for name, weight in last_weights(tmp_path / "run").items())


def test_a_first_round_that_is_full_draws_nothing_and_changes_nothing(model, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.turn % 2 == 0, request))
    for name, refill in (("without", 0), ("with", 5)):
        train(Config.from_dict(sums(model, tmp_path / name, algorithm={"dynamic_sampling_rounds": refill})))
    assert [line["sampling_rounds"] for line in steps(tmp_path / "with")] == [1, 1]
    mine, theirs = last_weights(tmp_path / "with"), last_weights(tmp_path / "without")
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def test_refilled_steps_go_on_to_the_bit(model, tmp_path, monkeypatch):
    # The engine's own answers depend on nothing but the prompt and the request.
    knowing(monkeypatch, lambda request: answer(request.total < 3 and request.key % 2 == 0, request))
    given = sums(model, tmp_path / "whole", algorithm={"dynamic_sampling_rounds": 4}, steps=3)
    train(Config.from_dict(given))
    cut_short({**given, "output_dir": str(tmp_path / "cut")}, tmp_path / "whole", tmp_path / "cut")
    same_to_the_bit(tmp_path / "whole", tmp_path / "cut")
    assert any(line["sampling_rounds"] > 1 for line in steps(tmp_path / "whole"))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"algorithm": {"dynamic_sampling_rounds": 1, "filter_zero_std": False}}, "filter_zero_std=true"),
        ({"algorithm": {"advantage": "reinforce_pp", "filter_zero_std": True}, "rollout": {"group_size": 1}}, "would drop every group"),
    ],
)
def test_what_cannot_be_left_out_or_refilled_is_refused(model, tmp_path, more, message):
    with pytest.raises(RlgymError, match=message):
        train(Config.from_dict(sums(model, tmp_path / "run", **more)))
    assert not (tmp_path / "run").exists()
