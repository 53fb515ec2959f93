"""Self-play: one match is two episodes, each with what its seat sees; baselines by role by hand."""

import re
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import learned_from, note, sums, train_interrupted
from train.small_models import small_model
from train.test_episodes import Scripted, worker
from train.test_filters import episodes

import rlgym
from rlgym import Score
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.config.self_play import RoleBaselineConfig
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.checkpoint import list_checkpoints, load
from rlgym.train.model.tokenizer import load_tokenizer, make_tokenizer
from rlgym.train.rewards.role_baseline import RoleBaselines
from rlgym.train.rollout.chat import Chat
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.validate.config import check_config

TASK = TaskSpec("nim", 0.0, 3, "train")


@pytest.fixture(scope="module")
def chat(tmp_path_factory):
    return Chat(make_tokenizer(tmp_path_factory.mktemp("tokenizer")))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32, max_seq_len=1024)
    return folder


def takes_one(chat, prompts=None):
    """An engine that takes one counter from the first pile that has any, as the last observation lists them."""

    def says(key, prompt):
        text = chat.decode(prompt)
        if prompts is not None:
            prompts.setdefault(key, []).append(text)
        pile = next(number for number, count in re.findall(r"pile (\d+) has (\d+)", text.rpartition("Now ")[2] or text)[-3:] if int(count))
        return chat.response_tokens(f"<answer>{pile} 1</answer>")

    return Scripted(says)


def test_one_match_is_two_episodes_that_see_what_their_seat_sees(chat):
    prompts = {}
    played = worker(takes_one(chat, prompts), chat, self_play=True).rollout([TASK], 4, 1)
    assert [(episode.key, episode.seat, episode.group) for episode in played] == [(0, 0, 0), (1, 1, 0), (2, 0, 0), (3, 1, 0)]
    first, second = played[:2]
    assert {first.reward, second.reward} == {-1.0, 1.0}
    assert (first.score.value, second.score.value) == ((1 + first.reward) / 2, (1 + second.reward) / 2)
    # The second seat reads the rules too, then what the first did; every own move carries loss and nothing else does.
    assert "These are the rules as the first player reads them" in second.messages[0][1]
    assert "I take 1 from pile" in second.messages[0][1]
    for episode in (first, second):
        mine = chat.decode([token for token, own in zip(episode.tokens, episode.loss_mask, strict=True) if own])
        said = [text for role, text in episode.messages if role == "assistant"]
        assert mine.count("<answer>") == len(said) == len(prompts[episode.key])
        assert all(prompts[episode.key][turn] in chat.decode(episode.tokens) for turn in range(len(said)))
    moves = [len([role for role, _ in episode.messages if role == "assistant"]) for episode in (first, second)]
    counters = sum(rlgym.task("nim", first.seed, level=0.0).data.piles)
    assert sum(moves) == counters
    # Whoever takes the last counter wins.
    assert first.reward == (1.0 if counters % 2 else -1.0)


def test_a_move_that_cannot_be_read_or_made_loses_at_once(chat):
    answers = {0: "no answer", 2: "<answer>1 1</answer>", 3: "<answer>1 999</answer>"}
    engine = Scripted(lambda key, prompt: chat.response_tokens(answers[key]))
    played = worker(engine, chat, self_play=True).rollout([TASK], 4, 1)
    # The second seat of the first match never moved: it has nothing to learn from.
    assert [(episode.key, episode.reward, episode.invalid_turns) for episode in played] == [(0, -1.0, 1), (2, 1.0, 0), (3, -1.0, 1)]
    assert played[2].score.reason == "a move lost at once: the move is not legal"


def test_a_seat_without_room_loses(chat):
    played = worker(takes_one(chat), chat, self_play=True, max_seq_len=900, max_new_tokens=50).rollout([TASK], 2, 1)
    assert sorted(episode.reward for episode in played) == [-1.0, 1.0]
    loser = min(played, key=lambda episode: episode.reward)
    assert loser.truncated
    assert loser.score.reason == "the context had no room for another turn"
    assert all(len(episode.tokens) <= 900 for episode in played)


