"""Token rewards in batches and runs: spans over tokens, tensors, metrics and sources."""

from __future__ import annotations

from dataclasses import replace

import pytest
from train.reward_cases import BRACKETS, oracle_working, respond_once, settings, start_episode

torch = pytest.importorskip("torch", reason="the trainer needs torch")
pytest.importorskip("transformers")
from train.scripted import answer, knowing, sums
from train.small_models import small_model

from rlgym import Score
from rlgym.solutions import FoundStep
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.data.collate import collate, select_rollouts
from rlgym.train.data.segments import spans_of
from rlgym.train.evaluate import accuracy_table
from rlgym.train.logging.metrics import episode_metrics
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.tokenizer import make_tokenizer
from rlgym.train.registry import OptionError
from rlgym.train.rewards import token_rewards
from rlgym.train.rewards.part_weights import part_weights, weigh_parts
from rlgym.train.rewards.token_rewards import KINDS, RewardSpan, after_first_wrong, token_positions
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.engines.base import Completion
from rlgym.train.rollout.episodes import Episode
from rlgym.train.rollout.hints import strip_hint
from rlgym.train.rollout.scoring import InProcessPool, ScoringJob, run_job
from rlgym.train.rollout.worker import RolloutWorker
from rlgym.train.tasks.spec import TaskSettings, TaskSpec
from rlgym.train.validate.token_rewards import check_token_rewards


def test_turns_after_the_lost_one_are_unchecked():
    turns = [RewardSpan(0, 1, 1.0, "right"), RewardSpan(2, 3, 0.0, "wrong"), RewardSpan(4, 5, 0.0, "wrong")]
    assert after_first_wrong(turns, 0.5) == [*turns[:2], RewardSpan(4, 5, 0.5, "unchecked")]


def test_a_token_belongs_to_the_span_in_which_it_starts():
    spans = [RewardSpan(2, 5, 1.0, "right"), RewardSpan(5, 8, 0.0, "wrong")]
    # Tokens of two characters: the one at 4 to 6 starts in the first span, and the one before 2 in none.
    found = token_positions(spans, [2, 4, 6, 8, 10], 100)
    assert [(span.start, span.end, span.kind) for span in found] == [(101, 103, "right"), (103, 104, "wrong")]
    assert token_positions([RewardSpan(20, 25, 1.0, "right")], [2, 4], 0) == []


@pytest.mark.parametrize("text", ["plain ascii", "Zähler √2 → 本, €5", "👍🏽 and 日本語\nend"])
def test_the_characters_of_tokens_add_up_to_the_text(tmp_path, text):
    chat = Chat(make_tokenizer(tmp_path))
    tokens = chat.response_tokens(text)
    ends = chat.character_ends(tokens)
    assert ends == sorted(ends)
    assert ends[-1] == len(chat.decode(tokens)) == len(text)
    for place, end in enumerate(ends):
        full = chat.decode(tokens[: place + 1])
        assert full.rstrip("\ufffd") == text[:end]


class Once:
    """An engine that answers every request with the same tokens."""

    def __init__(self, tokens):
        self.tokens, self.keys = tokens, []

    def submit(self, key, prompt, sampling):
        self.keys.append(key)

    def step(self):
        keys, self.keys = self.keys, []
        return [(key, Completion(tuple(self.tokens), (-1.0,) * len(self.tokens), True, 0)) for key in keys]

    @property
    def pending(self):
        return len(self.keys)


def played(tmp_path, chosen, response=None, slip=False):
    chat = Chat(make_tokenizer(tmp_path))
    task = TaskSpec(BRACKETS, 0.0, 4, "train")
    response = response or oracle_working(run_job(ScoringJob(0, task, chosen))[1], slip)
    worker = RolloutWorker(Once(chat.response_tokens(response)), InProcessPool(), chat, chosen, 4000, 8000)
    return chat, response, worker.rollout([task], 2, 0)


def test_the_tensor_holds_each_reward_at_the_last_token_of_its_step(tmp_path):
    chosen = settings(source="steps")
    chat, response, (episode, _) = played(tmp_path, chosen, slip=True)
    batch = collate([episode])
    steps = response.split("\n")
    for number, span in enumerate(episode.spans):
        assert chat.decode(episode.tokens[span.start : span.end]).strip() == steps[number]
        assert batch.token_rewards_T[span.end - 1] == span.reward
        assert set(batch.segment_T[span.start : span.end].tolist()) == {number}
        assert {KINDS[kind] for kind in batch.kind_T[span.start : span.end].tolist()} == {span.kind}
    assert batch.token_rewards_T.sum() == sum(span.reward for span in episode.spans)
    assert (batch.segment_T[~batch.loss_mask_T] == -1).all()
    assert spans_of(batch, "capo").reward_S.tolist() == [span.reward for span in episode.spans]


