"""Rollouts sampled ahead: of weights one update old, the same at any speed, and kept by a checkpoint."""

import threading
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import by_hand, small_model

from rlgym import Outcome, Score
from rlgym.train import loop
from rlgym.train.checkpoint import checkpoints
from rlgym.train.config import Config, TrainError
from rlgym.train.episodes import Episode
from rlgym.train.flight import Flight, Played
from rlgym.train.loop import train
from rlgym.train.metrics import read_lines
from rlgym.train.model import load_model
from rlgym.train.rollout.native import NativeEngine
from rlgym.train.scale import check_scale
from rlgym.train.scoring import Pick
from rlgym.train.team import Team
from rlgym.train.update import Scorer

KEPT = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, layers=1, width=48, context=1600, loud=1.0)
    return folder


def configuration(start, out, **more):
    given = {
        "model": str(start),
        "out": str(out),
        "seed": 1,
        "tasks": [{"names": ["chain_sum"]}, {"names": ["mastermind"], "weight": 0.5}],
        "steps": 5,
        "rollout": {"groups": 3, "group": 3, "tokens": 16, "context": 1500, "ahead": 1, "options": {"rows": 9}},
        "update": {"lr": 1e-2, "warmup": 0, "tokens": 3000, "old": "sampler"},
        "algorithm": {"skip_dead": False, "advantage": "dr_grpo", "shaping": {"readable_bonus": {"amount": 0.1}, "noisy": NOISE}},
        "scoring": {"workers": 0},
        "evaluation": {"tasks": 2, "every": 2},
        "checkpoints": {"every": 1, "keep": 9},
        "compute": {"device": "cpu", "threads": 1},
    }
    return given | more


NOISE = {"false_positive": 0.5, "false_negative": 0.1, "seed": 3}


def test_what_waits_in_a_checkpoint_is_of_the_weights_before_the_last_update(start, tmp_path):
    train(Config.of(configuration(start, tmp_path / "run")))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["staleness"] for line in lines] == [0, 1, 1, 1, 1]
    places = checkpoints(tmp_path / "run" / "checkpoints")
    models = [load_model(start)] + [load_model(place / "model") for place in places]
    assert len(places) == 5
    for step in range(1, 5):
        waiting = Played.of(torch.load(places[step - 1] / "state.pt")["ready"])
        assert len(waiting.episodes) == 9
        ratios = []
        for episode in waiting.episodes:
            older, newer = (by_hand(models[which], episode.tokens) for which in (step - 1, step))
            mask_T = torch.tensor(episode.mask[1:])
            said_T = torch.tensor(episode.logprobs[1:])
            torch.testing.assert_close(older[mask_T], said_T[mask_T], atol=2e-5, rtol=1e-4)
            assert float((newer - said_T)[mask_T].abs().max()) > 1e-3
            ratios.append((newer - said_T)[mask_T].exp())
        # The step that learns from them weighs the policy of its own time against the sampler's.
        assert lines[step]["ratio"] == pytest.approx(float(torch.cat(ratios).mean()), abs=1e-4)
    assert "ready" not in torch.load(places[4] / "state.pt")


def slowed(monkeypatch, kind, name, seconds):
    plain = getattr(kind, name)

    def slow(*given, **named):
        time.sleep(seconds)
        return plain(*given, **named)

    monkeypatch.setattr(kind, name, slow)


class Broken(Exception):
    """The machine failed."""


