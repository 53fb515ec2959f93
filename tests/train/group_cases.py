"""Scored episodes and what the registered group rewards pay for them."""

import pytest

from rlgym import Outcome, Score
from rlgym.train.registry import GROUP_REWARDS
from rlgym.train.rewards.group import GroupContext
from rlgym.train.rollout.episodes import Episode
from rlgym.train.tasks.spec import TaskSpec

NEEDED = {
    "contrastive": {"pattern": "a b"},
    "group_noise": {"false_positive": 0.2, "false_negative": 0.3},
    "length_target": {"easy_tokens": 2, "medium_tokens": 4, "hard_tokens": 8},
    "format_length": {"max_tokens": 8},
    "objectives": {"terms": ["right", {"relative_short": {}}], "wrong_may_outrank": True},
    "combined": {"reward": {"lexicographic": {"terms": ["right", {"relative_short": {}}]}}},
}


READABLE, SILENT = Score.wrong("off by one"), Score.nothing(Outcome.UNREADABLE, "no answer")


def episode(score, tokens=1, text="", group=0, key=0):
    """A scored episode with this many sampled tokens."""
    made = Episode(
        key,
        group,
        TaskSpec("chain_sum", 0.0, 1, "train"),
        [1] * (tokens + 1),
        [False] + [True] * tokens,
        [0.0] + [-1.0] * tokens,
        None,
        messages=[("user", "What?"), ("assistant", text)],
    )
    score = Score.exact(score == 1) if isinstance(score, int) else score
    made.finish(score, score.value)
    return made


def group(*pairs):
    return [episode(score, tokens) for score, tokens in pairs]


def amounts(name, episodes, step=0, **given):
    chosen = GROUP_REWARDS[name]
    return chosen(episodes, GroupContext(step), chosen.options.from_dict(NEEDED.get(name, {}) | given))


def by_hand(*expected):
    return pytest.approx(list(expected), abs=1e-6)
