"""Write the rules of a Turing machine with few states that turns given words into given words.

The easy end needs one walk over the word; then the machine must go to its end and work on the way back, or rewrite the word on both ways.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators import sweeps
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.sweeps import BLANK, Sweep

KINDS = ("there", "back", "twice")
MOST_STEPS = 200
RULE = re.compile(r"([A-Z])[\s,]*([01_])[\s)]*(?:->|→|:|=>)[\s(]*([01_])[\s,]*([LRlr])[\s,]*([A-Z])[).,;]?")
TOO_LITTLE = (
    Line("No machine with {states} states does it in one walk over the word to the right"),
    Line("No machine with {states} states does it that walks to the end of the word in one state and writes only on the way back"),
)
NEW = Line("On {one}, the rules {rules}, with those before, lead to {other}")
OLD = Line("On {one}, the rules before lead to {other}")
LAST = "All rules:\n"
Answer = tuple[str, ...]


class Knobs(Config):
    states: int = knob(3, easy=2, hard=4, doc="states that the work takes, beside those that only walk")
    words: int = knob(8, easy=5, hard=14, doc="words that must be turned into others")
    length: int = knob(6, easy=4, hard=9, doc="letters of the longest word")
    kind: str = knob("back", easy="there", hard="twice", order=KINDS, doc="on which ways over the word the machine must write")


class Data(TaskData):
    states: int
    pairs: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, sweeps.drawn)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The words are numbers in binary, which are multiplied and added to (after halving, where the machine writes on both ways)."""
    return _made(rng, knobs, sweeps.adding)


def solve(task: Task[Data]) -> Answer:
    return _written(next(sweeps.found(task.data.pairs, task.data.states)))


