"""Rollouts sampled ahead: of weights one update old, the same at any speed, and kept by a checkpoint."""

import threading
import time

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.small_models import by_hand, small_model

from rlgym import Outcome, Score
from rlgym.train import loop
from rlgym.train.config.schema import Config
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints
from rlgym.train.model.pretrained import load_model
from rlgym.train.rollout.async_rollout import AsyncRollout, RolloutBatch
from rlgym.train.rollout.engines.native import NativeEngine
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.update.policy import PolicyForward

KEPT = ("metrics.jsonl", "evaluations.jsonl", "transcripts.jsonl")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("start")
    small_model(folder, num_layers=1, hidden_size=48, max_seq_len=1600, loud=1.0)
    return folder


def configuration(start, out, async_steps=1, **more):
    given = {
        "model": str(start),
        "output_dir": str(out),
        "seed": 1,
        "tasks": [{"names": ["chain_sum"]}, {"names": ["mastermind"], "weight": 0.5}],
        "steps": 5,
        "rollout": {
            "groups_per_step": 3,
            "group_size": 3,
            "max_new_tokens": 16,
            "max_seq_len": 1500,
            "async_steps": async_steps,
            "engine_options": {"max_num_seqs": 9},
        },
        "update": {"lr": 1e-2, "warmup_steps": 0, "tokens_per_micro_batch": 3000, "old_logprobs": "rollout"},
        "algorithm": {
            "filter_zero_std": False,
            "advantage": "dr_grpo",
            "reward_shaping": {"format_bonus": {"amount": 0.1}, "reward_noise": NOISE},
        },
        "scoring": {"num_workers": 0},
        "evaluation": {"tasks_per_level": 2, "every_steps": 2},
        "checkpoints": {"every_steps": 1, "keep_last": 9},
        "compute": {"device": "cpu", "cpu_threads": 1},
    }
    return given | more


NOISE = {"false_positive": 0.5, "false_negative": 0.1, "seed": 3}


def test_what_waits_in_a_checkpoint_is_of_the_weights_before_the_last_update(start, tmp_path):
    train(Config.from_dict(configuration(start, tmp_path / "run")))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["staleness"] for line in lines] == [0, 1, 1, 1, 1]
    places = list_checkpoints(tmp_path / "run" / "checkpoints")
    models = [load_model(start)] + [load_model(place / "model") for place in places]
    assert len(places) == 5
    for step in range(1, 5):
        [batch] = torch.load(places[step - 1] / "state.pt")["prefetched"]
        waiting = RolloutBatch.from_state_dict(batch)
        assert len(waiting.episodes) == 9
        ratios = []
        for episode in waiting.episodes:
            older, newer = (by_hand(models[which], episode.tokens) for which in (step - 1, step))
            loss_mask_T = torch.tensor(episode.loss_mask[1:])
            said_T = torch.tensor(episode.logprobs[1:])
            torch.testing.assert_close(older[loss_mask_T], said_T[loss_mask_T], atol=2e-5, rtol=1e-4)
            assert float((newer - said_T)[loss_mask_T].abs().max()) > 1e-3
            ratios.append((newer - said_T)[loss_mask_T].exp())
        # The step that learns from them weighs the policy of its own time against the sampler's.
        assert lines[step]["ratio"] == pytest.approx(float(torch.cat(ratios).mean()), abs=1e-4)
    assert "prefetched" not in torch.load(places[4] / "state.pt")


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
        train(Config.from_dict(configuration(start, tmp_path / "slow engine")))
    with monkeypatch.context() as patch:
        slowed(patch, PolicyForward, "backward", 0.3)
        train(Config.from_dict(configuration(start, tmp_path / "slow trainer")))
    given = Config.from_dict(configuration(start, tmp_path / "broken"))
    plain, calls = loop.update_policy, []
    before = threading.active_count()

    def breaks(*arguments):
        calls.append(1)
        if len(calls) in (2, 5):
            raise Broken
        return plain(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "update_policy", breaks)
        for _ in range(2):
            with pytest.raises(Broken):
                train(given)
            assert threading.active_count() == before
        train(given)
    for name in KEPT:
        kept = {(tmp_path / run / name).read_bytes() for run in ("slow engine", "slow trainer", "broken")}
        assert len(kept) == 1, name
    ends = [dict(load_model(list_checkpoints(tmp_path / run / "checkpoints")[-1] / "model").weights()) for run in ("slow engine", "broken")]
    assert all(torch.equal(weight, ends[1][name]) for name, weight in ends[0].items())


def test_rollouts_of_a_queue_are_of_the_weights_k_updates_before(start, tmp_path):
    train(Config.from_dict(configuration(start, tmp_path / "run", async_steps=3, steps=6)))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["staleness"] for line in lines] == [0, 1, 2, 3, 3, 3]
    places = list_checkpoints(tmp_path / "run" / "checkpoints")
    models = [load_model(start)] + [load_model(place / "model") for place in places]
    queued = torch.load(places[1] / "state.pt")["prefetched"]  # after two steps: those of the steps 2 to 4
    assert [batch["episodes"][0]["version"] for batch in queued] == [0, 0, 1]
    for state, version in zip(queued, (0, 0, 1), strict=True):
        for episode in RolloutBatch.from_state_dict(state).episodes[:3]:
            exact_T = by_hand(models[version], episode.tokens)
            loss_mask_T = torch.tensor(episode.loss_mask[1:])
            torch.testing.assert_close(exact_T[loss_mask_T], torch.tensor(episode.logprobs[1:])[loss_mask_T], atol=2e-5, rtol=1e-4)
    assert [len(torch.load(place / "state.pt").get("prefetched", [])) for place in places] == [3, 3, 3, 2, 1, 0]


