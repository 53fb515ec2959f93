"""Find how much acid is in a solution that is diluted, split, mixed and neutralised step by step.

Acids and bases that give one or two ions each, and volumes in litres or millilitres. The shift goes backwards: a titration at the end tells how strong the
acid was at the beginning.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Quantity
from rlgym.generators.calculations import format_decimal
from rlgym.generators.science import beakers
from rlgym.generators.science.beakers import ASKED, OPENINGS, RULES, TITRATED, UNKNOWN, Change
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.stories import phrase


class Knobs(Config):
    changes: int = knob(4, easy=1, hard=12, doc="how many things are done with the solution")
    kinds: int = knob(4, easy=2, hard=5, doc="how many kinds of them there are: water, pouring out, boiling off, acids, bases")
    choice: int = knob(0, easy=0, hard=1, doc="1 if portions are chosen so that the solution is as weak as possible but still acidic")
    litres: int = knob(20, easy=0, hard=60, doc="percent of the volumes given in litres")


class Data(TaskData):
    volume: str
    litres: bool
    acid: str
    first: str  # moles per litre at the beginning; backwards "", as it is asked for
    changes: tuple[Change, ...]
    capacity: int  # millilitres that the beaker holds, where the changes are portions to choose from; 0 otherwise
    needed: tuple[str, str, str]  # backwards: millilitres, moles per litre and name of the base
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.choice and knobs.changes > 3:
        return _sample_choice(rng, knobs)
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Backwards, from a titration."""
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> Fraction:
    # The final amount is a share of the first one plus a constant; the working goes from change to change.
    data = task.data
    if data.capacity:
        amount = Fraction(data.volume) * Fraction(data.first) * beakers.ACIDS[data.acid]
        return beakers.weakest(data.changes, Fraction(data.volume), amount, data.capacity)
    volume, part, base_amount = beakers.straight(data.changes, Fraction(data.volume))
    each = Fraction(data.volume) * beakers.ACIDS[data.acid]
    if data.first:
        return (Fraction(data.first) * each * part + base_amount) / volume
    size, strength, base = data.needed
    return (Fraction(size) * Fraction(strength) * beakers.BASES[base] - base_amount) / part / each


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the concentration")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    volume, part, _ = beakers.straight(data.changes, Fraction(data.volume))
    others = []
    if data.capacity:
        amount = Fraction(data.volume) * Fraction(data.first) * beakers.ACIDS[data.acid]
        found = beakers.choose(data.changes, Fraction(data.volume), amount, 10**6)
        chosen = beakers.choose_greedily(data.changes, Fraction(data.volume), amount, data.capacity)
        others = [beakers.concentration(portions, Fraction(data.volume), amount) for portions in (found, chosen)]
    return [
        *others,
        right * volume,
        right / 1000,
        Fraction(data.first or data.needed[1]),
        right / part,
        right * volume / Fraction(data.volume),
        right * 2,
        right + 1,
    ]


def cost(task: Task[Data]) -> float:
    if task.data.capacity:
        return float(40 * len(task.data.changes) ** 2)
    return float(sum(2 + 2 * len(change.numbers) + change.litres + 2 * (change.kind == "pour") for change in task.data.changes) ** 2)


