"""Group rewards against numbers computed by hand, and the properties that each promises."""

from dataclasses import replace
from itertools import product
from math import exp, log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.group_cases import amounts, by_hand, episode, group
from train.scripted import knowing, note, sums
from train.small_models import small_model

from rlgym import Outcome, Score
from rlgym.core.errors import RlgymError
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.registry import GROUP_REWARDS, OptionError
from rlgym.train.rewards.group import add_group_rewards
from rlgym.train.rewards.token_rewards import RewardSpan
from rlgym.train.validate.algorithms import check_algorithms

# Bounds


@pytest.mark.parametrize(
    "name",
    [
        "length_budget",
        "relative_length",
        "length_target",
        "concise",
        "exploration_bonus",
        "ngram_diversity",
        "trusted_steps",
        "contrastive",
    ],
)
def test_no_wrong_answer_is_paid_as_much_as_a_right_one(name):
    """At the bounds of the options, over all groups of three lengths and both verdicts."""
    top = {
        field: bound
        for field, schema in GROUP_REWARDS[name].options.model_json_schema()["properties"].items()
        if ("weight" in field or field == "amount") and (bound := schema.get("maximum")) is not None
    }
    for lengths, rights in product(product((1, 4, 9), repeat=3), product((0, 1), repeat=3)):
        episodes = [episode(right, length, "a b c " * length) for length, right in zip(lengths, rights, strict=True)]
        for made, length in zip(episodes, lengths, strict=True):
            made.spans = [RewardSpan(0, 1, float(length > 1), "right")]
        for step in (0, 500):
            paid = [e.reward + amount for e, amount in zip(episodes, amounts(name, episodes, step, **top), strict=True)]
            worst = min((reward for reward, right in zip(paid, rights, strict=True) if right), default=10)
            best = max((reward for reward, right in zip(paid, rights, strict=True) if not right), default=-10)
            assert best < worst, (lengths, rights)


def test_a_combined_reward_sees_tokens_group_and_step():
    episodes = group((1, 2), (1, 4), (1, 8), (0, 2))
    budget = {"length_budget": {"start_tokens": 4, "decay": 0.5, "interval_steps": 10}}
    weighted = {"weighted": {"terms": [{"weight": 3, "reward": "right"}, {"weight": 1, "reward": budget}]}}
    # Budget 4: 1/2, 1, 0, 1/2; budget 2 from step 10: 1, 0, 0, 1. The score is taken off.
    assert amounts("combined", episodes, reward=weighted) == by_hand(-0.125, 0, -0.25, 0.125)
    assert amounts("combined", episodes, step=10, reward=weighted) == by_hand(0, -0.25, -0.25, 0.25)
    assert amounts("combined", group((1, 1), (0, 1)), reward={"relative": {"reward": "right"}}) == by_hand(
        -1 + 1 / (1 + exp(-1)), 1 / (1 + exp(1))
    )
    with pytest.raises(OptionError, match="may outrank"):
        amounts("combined", episodes, reward=budget)
    assert amounts("combined", episodes, reward=budget, wrong_may_outrank=True) == by_hand(-0.5, 0, -1, 0.5)


# Comparisons


def test_ngrams_that_no_other_response_has_are_paid():
    texts = ["one two three four", "One two  three five", "one two", ""]
    episodes = [episode(0, 1, text) for text in texts]
    # Of two trigrams each, one is shared; the others are too short to have one.
    assert amounts("ngram_diversity", episodes) == by_hand(0.1, 0.1, 0, 0)
    # Of three bigrams, (one, two) and (two, three) are shared.
    assert amounts("ngram_diversity", episodes, n=2, amount=0.3) == by_hand(0.1, 0.1, 0, 0)
    assert amounts("ngram_diversity", [episode(0, 1, "a b c"), episode(0, 1, "d e f d e f")]) == by_hand(0.2, 0.2)


def with_spans(score, *rewards):
    made = episode(score, 3)
    made.spans = [RewardSpan(place, place + 1, reward, "right") for place, reward in enumerate(rewards)]
    return made


