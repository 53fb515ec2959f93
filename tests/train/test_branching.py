"""Rollouts that branch after an observation where the policy has become less certain."""

from math import log

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from train.scripted import sums
from train.small_models import small_model
from train.test_episodes import Scripted, oracle_of, worker
from train.test_filters import episodes

from rlgym.train.config.branching import BranchingConfig
from rlgym.train.config.schema import Config
from rlgym.train.config.sections import TrainError
from rlgym.train.logging.metrics_logger import read_lines
from rlgym.train.loop import train
from rlgym.train.model.tokenizer import make_tokenizer
from rlgym.train.rollout.branching import Branching, first_entropy
from rlgym.train.rollout.chat import Chat
from rlgym.train.rollout.engines.base import Completion
from rlgym.train.tasks.spec import TaskSpec
from rlgym.train.validate.config import check_config

GAME = TaskSpec("mastermind", 0.0, 4, "train")


def fresh(count):
    """Episodes of one group at their prompt."""
    out = episodes([0] * count)
    for episode in out:
        episode.loss_mask = [False, False]
    return out


def certain(logprob, count=4):
    return Completion((7,) * count, (logprob,) * count, True, 0)


def test_the_rule_by_hand():
    # Two tokens of probability 1/4 and 1/2 over a vocabulary of 16: (log 4 + log 2) / log 16.
    assert first_entropy((log(0.25), log(0.5), log(0.1)), 2, 16) == pytest.approx(0.75)
    drawn = iter([0.55, 0.65, 0.9])
    branching = Branching(BranchingConfig(initial_rollouts=1, entropy_tokens=4), 16, lambda episode, number: next(drawn))
    group = fresh(4)
    [source] = branching.hold_back(group)
    branching.measure(source, certain(log(1 / 16)))  # entropy 4, from which it is measured
    # 0.55 is above the threshold of 0.5 while the entropy is as before.
    assert branching.branch([source.key], {source.key: source}) == []
    # An entropy that is higher by 1 allows 0.65 - 0.2 = 0.45; one that is lower by 2 does not allow 0.9 + 0.4.
    branching.measure(source, certain(1.25 * log(1 / 16)))
    assert branching.branch([source.key], {source.key: source}) == [group[1]]
    branching.measure(source, certain(log(1 / 16) / 2))
    assert branching.branch([source.key], {source.key: source}) == []
    assert branching.release() == group[2:]


def test_the_less_certain_the_policy_has_become_the_more_often_it_branches():
    shares = []
    for logprob in (-0.5, -1.0, -2.0):  # the first response has -1
        branched = 0
        for place in range(100):
            branching = Branching(
                BranchingConfig(initial_rollouts=1, entropy_weight=0.3), 50, lambda episode, number, place=place: (place + 0.5) / 100
            )
            group = fresh(2)
            [source] = branching.hold_back(group)
            branching.measure(source, certain(-1.0))
            branching.measure(source, certain(logprob))
            branched += len(branching.branch([source.key], {source.key: source}))
        shares.append(branched / 100)
    assert shares[0] < shares[1] == 0.5 < shares[2]


@pytest.fixture(scope="module")
def chat(tmp_path_factory):
    return Chat(make_tokenizer(tmp_path_factory.mktemp("tokenizer")))


def turn_of(chat, prompt):
    """How many responses there are in a context."""
    return (sum(token == chat.stop[0] for token in prompt) - 1) // 2


def play(chat, says, **branching):
    engine = Scripted(lambda key, prompt: chat.response_tokens(says(key, turn_of(chat, prompt))))
    options = BranchingConfig(**branching)
    return worker(engine, chat, branching=options, vocab_size=262).rollout([GAME], 4, 0), engine


def test_a_branch_shares_what_came_before_and_goes_its_own_way(chat):
    right = oracle_of(chat, GAME)
    assert len(right) > 2
    # The first rollout begins as the oracle does and then says nothing; its branches go on as the oracle does.
    group, engine = play(chat, lambda key, turn: right[turn] if key or not turn else "?", initial_rollouts=1, threshold=1.0, max_branches=3)
    source, *branches = group
    assert [episode.solved for episode in group] == [False, True, True, True]
    for episode in branches:
        shared = next(place for place, (a, b) in enumerate(zip(episode.tokens, source.tokens, strict=False)) if a != b)
        assert episode.tokens[:shared] == source.tokens[:shared]
        assert episode.messages[:3] == source.messages[:3]
        assert episode.messages[3] != source.messages[3]
        assert episode.shared_tokens == len(chat.response_tokens(right[0]))
        assert episode.loss_mask.count(True) > episode.shared_tokens
        assert len(episode.tokens) == len(episode.loss_mask) == len(episode.logprobs)
    # The first turn was sampled once for all four.
    assert sum(turn_of(chat, prompt) == 0 for _, prompt, _ in engine.seen) == 1


def test_places_without_a_branch_start_from_the_prompt(chat):
    right = oracle_of(chat, GAME)
    group, engine = play(chat, lambda key, turn: right[turn], initial_rollouts=2, threshold=0.0, entropy_weight=0.0)
    assert all(episode.solved and not episode.shared_tokens for episode in group)
    assert sum(turn_of(chat, prompt) == 0 for _, prompt, _ in engine.seen) == 4
    again, _ = play(chat, lambda key, turn: right[turn], initial_rollouts=2, threshold=0.0, entropy_weight=0.0)
    assert [episode.tokens for episode in again] == [episode.tokens for episode in group]


def test_a_run_branches_in_training_and_not_in_evaluations(tmp_path):
    small_model(tmp_path / "start", max_seq_len=700, loud=1.0)
    rollout = {"groups_per_step": 2, "group_size": 4, "max_new_tokens": 6, "max_seq_len": 600}
    counts = {}
    for name, branching in {"off": None, "on": {"initial_rollouts": 2, "threshold": 1.0, "entropy_weight": 0.0}}.items():
        given = sums(
            tmp_path / "start", tmp_path / name, tasks=[{"names": ["higher_lower"]}], rollout=rollout | {"branching": branching}, steps=1
        )
        given["algorithm"]["filter_zero_std"] = False
        train(Config.from_dict(given))
        [counts[name]] = read_lines(tmp_path / name / "metrics.jsonl")
    assert counts["on"]["branched_rollouts"] == 0.5
    assert "branched_rollouts" not in counts["off"]
    assert counts["on"]["rollouts"] == counts["off"]["rollouts"] == 8
    evaluations = [read_lines(tmp_path / name / "evaluations.jsonl")[0] for name in counts]
    assert evaluations[0] == evaluations[1]


@pytest.mark.parametrize(
    ("tasks", "initial", "message"),
    [(["higher_lower"], 4, "leaves no place for a branch"), (["chain_sum"], 2, "chain_sum has a single one")],
)
def test_what_cannot_branch_is_refused(tmp_path, tasks, initial, message):
    given = sums("m", tmp_path / "o", tasks=[{"names": tasks}], rollout={"branching": {"initial_rollouts": initial}})
    with pytest.raises(TrainError, match=message):
        check_config(Config.from_dict(given))
