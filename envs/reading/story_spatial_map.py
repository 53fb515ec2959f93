"""Put places on a map from how they lie to each other, and tell how two of them lie that no sentence relates.

Sentences name directions of the compass, or left and right as seen by somebody who looks from one place to another.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import Bank, passage, read_statements, sample_filler
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

START = Step("Put the {place} at {x} east, {y} north, {z} up.")
PLACED = Step("By sentence {at}, the {place} is at {x} east, {y} north, {z} up.")
BANK = Bank("""
one: The {a} lies {number} {unit} {way} the {b}. | From the {b} it is {number} {unit} to the {a}, which lies {way} it.
one: The {a} is {number} {unit} {way} the {b}. | {number} {unit} {way} the {b} is the {a}.
two: The {a} lies {number} {unit} {way} the {b} and also {amount} {unit} {other} it.
two: The {a} lies {number} {unit} {way} the {b} and at the same time {amount} {unit} {other} it.
two: To place the {a}, take the {b}; the {a} is {number} {unit} {way} it and {amount} {unit} {other} it.
two: Relative to the {b}, the {a} is {number} {unit} {way} it and {amount} {unit} {other} it.
turned: Whoever stands at the {b} and looks towards the {c} has the {a} {number} {unit} away {side}.
turned: Seen from the {b} by somebody who faces the {c}, the {a} is {number} {unit} away {side}.
turned: Stand at the {b} and face the {c}: the {a} is {number} {unit} away {side}.
turned: If you look from the {b} towards the {c}, the {a} lies {number} {unit} away {side}.
""")
WAYS = {"east-of": (1, 0, 0), "west-of": (-1, 0, 0), "north-of": (0, 1, 0), "south-of": (0, -1, 0), "above": (0, 0, 1), "below": (0, 0, -1)}
SIDES = {"to-the-front": (1, 0), "to-the-left": (0, 1), "to-the-rear": (-1, 0), "to-the-right": (0, -1)}
PLACES = "mill inn church bridge well tower farm smithy school chapel market barn quarry shrine ferry bakery orchard castle".split()
ROOMS = "shaft pump forge vault store chamber lift gallery furnace cistern office bunker switch winch crypt archive engine dock".split()
Spot = tuple[int, int, int]


class Knobs(Config):
    places: int = knob(8, easy=3, hard=17, doc="places")
    fill: int = knob(6, easy=0, hard=40, doc="sentences that say nothing of where places lie")
    directions: str = knob(
        "both",
        easy="plain",
        hard="turned",
        order=("plain", "both", "turned"),
        doc="whether two directions come together, and left and right are used",
    )


class Lies(TaskData):
    at: int
    kind: str
    a: str
    b: str
    number: int
    way: str = ""
    amount: int = 0
    other: str = ""
    c: str = ""


class Data(TaskData):
    told: tuple[Lies, ...]
    deep: bool = False
    pairs: tuple[tuple[str, str], ...]
    answer: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, deep=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A mine, where rooms also lie above and below each other."""
    return _sample_task(rng, knobs, deep=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the prompt; walks from one asked place to the other, adding up the differences on the way.
    steps: dict[str, list[tuple[str, Spot]]] = {}
    turned = []
    text = task.prompt
    for direction in (*WAYS, *SIDES):
        text = text.replace(direction.replace("-", " "), direction)
    for _, (kind, gaps) in read_statements(text, BANK):
        if kind == "turned":
            turned.append(gaps)
            continue
        move = _scale(WAYS[gaps["way"]], int(gaps["number"]))
        move = _sum(move, _scale(WAYS[gaps["other"]], int(gaps["amount"]))) if kind == "two" else move
        _join(steps, gaps["b"], gaps["a"], move)
    while turned:
        for gaps in turned[:]:
            looked = _walk(steps, gaps["b"], gaps["c"])
            if looked:
                _join(steps, gaps["b"], gaps["a"], _scale(_turn(looked, gaps["side"]), int(gaps["number"])))
                turned.remove(gaps)
    out: list[int] = []
    for pair in task.prompt.rpartition("\n\n")[2].partition("?")[0].split(" and where "):
        words = pair.replace(",", "").split()
        there = _walk(steps, words[-1], words[words.index("relative") - 1])
        assert there
        out += there if task.data.deep else there[:2]
    return tuple(out)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.answer):
        return Score.wrong(f"the answer must be {len(task.data.answer)} numbers")
    wrong = next((at for at, (first, second) in enumerate(zip(answer, task.data.answer), 1) if first != second), None)
    return Score.exact(wrong is None, f"number {wrong} is wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    size = len(right) // 2
    return [
        tuple(-n for n in right),
        right[::-1],
        right[size:] + right[:size],
        (right[0] + 1, *right[1:]),
        right[:size],
        tuple(map(abs, right)),
    ]


def cost(task: Task[Data]) -> float:
    weights = {"one": 3, "two": 5, "turned": 9}
    return float(len(task.prompt) / 100 + sum(weights[lie.kind] for lie in task.data.told))


def derive(task: Task[Data]) -> Derivation:
    root = _root(task.data)
    known: dict[str, Spot] = {root: (0, 0, 0)}
    yield START(place=root, x=0, y=0, z=0)
    unplaced = {lie.at: lie for lie in task.data.told}
    while unplaced:
        ready = [lie for lie in unplaced.values() if lie.b in known and (lie.kind != "turned" or lie.c in known)]
        taken = yield OneOf(tuple(_place(lie, _spot(lie, known)) for lie in ready))
        lie = unplaced.pop(taken["at"])
        known[lie.a] = _spot(lie, known)


def _place(lie: Lies, spot: Spot) -> Due:
    x, y, z = spot
    return PLACED(at=lie.at, place=lie.a, x=x, y=y, z=z)


def _root(data: Data) -> str:
    """The one place that no sentence places by another."""
    placed = {lie.a for lie in data.told}
    return next(lie.b for lie in data.told if lie.b not in placed)


def _scale(move: Spot, by: int) -> Spot:
    return move[0] * by, move[1] * by, move[2] * by


def _sum(first: Spot, second: Spot) -> Spot:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def _offset(known: dict[str, Spot], b: str, a: str) -> Spot:
    return _sum(known[a], _scale(known[b], -1))


def _turn(looked: Spot, side: str) -> Spot:
    """The direction of one step to a side for one who looks along a line of the compass."""
    x, y = (looked[0] > 0) - (looked[0] < 0), (looked[1] > 0) - (looked[1] < 0)
    ahead, left = SIDES[side]
    return ahead * x - left * y, ahead * y + left * x, 0


def _spot(lie: Lies, known: dict[str, Spot]) -> Spot:
    if lie.kind == "turned":
        return _sum(known[lie.b], _scale(_turn(_offset(known, lie.b, lie.c), lie.way), lie.number))
    move = _scale(WAYS[lie.way], lie.number)
    return _sum(known[lie.b], _sum(move, _scale(WAYS[lie.other], lie.amount)) if lie.kind == "two" else move)


def _join(steps: dict[str, list[tuple[str, Spot]]], b: str, a: str, move: Spot) -> None:
    steps.setdefault(b, []).append((a, move))
    steps.setdefault(a, []).append((b, _scale(move, -1)))


def _walk(steps: dict[str, list[tuple[str, Spot]]], b: str, a: str) -> Spot | None:
    """How a lies from b, where a way of known steps leads there."""
    spots: dict[str, Spot] = {b: (0, 0, 0)}
    waiting = [b]
    for place in waiting:
        for other, move in steps.get(place, []):
            if other not in spots:
                spots[other] = _sum(spots[place], move)
                waiting.append(other)
    return spots.get(a)


def _sample_task(rng: Rng, knobs: Knobs, deep: bool) -> Task[Data]:
    places = rng.sample(ROOMS if deep else PLACES, knobs.places)
    ways = list(WAYS) if deep else list(WAYS)[:4]
    while True:
        known: dict[str, Spot] = {places[0]: (0, 0, 0)}
        lies = list[Lies]()
        for place in places[1:]:
            b = rng.choice(list(known)[-4:])
            kind = rng.choice({"plain": ("one",), "both": ("one", "two"), "turned": ("one", "two", "turned", "turned")}[knobs.directions])
            seen = [c for c in known if c != b and sum(map(bool, _offset(known, b, c)[:2])) == 1 and _offset(known, b, c)[2] == 0]
            direction = rng.choice(ways)
            other = rng.choice([other for other in ways if not any(p and q for p, q in zip(WAYS[direction], WAYS[other]))])
            position = Lies(at=0, kind="one", a=place, b=b, number=rng.integer(2, 9), way=direction)
            if kind == "two":
                position = position.model_copy(update={"kind": "two", "amount": rng.integer(2, 9), "other": other})
            elif kind == "turned" and seen:
                position = position.model_copy(update={"kind": "turned", "way": rng.choice(list(SIDES)), "c": rng.choice(seen)})
            known[place] = _spot(position, known)
            lies.append(position)
        if len(set(known.values())) == len(known):
            break
    related = [{ly.a, ly.b} for ly in lies]
    unrelated = [(a, b) for k, a in enumerate(places) for b in places[:k] if {a, b} not in related] or [(places[-1], places[0])]
    unrelated.sort(key=lambda pair: -places.index(pair[0]) - abs(places.index(pair[0]) - places.index(pair[1])))
    first = rng.choice(unrelated[: 1 + len(unrelated) // 2])
    second = rng.choice([pair for pair in unrelated if pair != first] or [(places[1], places[0])])
    pairs = tuple(pair if rng.chance(0.5) else pair[::-1] for pair in (first, second))
    unit = "metres" if deep else "miles"
    statements: list[tuple[Lies | None, str]] = [(ly, _phrase_position(rng, ly, unit)) for ly in lies]
    towns, people = ["Aldbrook", "Fernhill", "Marlow", "Oakdale", "Norwick"], ["Ida", "Nils", "Olga", "Tara", "Zeno"]
    statements += [(None, text) for text in sample_filler(rng, knobs.fill, towns, people)]
    statements = rng.shuffled(statements)
    placed = tuple(lie.model_copy(update={"at": at}) for at, (lie, _) in enumerate(statements, 1) if lie)
    axes = "east, how far north and how far up" if deep else "east and how far north"
    minus = "west, south and down count as negative numbers" if deep else "west and south count as negative numbers"
    level = "All places lie on flat ground."
    if deep:
        level = "Two places that a sentence relates are at the same height unless it says above or below."
    prompt = (
        f"{level} Distances are in {unit}.\n\n{passage(rng, [text for _, text in statements])}\n\n"
        f"Where is the {pairs[0][0]} relative to the {pairs[0][1]}, and where is the {pairs[1][0]} relative to the {pairs[1][1]}? Give for each of the "
        f"two questions, in order, how far {axes} it is; {minus}."
    )
    answer = tuple(n for a, b in pairs for n in _offset(known, b, a)[: 3 if deep else 2])
    return Task(prompt, Data(told=placed, deep=deep, pairs=pairs, answer=answer))


def _phrase_position(rng: Rng, lie: Lies, unit: str) -> str:
    gaps = lie.model_dump(exclude={"kind", "at"})
    return BANK.say(rng, lie.kind, **gaps, unit=unit, side=lie.way).replace("-of", " of").replace("to-the-", "to the ")


environment = Environment(
    Knobs, Numbers("the numbers for the first question, then those for the second, all separated by commas", max_items=20),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Put one place at the origin and give every other its two coordinates, one sentence after the other.",
    version=4,
)  # fmt: skip
