"""Every match as a PettingZoo environment in which all players are moved from outside, for self-play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

import rlgym
from rlgym import Outcome, Score
from rlgym.answers import Style, Unreadable
from rlgym.core.declare import describe_return
from rlgym.core.packages import extra
from rlgym.dataset import to_task_json
from rlgym.dataset.seats import seat_observation

with extra("pettingzoo"):
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.env import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper


class Text(str):
    """An observation. It carries a dtype, because PettingZoo's `api_test` reads that of every observation."""

    dtype = str


class Moves(gymnasium.Space[str]):
    """Any text; a sample is the response with a random legal move of the match that is being played."""

    def __init__(self, match: MatchEnv) -> None:
        super().__init__(None, str)
        self._match = match

    def contains(self, x: Any) -> bool:
        return isinstance(x, str)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        legal = self._match.legal()
        return legal[int(self.np_random.integers(len(legal)))]

    @property
    def is_np_flattenable(self) -> bool:
        return False


class MatchEnv(AECEnv[str, str, str | None]):
    """One match. Agents are "player_0", "player_1", ...; observations and actions are texts.

    Rewards are the payoffs at the end, from -1 to 1. A move that is unreadable or not legal loses at once: -1, and the others
    share 1. `infos` of an agent hold who is to move, and at the end `score`: what `rlgym.score` would say to the seat that the
    environment's task is made for. A rule that breaks raises; nobody is paid for that. Agents that have no seat in a match are never
    selected and earn 0.
    """

    def __init__(self, name: str, *, level: float | None = None, answer_style: Style = "tag", **knobs: Any) -> None:
        super().__init__()
        declared = rlgym.environment(name)
        if not isinstance(declared, rlgym.Match):
            raise rlgym.RlgymError(
                f"{name} is not a match but {'an' if declared.kind == 'environment' else 'a'} {declared.kind}: only matches have several players"
            )
        self.name, self.declared, self.level, self.knobs, self.answer_style = name, declared, level, knobs, answer_style
        self.metadata = {"name": f"rlgym_{name}_v{declared.version}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.possible_agents = [f"player_{i}" for i in range(declared.players)]
        self.agents: list[str] = []
        texts = rlgym.Env(name, level=level, answer_style=answer_style, **knobs).observation_space
        self.observation_spaces = {agent: type(texts)() for agent in self.possible_agents}
        self.action_spaces = {agent: Moves(self) for agent in self.possible_agents}
        self._seeds = rlgym.Rng("pettingzoo", int(np.random.SeedSequence().entropy))  # type: ignore[arg-type]
        self._state: Any = None
        self.infos: dict[str, dict[str, Any]] = {}

    def observation_space(self, agent: str) -> gymnasium.Space[str]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[str | None]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the match of this seed, or of `options["row"]`, a row of a dataset; other options are left alone."""
        if seed is not None:
            self._seeds = rlgym.Rng("pettingzoo", seed)
        row = (options or {}).get("row")
        if row is not None:
            self._first = self._read(row)
        else:
            task_seed = self._seeds.integer(0, 2**63 - 1) if seed is None else seed
            self._first = rlgym.task(self.name, task_seed, level=self.level, **self.knobs).data
        self._state = self._first
        self._moves: list[tuple[str, str]] = []
        self.agents = self.possible_agents[:]
        self._seated = self.possible_agents[: self.declared.players_of(self._first)]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._set_active_agent()

    def observe(self, agent: str) -> str:
        """What this agent may see now; before its first move with the rules. All agents see the first mover's rules."""
        if not self._is_running() or agent not in self._seated:
            return Text()
        player, moved = self.possible_agents.index(agent), any(who == agent for who, _ in self._moves)
        return Text(seat_observation(self.declared, self._first, self._state, player, moved, self.answer_style))

    def step(self, action: str | None) -> None:
        """Move the agent whose turn it is, by its whole response; None removes an agent once the match is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, str):
            raise rlgym.RlgymError(f"an action must be a string, the response of {agent}; got {type(action).__name__}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._moves.append((agent, action))
        refused = self._move(action)
        if refused is not None:
            others = len(self._seated) - 1
            self._end([-1.0 if who == agent else 1.0 / others for who in self._seated], refused)
        elif (paid := self.declared.returns(self._state)) is not None:
            self._end(list(paid), None)
        elif all(sum(who == each for who, _ in self._moves) >= self.declared.turns(self._first) for each in self._seated):
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._set_active_agent()
        self._accumulate_rewards()

    def legal(self) -> list[str]:
        """The legal moves now, as whole responses."""
        return [self.declared.answer.render_response(move, self.answer_style) for move in self.declared.legal(self._state)]

    def oracle(self) -> str:
        """A best move now, as a whole response."""
        return self.declared.answer.render_response(self.declared.best(self._state), self.answer_style)

    def render(self) -> str:
        """The moves so far, as text."""
        return "\n\n".join(f"[{agent}]\n{text}" for agent, text in self._moves)

    def close(self) -> None:
        """There is nothing to close."""

    def _read(self, row: Mapping[str, Any]) -> Any:
        to_task_json(row)
        if row["env"] != self.name:
            raise rlgym.RlgymError(f"the row {row['id']!r} is of {row['env']!r}, not of {self.name!r}")
        return self.declared.data.model_validate_json(row["data"])

    def _is_running(self) -> bool:
        return not any(self.terminations.values()) and not any(self.truncations.values())

    def _set_active_agent(self) -> None:
        self.agent_selection = self.possible_agents[self.declared.player(self._state)]
        self.infos = {agent: {"active_agent": self.agent_selection} for agent in self.agents}

    def _move(self, action: str) -> Score | None:
        """Make the move; the score of one that loses at once."""
        try:
            move = self.declared.answer.parse_response(action, self.answer_style)
        except Unreadable as why:
            return Score.nothing(Outcome.UNREADABLE, f"an unreadable move loses: {why}")
        if move not in self.declared.legal(self._state):
            return Score.nothing(Outcome.REFUSED, f"the move {self.declared.answer.render(move)} is not legal; an illegal move loses")
        self._state = self.declared.act(self._state, move)
        return None

    def _end(self, paid: list[float], refused: Score | None) -> None:
        """Pay all agents. The seat of the task has a score too, unless another player's move was refused."""
        seat = self.possible_agents[self.declared.seat(self._first)]
        self.rewards = dict.fromkeys(self.agents, 0.0) | dict(zip(self._seated, paid, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {} for agent in self.agents}
        if refused is None:
            reward, target = self.rewards[seat], self.declared.target_return(self._first)
            self.infos[seat]["score"] = Score.exact(reward >= target, describe_return(reward, target))
        elif self.agent_selection == seat:
            self.infos[seat]["score"] = refused


def aec_env(name: str, *, level: float | None = None, answer_style: Style = "tag", **knobs: Any) -> AECEnv[str, str, str | None]:
    """The match `name` as an AEC environment: agents move one after the other."""
    return OrderEnforcingWrapper(MatchEnv(name, level=level, answer_style=answer_style, **knobs))


def parallel_env(name: str, *, level: float | None = None, answer_style: Style = "tag", **knobs: Any) -> ParallelEnv[str, str, str | None]:
    """The match `name` in the parallel API: only the action of `infos[agent]["active_agent"]` counts in a step."""
    return turn_based_aec_to_parallel(MatchEnv(name, level=level, answer_style=answer_style, **knobs))
