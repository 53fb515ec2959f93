"""Graded rewards for tool calls: names, parameter names and values compared with the right calls."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from rlgym.answers.tools import Misuse, ToolCalls
from rlgym.core.answer import Style, Unreadable

Call = tuple[str, dict[str, Any]]
"""The name of a tool and its arguments."""
Granularity = Literal["fine", "intermediate", "coarse", "f1"]


@dataclass(frozen=True)
class ToolCallReward:
    """The reward of ToolRL for the calls of a response: format_scale * [readable] + correct_scale * (2 S / S_max - 1).

    S adds the multiset Jaccard index of the names and, for each right call, its best unused match of the same name: the Jaccard index of
    the parameter names plus one for each equal value. S_max is 1 plus, for each right call, 1 and its number of parameters.

    granularity    "fine" as above; "intermediate" credits a match in full if all arguments are equal, and else not at all; "coarse" is
                   1 or -1 by whether the calls are equal in any order; "f1" takes for S / S_max the F1 of the calls, from the share of the
                   calls made that are right and the share of the right calls that were made, as in FTRL's reward of a turn
    correct_scale  3 in the paper, so that this part lies in [-3, 3]; an unreadable response gets -correct_scale
    format_scale   1 in the paper

    ToolRL: Reward is All Tool Learning Needs. FTRL: Feedback-Driven Tool-Use Improvements in Large Language Models via Automated Build
    Environments.
    """

    granularity: Granularity = "fine"
    correct_scale: float = 3.0
    format_scale: float = 1.0

    def __call__(self, response: str, right: str, style: Style = "tag", progress: float | None = None) -> float:
        """The reward of a response, given the right response.

        progress  the share of the training that is done: the weight moves from the format to the correctness, as in the paper's
                  schedule, in which the scales start at (1, 0) and end at (0, 1) of their values
        """
        by_format, by_correctness = (1.0, 1.0) if progress is None else (1.0 - progress, progress)
        wanted = read_calls(right, style)
        try:
            given = read_calls(response, style)
        except Unreadable:
            return -self.correct_scale * by_correctness
        return self.format_scale * by_format + self.correct_scale * by_correctness * (2 * self.share(given, wanted) - 1)

    def share(self, given: Sequence[Call], wanted: Sequence[Call]) -> float:
        """S / S_max, from 0 to 1."""
        if self.granularity == "coarse":
            return float(sorted(map(_key, given)) == sorted(map(_key, wanted)))
        if self.granularity == "f1":
            equal = (Counter(map(_key, given)) & Counter(map(_key, wanted))).total()
            return 2 * equal / max(1, len(given) + len(wanted))
        names = Counter(name for name, _ in given), Counter(name for name, _ in wanted)
        total = (names[0] & names[1]).total() / max(1, (names[0] | names[1]).total())
        unused = list(given)
        for name, arguments in wanted:
            matches = [call for call in unused if call[0] == name]
            if matches:
                best = max(matches, key=lambda call: self._match(call[1], arguments))
                unused.remove(best)
                total += self._match(best[1], arguments)
        return total / (1 + sum(1 + len(arguments) for _, arguments in wanted))

    def _match(self, given: dict[str, Any], wanted: dict[str, Any]) -> float:
        if self.granularity == "intermediate":
            return (1 + len(wanted)) * float(_key(("", given)) == _key(("", wanted)))
        keys = len(given.keys() & wanted.keys()) / len(given.keys() | wanted.keys()) if given or wanted else 1.0
        return keys + sum(name in given and _key(("", given[name])) == _key(("", value)) for name, value in wanted.items())


def read_calls(response: str, style: Style = "tag") -> list[Call]:
    """The calls in a response, whatever the tools; Unreadable where there are none."""
    found = []
    for call in ToolCalls((), max_calls=64).parse_response(response, style):
        assert isinstance(call, Misuse), "without tools, no call is accepted"
        value = json.loads(call.call)
        found.append((value["tool"], value["arguments"]))
    return found


class HasOracle(Protocol):
    """An episode of a tool world in progress: `rlgym.Env` and `rlgym.dataset.Session` are such."""

    def oracle(self) -> str: ...


def reward_turn(episode: HasOracle, response: str, reward: ToolCallReward | None = None, style: Style = "tag") -> float:
    """The reward of a response in the present state of a tool world, compared with the oracle's calls there.

    Other calls may be as good as the oracle's: this is a dense signal for imitation, not a verdict. The episode's score is the verdict.
    """
    return (reward or ToolCallReward())(response, episode.oracle(), style)


def _key(value: Any) -> str:
    """A text that is equal for equal JSON values; 1 and true are different, and so are 1 and 1.0."""
    return json.dumps(value, sort_keys=True)
