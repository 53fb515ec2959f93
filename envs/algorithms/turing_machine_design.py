"""Write the rules of a Turing machine with few states that turns given words into given words.

The easy end needs one walk over the word; then the machine must go to its end and work on the way back, or rewrite the word on both ways.
"""

import re
from collections.abc import Callable, Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Lines
from rlgym.generators.languages import turing_machines
from rlgym.generators.languages.turing_machines import BLANK, Sweep
from rlgym.solutions import Checks, Derivation, Solution, Step

KINDS = ("there", "back", "twice")
MOST_STEPS = 200
RULE = re.compile(r"([A-Z])[\s,]*([01_])[\s)]*(?:->|→|:|=>)[\s(]*([01_])[\s,]*([LRlr])[\s,]*([A-Z])[).,;]?")
TOO_LITTLE = (
    Step("No machine with {states:int} states does it in one walk over the word to the right"),
    Step("No machine with {states:int} states does it that walks to the end of the word in one state and writes only on the way back"),
)
NEW = Step("On {one}, the rules {rules:words}, with those before, lead to {other}")
OLD = Step("On {one}, the rules before lead to {other}")
LAST = Step("All rules:\n{answer}")
Answer = tuple[str, ...]


class Knobs(Config):
    states: int = knob(3, easy=2, hard=4, doc="states that the computation needs, in addition to those that only move the head")
    words: int = knob(8, easy=5, hard=14, doc="words that must be turned into others")
    length: int = knob(6, easy=4, hard=9, doc="letters of the longest word")
    kind: str = knob("back", easy="there", hard="twice", order=KINDS, doc="on which ways over the word the machine must write")