def verify(task: Task[Data], answer: Answer) -> Score:
    data = task.data
    machine: dict[tuple[str, str], tuple[str, str, str]] = {}
    for line in answer:
        said = _rule(line)
        if not said:
            return Score.wrong(f"{line[:40]!r} is not a rule like A 0 -> 1 R B")
        if said[0] in machine or said[0][0] == "H":
            return Score.wrong(f"state {said[0][0]} must not have {'a rule' if said[0][0] == 'H' else f'two rules for {said[0][1]}'}")
        machine[said[0]] = said[1]
    used = {state for state, _ in machine} | {after for _, _, after in machine.values()} | {"A"}
    if len(used - {"H"}) > data.states:
        return Score.wrong(f"the machine has more than {data.states} states beside H")
    for one, other in data.pairs:
        made = sweeps.ran(machine, one, MOST_STEPS)
        if made is None:
            return Score.wrong(f"on {one} the machine does not come to state H")
        if made != other:
            return Score.wrong(f"on {one} the machine leaves another word on the tape")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    turned = tuple(line.translate(str.maketrans("LR", "RL")) for line in right)
    other = tuple(line[:7] + ("1" if line[7] == "0" else "0") + line[8:] for line in right)
    alone = tuple(f"A {read} -> {read} R {'H' if read == BLANK else 'A'}" for read in "01_")
    return [turned, other, right[:1], alone, tuple(line.replace("H", "A") for line in right), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    data = task.data
    turns = next((3**walk for walk in (0, 1) if sweeps.possible(data.pairs, data.states, walk)), 9)
    return float(sum(len(one) for one, _ in data.pairs) * data.states**2 * turns)


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, list[str]()
    rules = next(sweeps.found(data.pairs, data.states))
    for walk, text in enumerate(TOO_LITTLE):
        if sweeps.possible(data.pairs, data.states, walk):
            break
        steps.append(text.write(states=data.states))
    known: set[tuple[str, str]] = set()
    for one, other in data.pairs:
        new = [rule for rule in sweeps.used(rules, one, MOST_STEPS) if rule not in known]
        known |= {*new}
        lines = ", ".join(_written({rule: rules[rule] for rule in new}))
        steps.append(NEW.write(one=one, rules=lines, other=other) if new else OLD.write(one=one, other=other))
    return [*steps, LAST + "\n".join(_written({rule: rules[rule] for rule in known}))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, machine, words = task.data, dict[tuple[str, str], tuple[str, str, str]](), iter(task.data.pairs)

    def follows(step: str) -> bool:
        for walk, text in enumerate(TOO_LITTLE):
            if said := text.read(step):
                return int(said["states"]) == data.states and not sweeps.possible(data.pairs, data.states, walk)
        said = NEW.read(step) or OLD.read(step) or {}
        new = dict(rule for line in said.get("rules", "").split(", ") if (rule := _rule(line)))
        if ("rules" in said and len(new) != said["rules"].count(",") + 1) or machine.keys() & new.keys():
            return False
        machine.update(new)
        pair = said["one"], said["other"]
        return (
            pair == next(words) and sweeps.ran(machine, pair[0], MOST_STEPS) == pair[1] and {*new} <= {*sweeps.used(machine, pair[0], 200)}
        )

    def ends(step: str) -> bool:
        rules = dict(rule for line in step.removeprefix(LAST).split("\n") if (rule := _rule(line)))
        return rules == machine and ended(LAST, task, environment.answer, verify)(step)

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, drawn: Callable[[Rng, int], Sweep]) -> Task[Data]:
    turns = KINDS.index(knobs.kind)
    work = knobs.states if turns < 2 else max(2, knobs.states - 1)
    states = work + turns
    while True:
        table = drawn(rng, work)
        first = sweeps.HALVING if drawn is sweeps.adding else rng.choice(list(sweeps.firsts()))
        pairs: dict[str, str] = {}
        for _ in range(6 * knobs.words):
            word = "".join(rng.choice("01") for _ in range(rng.integer(max(2, knobs.length - 3), knobs.length)))
            read = (sweeps.swept(first, word) or "") if turns == 2 else word
            made = sweeps.swept(table, read[::-1] if turns else read, 30)
            if made and word not in pairs and len(pairs) < knobs.words:
                pairs[word] = made[::-1] if turns else made
        told = tuple(pairs.items())
        if len(pairs) < knobs.words or BLANK in "".join(pairs.values()):
            continue
        easier = any(sweeps.possible(told, states, walk) for walk in range(turns))
        if not easier and not any(sweeps.possible(told, states - 1, walk) for walk in range(1 + (turns > 0))):
            data = Data(states=states, pairs=told)
            return Task(_prompt(data), data)


def _prompt(data: Data) -> str:
    listing = "\n".join(f"{one} -> {other}" for one, other in data.pairs)
    return (
        "A machine has a tape, whose cells go on without end to the left and to the right, and a head on one cell. Each cell holds 0, 1 or the blank _. "
        "A rule `S a -> b M T` means: in state S with a under the head, write b there, move the head one cell (M is R for right or L for left) and go to "
        "state T. At the start the cells hold a word, all other cells are blank, the head is on the first symbol of the word and the state is A. The "
        "machine stops as soon as it is in state H; its result is what stands on the tape then, from the first to the last cell that is not blank, "
        f"wherever that is.\n\nWrite rules for a machine with at most {data.states} states (A counts, H does not). For each "
        f"of these words it must stop within {MOST_STEPS} steps with the given result:\n{listing}\n\nThere may be at most one rule for a state and a symbol, "
        "and none is needed where it would never be used. States are named with capital letters."
    )


def _rule(line: str) -> tuple[tuple[str, str], tuple[str, str, str]] | None:
    said = RULE.fullmatch(line) if len(line) < 60 else None
    return ((said[1], said[2]), (said[3], said[4].upper(), said[5])) if said else None


def _written(machine: sweeps.Rules) -> Answer:
    return tuple(f"{state} {read} -> {write} {move} {after}" for (state, read), (write, move, after) in sorted(machine.items()))


def _others(task: Task[Data]) -> Iterator[Answer]:
    for machine in sweeps.found(task.data.pairs, task.data.states, falling=True):
        yield _written(machine)


environment = Environment(
    Knobs,
    Lines("the rules, one on each line, such as `A 0 -> 1 R B`", most=60),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay,
    shift,
    answers="many",
    solutions=_others,
    concept="Find what the machine must remember of what it has read: words after which the same symbol is treated differently need two states.",
)