def test_steps_are_trusted_where_right_answers_have_the_better_ones():
    sound = [with_spans(1, 1.0, 1.0), with_spans(0, 1.0, 0.0), with_spans(0)]
    assert amounts("trusted_steps", sound, amount=0.4) == by_hand(0.4, 0.2, 0)
    assert amounts("trusted_steps", sound, step=50, amount=0.4, decay_steps=50) == by_hand(0.4 / exp(1), 0.2 / exp(1), 0)
    # Right answers have 1/4 on average, wrong ones 1: the trust is e^(-3/4).
    misleading = [with_spans(1, 0.5, 0.0), with_spans(0, 1.0)]
    assert amounts("trusted_steps", misleading, amount=0.4) == by_hand(0.1 * exp(-0.75), 0.4 * exp(-0.75))
    assert amounts("trusted_steps", [with_spans(1, 5.0), with_spans(1, -5.0)], amount=0.4) == by_hand(0.4, 0)


def test_a_behaviour_is_paid_where_it_goes_with_right_answers():
    with_it, without = "<code>1</code>", "by head"
    helps = [episode(1, 1, with_it), episode(0, 1, with_it), episode(0, 1, without), episode(0, 1, without)]
    assert amounts("contrastive", helps, pattern="<code>") == by_hand(0.2, 0.2, 0, 0)
    assert amounts("contrastive", helps, pattern="by head", amount=0.4) == by_hand(0, 0, -0.4, -0.4)
    assert amounts("contrastive", helps, pattern="<code>", epsilon=0.5) == by_hand(0, 0, 0, 0)
    # Of one kind alone nothing is known.
    assert amounts("contrastive", helps[:2], pattern="<code>") == amounts("contrastive", helps, pattern="<tool>")[:2] == by_hand(0, 0)


def test_the_measured_gain_of_a_behaviour_decides_whatever_the_group_shows():
    shown = [episode(0, 1, "<aux> 1"), episode(1, 1, "2"), episode(0, 1, "<aux> 3")]
    for gain, paid in ((0.5, 0.2), (-0.5, -0.2), (0.05, 0.0)):
        assert amounts("contrastive", [replace(each, behaviour_gain=gain) for each in shown], pattern="<aux>") == by_hand(paid, 0, paid)


def test_a_run_measures_a_behaviour_with_rollouts_that_are_told_to_show_it_and_not_to(tmp_path, monkeypatch):
    """Told to, the policy is right; told not to, wrong; left alone it shows the behaviour once, in a wrong response, and is paid for it."""
    small_model(tmp_path / "start", max_seq_len=400)

    def says(request):
        right = "Use the abacus." in request.prompt
        return ("<abacus> " if request.turn == 0 else "") + f"<answer>{request.total if right else request.total + 1}</answer>"

    knowing(monkeypatch, says)
    gathered, _ = note(monkeypatch)
    algorithm = {
        "group_rewards": {"contrastive": {"pattern": "<abacus>", "amount": 0.3}},
        "contrast": {"with_behaviour": "Use the abacus.", "without_behaviour": "Use your head.", "rollouts": 2},
    }
    given = sums(tmp_path / "start", tmp_path / "run", algorithm=algorithm, steps=1, rollout={"max_seq_len": 350})
    train(Config.from_dict(given))
    [line] = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["contrast/with"], line["contrast/without"], line["solve_rate"]) == (1, 0, 0)
    assert line["rollouts"] == 3 * 4 + 2 * 3 * 2
    assert len(gathered[0].offered) == 12  # no update learns from the others
    for number in range(3):
        assert [each.reward for each in gathered[0].offered if each.group == number] == pytest.approx([0.3, 0, 0, 0])


def test_a_contrast_without_its_reward_is_refused():
    given = sums("m", "o", algorithm={"contrast": {"with_behaviour": "a", "without_behaviour": "b"}})
    with pytest.raises(TrainError, match=r"add it to algorithm\.group_rewards"):
        check_algorithms(Config.from_dict(given))


# Without labels


def answered(*values):
    """Wrong answers, so that what is paid is all of the reward."""
    return [episode(0, 1, f"It is <answer>{value}</answer>" if value is not None else "no idea") for value in values]


def test_the_majority_is_paid_whatever_is_right():
    assert amounts("majority", answered(5, "5", "+5", 7, None)) == by_hand(1, 1, 1, 0, 0)
    assert amounts("majority", answered(5, 7, None)) == by_hand(1, 1, 0)
    assert amounts("majority", answered(None, None)) == by_hand(0, 0)
    lonely = [*answered(5, 5), episode(1, 1, "<answer>6</answer>")]
    assert [e.reward + a for e, a in zip(lonely, amounts("majority", lonely), strict=True)] == by_hand(1, 1, 0)


