"""Find an order of reactions that makes enough of a wanted molecule.

Each reaction uses up what others need, and no more than the fewest possible steps are allowed. The shift has catalysts, which must be there but are not
used up, and reactions that also run backwards.
"""

from collections.abc import Iterator
from itertools import islice

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.calculations import LAST
from rlgym.generators.science import pots
from rlgym.generators.science.pots import ASKED, OPENINGS, RULES
from rlgym.generators.stories import phrase
from rlgym.generators.text.english import count_noun
from rlgym.solutions import Checks, Derivation, Solution, Step

STEP = Step("Step {k:int}, reaction {number:int}: {left} -> {right}, which leaves {pot}")
END = Step(LAST + "{answer}")


class Knobs(Config):
    steps: int = knob(5, easy=3, hard=11, beyond=14, doc="fewest reactions that are needed, where there is a way that long")
    kinds: int = knob(5, easy=4, hard=8, doc="kinds of molecules")
    reactions: int = knob(6, easy=4, hard=10, doc="how many reactions can be run")


class Data(TaskData):
    start: tuple[int, ...]
    reactions: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    kind: int
    amount: int
    steps: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Catalysts, and reactions back and forth."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Depth first; `generate` looks at all pots breadth first.
    return next(_solutions(task))


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    data, pot = task.data, task.data.start
    if len(answer) > data.steps:
        return Score.wrong(f"at most {data.steps} reactions are allowed")
    for k, number in enumerate(answer, 1):
        if not 1 <= number <= len(data.reactions) or not pots.fits(pot, data.reactions[number - 1]):
            return Score.wrong(f"step {k} cannot be run")
        pot = pots.pot_after(pot, data.reactions[number - 1])
    return Score.exact(pot[data.kind] >= data.amount, "there is not enough of it at the end")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [
        right[:-1] or (1, 1),
        right[1:] or (2, 2),
        right[::-1],
        (*right, right[-1]),
        right + right,
        (1,) * len(right),
        (len(task.data.reactions) + 1,),
    ]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.reactions) * task.data.steps**2)


def derive(task: Task[Data]) -> Derivation:
    pot = task.data.start
    for k, number in enumerate(solve(task), 1):
        left, right = reaction = task.data.reactions[number - 1]
        pot = pots.pot_after(pot, reaction)
        yield STEP(k=k, number=number, left=pots.write_pot(left), right=pots.write_pot(right), pot=pots.write_pot(pot))
    yield END(answer=environment.answer.render(solve(task)))


def checks(task: Task[Data]) -> Checks:
    current, run = task.data.start, list[int]()

    def follows(k: int, number: int, left: str, right: str, pot: str) -> bool:
        nonlocal current
        if k != len(run) + 1 or not 1 <= number <= len(task.data.reactions):
            return False
        reaction = task.data.reactions[number - 1]
        fits = pots.fits(current, reaction)
        current = pots.pot_after(current, reaction)
        run.append(number)
        return fits and (left, right, pot) == tuple(map(pots.write_pot, (*reaction, current)))

    return {STEP: follows, END: lambda answer: environment.answer.parse(answer) == tuple(run)}


def _sample_task(rng: Rng, knobs: Knobs, catalysts: bool) -> Task[Data]:
    best: Data | None = None
    for _ in range(8):
        reactions = pots.sample_reactions(rng, knobs.kinds, knobs.reactions, catalysts)
        start = tuple(rng.integer(1, 4 + knobs.steps // 3) if rng.chance(0.5) else 0 for _ in range(knobs.kinds))
        first: dict[tuple[int, int], int] = {}
        for pot, steps in pots.reachable(start, reactions).items():
            for kind, amount in enumerate(pot):
                first.setdefault((kind, amount), steps)
        # What is had with more of a kind is had with less of it too, perhaps sooner.
        soonest: dict[int, int] = {}
        for kind, amount in sorted(first, key=lambda goal: (goal[0], -goal[1])):
            soonest[kind] = first[kind, amount] = min(first[kind, amount], soonest.get(kind, first[kind, amount]))
        goals = [(abs(steps - knobs.steps), kind, amount) for (kind, amount), steps in first.items() if 1 < steps <= knobs.steps]
        if not goals:
            continue
        off, kind, amount = rng.choice([goal for goal in sorted(goals) if goal[0] == min(goals)[0]])
        data = Data(start=start, reactions=tuple(reactions), kind=kind, amount=amount, steps=first[kind, amount])
        best = data if best is None or data.steps > best.steps else best
        if not off:
            break
    if best is None:
        return _sample_task(rng, knobs, catalysts)
    lines = [f"{k}. {pots.write_pot(left)} -> {pots.write_pot(right)}" for k, (left, right) in enumerate(best.reactions, 1)]
    question = phrase(rng, ASKED, steps=count_noun(best.steps, "reaction"), amount=best.amount, kind=pots.KINDS[best.kind])
    listed = "\n".join(lines)
    return Task(
        f"{phrase(rng, OPENINGS, start=pots.write_pot(best.start))}\n{RULES}\n{listed}\n{question} Any such sequence is accepted.", best
    )


def _solutions(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    data = task.data
    return islice(pots.plans(data.start, data.reactions, data.kind, data.amount, data.steps), 12)


environment = Environment(
    Knobs, Numbers("the numbers of the reactions in the order in which they are run, separated by commas", max_items=60),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, checks), shift=shift, answers="many", solutions=_solutions,
    concept="Work backwards from the wanted molecules to those they are made of, and mind what each reaction takes from the others.",
    guessable="the shortest ways repeat one reaction, and one such way is right for about 0.15 of the smallest networks",
    version=4,
)  # fmt: skip