@pytest.mark.slow
def test_a_queue_gives_the_same_run_at_any_speed_and_after_a_breakdown(start, tmp_path, monkeypatch):
    def run(name, **more):
        # Evaluations and checkpoints wait for the queue, so most steps have neither.
        given = configuration(start, tmp_path / name, async_steps=2, steps=6, evaluation={"tasks_per_level": 1}, **more)
        return Config.from_dict(given | {"checkpoints": {"every_steps": 3, "keep_last": 9}})

    with monkeypatch.context() as patch:
        slowed(patch, NativeEngine, "step", 0.02)
        train(run("slow engine"))
    with monkeypatch.context() as patch:
        slowed(patch, PolicyForward, "backward", 0.3)
        train(run("slow trainer"))
    plain, calls = loop.update_policy, []
    before = threading.active_count()

    def breaks(*arguments):
        calls.append(1)
        if len(calls) == 5:
            raise Broken
        return plain(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "update_policy", breaks)
        with pytest.raises(Broken):
            train(run("broken"))
        assert threading.active_count() == before
        train(run("broken"))
    for name in KEPT:
        assert len({(tmp_path / folder / name).read_bytes() for folder in ("slow engine", "slow trainer", "broken")}) == 1, name


def test_further_rounds_of_a_step_use_the_present_weights(start, tmp_path):
    given = configuration(start, tmp_path / "run", async_steps=2, steps=4, evaluation={"tasks_per_level": 1})
    given["algorithm"] = {"filter_zero_std": True, "dynamic_sampling_rounds": 2, "advantage": "grpo"}
    given["log"] = {"transcripts_per_step": 100}
    train(Config.from_dict(given))
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    # Groups of the further rounds are fresh, those of the first round two updates old.
    assert lines[3]["sampling_rounds"] > 1
    assert 0 < lines[3]["staleness"] < 2


def test_a_rollout_waits_for_the_one_before_and_loads_its_weights_first():
    order = []
    gate = threading.Event()

    def first(on_progress):
        gate.wait(20)
        order.append("first")
        return RolloutBatch([], [], 0.0, 0.0)

    def second(on_progress):
        order.append("second")
        return RolloutBatch([], [], 0.0, 0.0)

    one = AsyncRollout(first)
    two = AsyncRollout(second, lambda: order.append("weights"), one)
    gate.set()
    two.wait()
    assert order == ["first", "weights", "second"]


def test_after_a_failed_rollout_the_next_does_not_start():
    def fails(on_progress):
        raise Broken

    one = AsyncRollout(fails)
    two = AsyncRollout(lambda on_progress: pytest.fail("must not start"), None, one)
    with pytest.raises(InterruptedError, match="before this one failed"):
        two.wait()
    with pytest.raises(Broken):
        one.wait()


def test_the_engine_samples_while_the_trainer_learns(start, tmp_path, monkeypatch):
    """The trainer waits in the middle of its update until the engine has moved; without two at once it would wait in vain."""
    moved = threading.Event()
    stepping, real_backward = NativeEngine.step, PolicyForward.backward
    met = []

    def step(self):
        if threading.current_thread() is not threading.main_thread():
            moved.set()
        return stepping(self)

    def backward(self, *given):
        if not met:
            met.append(moved.wait(20))
        return real_backward(self, *given)

    monkeypatch.setattr(NativeEngine, "step", step)
    monkeypatch.setattr(PolicyForward, "backward", backward)
    train(Config.from_dict(configuration(start, tmp_path / "run", steps=2, evaluation={"tasks_per_level": 1})))
    assert met == [True]


def test_episodes_come_back_from_a_checkpoint_as_they_went(tmp_path):
    task = TaskSpec("chain_sum", 0.25, 7, "train", {"terms": 3})
    score = Score(0.5, Outcome.PARTIAL, "half", {"one": 0.5})
    item = Episode(4, 2, task, [1, 2, 3], [False, True, True], [0.0, -0.1, -2.5], None, True, score, 0.75, 3, "ab", [("user", "né")])
    two = Episode(5, 2, TaskSpec("nim", 0.0, 1, "train"), [9], [False], [0.0], None, score=Score.nothing(Outcome.ERROR, "broke"))
    played = RolloutBatch([1, 0], [item, two], 1.5, 0.25)
    torch.save({"prefetched": played.state_dict()}, tmp_path / "state.pt")
    assert RolloutBatch.from_state_dict(torch.load(tmp_path / "state.pt", weights_only=True)["prefetched"]) == played


def test_what_fails_in_the_thread_fails_the_run():
    def play(tick):
        raise Broken

    with pytest.raises(Broken):
        AsyncRollout(play).wait()