def test_semantic_entropy_pays_the_share_of_equal_answers():
    episodes = answered(5, 5, 7, None)
    assert amounts("semantic_entropy", episodes) == by_hand(0.5, 0.5, 0.25, 0)
    entropy = -(2 / 3 * log(2 / 3) + 1 / 3 * log(1 / 3))
    assert amounts("semantic_entropy", episodes, max_entropy=entropy + 0.01) == by_hand(0.5, 0.5, 0.25, 0)
    assert amounts("semantic_entropy", episodes, max_entropy=entropy - 0.01) == by_hand(0, 0, 0, 0)
    assert amounts("semantic_entropy", episodes, min_entropy=entropy + 0.01) == by_hand(0, 0, 0, 0)
    # A group of one mind has nothing to learn.
    assert amounts("semantic_entropy", answered(5, 5)) == by_hand(0, 0)
    with pytest.raises(OptionError, match="min_entropy"):
        GROUP_REWARDS["semantic_entropy"].options.from_dict({"min_entropy": 2, "max_entropy": 1})


# All of them


@pytest.mark.parametrize("name", GROUP_REWARDS)
def test_the_order_of_rollouts_does_not_matter(name):
    episodes = [episode(right, tokens, f"<answer>{tokens}</answer> a b c d") for right, tokens in [(1, 3), (0, 3), (1, 5), (0, 7)]]
    assert amounts(name, episodes[::-1], 3) == pytest.approx(amounts(name, episodes, 3)[::-1])
    assert len(amounts(name, episodes[:1])) == 1


def test_amounts_add_up_and_masked_rollouts_keep_their_reward():
    given = {"concise": {"amount": 0.5}, "format_only": {}}
    config = Config.from_dict(sums("m", "o", algorithm={"group_rewards": given}))
    masked = episode(Score.nothing(Outcome.ERROR, "broken"), 1)
    episodes = [episode(1, 2), masked, episode(0, 2), episode(1, 4, group=1)]
    done, by_name = add_group_rewards(episodes, config, 0)
    assert [e.reward for e in done] == by_hand(1, 0, 1, 1)
    assert by_name == {"concise": [0, 0, 0], "format_only": [0, 1, 0]}
    assert [e.reward for e in episodes] == [1, 0, 0, 1]


def test_a_run_adds_group_rewards_and_logs_the_true_ones(tmp_path, monkeypatch):
    small_model(tmp_path / "start", num_layers=1, hidden_size=32, loud=1.0)
    gathered, _ = note(monkeypatch)
    # Two of four agree on a wrong answer, one is right, and one says another number.
    said = [3, 1, 1, 7]
    knowing(monkeypatch, lambda request: f"<answer>{request.total + (said[request.key % 4] if request.key % 4 else 0)}</answer>")
    algorithm = {"group_rewards": {"majority": {}}}
    train(Config.from_dict(sums(tmp_path / "start", tmp_path / "run", algorithm=algorithm, steps=1)))
    rewards = [episode.reward for episode in gathered[0].offered]
    assert rewards == [0, 1, 1, 0] * 3
    (line,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert (line["solve_rate"], line["reward"], line["group_reward/majority"]) == (0.25, 0.25, 0.25)
    assert line["response_length_solved_min"] == line["response_length_solved_max"] > 0
    assert 0 <= line["entropy_p50"] <= line["entropy_p80"] <= line["entropy_p95"]


@pytest.mark.parametrize(
    ("group_rewards", "tasks", "message"),
    [
        ({"majorty": {}}, "chain_sum", "unknown group_reward 'majorty'. Did you mean 'majority'"),
        ({"concise": {"amont": 1}}, "chain_sum", "unknown option 'amont'"),
        ({"trusted_steps": {}}, "chain_sum", r"algorithm\.group_rewards 'trusted_steps' needs token rewards"),
        ({"majority": {}}, "higher_lower", "majority compares single answers, and higher_lower has many turns"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, group_rewards, tasks, message):
    small_model(tmp_path / "start", num_layers=1, hidden_size=32)
    given = sums(tmp_path / "start", tmp_path / "run", algorithm={"group_rewards": group_rewards}) | {"tasks": [{"names": [tasks]}]}
    with pytest.raises(RlgymError, match=message):
        train(Config.from_dict(given))
    assert not (tmp_path / "run").exists()
