"""Say which conclusions follow from statements about all, no and some members of invented classes.

What follows is decided exactly: a universal statement empties regions of the Venn diagram, an existential one puts somebody
into one of the regions that are left to it.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.logic.regions import FORMS, Statement, countermodel, is_entailed, possible_regions, render_statement
from rlgym.generators.numbers.bitsets import places
from rlgym.generators.text.names import invent
from rlgym.solutions import Derivation, Due, Solution, Step

NEED_NOT = Step("{number:int}. {said} It need not be: everything given holds in a world of these members only: {world}")
ABSURD = Step("{number:int}. {said} It must be true: somebody who is {a} and {b} would contradict the statements, as {chains}.")
SOMEBODY = Step("{number:int}. {said} It must be true: there is somebody who is {who}, and by the statements given they are {a} and {b}.")


class Knobs(Config):
    classes: int = knob(4, easy=3, hard=8, doc="classes spoken of")
    premises: int = knob(5, easy=2, hard=12, doc="statements given")
    conclusions: int = knob(7, easy=5, hard=12, doc="statements to judge")
    empty: str = knob("never", easy="never", hard="maybe", order=("never", "maybe"), doc="whether classes may be empty")


class Data(TaskData):
    nouns: tuple[str, ...]
    premises: tuple[Statement, ...]
    conclusions: tuple[Statement, ...]
    empty: bool
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count, empty = knobs.classes, knobs.empty == "maybe"
    nouns = invent(rng, count)
    follow_count = max(1, knobs.conclusions // 4)
    for attempt in range(400):
        premises = _link(rng, count, knobs.premises)
        left, witnesses = possible_regions(premises, count, empty)
        if not all(witnesses):
            continue
        others = [(form, a, b) for form in FORMS for a in range(count) for b in range(count) if a != b and (form, a, b) not in premises]
        follows = [candidate for candidate in others if is_entailed(candidate, left, witnesses, count)]
        open_ones = [candidate for candidate in others if candidate not in follows]
        if len(follows) >= follow_count - (attempt > 200) and len(open_ones) >= knobs.conclusions:
            break
    taken = min(len(follows), rng.integer(follow_count, max(follow_count, knobs.conclusions * 2 // 3)))
    chosen = rng.shuffled(rng.sample(follows, taken) + rng.sample(open_ones, knobs.conclusions - taken))
    right = tuple(i for i, candidate in enumerate(chosen, 1) if candidate in follows)
    given = "\n".join(f"- {render_statement(premise, nouns)}" for premise in premises)
    listing = "\n".join(f"{i}. {render_statement(statement, nouns)}" for i, statement in enumerate(chosen, 1))
    meaning = "Any of the classes may be empty" if empty else "Each of the classes has at least one member"
    prompt = (
        f'These statements are true:\n{given}\n\n{meaning}. "Some" means at least one. Which of the following statements must be true then, whatever else '
        f"may be the case?\n{listing}\n\nGive the numbers of all that must be true in ascending order, or the word none."
    )
    return Task(prompt, Data(nouns=tuple(nouns), premises=tuple(premises), conclusions=tuple(chosen), empty=empty, right=right))


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Chains of "all" and "no" between classes and their complements; `generate` counts regions of the Venn diagram.
    data = task.data
    return tuple(i for i, conclusion in enumerate(data.conclusions, 1) if _chain(conclusion, data))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if any(not 1 <= number <= len(task.data.conclusions) for number in answer):
        return Score.wrong("there is no statement with one of these numbers")
    if set(answer) - set(task.data.right):
        return Score.wrong("one of the statements listed need not be true")
    return Score.exact(answer == task.data.right, "a statement that must be true is missing, or the numbers are not in ascending order")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    # Taking converses and subalterns for granted; one too few, one too many, all of them, none.
    every = tuple(range(1, len(task.data.conclusions) + 1))
    missing = [i for i in every if i not in right]
    return [right[:-1], tuple(sorted((*right, *missing[:1]))), every, (), tuple(missing), right[::-1] if len(right) > 1 else every[:1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return len(data.conclusions) * (len(data.premises) + 1) * len(data.nouns)


def derive(task: Task[Data]) -> Derivation:
    data, count = task.data, len(task.data.nouns)
    regions_left, witnesses = possible_regions(list(data.premises), count, data.empty)
    for number, conclusion in enumerate(data.conclusions, 1):
        if number in data.right:
            yield _reason(number, conclusion, data)
        else:
            regions = places(countermodel(conclusion, regions_left, witnesses, count))
            people = "; ".join(_member(region, data.nouns) for region in regions)
            step = NEED_NOT(number=number, said=render_statement(conclusion, data.nouns), world=people or "nobody at all")
            yield step.accepting(partial(_is_counterexample, data, number))


def _is_stated(data: Data, due: int, number: int, said: str) -> bool:
    return number == due and said == render_statement(data.conclusions[due - 1], data.nouns)


def _is_counterexample(data: Data, due: int, /, number: int, said: str, world: str) -> bool:
    """Whether the premises hold in a world of just these members and the conclusion does not."""
    nouns = {noun: i for i, noun in enumerate(data.nouns)}
    listed = world.split("; ") if world != "nobody at all" else []
    classes = [member.removeprefix("one that belongs to ").removesuffix(" only") for member in listed]
    members = [{nouns[noun] for noun in member.split(" and ")} if member != "no class" else set[int]() for member in classes]
    peopled = data.empty or set[int]().union(*members) == set(nouns.values())
    holds = all(_holds_in(premise, members) for premise in data.premises) and not _holds_in(data.conclusions[due - 1], members)
    return _is_stated(data, due, number, said) and peopled and holds


def _holds_in(statement: Statement, members: Sequence[set[int]]) -> bool:
    form, a, b = statement
    there = [b in member for member in members if a in member]
    return {"all": all(there), "no": not any(there), "some": any(there), "some not": not all(there)}[form]


def _claims(data: Data) -> dict[str, tuple[int, bool]]:
    """What can be said of somebody: that they belong to a class, or that they do not."""
    return {_claim((i, inside), data): (i, inside) for i in range(len(data.nouns)) for inside in (True, False)}


def _is_absurd(data: Data, due: int, /, number: int, said: str, a: str, b: str, chains: str) -> bool:
    """Whether two chains of statements lead from the opposite of the conclusion to a contradiction."""
    (form, subject, predicate), claims, arrows = data.conclusions[due - 1], _claims(data), _implications(data)
    starts = [claims[a], claims[b]]
    paths = [[claims[name] for name in chain.split(", so ")] for chain in chains.split(" and ")]
    linked = all(path[0] in starts and all(y in arrows[x] for x, y in pairwise(path)) for path in paths)
    (x, inside_x), (y, inside_y) = (path[-1] for path in paths)
    opposite = form in ("all", "no") and starts == [(subject, True), (predicate, form == "no")]
    return _is_stated(data, due, number, said) and opposite and linked and x == y and inside_x != inside_y


def _is_somebody(data: Data, due: int, /, number: int, said: str, who: str, a: str, b: str) -> bool:
    """Whether somebody is known of whom the conclusion is true."""
    (form, subject, predicate), claims = data.conclusions[due - 1], _claims(data)
    starts = [claims[name] for name in who.split(" and ")]
    known = [[(c, True), (d, kind == "some")] for kind, c, d in data.premises if kind not in ("all", "no")]
    known += [] if data.empty else [[(i, True)] for i in range(len(data.nouns))]
    ends = [claims[a], claims[b]]
    proves_existence = form not in ("all", "no") and ends == [(subject, True), (predicate, form == "some")]
    return (
        _is_stated(data, due, number, said)
        and proves_existence
        and starts in known
        and all(_sure(data, tuple(starts), end) for end in ends)
    )


def _link(rng: Rng, count: int, size: int) -> list[Statement]:
    """Different premises; the first ones chain the classes together so that something follows."""
    order = rng.shuffled(range(count))
    premises: dict[tuple[int, int], str] = {}
    for a, b in pairwise(order):
        if len(premises) < size:
            premises[(a, b) if rng.chance(0.8) else (b, a)] = rng.weighted(FORMS, (6, 2, 1, 1))
    tries = 0
    while len(premises) < size and tries < 50:
        tries += 1
        a, b = rng.sample(range(count), 2)
        if (a, b) not in premises and (b, a) not in premises:
            premises[a, b] = rng.weighted(FORMS, (2, 2, 3, 2))
    return [(form, a, b) for (a, b), form in premises.items()]


def _implications(data: Data) -> dict[tuple[int, bool], list[tuple[int, bool]]]:
    """From each class, or its complement, to the classes and complements in which it lies by one premise."""
    arrows: dict[tuple[int, bool], list[tuple[int, bool]]] = {(i, inside): [] for i in range(len(data.nouns)) for inside in (True, False)}
    for form, a, b in data.premises:
        if form in ("all", "no"):
            arrows[a, True].append((b, form == "all"))
            arrows[b, form != "all"].append((a, False))
    return arrows


def _consequences(data: Data, starts: tuple[tuple[int, bool], ...]) -> dict[tuple[int, bool], tuple[int, bool] | None]:
    """What is true of a member of which the starts are true, each with what it was taken from."""
    arrows = _implications(data)
    predecessors: dict[tuple[int, bool], tuple[int, bool] | None] = dict.fromkeys(starts)
    queue = list(starts)
    for literal in queue:
        for there in arrows[literal]:
            if there not in predecessors:
                predecessors[there] = literal
                queue.append(there)
    return predecessors


def _chain(statement: Statement, data: Data) -> bool:
    form, a, b = statement
    if form in ("all", "no"):
        # A member against the conclusion would contradict itself.
        known = _consequences(data, ((a, True), (b, form == "no")))
        return any((i, not inside) in known for i, inside in known)
    return _witness(statement, data) is not None


def _witness(statement: Statement, data: Data) -> tuple[tuple[int, bool], ...] | None:
    """What is first known of somebody of whom the conclusion is then true."""
    form, a, b = statement
    people = [((c, True), (d, kind == "some")) for kind, c, d in data.premises if kind not in ("all", "no")]
    alone = [] if data.empty else [((i, True),) for i in range(len(data.nouns))]
    for starts in [*people, *alone]:
        if _sure(data, starts, (a, True)) and _sure(data, starts, (b, form == "some")):
            return starts
    return None


def _sure(data: Data, starts: tuple[tuple[int, bool], ...], claim: tuple[int, bool]) -> bool:
    """Whether the claim is true of whoever the starts are true of: its opposite would contradict itself."""
    known = _consequences(data, (*starts, (claim[0], not claim[1])))
    return any((i, not inside) in known for i, inside in known)


def _reason(number: int, statement: Statement, data: Data) -> Due:
    form, a, b = statement
    gaps = {"number": number, "said": render_statement(statement, data.nouns), "a": _claim((a, True), data)}
    if form in ("all", "no"):
        known = _consequences(data, ((a, True), (b, form == "no")))
        i, inside = next((i, inside) for i, inside in known if (i, not inside) in known)
        chains = " and ".join(_render_chain(known, end, data) for end in ((i, inside), (i, not inside)))
        return ABSURD(**gaps, b=_claim((b, form == "no"), data), chains=chains).accepting(partial(_is_absurd, data, number))
    who = " and ".join(_claim(start, data) for start in _witness(statement, data) or ())
    return SOMEBODY(**gaps, who=who, b=_claim((b, form == "some"), data)).accepting(partial(_is_somebody, data, number))


def _render_chain(known: dict[tuple[int, bool], tuple[int, bool] | None], end: tuple[int, bool], data: Data) -> str:
    path = [end]
    while (before := known[path[-1]]) is not None:
        path.append(before)
    return ", so ".join(_claim(literal, data) for literal in reversed(path))


def _claim(known: tuple[int, bool], data: Data) -> str:
    return f"{'one' if known[1] else 'none'} of the {data.nouns[known[0]]}"


def _member(region: int, nouns: tuple[str, ...]) -> str:
    inside = [noun for i, noun in enumerate(nouns) if region >> i & 1]
    return f"one that belongs to {' and '.join(inside)} only" if inside else "one that belongs to no class"


environment = Environment(
    Knobs,
    Numbers("the numbers of the statements that must be true, separated by commas, or the word none if there are none", max_items=40, allow_empty=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "What must be true: {answer}"), version=3,
    concept="A statement must be true when its opposite contradicts what is given; chain the statements about all and no, and follow somebody who exists.",
)  # fmt: skip
