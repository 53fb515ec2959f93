"""Find the first step of a plan that cannot be carried out, and the fact that stands in its way.

Every step before it can be carried out, and exactly one fact is not as that step needs it.
"""

from itertools import product
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.text.words import WORDS
from rlgym.solutions import Derivation, Solution, Step

Fact = tuple[str, ...]  # a predicate and its things
Call = tuple[str, ...]
DONE = Step("Step {number}, {action}, has what it needs; afterwards these hold: {facts}")
STUCK = Step("Step {number}, {action}, cannot be carried out: {fact}")
SLOTS = ("X", "Y")
ANSWER = Words("the number of the step, then the words of the fact, separated by spaces", max_items=8, ignore_case=True)
CONCEPT = "Keep the set of facts that hold, and check each step against it before changing it."


class Action(NamedTuple):
    name: str
    slots: int  # things that it is done to
    needs: tuple[Fact, ...]
    absent: tuple[Fact, ...]  # facts that must not hold
    adds: tuple[Fact, ...]
    deletes: tuple[Fact, ...]


class Knobs(Config):
    steps: int = knob(8, easy=3, hard=60, doc="steps of the plan")
    actions: int = knob(4, easy=3, hard=9, doc="different actions")
    facts: int = knob(5, easy=4, hard=9, doc="different facts, or kinds of facts")
    things: int = knob(1, easy=0, hard=4, doc="things that actions are done to; without any, actions and facts are single words")
    absent: str = knob("yes", easy="no", hard="yes", order=("no", "yes"), doc="whether an action may need a fact not to hold")


