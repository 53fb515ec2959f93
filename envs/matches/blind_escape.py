"""Bring two walkers to the exits of their floors: each sees only the traps of the other's floor, and can name few of them.

The partner follows stated rules, so that its way can be foreseen: which trap is named, and when, decides where it walks next. Whether the partner
warns of a trap, or does not, tells which cells of the own floor are safe.
"""

from collections.abc import Callable

from rlgym import Config, Match, Rng, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.social import floors
from rlgym.generators.social.floors import FAR, TELL, WAIT, WAYS, Cells, Size
from rlgym.generators.text.english import count_noun
from rlgym.generators.text.names import PEOPLE

Move = tuple[str, ...]
MOST_MESSAGES = 7
SLACK = 7
MORE = 2
"""How many messages more than the least may be needed."""


class Knobs(Config):
    width: int = knob(6, easy=4, hard=7, doc="columns of each floor")
    height: int = knob(5, easy=4, hard=8, doc="rows of each floor")
    traps: int = knob(28, easy=20, hard=32, doc="percent of the cells that are traps")
    messages: int = knob(2, easy=1, hard=4, doc="least messages that the partner needs")
    spare: int = knob(0, easy=1, hard=0, doc="messages more than are needed; twice as many turns")


class State(TaskData):
    """`traps` and `at` belong to the walkers, `named` and `left` to those who are told: the traps that a walker knows, and how many messages its partner
    has left. `deeds` are all moves so far."""

    name: str
    size: Size
    traps: tuple[tuple[int, ...], tuple[int, ...]]
    at: tuple[int, int] = (0, 0)
    named: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    left: tuple[int, int] = (MOST_MESSAGES, 2 * MOST_MESSAGES)
    limit: int = 100
    deeds: tuple[Move, ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    size, name = Size(knobs.width, knobs.height), rng.choice(PEOPLE)
    while True:
        own, other = (tuple(cell for cell in range(1, size.exit) if rng.integer(1, 100) <= knobs.traps) for _ in range(2))
        if any(floors.distances(size, frozenset(each))[0] >= FAR for each in (own, other)):
            continue
        count = floors.plan(size, 0, frozenset(other), frozenset(), knobs.messages + MORE)[0]
        if not knobs.messages <= count < FAR:
            continue
        state = State(name=name, size=size, traps=(own, other), left=(count + knobs.spare, 2 * MOST_MESSAGES))
        end = _played(state, best)
        if _result(end) != 1.0:
            continue
        used = 2 * MOST_MESSAGES - end.left[1]
        # A walker who prefers other ways may need more turns and warnings than the oracle.
        limit, warnings = len(end.deeds) // 2 + SLACK + 2 * knobs.spare, min(used + SLACK + 2, 2 * MOST_MESSAGES)
        state = state.model_copy(update={"limit": limit, "left": (count + knobs.spare, warnings)})
        habits = HABITS if knobs.messages == 1 else (greedy, *HABITS)
        if not any(_result(_played(state, habit)) == 1.0 for habit in habits):
            return state


def show(state: State, player: int) -> str:
    mine = state.deeds[player::2]
    if not mine:
        return f"{_rules(state, player)}\n\n{_now(state, player)}"
    return _now(state, player)


def player(state: State) -> int:
    return len(state.deeds) % 2


def legal(state: State) -> list[Move]:
    if _result(state) is not None:
        return []
    mover = player(state)
    steps = [(way,) for way, _ in floors.neighbours(state.size)[state.at[mover]]] if state.at[mover] != state.size.exit else []
    tells = (
        [(TELL, _cell(state, trap)) for trap in state.traps[1 - mover] if trap not in state.named[1 - mover]] if state.left[mover] else []
    )
    return [*steps, (WAIT,), *tells]


def act(state: State, move: Move) -> State:
    mover, deeds = player(state), (*state.deeds, move)
    other = 1 - mover
    if move[0] == TELL:
        trap = next(trap for trap in state.traps[other] if _cell(state, trap) == move[1])
        named = tuple((*known, trap) if who == other else known for who, known in enumerate(state.named))
        left = tuple(count - (who == mover) for who, count in enumerate(state.left))
        return state.model_copy(update={"deeds": deeds, "named": named, "left": left})
    if move[0] == WAIT:
        return state.model_copy(update={"deeds": deeds})
    target = dict(floors.neighbours(state.size)[state.at[mover]])[move[0]]
    return state.model_copy(update={"deeds": deeds, "at": tuple(target if who == mover else at for who, at in enumerate(state.at))})


def returns(state: State) -> tuple[float, ...] | None:
    paid = _result(state)
    return None if paid is None else (paid, paid)


def best(state: State) -> Move:
    """Names the trap that the shortest plan of messages names now; otherwise walks where the partner's silence says that it is safe."""
    mover = player(state)
    if mover:
        return greedy(state)
    trap = floors.plan(state.size, state.at[1], frozenset(state.traps[1]), frozenset(state.named[1]), min(state.left[0], MOST_MESSAGES))[1]
    if trap >= 0:
        return (TELL, _cell(state, trap))
    return _walk(state, mover)


def greedy(state: State) -> Move:
    """The rules of the partner. The other walker names a trap when the partner would step on it next."""
    mover = player(state)
    if mover == 0:
        ahead = floors.step(state.size, state.at[1], frozenset(state.named[1]))[1]
        if ahead in state.traps[1] and state.left[0]:
            return (TELL, _cell(state, ahead))
        return _walk(state, mover)
    near = floors.warning(state.size, state.at[0], frozenset(state.traps[0]), frozenset(state.named[0]))
    if near is not None and state.left[1]:
        return (TELL, _cell(state, near))
    return (floors.step(state.size, state.at[1], frozenset(state.named[1]))[0],)


def target_return(state: State) -> float:
    return 1.0


def opponent(state: State) -> str:
    return "greedy"


def seat(state: State) -> int:
    return 0


def mistakes(state: State) -> list[Move]:
    return [("south",), (TELL, "a1"), (TELL, "z9"), ("up",)]


def cost(state: State) -> float:
    return float((state.size.exit + 1) * 2 ** state.left[0] * len(state.traps[1]))


def turns(state: State) -> int:
    return state.limit


def explain(state: State) -> list[str]:
    ahead = floors.route(state.size, state.at[1], frozenset(state.named[1]))
    met = [_cell(state, cell) for cell in ahead if cell in state.traps[1]]
    way = " ".join(_cell(state, cell) for cell in ahead) or "to no further cell"
    return [
        f"By what {state.name} knows, {state.name} walks {way}; traps on this way: {', '.join(met) or 'none'}.",
        f"The move is {' '.join(best(state))}",
    ]


def _walk(state: State, mover: int) -> Move:
    """A step on a shortest way around the known traps, once the partner has not warned in the last turn."""
    if not state.deeds or (state.deeds[-1][0] == TELL and state.left[1 - mover]):
        return (WAIT,)
    return (floors.step(state.size, state.at[mover], frozenset(state.named[mover]))[0],)


def _result(state: State) -> float | None:
    if any(at in traps for at, traps in zip(state.at, state.traps, strict=True)):
        return -1.0
    if state.at == (state.size.exit, state.size.exit):
        return 1.0
    return -1.0 if len(state.deeds) >= 2 * state.limit else None


def _rules(state: State, player: int) -> str:
    width, height = state.size
    name, last = ("the other walker" if player else state.name), _cell(state, state.size.exit)
    mine, theirs = state.left[player], state.left[1 - player]
    follow = (
        f" {name} follows these rules. If a trap that {name} has not named is next to you, to the north, east, south or west, and {name} has a message "
        f"left, {name} names it, the first of several in this order. Otherwise {name} takes a step on a shortest way to the exit that avoids the traps "
        f"which you have named; of several such steps the first in the order north, east, south, west. {name} waits at the exit, or if no such way is left."
    )
    return (
        f"You and {name} each walk on a floor of your own, both with {width} columns, named by letters from a in the west, and {height} rows, numbered from "
        f"1 in the south. Both of you begin at a1, and the exit of both floors is {last}. Some cells are traps. You see the traps of {name}'s floor but not "
        f"those of your own, and {name} sees those of your floor only. You move in turn, {name if player else 'you'} first. A move is one step (north, east, "
        "south or west), wait, or a message such as tell b2, which names a trap of the other floor that has not been named. You can give "
        f"{count_noun(mine, 'message')} and {name} {count_noun(theirs, 'message')}. Whoever steps on a trap loses the game for both. You win if both of you "
        f"are at the exit after at most {state.limit} moves each.{'' if player else follow}"
    )


def _now(state: State, player: int) -> str:
    name, other = ("the other walker" if player else state.name), 1 - player
    news = ""
    if state.deeds and player == len(state.deeds) % 2:
        deed = state.deeds[-1]
        news = (
            f"{name} warns you of the trap {deed[1]}. "
            if deed[0] == TELL
            else f"{name} {'waits' if deed[0] == WAIT else 'goes ' + deed[0]}. "
        )
    told = frozenset(state.named[other])
    yours = _map(state, state.at[player], frozenset(), frozenset(state.named[player]))
    theirs = _map(state, state.at[other], frozenset(state.traps[other]), told)
    legend = "(@ you, E the exit, ! a trap that was named)", f"(@ {name}, x a trap, ! one that was named)"
    return (
        f"{_upper(news)}You are at {_cell(state, state.at[player])}, {name} is at {_cell(state, state.at[other])}. Messages left: you {state.left[player]}, "
        f"{name} {state.left[other]}.\nYour floor {legend[0]}:\n{yours}\n{_upper(name)}'s floor {legend[1]}:\n{theirs}\nYour move?"
    )


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _map(state: State, at: int, seen: Cells, named: Cells) -> str:
    width, height = state.size

    def sign(cell: int) -> str:
        return "@" if cell == at else "!" if cell in named else "x" if cell in seen else "E" if cell == state.size.exit else "."

    rows = [f"{row + 1} {' '.join(sign(row * width + column) for column in range(width))}" for row in reversed(range(height))]
    return "\n".join([*rows, "  " + " ".join("abcdefghij"[:width])])


def _cell(state: State, cell: int) -> str:
    return f"{'abcdefghij'[cell % state.size.width]}{cell // state.size.width + 1}"


def _played(state: State, choose: Callable[[State], Move]) -> State:
    """The end of the game if the first walker chooses so."""
    while _result(state) is None:
        state = act(state, greedy(state) if player(state) else choose(state))
    return state


def _rows(move: Move) -> tuple[int, ...]:
    """The number of the row that a move names."""
    return tuple(int(word[1:]) for word in move[1:])


HABITS: tuple[Callable[[State], Move], ...] = (
    *(lambda state, share=share: (moves := legal(state))[min(len(moves) * share // 4, len(moves) - 1)] for share in range(5)),
    lambda state: legal(state)[-(len(state.deeds) // 2 % 2)],
    lambda state: max(legal(state), key=_rows),
    lambda state: min(legal(state), key=_rows),
)
"""Players who keep to a place of the list, to its two ends in turn, or to the highest or lowest row."""

environment = Match(
    Knobs, Words(f"your move: {', '.join(WAYS)}, wait, or tell and a cell", max_items=2, ignore_case=True),
    start, show, player, legal, act, returns, best, greedy, target_return, opponent, seat, mistakes, cost, turns,
    explain=explain,
    recoverable_first_move="A turn may be left over for a step back.",
    concept="Foresee the partner's whole way: naming a trap changes it, so name the traps after which the new way meets as few others as possible.",
)  # fmt: skip
