"""Follow composed orders on a list of words: steps in turn, steps on the same list, and branches of which only one is taken."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.constraints.orders import STEPS, Event, Node, happens, holds, outline, step, tree, write_question
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

ASKS = Step("At {label} the condition {holds}, as the list is {words}")
DOES = Step("After {label} the list is {words}")
HOLDS = {True: "holds", False: "does not hold"}


class Knobs(Config):
    depth: int = knob(3, easy=1, hard=4, doc="how deeply the orders are nested")
    words: int = knob(6, easy=4, hard=12, doc="words of the list")
    tests: str = knob(
        "joined",
        easy="plain",
        hard="start",
        order=("plain", "joined", "start"),
        doc="conditions that are plain, joined, or about the list at the start",
    )


class Data(TaskData):
    words: tuple[str, ...]
    orders: Node
    flat: bool
    right: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, flat=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The orders stand in one flat list, and say which order comes next."""
    return _sample_task(rng, knobs, flat=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # A stack of what is still to do, where `generate` follows the tree.
    data = task.data
    todo: list[Node | tuple[str, ...]] = [data.orders]
    words, results = data.words, list[tuple[str, ...]]()
    while todo:
        match todo.pop():
            case Node(kind="do") as node:
                todo += reversed(node.parts)
            case Node(kind="if") as node:
                todo.append(node.parts[1 if holds(node.parts[0], words, data.words) else 2])
            case Node(kind="each") as node:
                results.append(())
                for i, part in enumerate(reversed(node.parts)):
                    todo += [("next", *words) if i else ("end",), part]
            case Node() as node:
                words = step(node, words)
            case (kind, *before):
                results[-1] += words
                words = tuple(before) if kind == "next" else results.pop()
    return words


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == task.data.right, "the list at the end is another one")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    lists = [event.words for event in happens(_turn(data.orders), data.words, data.words)]
    skipped = [event.words for event in happens(data.orders, data.words, data.words)][-2:-1]
    return [*(words for words in (lists[-1], *skipped) if words), data.words, right[::-1], right[:-1] or ("none",), (*right, right[-1])]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(sum(len(event.words) for event in _events(data)) + 2 * sum(1 for _ in outline(data.orders)))


def derive(task: Task[Data]) -> Derivation:
    for event in _events(task.data):
        words = _list(event.words)
        yield (
            DOES(label=event.label, words=words) if event.holds is None else ASKS(label=event.label, holds=HOLDS[event.holds], words=words)
        )


def _sample_task(rng: Rng, knobs: Knobs, flat: bool) -> Task[Data]:
    while True:
        words, bank = tuple(rng.sample(WORDS, knobs.words)), rng.sample(WORDS, 6)
        orders = tree(rng, knobs.depth + 1, not flat and knobs.depth > 1, knobs.tests, bank)
        lists = [event.words for event in happens(orders, words, words)]
        turned = [event.words for event in happens(_turn(orders), words, words)]
        if all(lists) and 1 < len(lists[-1]) <= 60 and lists[-1] not in (words, turned[-1]) and max(map(len, lists)) <= 60:
            break
    data = Data(words=words, orders=orders, flat=flat, right=lists[-1])
    return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    orders_text = "\n".join(_flatten(data.orders)) if data.flat else "\n".join(outline(data.orders))
    begin = (
        "Begin with instruction 1; after each instruction do the one below it, unless it says otherwise."
        if data.flat
        else "Do instruction 1."
    )
    alphabet = " Alphabetical order is from a to z." if "lphabetical" in orders_text else ""
    return (
        f"Here is a list of words: {_list(data.words)}\n\nThese instructions change the list. {begin} Conditions refer to the list as it is when they are "
        f"reached, unless they say otherwise.{alphabet}\n\n{orders_text}\n\nGive the final list."
    )


def _events(data: Data) -> list[Event]:
    """What happens; in a flat list orders have the numbers that they have there."""
    events = list(happens(data.orders, data.words, data.words))
    if not data.flat:
        return events
    numbers = {label: str(i) for i, (label, _) in enumerate(_place(data.orders, "1"), 1)}
    return [event._replace(label=numbers[event.label]) for event in events]


def _place(node: Node, label: str) -> list[tuple[str, Node]]:
    """The steps and conditions with their labels in the tree, in the order of the flat list."""
    if node.kind == "do":
        return [placed for i, part in enumerate(node.parts, 1) for placed in _place(part, f"{label}.{i}")]
    inside = [placed for i, part in enumerate(node.parts[1:], 1) for placed in _place(part, f"{label}.{i}")] if node.kind == "if" else []
    return [(label, node), *inside]


def _flatten(orders: Node) -> list[str]:
    placed = _place(orders, "1")
    labels = [label for label, _ in placed]
    lines = []
    for i, (label, node) in enumerate(placed, 1):
        if node.kind == "if":
            other = 1 + next(k for k, name in enumerate(labels) if (name + ".").startswith(f"{label}.2."))
            text = f"If {write_question(node.parts[0])}, go on with the next instruction, otherwise go on with instruction {other}."
        else:
            text = STEPS[node.kind].format(n=node.n, word=node.word)
        after = _next_order(label, labels, i)
        lines.append(
            f"{i}. {text}{f' Then go on with instruction {after}.' if after <= len(placed) else ' Then stop.'}"
            if after != i + 1 and node.kind != "if"
            else f"{i}. {text}"
        )
    return lines


def _next_order(label: str, labels: list[str], i: int) -> int:
    """The number of the order that comes after the one at number i: past the other branch, where that stands below it."""
    following = i + 1
    while following <= len(labels):
        name, ahead = label.split("."), labels[following - 1].split(".")
        shared = next(k for k in range(len(ahead) + 1) if name[: k + 1] != ahead[: k + 1])
        above = ".".join(name[:shared])
        if above not in labels:  # a series: its next order follows
            return following
        following += 1
    return following


def _turn(node: Node) -> Node:
    """The orders with the branches of every condition exchanged."""
    parts = tuple(map(_turn, node.parts))
    return node.model_copy(update={"parts": (parts[0], parts[2], parts[1]) if node.kind == "if" else parts})


def _list(words: tuple[str, ...]) -> str:
    return ", ".join(words)


environment = Environment(
    Knobs, Words("the words in order, separated by spaces", max_items=200, ignore_case=True), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "The list at the end: {answer}", whole=True),
    concept="Decide each condition when it is reached, forget the branch that is not taken, and keep the list that several orders start from.",
    version=5,
)  # fmt: skip