def test_claims_are_judged_by_a_prover_where_no_checker_is(tmp_path):
    """A task without arithmetic steps of its own: 2 + 2 = 5 is wrong, 2 + 2 = 4 right, and x = 3 unknown."""
    response = "I count 2 + 2 = 4 brackets.\nNo checker reads this.\nLet x = 3.\nSo x + x = 7.\n<answer>(</answer>"
    chat, _, (episode, _) = played(tmp_path, settings(source="claims", right=1.0, wrong=-1.0, unchecked=0.25), response)
    found = [(chat.decode(episode.tokens[span.start : span.end]).strip(), span.kind, span.reward) for span in episode.spans]
    assert found == [("I count 2 + 2 = 4 brackets.", "right", 1.0), ("Let x = 3.", "unchecked", 0.25), ("So x + x = 7.", "wrong", -1.0)]


def test_truisms_and_repetitions_earn_what_unchecked_formulas_do(tmp_path):
    response = "1 = 1.\nSo 2 + 2 = 4.\nAgain 2 + 2 = 4.\n2 + 2 = 5.\n2 + 2 = 5.\n<answer>(</answer>"
    _, _, (episode, _) = played(tmp_path, settings(source="claims", right=1.0, wrong=-1.0, unchecked=0.0), response)
    assert [(span.kind, span.reward) for span in episode.spans] == [
        ("unchecked", 0.0),
        ("right", 1.0),
        ("unchecked", 0.0),
        ("wrong", -1.0),
        ("wrong", -1.0),
    ]


def test_without_token_rewards_a_batch_has_none(tmp_path):
    _, _, episodes = played(tmp_path, TaskSettings(seed=0, held_out_fraction=0.1))
    assert episodes[0].spans is None
    assert collate(episodes).token_rewards_T is None
    assert "steps_found" not in episode_metrics(episodes, 0)


def test_the_outcome_is_one_span(tmp_path):
    _, _, (episode, _) = played(tmp_path, settings(source="outcome"))
    (span,) = episode.spans
    assert (span.reward, span.kind) == (1.0, "right")
    # The token that ends the response has no characters of its own.
    assert span.end - span.start >= episode.num_sampled - 1


def test_part_of_a_batch_keeps_its_token_rewards(tmp_path):
    _, _, episodes = played(tmp_path, settings(source="steps"))
    batch = collate(episodes)
    part = select_rollouts(batch, torch.tensor([False, True]))
    assert torch.equal(part.token_rewards_T, batch.token_rewards_T[batch.rollout_T == 1])


def test_spans_move_with_the_tokens_when_a_hint_is_removed():
    episode = Episode(0, 0, TaskSpec("chain_sum", 0.0, 1, "train"), [1, 2, 3, 4], [False, False, True, True], [0.0] * 4, None)
    episode.prompt_without_hint, episode.spans = [1], [RewardSpan(2, 4, 1.0, "right")]
    stripped = strip_hint(episode)
    assert stripped.spans == [RewardSpan(1, 3, 1.0, "right")]


def test_metrics_count_right_answers_with_sound_working(tmp_path):
    chosen = settings(source="steps")
    _, _, sound = played(tmp_path, chosen)
    _, _, flawed = played(tmp_path, chosen, slip=True)
    metrics = episode_metrics([*sound, *flawed], 0)
    assert (metrics["solve_rate"], metrics["cot_solve_rate"], metrics["flawed_positive_rate"]) == (1.0, 0.5, 0.5)
    assert metrics["steps_wrong"] == 2 / (4 * metrics["steps_found"])
    table = accuracy_table([sound[0], flawed[0]])
    assert table["mean"].pass_at == {1: 1.0, 2: 1.0}
    # One of two samples counts: one draw has it in half of the cases, two draws always.
    assert table["mean"].cot_pass_at == {1: 0.5, 2: 1.0}
    assert table["mean"].to_dict()["cot_pass@1"] == 0.5
    assert type(table["mean"]).from_dict(table["mean"].to_dict()) == table["mean"]


def test_flawed_positives_stay_between_wrong_and_sound():
    chosen = replace(settings(source="steps"), reward_shaping=(("flawed_positive", ()),))
    start = start_episode(BRACKETS, chosen)
    sound, flawed = (respond_once(BRACKETS, chosen, start, oracle_working(start, slip)) for slip in (False, True))
    assert (sound.reward, flawed.reward) == (1.0, 0.5)
    assert respond_once(BRACKETS, chosen, start, "<answer>?</answer>").reward == 0.0


def test_overlapping_steps_are_refused(monkeypatch):
    steps = [FoundStep(0, 9, "one", "right"), FoundStep(5, 12, "two", "right")]
    monkeypatch.setattr(token_rewards, "find_steps", lambda *given: steps)
    chosen = settings(source="steps")
    start = start_episode(BRACKETS, chosen)
    with pytest.raises(OptionError, match=r"algorithm\.token_rewards\.source='steps'.*overlap"):
        respond_once(BRACKETS, chosen, start, "anything at all")


