"""Self-play: the policy plays every seat of a match, and each seat is an episode of its own with what that seat sees.

From "SPIRAL: Self-Play on Zero-Sum Games Incentivizes Reasoning via Multi-Agent Multi-Turn Reinforcement Learning". All seats move by the same weights.
The reward of a seat is its payoff, from -1 to 1; its score is the payoff on the scale from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import rlgym
from rlgym import Match, Outcome, Score
from rlgym.core.answer import Unreadable
from rlgym.dataset.seats import seat_observation
from rlgym.train.config.sections import TrainError
from rlgym.train.rollout.episodes import Episode

if TYPE_CHECKING:
    from rlgym.train.rollout.worker import RolloutProgress, RolloutWorker

SEATS = 2
SAME = 1e-9


@dataclass
class MatchInProgress:
    """One match in progress: its state, the episode of each seat, and how often each has moved."""

    match: Match[Any, Any, Any]
    first: Any
    state: Any
    seats: list[Episode]
    moves: list[int] = field(default_factory=lambda: [0] * SEATS)

    @property
    def mover(self) -> int:
        """The seat that moves now."""
        return self.match.player(self.state)

    def end(self, payoffs: Sequence[float], reason: str = "") -> None:
        """Pay every seat."""
        for seat, payoff in zip(self.seats, payoffs, strict=True):
            value = (1 + payoff) / 2
            score = Score.exact(True) if value > 1 - SAME else Score.partial(max(0.0, value), reason)
            seat.finish(score, float(payoff))

    def forfeit(self, reason: str) -> None:
        """The seat to move loses."""
        self.end([-1.0 if seat == self.mover else 1.0 for seat in range(SEATS)], reason)


def check_matches(names: Sequence[str]) -> None:
    """Raise TrainError for an environment that is no match of two players."""
    for name in names:
        declared = rlgym.environment(name)
        if not isinstance(declared, Match) or declared.players != SEATS:
            raise TrainError(f"rollout.self_play needs matches of two players, and {name} is none: leave one of them out")


def self_play(worker: RolloutWorker, starts: Sequence[Episode], seed: int, on_progress: RolloutProgress | None = None) -> list[Episode]:
    """Play the matches whose first states `starts` hold; two successive episodes of a group are the two seats of a match.

    Masked starts are returned as they are. A seat that never moved has no tokens to learn from, and is left out.
    """
    matches, done = list[MatchInProgress](), [start for start in starts if start.score is not None]
    waiting = [start for start in starts if start.score is None]
    for first, second in zip(waiting[::2], waiting[1::2], strict=True):
        match, state = rlgym.environment(first.task.name), first.snapshot.task.data
        assert isinstance(match, Match)
        for seat, episode in enumerate((first, second)):
            episode.seat = seat
            episode.tokens, episode.loss_mask, episode.logprobs, episode.messages = [], [], [], []
        matches.append(MatchInProgress(match, state, state, [first, second]))
    running = matches
    while running:
        movers = {current.seats[current.mover].key: current for current in running if _observe(worker, current)}
        episodes = {key: current.seats[current.mover] for key, current in movers.items()}
        worker.sample_responses(episodes, seed)
        for key, current in sorted(movers.items()):
            _move(worker, current, episodes[key])
        running = [current for current in running if current.seats[0].score is None]
        if on_progress:
            on_progress(len(starts) - SEATS * len(running), len(starts))
    played = [episode for current in matches for episode in current.seats if episode.num_sampled]
    return sorted([*done, *played], key=lambda episode: episode.key)


def _observe(worker: RolloutWorker, current: MatchInProgress) -> bool:
    """Show the mover what it sees. A mover without room for a response loses, and False is returned."""
    seat = current.mover
    episode = current.seats[seat]
    text = seat_observation(current.match, current.first, current.state, seat, current.moves[seat] > 0, worker.settings.answer_style)
    tokens = worker.chat.turn_tokens(text, not episode.truncated) if episode.tokens else worker.chat.prompt_tokens(text)
    if len(episode.tokens) + len(tokens) >= worker.max_seq_len:
        episode.truncated = True
        current.forfeit("the context had no room for another turn")
        return False
    episode.append_observation(tokens)
    episode.messages.append(("user", text))
    return True


def _move(worker: RolloutWorker, current: MatchInProgress, episode: Episode) -> None:
    """Make the move of a response; one that is unreadable or not legal loses the match."""
    text = worker.chat.decode(episode.open_response)
    episode.messages.append(("assistant", text))
    current.moves[current.mover] += 1
    match = current.match
    try:
        move = match.answer.parse_response(text, worker.settings.answer_style, episode.messages[-2][1])
        if move not in match.legal(current.state):
            raise Unreadable("the move is not legal")
        current.state = match.act(current.state, move)
    except Unreadable as why:
        episode.invalid_turns += 1
        current.forfeit(f"a move lost at once: {why}")
        return
    except Exception as error:
        broken = Score.nothing(Outcome.ERROR, f"the match raised {type(error).__name__}: {error}")
        for seat in current.seats:
            seat.finish(broken, 0.0)
        return
    paid, turns = match.returns(current.state), match.turns(current.first)
    if paid is not None:
        current.end(paid)
    elif min(current.moves) >= turns:
        current.end([0.0] * SEATS, "no turns are left")
