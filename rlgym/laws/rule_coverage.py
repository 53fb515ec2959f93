"""Every rule that a task states is exercised and checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rlgym.core.declare import Game
from rlgym.episode.play import runner_for
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.margins import exceeds
from rlgym.laws.subject import Subject, short

LEVELS_PLAYED = (0.5, 1.0)
EPISODES = Samples(least=4, quick=6, standard=40, certificate=120)
"""Episodes that state a rule, at each level. A sample above the limit is enlarged."""
MOST_EPISODES = 240
MOST_RIGHT = 0.6
_SECTION = re.compile(r"^.*\b(?:rules|policy|policies|duties)\b.*:$", re.IGNORECASE | re.MULTILINE)


@dataclass
class _Tally:
    """The episodes that state a rule, and those among them in which a player who skips it ends rightly."""

    right: int = 0
    stated: int = 0

    def judged(self, sample_size: int) -> bool:
        return self.stated >= sample_size and (self.right <= MOST_RIGHT * self.stated or self.breaks)

    @property
    def breaks(self) -> bool:
        return exceeds(self.right, self.stated, MOST_RIGHT)


def rule_coverage(subject: Subject, effort: Effort) -> Finding:
    """An oracle that skips one stated rule ends rightly in at most 0.6 of the episodes that state it, at levels 0.5 and 1; the least effort plays
    at level 0.5.

    A rule that the verifier does not check breaks the law, and so does one that the drawn tasks seldom exercise. A world of tools declares
    its rules, or in `no_rules` why it states none; a prompt that lists rules states some.
    """
    finding, game = Finding(), subject.declared
    if not isinstance(game, Game):
        return finding
    if game.rules is None:
        if hasattr(game.answer, "schemas"):
            section = _SECTION.search(subject.task(1, 0.5).prompt)
            finding.require(section is None, f"the prompt lists rules, but none are declared: {short(section[0]) if section else ''}")
            finding.require(bool(game.no_rules), "neither `rules` nor, in `no_rules`, a reason why the task states none is declared")
        finding.not_measured = game.no_rules or "it declares no rules"
        return finding
    finding.require(not game.no_rules, "`rules` are declared, and in `no_rules` a reason why there are none")
    shares: dict[str, dict[str, float]] = {}
    for level in LEVELS_PLAYED[:1] if effort is Effort.LEAST else LEVELS_PLAYED:
        tallies = _play_level(subject, game, level, EPISODES.at(effort, subject.runs_programs))
        finding.require(bool(tallies), f"no task of level {level:g} states a rule")
        for rule, tally in sorted(tallies.items()):
            finding.require(
                not tally.breaks,
                f"an oracle that skips the rule {rule!r} ends rightly in {tally.right} of {tally.stated} episodes of level {level:g}",
            )
            shares.setdefault(rule, {})[f"{level:g}"] = round(tally.right / tally.stated, 3)
    finding.measured = {
        "rules": len(shares),
        "right_without_a_rule": max((share for by_level in shares.values() for share in by_level.values()), default=0.0),
        "by_rule": shares,
    }
    return finding


def _play_level(subject: Subject, game: Game[Any, Any, Any], level: float, episodes: int) -> dict[str, _Tally]:
    """The tally of each rule. Rules that few tasks state are looked for in twice as many tasks as are needed for the others."""
    assert game.rules is not None
    tallies: dict[str, _Tally] = {}
    for seed in range(1, MOST_EPISODES + 1):
        sample_size = episodes if seed <= 2 * episodes else 1
        first = subject.task(seed, level).data
        for rule, skipping in game.rules(first).items():
            tally = tallies.setdefault(rule, _Tally())
            if not tally.judged(sample_size):
                tally.stated += 1
                tally.right += _ends_rightly(game, first, skipping)
        if seed >= episodes and all(tally.judged(sample_size) for tally in tallies.values()):
            break
    return tallies


def _ends_rightly(game: Game[Any, Any, Any], first: Any, policy: Callable[[Any], Any]) -> bool:
    """Whether an episode in which every answer comes from this policy earns the full score."""
    runner = [runner_for(game)] if game.sandbox else []
    state = first
    for _ in range(game.turns(first)):
        state = game.act(state, policy(state), *runner)
        if score := game.outcome(state):
            return score.value == 1.0
    return False
