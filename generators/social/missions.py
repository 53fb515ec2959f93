"""A council with hidden spies: proposed teams, votes on them, results of missions, and which players may be spies by that."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from rlgym.core.task import TaskData

Team = tuple[int, ...]
PROPOSALS = 2
"""Teams that are proposed for each mission before the captain names one."""


class Rules(NamedTuple):
    """What is known about spies: whether a mission tells how many spies are on it, and whether their votes turn round on even missions."""

    players: int
    spies: int
    counted: bool
    turning: bool


class Vote(NamedTuple):
    """One vote on a team: the mission, the team, the voter, and whether it was for the team."""

    mission: int
    team: Team
    voter: int
    favour: bool


class Council(TaskData):
    """Player 0 is the captain, who is no spy and goes on no mission. Proposals and the votes of loyal players are drawn before the game.

    sizes      the size of the team of each mission
    proposals  per mission the teams that are proposed, each by its first member
    ballots    per mission and proposal the vote of each player, should the player be loyal
    stage      the proposal of this mission that is voted on; after the last one, the captain names a team
    results    the team and the sabotages of each mission so far
    """

    names: tuple[str, ...]
    spies: tuple[int, ...]
    counted: bool
    turning: bool
    sizes: tuple[int, ...]
    proposals: tuple[tuple[Team, ...], ...]
    ballots: tuple[tuple[tuple[bool, ...], ...], ...]
    rejections: int
    need: int = 0
    stage: int = 0
    votes: tuple[tuple[int, Team, int, bool], ...] = ()
    results: tuple[tuple[Team, int], ...] = ()
    news: str = ""

    @property
    def mission(self) -> int:
        return len(self.results)

    @property
    def team(self) -> Team | None:
        """The team that is proposed now; None where the captain names one."""
        return self.proposals[self.mission][self.stage] if self.stage < PROPOSALS else None


def rules_of(state: Council) -> Rules:
    return Rules(len(state.names), len(state.spies), state.counted, state.turning)


def voted_now(state: Council) -> int:
    """How many have voted on the present proposal."""
    return sum(mission == state.mission and team == state.team for mission, team, _, _ in state.votes)


def spy_votes_for(rules: Rules, mission: int, team: Team, spies: frozenset[int]) -> bool:
    """A spy votes for the teams with a spy; on even missions against them, if spies turn round."""
    return (not spies.isdisjoint(team)) != (rules.turning and mission % 2 == 1)


def scripted_vote(state: Council, voter: int) -> bool:
    team = state.team
    assert team is not None
    if voter in state.spies:
        return spy_votes_for(rules_of(state), state.mission, team, frozenset(state.spies))
    return state.ballots[state.mission][state.stage][voter]


def sabotages(state: Council, team: Team) -> int:
    """What is announced of a mission: how many spies were on it, or only whether there was one."""
    found = sum(player in state.spies for player in team)
    return found if state.counted else min(1, found)


@lru_cache(maxsize=4096)
def possible_spies(
    rules: Rules, votes: tuple[tuple[int, Team, int, bool], ...], results: tuple[tuple[Team, int], ...]
) -> tuple[frozenset[int], ...]:
    """All sets of spies that fit the votes and the results."""
    sets = [frozenset(each) for each in combinations(range(1, rules.players), rules.spies)]
    for team, found in results:
        sets = [each for each in sets if (len(each.intersection(team)) if rules.counted else min(1, len(each.intersection(team)))) == found]
    for mission, team, voter, favour in votes:
        sets = [each for each in sets if voter not in each or spy_votes_for(rules, mission, team, each) == favour]
    return tuple(sets)


def clean(sets: tuple[frozenset[int], ...], team: Team) -> float:
    """The share of these sets of spies of which no member is on the team."""
    return sum(each.isdisjoint(team) for each in sets) / max(1, len(sets))


def best_team(sets: tuple[frozenset[int], ...], players: int, size: int) -> Team:
    """The team that is clean in most sets, the first of several."""
    return max(combinations(range(1, players), size), key=lambda team: (clean(sets, team), tuple(-each for each in team)))


def successes(state: Council) -> int:
    return sum(not found for _, found in state.results)