def test_a_step_checker_that_raises_masks_the_rollout(monkeypatch):
    def broken(*given):
        raise ZeroDivisionError("no")

    monkeypatch.setattr(token_rewards, "find_steps", broken)
    chosen = settings(source="steps")
    start = start_episode(BRACKETS, chosen)
    ended = respond_once(BRACKETS, chosen, start, oracle_working(start))
    assert ended.score.masked
    assert "step checker raised ZeroDivisionError" in ended.score.reason


@pytest.mark.parametrize(
    ("name", "algorithm", "problem"),
    [
        (
            "git_merge_resolve",
            {"token_rewards": {"source": "steps"}},
            r"algorithm\.token_rewards\.source='steps': git_merge_resolve has no step checker",
        ),
        ("taxi_text", {"token_rewards": {"source": "steps"}}, r"taxi_text has turns, and no step checker"),
        ("chain_sum", {"token_rewards": {"source": "turns"}}, r"source='turns': chain_sum has a single turn"),
        ("chain_sum", {"token_rewards": {"source": "parts"}}, r"source='parts': chain_sum has no parts in its score"),
        (BRACKETS, {"advantage": "capo"}, r"algorithm\.advantage 'capo' needs token rewards: set algorithm\.token_rewards\.source"),
        (BRACKETS, {"filters": {"process_consistency": {}}}, r"algorithm\.filters 'process_consistency' needs token rewards"),
        (BRACKETS, {"reward_shaping": {"flawed_positive": {}}}, r"algorithm\.reward_shaping 'flawed_positive' needs token rewards"),
        (BRACKETS, {"advantage": "verpo", "token_rewards": {"source": "steps"}}, r"set algorithm\.token_rewards\.source='parts'"),
        (BRACKETS, {"advantage": "rlvmr", "token_rewards": {"source": "steps"}}, r"algorithm\.token_rewards\.turn_reward='tags'"),
    ],
)
def test_what_an_environment_cannot_give_is_refused_by_name(name, algorithm, problem):
    given = sums("m", "o", tasks=[{"names": [name]}], algorithm=algorithm)
    with pytest.raises(TrainError, match=problem):
        check_token_rewards(Config.from_dict(given))


def test_sources_that_fit_are_accepted():
    for name, source in ((BRACKETS, "steps"), ("taxi_text", "turns"), ("chain_sum", "outcome")):
        check_token_rewards(Config.from_dict(sums("m", "o", tasks=[{"names": [name]}], algorithm={"token_rewards": {"source": source}})))


def test_rarely_passed_tests_weigh_more_and_copies_of_an_easy_one_no_more_than_one():
    weights = part_weights({"easy": 0.9, "hard": 0.1}, alpha=2.0, bandwidth=0.1)
    assert sum(weights.values()) == pytest.approx(1)
    # exp(-0.2) against exp(-1.8), at the same density
    assert weights["hard"] / weights["easy"] == pytest.approx(4.953, abs=1e-3)
    copied = part_weights({"hard": 0.1, **{f"easy {k}": 0.9 for k in range(20)}}, alpha=2.0, bandwidth=0.1)
    assert copied["hard"] == pytest.approx(weights["hard"], abs=1e-4)


def test_the_parts_of_a_group_become_its_dense_rewards():
    config = Config.from_dict(sums("m", "o", algorithm={"token_rewards": {"source": "parts"}}))

    def scored(key, **parts):
        episode = Episode(key, 0, TaskSpec("chain_sum", 0.0, 1, "train"), [1, 2], [False, True], [0.0, -1.0], None)
        episode.finish(Score.exact(all(parts.values()), **parts), float(all(parts.values())))
        episode.spans = [RewardSpan(1, 2, 0.0, "wrong")]
        return episode

    given = [scored(0, a=1.0, b=1.0), scored(1, a=1.0, b=0.0), scored(2, a=0.0, b=0.0), scored(3, a=1.0, b=0.0)]
    rewards = [episode.spans[0].reward for episode in weigh_parts(given, config)]
    weights = part_weights({"a": 0.75, "b": 0.25}, 2.0, 0.1)
    assert rewards == pytest.approx([1.0, weights["a"], 0.0, weights["a"]])
    plain = Config.from_dict(sums("m", "o"))
    assert weigh_parts(given, plain) == given


@pytest.mark.parametrize("advantage", ["gated", "min_form", "shaped_steps", "first_error", "capo", "renorm"])
def test_a_run_learns_from_token_rewards(tmp_path_factory, tmp_path, monkeypatch, advantage):
    folder = tmp_path_factory.mktemp("model")
    small_model(folder, num_layers=1, hidden_size=32)
    knowing(monkeypatch, lambda request: answer(request.key % 2 == 0, request))
    algorithm = {"advantage": advantage, "token_rewards": {"source": "outcome"}}
    train(Config.from_dict(sums(folder, tmp_path / "run", algorithm=algorithm, steps=1)))
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert line["grad_norm"] > 0
    assert line["cot_solve_rate"] == line["solve_rate"] == 0.5
