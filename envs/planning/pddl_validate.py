"""Find the first step of a plan that cannot be carried out, and the fact that stands in its way.

Every step before it can be carried out, and exactly one fact is not as that step needs it.
"""

from collections.abc import Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.names import PEOPLE
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.words import WORDS

Fact = tuple[str, ...]  # a word, and the things it is said of
Action = tuple[str, int, tuple[Fact, ...], tuple[Fact, ...], tuple[Fact, ...], tuple[Fact, ...]]
Step = tuple[str, ...]
DONE = Line("Step {number}, {action}, has what it needs; afterwards these hold: {facts}")
STUCK = Line("Step {number}, {action}, cannot be carried out: {fact}")
SLOTS = ("X", "Y")


class Knobs(Config):
    steps: int = knob(8, easy=3, hard=60, doc="steps of the plan")
    actions: int = knob(4, easy=3, hard=9, doc="different actions")
    facts: int = knob(5, easy=4, hard=9, doc="different facts, or kinds of facts")
    things: int = knob(1, easy=0, hard=4, doc="things that actions are done to; without any, actions and facts are single words")
    absent: str = knob("yes", easy="no", hard="yes", order=("no", "yes"), doc="whether an action may need a fact not to hold")


class Data(TaskData):
    actions: tuple[Action, ...]  # name, things, facts needed, facts needed not to hold, facts made true, facts made false
    first: tuple[Fact, ...]
    plan: tuple[Step, ...]
    bad: int
    fact: Fact


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        data = _drawn(rng, knobs)
        if data is not None:
            return Task(_prompt(data), data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Backwards from each step to the last that touched a fact it needs.
    data = task.data
    actions = {action[0]: action for action in data.actions}
    for number, step in enumerate(data.plan, 1):
        _, _, needs, absent, _, _ = _bound(actions[step[0]], step[1:])
        for fact, wanted in [*((fact, True) for fact in needs), *((fact, False) for fact in absent)]:
            holds = fact in data.first
            for earlier in reversed(data.plan[: number - 1]):
                *_, made, unmade = _bound(actions[earlier[0]], earlier[1:])
                if fact in made or fact in unmade:
                    holds = fact in made
                    break
            if holds != wanted:
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
    action = next(action for action in data.actions if action[0] == data.plan[data.bad - 1][0])
    _, _, needs, absent, made, _ = _bound(action, data.plan[data.bad - 1][1:])
    others = [fact for fact in (*needs, *absent, *made) if fact != data.fact]
    return [*((right[0], *fact) for fact in others), (str(data.bad + 1), *right[1:]), (str(data.bad - 1), *right[1:]), right[:1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    actions = {action[0]: action for action in data.actions}
    return sum(sum(map(len, actions[step[0]][2:])) * len(step) for step in data.plan[: data.bad])


def explain(task: Task[Data]) -> list[str]:
    data, steps = task.data, []
    actions = {action[0]: action for action in data.actions}
    state = dict.fromkeys(data.first)
    for number, step in enumerate(data.plan[: data.bad - 1], 1):
        *_, made, unmade = _bound(actions[step[0]], step[1:])
        for fact in unmade:
            state.pop(fact, None)
        state |= dict.fromkeys(made)
        holding = ", ".join(sorted(map(_said, state))) or "nothing"
        steps.append(DONE.write(number=number, action=" ".join(step), facts=holding))
    what = "does not hold" if data.fact not in state else "holds, but must not"
    steps.append(STUCK.write(number=data.bad, action=" ".join(data.plan[data.bad - 1]), fact=f"{_said(data.fact)} {what}"))
    return [*steps, f"The answer is {environment.answer.render(solve(task))}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    actions = {action[0]: action for action in data.actions}
    state, done = set(data.first), [0]

    def follows(step: str) -> bool:
        done[0] += 1
        taken = data.plan[done[0] - 1]
        _, _, needs, absent, made, unmade = _bound(actions[taken[0]], taken[1:])
        broken = [fact for fact in needs if fact not in state] + [fact for fact in absent if fact in state]
        if read := DONE.read(step):
            state.difference_update(unmade)
            state.update(made)
            told = ", ".join(sorted(map(_said, state))) or "nothing"
            return not broken and (int(read["number"]), read["action"], read["facts"]) == (done[0], " ".join(taken), told)
        read = STUCK.read(step)
        if not read or len(broken) != 1:
            return False
        what = "does not hold" if broken[0] not in state else "holds, but must not"
        return (int(read["number"]), read["action"], read["fact"]) == (done[0], " ".join(taken), f"{_said(broken[0])} {what}")

    return first_wrong(steps, follows, ended("The answer is ", task, environment.answer, verify))


def _drawn(rng: Rng, knobs: Knobs) -> Data | None:
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
        unmade = [fact for fact in needs if rng.chance(0.75)]
        made = [*absent, *facts[3:4]] if absent else facts[2:4]
        actions.append((name, slots, tuple(needs), tuple(absent), tuple(made), tuple(unmade)))
    ground = [
        (kind, *args)
        for kind, count in zip(kinds, said_of, strict=True)
        for args in product(things, repeat=count)
        if len(set(args)) == count
    ]
    first = tuple(fact for fact in ground if rng.chance(0.6))
    choices = [(name, *args) for name, slots, *_ in actions for args in product(things, repeat=slots) if len(set(args)) == slots]
    bound = {step: _bound(next(action for action in actions if action[0] == step[0]), step[1:]) for step in choices}
    bad = rng.integer((knobs.steps + 1) // 2, knobs.steps)
    state, plan, touched = set(first), list[Step](), set[Fact]()
    found: Fact | None = None
    for number in range(1, knobs.steps + 1):
        wrong = {
            step: [*(fact for fact in bound[step][2] if fact not in state), *(fact for fact in bound[step][3] if fact in state)]
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
            fits = [step for step in fits if not state >= set(bound[step][4]) or state & set(bound[step][5])] or fits
            fewest = min(map(plan.count, fits))
            fits = [step for step in fits if plan.count(step) == fewest]
        step = rng.choice(fits)
        if number == bad:
            found = wrong[step][0]
        *_, now, gone = bound[step]
        touched |= {*now, *gone}
        state = (state - set(gone)) | set(now)
        plan.append(step)
    if found is None or len({step[0] for step in plan[:bad]}) < min(bad, knobs.actions // 2 + 1):
        return None  # the walk goes round in a small circle
    return Data(actions=tuple(actions), first=first, plan=tuple(plan), bad=bad, fact=found)


def _bound(action: Action, things: tuple[str, ...]) -> Action:
    """An action done to these things."""
    name, slots, needs, absent, made, unmade = action
    given = dict(zip(SLOTS, things, strict=False))

    def of(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        return tuple((fact[0], *(given[slot] for slot in fact[1:])) for fact in facts)

    return name, slots, of(needs), of(absent), of(made), of(unmade)


def _said(fact: Fact) -> str:
    return " ".join(fact)


def _prompt(data: Data) -> str:
    told = []
    for name, slots, needs, absent, made, unmade in data.actions:
        parts = [f"needs {_list(needs)}"] if needs else []
        parts += [f"needs that {_list(absent)} {'does' if len(absent) == 1 else 'do'} not hold"] if absent else []
        parts += [f"makes {_list(unmade)} false"] if unmade else []
        parts += [f"makes {_list(made)} true"] if made else []
        told.append(f"{' '.join((name, *SLOTS[:slots]))}: {'; '.join(parts)}")
    listing = "\n".join(told)
    plan = "\n".join(f"{number}. {' '.join(step)}" for number, step in enumerate(data.plan, 1))
    naming = (
        " X and Y stand for two different things, and a step names them in this order." if any(action[1] for action in data.actions) else ""
    )
    first = _list(data.first) or "nothing"
    return (
        f"These are actions, what they need and what they change:\n{listing}\n\nAn action can be carried out if all the facts that it needs hold (and "
        f"those that must not hold do not). It changes only what is listed.{naming} At first these facts hold, and no others: {first}.\n\nThis is a plan:\n"
        f"{plan}\n\nWhich is the first step that cannot be carried out, and which one fact is not as that step needs it?"
    )


def _list(facts: tuple[Fact, ...]) -> str:
    return ", ".join(map(_said, facts))


environment = Environment(
    Knobs,
    Words("the number of the step, then the words of the fact, separated by spaces", most=8, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Keep the set of facts that hold, and check each step against it before changing it.",
)