class Data(TaskData):
    actions: tuple[Action, ...]
    first: tuple[Fact, ...]
    plan: tuple[Call, ...]
    bad: int
    fact: Fact


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        data = _sample_plan(rng, knobs)
        if data is not None:
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Backwards from each step to the last that touched a fact it needs.
    data = task.data
    actions = {action.name: action for action in data.actions}
    for number, step in enumerate(data.plan, 1):
        action = _ground_action(actions[step[0]], step[1:])
        for fact, value in [*((fact, True) for fact in action.needs), *((fact, False) for fact in action.absent)]:
            holds = fact in data.first
            for earlier in reversed(data.plan[: number - 1]):
                effect = _ground_action(actions[earlier[0]], earlier[1:])
                if fact in effect.adds or fact in effect.deletes:
                    holds = fact in effect.adds
                    break
            if holds != value:
                return (str(number), *fact)
    return ("0",)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    number, *fact = answer
    if number != str(data.bad):
        return Score.wrong("that is not the first step that cannot be carried out")
    return Score.exact(tuple(fact) == data.fact, "that fact is not what stands in the way")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    action = next(action for action in data.actions if action.name == data.plan[data.bad - 1][0])
    bound = _ground_action(action, data.plan[data.bad - 1][1:])
    others = [fact for fact in (*bound.needs, *bound.absent, *bound.adds) if fact != data.fact]
    return [*((right[0], *fact) for fact in others), (str(data.bad + 1), *right[1:]), (str(data.bad - 1), *right[1:]), right[:1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    actions = {action.name: action for action in data.actions}
    return sum(sum(map(len, actions[step[0]][2:])) * len(step) for step in data.plan[: data.bad])


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    actions = {action.name: action for action in data.actions}
    state = dict.fromkeys(data.first)
    for number, step in enumerate(data.plan[: data.bad - 1], 1):
        action = _ground_action(actions[step[0]], step[1:])
        for fact in action.deletes:
            state.pop(fact, None)
        state |= dict.fromkeys(action.adds)
        yield DONE(number=number, action=" ".join(step), facts=", ".join(sorted(map(_describe_fact, state))) or "nothing")
    what = "does not hold" if data.fact not in state else "holds, but must not"
    yield STUCK(number=data.bad, action=" ".join(data.plan[data.bad - 1]), fact=f"{_describe_fact(data.fact)} {what}")


def _sample_plan(rng: Rng, knobs: Knobs) -> Data | None:
    """A random walk with one step in it that fails by one fact; None if the walk gets stuck."""
    words = rng.sample(WORDS, knobs.actions + knobs.facts)
    names, kinds = words[: knobs.actions], words[knobs.actions :]
    things = [person.lower() for person in rng.sample(PEOPLE, knobs.things)]
    said_of = [rng.integer(1, min(2, knobs.things)) if things else 0 for _ in kinds]
    actions = []
    for name in names:
        slots = rng.integer(1, min(2, knobs.things)) if things else 0
        pool = [
            (kind, *args)
            for kind, count in zip(kinds, said_of, strict=True)
            for args in product(SLOTS[:slots], repeat=count)
            if len(set(args)) == count
        ]
        facts = rng.sample(pool, min(len(pool), 5))
        if len(facts) < 3:
            return None
        needs = facts[:2]
        absent = facts[2:3] if knobs.absent == "yes" and rng.chance(0.6) else list[Fact]()
        # What an action needs it often uses up; what it makes true is new.
        deletes = [fact for fact in needs if rng.chance(0.75)]
        adds = [*absent, *facts[3:4]] if absent else facts[2:4]
        actions.append(Action(name, slots, tuple(needs), tuple(absent), tuple(adds), tuple(deletes)))
    ground = [
        (kind, *args)
        for kind, count in zip(kinds, said_of, strict=True)
        for args in product(things, repeat=count)
        if len(set(args)) == count
    ]
    first = tuple(fact for fact in ground if rng.chance(0.6))
    choices = [(name, *args) for name, slots, *_ in actions for args in product(things, repeat=slots) if len(set(args)) == slots]
    bound = {step: _ground_action(next(action for action in actions if action.name == step[0]), step[1:]) for step in choices}
    bad = rng.integer((knobs.steps + 1) // 2, knobs.steps)
    state, plan, touched = set(first), list[Call](), set[Fact]()
    missing: Fact | None = None
    for number in range(1, knobs.steps + 1):
        wrong = {
            step: [*(fact for fact in bound[step].needs if fact not in state), *(fact for fact in bound[step].absent if fact in state)]
            for step in choices
        }
        fits = [step for step in choices if len(wrong[step]) == (number == bad)]
        if not fits and number > bad:
            fits = choices
        if not fits:
            return None
        if number == bad:
            # A fact that held once, or that the plan was to make true, is harder to see missing than one never heard of.
            fits = [step for step in fits if wrong[step][0] in touched] or fits
        else:
            fits = [step for step in fits if not state >= set(bound[step].adds) or state & set(bound[step].deletes)] or fits
            fewest = min(map(plan.count, fits))
            fits = [step for step in fits if plan.count(step) == fewest]
        step = rng.choice(fits)
        if number == bad:
            missing = wrong[step][0]
        touched |= {*bound[step].adds, *bound[step].deletes}
        state = (state - set(bound[step].deletes)) | set(bound[step].adds)
        plan.append(step)
    if missing is None or len({step[0] for step in plan[:bad]}) < min(bad, knobs.actions // 2 + 1):
        return None  # the walk goes round in a small circle
    return Data(actions=tuple(actions), first=first, plan=tuple(plan), bad=bad, fact=missing)


def _ground_action(action: Action, things: tuple[str, ...]) -> Action:
    """An action done to these things."""
    name, slots, needs, absent, adds, deletes = action
    given = dict(zip(SLOTS, things, strict=False))

    def of(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        return tuple((fact[0], *(given[slot] for slot in fact[1:])) for fact in facts)

    return Action(name, slots, of(needs), of(absent), of(adds), of(deletes))


def _describe_fact(fact: Fact) -> str:
    return " ".join(fact)


def _render_prompt(data: Data) -> str:
    described = []
    for name, slots, needs, absent, adds, deletes in data.actions:
        parts = [f"needs {_list_facts(needs)}"] if needs else []
        parts += [f"needs that {_list_facts(absent)} {'does' if len(absent) == 1 else 'do'} not hold"] if absent else []
        parts += [f"makes {_list_facts(deletes)} false"] if deletes else []
        parts += [f"makes {_list_facts(adds)} true"] if adds else []
        described.append(f"{' '.join((name, *SLOTS[:slots]))}: {'; '.join(parts)}")
    listing = "\n".join(described)
    plan = "\n".join(f"{number}. {' '.join(step)}" for number, step in enumerate(data.plan, 1))
    naming = (
        " X and Y stand for two different things, and a step names them in this order."
        if any(action.slots for action in data.actions)
        else ""
    )
    first = _list_facts(data.first) or "nothing"
    return (
        f"These are the actions, with what they need and what they change:\n{listing}\n\nAn action can be carried out if all the facts that it needs hold "
        f"(and those that must not hold do not). It changes only what is listed.{naming} At first these facts hold, and no others: {first}.\n\nThis "
        f"is a plan:\n"
        f"{plan}\n\nWhich is the first step that cannot be carried out, and which one fact is not as that step needs it?"
    )


def _list_facts(facts: tuple[Fact, ...]) -> str:
    return ", ".join(map(_describe_fact, facts))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, "The answer is {answer}"), concept=CONCEPT, version=2
)