def test_neither_speed_nor_a_breakdown_changes_what_is_learned(start, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        slowed(patch, NativeEngine, "step", 0.02)
        train(Config.of(configuration(start, tmp_path / "slow engine")))
    with monkeypatch.context() as patch:
        slowed(patch, Scorer, "descend", 0.3)
        train(Config.of(configuration(start, tmp_path / "slow trainer")))
    given = Config.of(configuration(start, tmp_path / "broken"))
    plain, calls = loop.learn, []
    before = threading.active_count()

    def breaks(*arguments):
        calls.append(1)
        if len(calls) in (2, 5):
            raise Broken
        return plain(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "learn", breaks)
        for _ in range(2):
            with pytest.raises(Broken):
                train(given)
            assert threading.active_count() == before
        train(given)
    for name in KEPT:
        kept = {(tmp_path / run / name).read_bytes() for run in ("slow engine", "slow trainer", "broken")}
        assert len(kept) == 1, name
    ends = [dict(load_model(checkpoints(tmp_path / run / "checkpoints")[-1] / "model").weights()) for run in ("slow engine", "broken")]
    assert all(torch.equal(weight, ends[1][name]) for name, weight in ends[0].items())


def test_the_engine_samples_while_the_trainer_learns(start, tmp_path, monkeypatch):
    """The trainer waits in the middle of its update until the engine has moved; without two at once it would wait in vain."""
    moved = threading.Event()
    stepping, descending = NativeEngine.step, Scorer.descend
    met = []

    def step(self):
        if threading.current_thread() is not threading.main_thread():
            moved.set()
        return stepping(self)

    def descend(self, *given):
        if not met:
            met.append(moved.wait(20))
        return descending(self, *given)

    monkeypatch.setattr(NativeEngine, "step", step)
    monkeypatch.setattr(Scorer, "descend", descend)
    train(Config.of(configuration(start, tmp_path / "run", steps=2, evaluation={"tasks": 1})))
    assert met == [True]


def test_episodes_come_back_from_a_checkpoint_as_they_went(tmp_path):
    pick = Pick("chain_sum", 0.25, 7, "train", {"terms": 3})
    score = Score(0.5, Outcome.PARTIAL, "half", {"one": 0.5})
    one = Episode(4, 2, pick, [1, 2, 3], [False, True, True], [0.0, -0.1, -2.5], None, True, score, 0.75, 3, "ab", [("user", "né")])
    two = Episode(5, 2, Pick("nim", 0.0, 1, "train"), [9], [False], [0.0], None, score=Score.nothing(Outcome.ERROR, "broke"))
    played = Played([1, 0], [one, two], 1.5, 0.25)
    torch.save({"ready": played.saved()}, tmp_path / "state.pt")
    assert Played.of(torch.load(tmp_path / "state.pt", weights_only=True)["ready"]) == played


def test_what_fails_in_the_thread_fails_the_run():
    def play(tick):
        raise Broken

    with pytest.raises(Broken):
        Flight(play).landed()


def test_the_native_engine_on_a_gpu_is_not_ahead(monkeypatch):
    given = {"model": "m", "out": "o", "tasks": [{"names": ["chain_sum"]}], "rollout": {"ahead": 1}, "update": {"old": "sampler"}}
    check_scale(Config.of(given | {"compute": {"device": "cpu"}}), Team())
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    with pytest.raises(TrainError, match="take turns"):
        check_scale(Config.of(given), Team())
    check_scale(Config.of(given | {"rollout": {"ahead": 1, "engine": "vllm", "options": {"url": "http://a"}}}), Team())


REFUSED = [
    ({"rollout": {"ahead": 1, "tokens": 8, "context": 100}}, 1, "mismatch_cap"),
    ({"rollout": {"ahead": 1, "ordered": False}, "update": {"old": "sampler"}}, 1, "how fast"),
    ({"rollout": {"ahead": 1, "engine": "vllm"}, "update": {"old": "sampler"}}, 1, "beside the trainer"),
    ({"rollout": {"groups": 3}}, 4, "start fewer ranks"),
    ({"rollout": {"groups": 6}}, 4, "such as 8"),
    ({"rollout": {"groups": 8, "engine": "vllm"}}, 4, "rollout.options.urls"),
]


@pytest.mark.parametrize(("more", "ranks", "said"), REFUSED)
def test_what_cannot_work_is_refused(more, ranks, said):
    given = {"model": "m", "out": "o", "tasks": [{"names": ["chain_sum"]}]}
    with pytest.raises(TrainError, match=said):
        check_scale(Config.of(given | more), Team(0, ranks))


@pytest.mark.parametrize(
    ("more", "ranks"),
    [
        ({"rollout": {"groups": 8}}, 4),
        ({"rollout": {"groups": 8, "engine": "vllm", "options": {"urls": ["http://a"]}}}, 4),
        ({"rollout": {"ahead": 1}, "algorithm": {"loss_options": {"mismatch_cap": 2.0}}}, 1),
    ],
)
def test_what_can_work_is_not(more, ranks):
    check_scale(Config.of({"model": "m", "out": "o", "tasks": [{"names": ["chain_sum"]}]} | more), Team(0, ranks))


def test_ranks_that_see_different_folders_do_not_go_on(monkeypatch):
    team = Team(0, 2)
    monkeypatch.setattr(Team, "gathered", lambda self, mine: [mine, "1-rl-0000002"])
    team.must_agree("1-rl-0000002", "the last checkpoint")
    with pytest.raises(TrainError, match="different things as the last checkpoint"):
        team.must_agree("none", "the last checkpoint")


def test_processes_started_by_half_are_refused(monkeypatch):
    for name in ("RANK", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(TrainError, match="RANK is not set: start them with torchrun"):
        Team.asked()
