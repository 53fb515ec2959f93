"""Which episodes of a step go together, in real runs: more for hard tasks, pairs, bundles."""

import shutil

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import alike, answer, knowing, logprobs, note, sums
from train.small_models import small_model

from rlgym.core.errors import RlgymError
from rlgym.train.advantages.bundles import assign_bundles
from rlgym.train.advantages.set_based import MvarOptions, QuantileTracker
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.pretrained import load_model

FREE = {"loss_options": {"clip_low": 1.0, "clip_high": 100.0}}
MVAR = FREE | {"advantage": "mvar", "advantage_options": {"bundle_size": 2}, "filter_zero_std": False}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "start"
    small_model(folder, num_layers=1, hidden_size=32, loud=1.0)
    return folder


@pytest.fixture
def noted(monkeypatch):
    return note(monkeypatch)


def by_group(episodes):
    groups = {}
    for episode in episodes:
        groups.setdefault(episode.group, []).append(episode)
    return groups


def test_hard_tasks_get_more_rollouts(model, tmp_path, monkeypatch, noted):
    # By member of a group of four: all right, half right, one right, none right.
    rights = {0: 4, 1: 2, 2: 1, 3: 0}
    knowing(monkeypatch, lambda request: answer(request.key % 4 < rights[request.key // 4 % 4], request))
    rollout = {"groups_per_step": 4}
    train(
        Config.from_dict(sums(model, tmp_path / "run", algorithm={"max_group_size": 9, "filter_zero_std": False}, rollout=rollout, steps=1))
    )
    (step,) = noted[0]
    groups = by_group(step.offered)
    # 4 / (4 * 1/4 * 3/4) is 5.3, rounded up to 6; the task that was never solved gets all that may be.
    assert {group: len(episodes) for group, episodes in groups.items()} == {0: 4, 1: 4, 2: 6, 3: 9}
    for episodes in groups.values():
        assert len({tuple(e.tokens[: e.loss_mask.index(True)]) for e in episodes}) == 1
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    # Solve rates are those of the first rollouts: of all, the hard tasks would weigh more.
    assert (line["extra_rollouts"], line["solve_rate"]) == (7, 7 / 16)
    assert len(step.sampled) == 16


def test_only_pairs_of_a_hard_and_an_easy_task_are_learned_from(model, tmp_path, monkeypatch, noted):
    rights = {0: 1, 1: 3, 2: 1, 3: 4, 4: 0, 5: 2}
    knowing(monkeypatch, lambda request: answer(request.key % 4 < rights[request.key // 4], request))
    algorithm = {"pair_tasks": True, "advantage": "weighted_grpo"}
    train(Config.from_dict(sums(model, tmp_path / "run", algorithm=algorithm, rollout={"groups_per_step": 6}, steps=1)))
    (step,) = noted[0]
    found = set(by_group(step.offered))
    # One easy task is there, so that there is one pair: with it the hardest, which two tasks are alike.
    assert found in ({0, 1}, {2, 1})
    assert read_lines(tmp_path / "run" / "metrics.jsonl")[0]["task_pairs"] == 1


def test_bundles_add_up_rollouts_of_tasks_and_leave_out_what_is_not_whole(build):
    batch = build([1, 1, 0, 1, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1, 2, 2])
    seen = set()
    for seed in range(20):
        bundled = assign_bundles(batch, 2, seed)
        names, kept = bundled.bundle_N.tolist(), bundled.valid_N.tolist()
        pairs = {}
        for place, name in enumerate(names):
            pairs.setdefault(name, []).append(place)
        full = sorted(tuple(places) for places in pairs.values() if len(places) == 2)
        groups = {tuple(batch.group_N[list(places)].tolist()) for places in full}
        assert len(groups) == 1
        seen |= groups
        # The i-th of one with the i-th of the other; task 2 has two rollouts only, so that two bundles are whole with it.
        assert len(full) == (3 if groups == {(0, 1)} else 2)
        assert [place for place, valid in enumerate(kept) if valid] == sorted(place for places in full for place in places)
    assert seen == {(0, 1), (0, 2), (1, 2)}


def test_a_run_on_bundles_learns_what_they_say_by_hand(model, tmp_path, monkeypatch, noted):
    rights = {0: 1, 1: 3, 2: 2}
    knowing(monkeypatch, lambda request: answer(request.key % 4 < rights[request.key // 4], request))
    algorithm = MVAR | {"advantage_options": {"bundle_size": 2, "tracked_quantiles": [0.5, 1.5], "tail_weight": 2.0}}
    train(Config.from_dict(sums(model, tmp_path / "run", algorithm=algorithm, steps=1)))
    groups = by_group(noted[0][0].offered)
    gradients = noted[1][0]
    # Which two of the three tasks were dealt together, only their gradient tells: it is that of exactly one pair.
    fits = []
    for pair in ((0, 1), (0, 2), (1, 2)):
        network, loss = load_model(model), 0.0
        members = list(zip(groups[pair[0]], groups[pair[1]], strict=True))
        count = sum(episode.num_sampled for both in members for episode in both)
        for both in members:
            total = sum(episode.reward for episode in both)
            tail = -max(0.5 - total, 0) / 0.2
            middle = (max(total - 0.5, 0) - max(total - 1.5, 0) + 0.5 - 1.5) / 0.7
            for episode in both:
                new = logprobs(network, episode)
                loss = loss - (2 * tail + middle) / 3 * (new - new.detach()).exp().sum() / count
        loss.backward()
        try:
            alike(gradients, network)
            fits.append(pair)
        except AssertionError:
            continue
    assert len(fits) == 1


def test_quantiles_follow_the_steps_and_survive_a_checkpoint(model, tmp_path, monkeypatch):
    knowing(monkeypatch, lambda request: answer(request.total % 3 == 0, request))
    algorithm = MVAR | {"quantile_lr": 0.5}
    given = sums(model, tmp_path / "whole", algorithm=algorithm, rollout={"groups_per_step": 4}, steps=3)
    train(Config.from_dict(given))
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    given["output_dir"] = str(tmp_path / "cut")
    (tmp_path / "cut" / "config.json").write_text(Config.from_dict(given).model_dump_json())
    for step in (2, 3):
        shutil.rmtree(tmp_path / "cut" / "checkpoints" / f"1-rl-000000{step}")
    train(Config.from_dict(given))
    for file in ("metrics.jsonl", "checkpoints/1-rl-0000003/state.json"):
        assert (tmp_path / "cut" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    states = [(tmp_path / "whole" / "checkpoints" / f"1-rl-000000{step}" / "state.json").read_text() for step in (1, 2, 3)]
    assert len(set(states)) == 3


def test_quantiles_begin_where_the_first_batch_has_them(build):
    batch = build([0, 1, 1, 1], [0, 1, 2, 3], bundles=[0, 0, 1, 1])
    options = MvarOptions(low_quantile=0.2, high_quantile=0.9, bundle_size=2)
    follower = QuantileTracker()
    # Bundle scores 1 and 2, at levels 0.2 and 0.9; then each moves by half of its level less the share of scores below it.
    assert follower.update(batch, options, 0.5).tracked_quantiles == pytest.approx((1.2, 1.9))
    assert follower.values == pytest.approx((1.2 + 0.5 * (0.2 - 0.5), 1.9 + 0.5 * (0.9 - 0.5)))
    assert follower.update(batch, options, 0.5).tracked_quantiles == pytest.approx((1.05, 2.1))


@pytest.mark.parametrize(
    ("algorithm", "more", "message"),
    [
        ({"advantage": "pass_at_k", "advantage_options": {"k": 5}}, {}, "at least k=5"),
        ({"max_group_size": 4}, {}, "does not exceed rollout.group_size=4"),
        ({"pair_tasks": True}, {"rollout": {"groups_per_step": 1}}, "needs two groups"),
        ({"pair_tasks": True}, {"update": {"num_minibatches": 2}}, "minibatches=1"),
        (MVAR | {"filter_zero_std": True}, {}, "filter_zero_std=false"),
        (MVAR | {"advantage_options": {"bundle_size": 4}}, {}, "a bundle of 4"),
        ({"quantile_lr": 0.1}, {}, "only the advantage 'mvar'"),
    ],
)
def test_sets_that_cannot_be_made_are_refused(model, tmp_path, algorithm, more, message):
    with pytest.raises(RlgymError, match=message):
        train(Config.from_dict(sums(model, tmp_path / "run", algorithm=algorithm, **more)))
    assert not (tmp_path / "run").exists()