def _sample_choice(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Portions of which neither a full beaker with the largest of bases nor a larger beaker gives the right ones."""
    while True:
        acid = rng.choice(tuple(beakers.ACIDS))
        volume, first = Fraction(10 * rng.integer(8, 40)), Fraction(rng.integer(10, 60), 20)
        amount = volume * first * beakers.ACIDS[acid]
        changes = beakers.portions(rng, knobs.changes, knobs.litres / 100, amount)
        whole = sum(Fraction(change.numbers[0]) for change in changes)
        capacity = 10 * int((volume + whole * rng.integer(40, 70) / 100) / 10)
        best = beakers.choose(changes, volume, amount, capacity)
        if best and best not in (
            beakers.choose_greedily(changes, volume, amount, capacity),
            beakers.choose(changes, volume, amount, 10**6),
        ):
            break
    litres = rng.chance(knobs.litres / 100)
    gaps = {"volume": beakers.phrase(volume, litres), "acid": acid, "strength": format_decimal(first)}
    lines = [f"{phrase(rng, OPENINGS, **gaps)} Each of these portions can be added to it, whole or not at all:"]
    for k, change in enumerate(changes, 1):
        facts = beakers.gaps(change)
        lines.append(f"{k}. {facts['a']} of " + (f"{facts['c']} with {facts['b']} mol/L" if change.substance else "water"))
    data = Data(
        volume=str(volume),
        litres=litres,
        acid=acid,
        first=str(first),
        changes=tuple(changes),
        capacity=capacity,
        needed=("0", "1", ""),
        answer="",
    )
    question = (
        f"The vessel holds at most {capacity} mL. The solution must stay acidic, with some H+ left over. What is the least concentration of H+, "
        "in mol/L, that can be reached?"
    )
    text = "\n".join(lines)
    return Task(f"{text}\n{RULES} {question}", data.model_copy(update={"answer": str(_working(data).value)}))


def _sample_task(rng: Rng, knobs: Knobs, back: bool) -> Task[Data]:
    kinds = ("water", "pour", "acid", "base", "boil")[: knobs.kinds]
    acid, base = rng.choice(tuple(beakers.ACIDS)), rng.choice(tuple(beakers.BASES))
    volume, first = Fraction(10 * rng.integer(3, 40)), Fraction(rng.integer(1, 60), 20)
    changes, _ = beakers.sample(rng, kinds, knobs.changes, knobs.litres / 100, volume, volume * first * beakers.ACIDS[acid])
    litres = rng.chance(knobs.litres / 100)
    gaps = {"volume": beakers.phrase(volume, litres), "acid": acid, "strength": format_decimal(first)}
    lines = [phrase(rng, UNKNOWN if back else OPENINGS, **gaps)]
    lines += [f"{k}. {phrase(rng, beakers.SAID[change.kind], **beakers.gaps(change))}" for k, change in enumerate(changes, 1)]
    data = Data(
        volume=str(volume),
        litres=litres,
        acid=acid,
        first=str(first),
        changes=tuple(changes),
        capacity=0,
        needed=("0", "1", base),
        answer="",
    )
    question = phrase(rng, ASKED)
    if back:
        _, part, base_amount = beakers.straight(changes, volume)
        acid_left = volume * first * beakers.ACIDS[acid] * part + base_amount
        strength = Fraction(rng.integer(1, 40), 20)
        # Rounded up, so that the acid at the beginning was a little stronger than planned.
        size = Fraction(int(acid_left / strength / beakers.BASES[base]) + 1)
        data = data.model_copy(update={"first": "", "needed": (str(size), str(strength), base)})
        question = phrase(rng, TITRATED, volume=f"{size} mL", base=base, strength=format_decimal(strength), acid=acid)
    text = "\n".join(lines)
    return Task(f"{text}\n{RULES} {question}", data.model_copy(update={"answer": str(_working(data).value)}))


def _working(data: Data) -> Working:
    work, volume, each = Working("0 1 2 1000"), Fraction(data.volume), beakers.ACIDS[data.acid]
    if data.litres:
        work.add("volume at first", "mL", "{} * 1000", volume / 1000)
    changes: tuple[beakers.Change, ...] = data.changes
    if data.capacity:
        changes = beakers.choose(changes, volume, volume * Fraction(data.first) * each, data.capacity)
    filled = beakers.volumes(work, changes, volume)
    if data.first:
        amount = work.add("H+ at first", "mmol", "{} * {} * {}", volume, Fraction(data.first), each)
        amount = beakers.amounts(work, changes, filled, amount, False)
        work.add("concentration of H+ in the end", "mol/L", "{} / {}", amount, filled[-1])
        return work
    size, strength, base = data.needed
    amount = work.add("H+ in the end", "mmol", "{} * {} * {}", Fraction(size), Fraction(strength), beakers.BASES[base])
    amount = beakers.amounts(work, changes, filled, amount, True)
    work.add(f"concentration of {data.acid} at first", "mol/L", "{} / {} / {}", amount, volume, each)
    return work


environment = Environment(
    Knobs, Quantity("mol/L", digits=4), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    version=7,
    concept="Follow the amount of H+ and the volume separately; pouring out changes both, water only the volume, a base takes H+ away and adds volume.",
)  # fmt: skip