def seated(rewards, seats, name="nim"):
    out = episodes(rewards)
    for episode, reward, seat in zip(out, rewards, seats, strict=True):
        episode.seat, episode.reward, episode.task = seat, reward, TaskSpec(name, 0.0, 0, "train")
    return out


def test_the_moving_baseline_of_each_role_by_hand():
    baselines, options = RoleBaselines(), RoleBaselineConfig(decay=0.5)
    given = seated([1.0, -1.0, 1.0, -1.0], [0, 1, 0, 1])
    given[3].score = Score.nothing(rlgym.Outcome.ERROR, "broken")
    paid = [episode.reward for episode in baselines.subtract(given, options)]
    # Seat 0: 1 - 0, then 1 - 0.5; seat 1: -1 - 0; the masked one counts nowhere.
    assert paid == [1.0, -1.0, 0.5, -1.0]
    assert baselines.values == {"nim/0": 0.75, "nim/1": -0.5}
    # The next step goes on from there, and another game has baselines of its own.
    assert [episode.reward for episode in baselines.subtract(seated([1.0], [1]), options)] == [1.5]
    assert [episode.reward for episode in baselines.subtract(seated([1.0], [1], "kayles"), options)] == [1.0]
    assert baselines.metrics() == {"role_baseline/kayles/1": 0.5, "role_baseline/nim/0": 0.75, "role_baseline/nim/1": 0.25}


def test_the_batch_baseline_standardises_each_mode_by_hand():
    given = [*seated([1.0, 0.0, 0.0, 0.0], [None] * 4, "predict_output"), *seated([1.0, 1.0], [None] * 2, "predict_input")]
    paid = [episode.reward for episode in RoleBaselines().subtract(given, RoleBaselineConfig(kind="batch"))]
    spread = (3 / 16) ** 0.5
    assert paid == pytest.approx([0.75 / spread, *[-0.25 / spread] * 3, 0.0, 0.0])


def config(model, out, tasks=("nim",), rollout=None, algorithm=None, transfer=(), levels=(0.0,), **more):
    sizes = {"groups_per_step": 1, "group_size": 4, "max_new_tokens": 12, "max_seq_len": 900, "self_play": True}
    chosen = {"advantage": "reinforce", "role_baseline": {}} | (algorithm or {})
    measured = {"transfer": list(transfer)}
    levels = levels if isinstance(levels, dict) else list(levels)
    given = sums(
        model,
        out,
        tasks=[{"names": list(tasks), "levels": levels}],
        rollout=sizes | (rollout or {}),
        algorithm=chosen,
        evaluation=measured,
        **more,
    )
    return Config.from_dict(given)


def test_a_run_plays_itself_and_is_measured_against_the_built_in_player(model, tmp_path):
    train(config(model, tmp_path / "run", transfer=["chain_sum"]))
    lines = [line for line in read_lines(tmp_path / "run" / "metrics.jsonl") if "reward_gap" in line]
    # A model from scratch writes no move that can be read: the first seat loses every match, and the second never moves.
    assert [line["self_play/nim/0"] for line in lines] == [-1.0, -1.0]
    moved = [0.0]
    for _ in range(4):
        moved.append(0.95 * moved[-1] - 0.05)
    assert [line["role_baseline/nim/0"] for line in lines] == [pytest.approx(moved[2]), pytest.approx(moved[4])]
    state = load(list_checkpoints(tmp_path / "run" / "checkpoints")[-1])
    assert state.facts["roles"] == {"nim/0": pytest.approx(moved[4])}
    evaluations = list(read_lines(tmp_path / "run" / "evaluations.jsonl"))
    assert [set(line["accuracy"]) for line in evaluations] == [{"nim@0", "chain_sum@0", "mean"}] * 2
    assert all(line["accuracy"]["mean"]["tasks"] == line["accuracy"]["nim@0"]["tasks"] for line in evaluations), "transfer is apart"


