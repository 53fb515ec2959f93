"""Find which entry of a table is meant by asking questions answered with yes or no, as few as halving needs."""

from collections.abc import Sequence

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.names import PEOPLE

TRAITS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("coat", ("red", "green", "blue", "black")),
    ("pet", ("cat", "dog", "parrot", "none")),
    ("job", ("baker", "pilot", "nurse", "tailor")),
    ("home", ("house", "flat", "boat", "farm")),
    ("sport", ("tennis", "rowing", "chess", "judo")),
    ("drink", ("tea", "coffee", "milk", "juice")),
)
Rows = tuple[tuple[str, ...], ...]


class Knobs(Config):
    people: int = knob(16, easy=5, hard=48, doc="people in the table")
    traits: int = knob(4, easy=3, hard=6, doc="attributes of each of them")
    values: int = knob(3, easy=2, hard=4, doc="different values of each trait")
    skew: int = knob(30, easy=0, hard=60, doc="percent of entries that have the commonest value of a trait on top of its share")


class State(TaskData):
    names: tuple[str, ...]
    traits: tuple[str, ...]
    rows: Rows
    hidden: int
    most: int
    asked: tuple[tuple[str, ...], ...] = ()


def start(rng: Rng, knobs: Knobs) -> State:
    return _sample_state(rng, knobs, families=False)


def _sample_state(rng: Rng, knobs: Knobs, families: bool) -> State:
    chosen = rng.sample(TRAITS, knobs.traits)
    rows: dict[tuple[str, ...], None] = {}
    # Where the traits cannot tell so many people apart, there are fewer.
    people = min(knobs.people, int(knobs.values**knobs.traits * 0.6))
    kinds = [rng.sample(values, knobs.values) for _, values in chosen]
    while len(rows) < people:
        if families and rows:
            row, trait = list(rng.choice(tuple(rows))), rng.integer(0, knobs.traits - 1)
            row[trait] = rng.choice(kinds[trait])
            rows[tuple(row)] = None
            continue
        rows[tuple(values[0] if rng.integer(1, 100) <= knobs.skew else rng.choice(values) for values in kinds)] = None
    names = tuple(rng.sample(PEOPLE, people))
    table = tuple(rows)
    return State(
        names=names,
        traits=tuple(name for name, _ in chosen),
        rows=table,
        hidden=rng.integer(0, people - 1),
        most=_depth(table, range(people)),
    )


def shift(rng: Rng, knobs: Knobs) -> State:
    """People who come in families: each differs from another one in a single trait."""
    return _sample_state(rng, knobs, families=True)


def show(state: State) -> str:
    if state.asked:
        return _reply(state)
    lines = "\n".join(
        f"{name}: {', '.join(f'{trait} {value}' for trait, value in zip(state.traits, row, strict=True))}"
        for name, row in zip(state.names, state.rows, strict=True)
    )
    return (
        f"I am thinking of one of these people:\n{lines}\n\nFind out who it is in at most {state.most} turns. In each turn either ask about one trait, "
        "with the word "
        f"ask, the trait and a value, such as: ask {state.traits[0]} {state.rows[0][0]}. I reply yes or no. Or name the person, with the word guess and the "
        "name. Only a right guess ends the game; a wrong guess is answered with no and uses up a turn."
    )


def act(state: State, answer: tuple[str, ...]) -> State:
    return state.model_copy(update={"asked": (*state.asked, answer)})


def outcome(state: State) -> Score | None:
    return Score.exact(True) if state.asked and state.asked[-1] == ("guess", state.names[state.hidden].lower()) else None


def best(state: State) -> tuple[str, ...]:
    candidates = _candidates(state)
    if len(candidates) == 1:
        return ("guess", state.names[candidates[0]].lower())
    trait, value = _question(state.rows, candidates)
    return ("ask", state.traits[trait], value)


def mistakes(state: State) -> list[tuple[str, ...]]:
    # Guessing somebody else, asking one thing for ever, and asking in words that are not known.
    other = state.names[(state.hidden + 1) % len(state.names)].lower()
    return [("guess", other), ("ask", state.traits[0], state.rows[0][0]), ("who", "is", "it"), ("guess", "nobody")]


def cost(state: State) -> float:
    return len(state.rows) * len(state.traits) + state.most


def turns(state: State) -> int:
    return state.most


def explain(state: State) -> list[str]:
    candidates = _candidates(state)
    people = ", ".join(state.names[i] for i in candidates)
    if len(candidates) == 1:
        return [f"Only {people} fits all replies.", f"So it is guess {people.lower()}"]
    trait, value = _question(state.rows, candidates)
    yes = sum(state.rows[i][trait] == value for i in candidates)
    return [
        f"These fit all replies: {people}.",
        f"The most even split, {yes} to {len(candidates) - yes}, comes from: {' '.join(best(state))}",
    ]


def _reply(state: State) -> str:
    question = state.asked[-1]
    if len(question) == 2 and question[0] == "guess":
        return f"No, it is not {question[1][:20]}."
    row = dict(zip(state.traits, state.rows[state.hidden], strict=True))
    if len(question) == 3 and question[0] == "ask" and question[1] in row:
        return f"{'Yes' if row[question[1]] == question[2] else 'No'}."
    return f"I understand only: ask, one of {', '.join(state.traits)}, and a value; or: guess and a name. That used up a turn."


def _candidates(state: State) -> list[int]:
    """Who fits all replies so far."""
    candidates = list(range(len(state.rows)))
    truth = state.rows[state.hidden]
    for question in state.asked:
        if len(question) == 3 and question[0] == "ask" and question[1] in state.traits:
            trait = state.traits.index(question[1])
            candidates = [i for i in candidates if (state.rows[i][trait] == question[2]) == (truth[trait] == question[2])]
        elif len(question) == 2 and question[0] == "guess":
            candidates = [i for i in candidates if state.names[i].lower() != question[1] or i == state.hidden]
    return candidates


def _question(rows: Rows, candidates: Sequence[int]) -> tuple[int, str]:
    """The trait and value that split who is left most evenly."""
    counts: dict[tuple[int, str], int] = {}
    for i in candidates:
        for trait, value in enumerate(rows[i]):
            counts[trait, value] = counts.get((trait, value), 0) + 1
    return min(counts, key=lambda question: (abs(2 * counts[question] - len(candidates)), question))


def _depth(rows: Rows, candidates: Sequence[int]) -> int:
    """Turns that the oracle needs at worst, the guess included."""
    if len(candidates) == 1:
        return 1
    trait, value = _question(rows, candidates)
    sides = ([i for i in candidates if (rows[i][trait] == value) == yes] for yes in (True, False))
    return 1 + max(_depth(rows, side) for side in sides)


environment = Game(
    Knobs, Words("ask with a trait and a value, or guess with a name, separated by spaces", max_items=30, ignore_case=True),
    start, show, act, outcome, best, mistakes, cost, turns, explain, shift=shift, version=2,
    concept="Ask for the trait and value that about half of the people who are left have.",
)  # fmt: skip