class Data(TaskData):
    states: int
    pairs: tuple[tuple[str, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, turing_machines.sample_sweep)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The words are numbers in binary, which are multiplied and added to (after halving, where the machine writes on both ways)."""
    return _sample_task(rng, knobs, turing_machines.sample_arithmetic_sweep)


def solve(task: Task[Data]) -> Answer:
    return _rule_lines(next(turing_machines.infer_machines(task.data.pairs, task.data.states)))


def verify(task: Task[Data], answer: Answer) -> Score:
    data = task.data
    machine: dict[tuple[str, str], tuple[str, str, str]] = {}
    for line in answer:
        rule = _parse_rule(line)
        if not rule:
            return Score.wrong(f"{line[:40]!r} is not a rule like A 0 -> 1 R B")
        (state, symbol), action = rule
        if (state, symbol) in machine or state == "H":
            return Score.wrong(f"state {state} must not have {'a rule' if state == 'H' else f'two rules for {symbol}'}")
        machine[state, symbol] = action
    used = {state for state, _ in machine} | {after for _, _, after in machine.values()} | {"A"}
    if len(used - {"H"}) > data.states:
        return Score.wrong(f"the machine has more than {data.states} states in addition to H")
    for first, second in data.pairs:
        output = turing_machines.run_machine(machine, first, MOST_STEPS)
        if output is None:
            return Score.wrong(f"on {first} the machine does not reach state H")
        if output != second:
            return Score.wrong(f"on {first} the machine leaves a different word on the tape")
    return Score.exact(True)


def mistakes(task: Task[Data], right: Answer) -> list[Answer]:
    mirrored = tuple(line.translate(str.maketrans("LR", "RL")) for line in right)
    other = tuple(line[:7] + ("1" if line[7] == "0" else "0") + line[8:] for line in right)
    walking = tuple(f"A {read} -> {read} R {'H' if read == BLANK else 'A'}" for read in "01_")
    return [mirrored, other, right[:1], walking, tuple(line.replace("H", "A") for line in right), (*right, right[0])]


def cost(task: Task[Data]) -> float:
    data = task.data
    turns = next((3**walk for walk in (0, 1) if turing_machines.can_be_swept(data.pairs, data.states, walk)), 9)
    return float(sum(len(word) for word, _ in data.pairs) * data.states**2 * turns)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    rules = next(turing_machines.infer_machines(data.pairs, data.states))
    for walk, too_little in enumerate(TOO_LITTLE):
        if turing_machines.can_be_swept(data.pairs, data.states, walk):
            break
        yield too_little(states=data.states)
    known: set[tuple[str, str]] = set()
    for first, second in data.pairs:
        new = [rule for rule in turing_machines.used_rules(rules, first, MOST_STEPS) if rule not in known]
        known |= {*new}
        lines = list(_rule_lines({rule: rules[rule] for rule in new}))
        yield NEW(one=first, rules=lines, other=second) if new else OLD(one=first, other=second)
    yield LAST(answer="\n".join(_rule_lines({rule: rules[rule] for rule in known})))


def checks(task: Task[Data]) -> Checks:
    data, machine, words = task.data, dict[tuple[str, str], tuple[str, str, str]](), iter(task.data.pairs)

    def leads_to(one: str, other: str, rules: tuple[str, ...] = ()) -> bool:
        new = dict(rule for line in rules if (rule := _parse_rule(line)))
        if len(new) != len(rules) or machine.keys() & new.keys():
            return False
        machine.update(new)
        used = {*turing_machines.used_rules(machine, one, MOST_STEPS)}
        return (one, other) == next(words) and turing_machines.run_machine(machine, one, MOST_STEPS) == other and {*new} <= used

    def is_too_little(walk: int) -> Callable[..., bool]:
        return lambda states: states == data.states and not turing_machines.can_be_swept(data.pairs, data.states, walk)

    return {
        **{too_little: is_too_little(walk) for walk, too_little in enumerate(TOO_LITTLE)},
        NEW: leads_to,
        OLD: leads_to,
        LAST: lambda answer: dict(rule for line in answer.split("\n") if (rule := _parse_rule(line))) == machine,
    }


def _sample_task(rng: Rng, knobs: Knobs, sample_sweep: Callable[[Rng, int], Sweep]) -> Task[Data]:
    turns = KINDS.index(knobs.kind)
    work = knobs.states if turns < 2 else max(2, knobs.states - 1)
    states = work + turns
    while True:
        table = sample_sweep(rng, work)
        first = (
            turing_machines.HALVING
            if sample_sweep is turing_machines.sample_arithmetic_sweep
            else rng.choice(list(turing_machines.two_state_sweeps()))
        )
        pairs: dict[str, str] = {}
        for _ in range(6 * knobs.words):
            word = "".join(rng.choice("01") for _ in range(rng.integer(max(2, knobs.length - 3), knobs.length)))
            read = (turing_machines.run_sweep(first, word) or "") if turns == 2 else word
            output = turing_machines.run_sweep(table, read[::-1] if turns else read, 30)
            if output and word not in pairs and len(pairs) < knobs.words:
                pairs[word] = output[::-1] if turns else output
        examples = tuple(pairs.items())
        if len(pairs) < knobs.words or BLANK in "".join(pairs.values()):
            continue
        easier = any(turing_machines.can_be_swept(examples, states, walk) for walk in range(turns))
        if not easier and not any(turing_machines.can_be_swept(examples, states - 1, walk) for walk in range(1 + (turns > 0))):
            data = Data(states=states, pairs=examples)
            return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    listing = "\n".join(f"{first} -> {second}" for first, second in data.pairs)
    return (
        "A machine has a tape, whose cells continue without end to the left and to the right, and a head on one cell. Each cell holds 0, 1 or the blank _. "
        "A rule `S a -> b M T` means: in state S with a under the head, write b there, move the head one cell (M is R for right or L for left) and go to "
        "state T. At the start the cells hold a word, all other cells are blank, the head is on the first symbol of the word and the state is A. The "
        "machine stops as soon as it is in state H; its result is what is on the tape then, from the first to the last cell that is not blank, "
        f"wherever that is.\n\nWrite rules for a machine with at most {data.states} states (A counts, H does not). For each "
        f"of these words it must stop within {MOST_STEPS} steps with the given result:\n{listing}\n\nThere may be at most one rule for a state and a symbol, "
        "and none is needed where it would never be used. States are named with capital letters."
    )


def _parse_rule(line: str) -> tuple[tuple[str, str], tuple[str, str, str]] | None:
    match = RULE.fullmatch(line) if len(line) < 60 else None
    return ((match[1], match[2]), (match[3], match[4].upper(), match[5])) if match else None


def _rule_lines(machine: turing_machines.Rules) -> Answer:
    return tuple(f"{state} {read} -> {write} {move} {after}" for (state, read), (write, move, after) in sorted(machine.items()))


def _other_answers(task: Task[Data]) -> Iterator[Answer]:
    for machine in turing_machines.infer_machines(task.data.pairs, task.data.states, descending=True):
        yield _rule_lines(machine)


environment = Environment(
    Knobs, Lines("the rules, one per line, such as `A 0 -> 1 R B`", max_items=60), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, LAST, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="Find what the machine must remember of what it has read: words after which the same symbol is treated differently need two states.",
    version=2,
)  # fmt: skip