class Playing(Scripted):
    """A scripted engine of a run."""

    version = 0

    def update_weights(self, weights, version):
        self.version = version

    def step(self):
        return [(key, replace(completion, version=self.version)) for key, completion in super().step()]

    def close(self):
        pass


def test_a_run_learns_from_both_seats_and_resumes(tmp_path, monkeypatch):
    """Both seats take one counter after another, so that both move in every match; the rewards are those of the seats less their own baselines."""
    model = tmp_path / "long"
    small_model(model, num_layers=1, hidden_size=32, max_seq_len=6000, loud=1.0)
    takes = takes_one(Chat(load_tokenizer(model))).says
    monkeypatch.setattr("rlgym.train.rollout.setup.make_engine", lambda *given: Playing(takes))
    learned, (_, gradients) = learned_from(monkeypatch), note(monkeypatch)
    more = {"rollout": {"max_new_tokens": 60, "max_seq_len": 6000}, "update": {"tokens_per_micro_batch": 6000}, "steps": 3}
    train(config(model, tmp_path / "whole", **more))
    assert len(learned) == 3
    baselines = {0: 0.0, 1: 0.0}
    for step in learned:
        assert [episode.seat for episode in step] == [0, 1, 0, 1]
        for episode in step:
            payoff = 2 * episode.score.value - 1
            assert episode.reward == pytest.approx(payoff - baselines[episode.seat])
            assert sum(episode.loss_mask) > 20
            baselines[episode.seat] = 0.95 * baselines[episode.seat] + 0.05 * payoff
        assert step[0].score.value + step[1].score.value == 1
    assert all(any(float(part.abs().max()) > 0 for part in parts) for parts in gradients)
    train_interrupted(monkeypatch, config(model, tmp_path / "stopped", **more))
    names = ("self_play/nim/0", "self_play/nim/1", "role_baseline/nim/0", "role_baseline/nim/1", "grad_norm")
    whole, resumed = (
        [[line[name] for name in names] for line in read_lines(tmp_path / each / "metrics.jsonl") if "reward_gap" in line]
        for each in ("whole", "stopped")
    )
    assert whole == resumed
    assert whole[2][0] == -whole[2][1] != 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tasks": ["chain_sum"]}, "rollout.self_play needs matches of two players, and chain_sum is none"),
        ({"transfer": ["chain_sun"]}, "evaluation.transfer: no environment"),
        ({"rollout": {"group_size": 3}}, "rollout.group_size=3 must be even"),
        ({"rollout": {"segment_tokens": 100}}, "rollout.self_play does not support rollout.segment_tokens"),
        ({"algorithm": {"reward_shaping": {"format_bonus": {}}}}, "rollout.self_play does not support algorithm.reward_shaping"),
        ({"algorithm": {"replay": {}, "role_baseline": None}}, "rollout.self_play does not support algorithm.replay"),
        ({"algorithm": {"replay": {}}, "rollout": {"self_play": False}}, "algorithm.role_baseline does not support algorithm.replay"),
        ({"pass_rates": {"file": "rates.sqlite"}}, "rollout.self_play has no solve rates to record"),
        ({"levels": {"rule": "target"}}, "rollout.self_play wins about half of its matches at every level"),
        ({"task_sampling": "learnability"}, "rollout.self_play has no solve rates for task_sampling='learnability'"),
        ({"transfer": ["nim"]}, "evaluation.transfer measures what is not trained on, and nim is in tasks"),
        ({"algorithm": {"advantage": "grpo"}}, "algorithm.role_baseline is a baseline, and algorithm.advantage='grpo' subtracts"),
    ],
)
def test_what_does_not_go_with_self_play_is_refused(model, tmp_path, changes, message):
    with pytest.raises(TrainError, match=re.escape(message)):
        check_config(config(model, tmp_path / "run", **changes))
