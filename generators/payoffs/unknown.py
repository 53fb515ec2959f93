"""Playing against something hidden: it is of one of several kinds, each answers by a fixed rule, and only its answers show which it is.

The most that can be promised is the least regret: how little a player who does not know the kind need fall short, whatever the kind,
of one who knew it from the start. It is computed exactly, over all information sets.
"""

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

Move = TypeVar("Move", bound=Hashable)
Inside = Any  # what a game of one kind stands at, hashable
Place = tuple[int, Inside]  # a kind and what the game stands at if it is of that kind


class Rules(Protocol[Move]):
    """A game of at most `rounds` moves against one of `kinds` kinds; it is over where there are no moves.

    `choices` are moves among which a best one is, where the game is at one of these places, all of which fit what was seen. `step` gives
    the inside after a move, what is seen of it, and the gain.
    `relevant_state` is the part of the state that this kind still depends on.
    """

    @property
    def rounds(self) -> int: ...
    @property
    def kinds(self) -> int: ...
    def first(self, kind: int) -> Inside: ...
    def choices(self, places: Sequence[Place], rounds_left: int) -> Sequence[Move]: ...
    def step(self, kind: int, inside: Inside, move: Move) -> tuple[Inside, Hashable, int]: ...
    def relevant_state(self, kind: int, inside: Inside) -> Inside: ...


class TooMuch(Exception):
    """A game is larger than the work allowed."""


class Unknown(Generic[Move]):
    """What can be promised in a game against a hidden kind.

    alone   per kind, the most that is gained when the kind is known
    regret  how far one must fall short of that at worst
    sure    per kind, what is gained at least by a player of least regret
    """

    def __init__(self, rules: Rules[Move], most: int = 200_000) -> None:
        self.rules, self._left = rules, most
        self._known: dict[tuple[Place, int], tuple[int, Move | None]] = {}
        self._open: dict[tuple[tuple[Place, ...], int], tuple[int, Move | None]] = {}
        start = tuple((kind, rules.first(kind)) for kind in range(rules.kinds))
        self.start = start
        self.alone = tuple(self._value_of_known_kind(place, rules.rounds)[0] for place in start)

    @cached_property
    def regret(self) -> int:
        return -self._minimax_regret(self.start, self.rules.rounds)[0]

    @cached_property
    def sure(self) -> tuple[int, ...]:
        return tuple(most - self.regret for most in self.alone)

    def left(self, seen: Sequence[tuple[Move, Hashable]]) -> tuple[Place, ...]:
        """The places that fit the moves made and what was seen of each; none if the game went otherwise than any kind would."""
        places = self.start
        for move, sight in seen:
            stepped = [(kind, self.rules.step(kind, inside, move)) for kind, inside in places]
            places = tuple((kind, inside) for kind, (inside, what, _) in stepped if what == sight)
        return places

    def best(self, places: tuple[Place, ...], rounds_left: int) -> Move:
        """A move of least regret where these places are what may be, with so many moves left."""
        move = self._value_of_known_kind(places[0], rounds_left)[1] if len(places) == 1 else self._minimax_regret(places, rounds_left)[1]
        assert move is not None
        return move

    def _work(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooMuch("the game has more positions than may be looked at")

    def _value_of_known_kind(self, place: Place, rounds_left: int) -> tuple[int, Move | None]:
        """The most that can still be gained from a known place, and the first move of it."""
        kind, inside = place
        key = (kind, self.rules.relevant_state(kind, inside)), rounds_left
        if key in self._known:
            return self._known[key]
        best: tuple[int, Move | None] | None = None
        for move in self.rules.choices((place,), rounds_left) if rounds_left else ():
            self._work()
            after, _, gain = self.rules.step(kind, inside, move)
            worth = gain + self._value_of_known_kind((kind, after), rounds_left - 1)[0]
            if best is None or worth > best[0]:
                best = worth, move
        self._known[key] = best or (0, None)
        return self._known[key]

    def _minimax_regret(self, places: tuple[Place, ...], rounds_left: int) -> tuple[int, Move | None]:
        """Less the regret that is left: what can still be gained less what was to be gained from the start, at worst."""
        if len(places) == 1:
            worth, move = self._value_of_known_kind(places[0], rounds_left)
            return worth - self.alone[places[0][0]], move
        key = places, rounds_left
        if key in self._open:
            return self._open[key]
        worst_case: tuple[int, Move | None] | None = None
        for move in self.rules.choices(places, rounds_left) if rounds_left else ():
            worst: int | None = None
            parts: dict[tuple[Hashable, int], list[Place]] = {}
            for kind, inside in places:
                self._work()
                after, sight, gain = self.rules.step(kind, inside, move)
                parts.setdefault((sight, gain), []).append((kind, after))
            for (_, gain), those in sorted(parts.items(), key=lambda part: len(part[1])):
                worth = gain + self._minimax_regret(tuple(those), rounds_left - 1)[0]
                worst = worth if worst is None else min(worst, worth)
                if worst_case is not None and worst <= worst_case[0]:
                    break
            assert worst is not None
            if worst_case is None or worst > worst_case[0]:
                worst_case = worst, move
        self._open[key] = worst_case or (min(-self.alone[kind] for kind, _ in places), None)
        return self._open[key]
