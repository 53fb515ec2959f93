"""Find the force that lifts a load through a row of simple machines.

Levers, winches, tackles, heavy loose pulleys and slopes, with friction at higher levels. The shift is a mobile of hanging rods in balance, whose unknown
counterweights must be found from the bottom up to know its weight.
"""

from fractions import Fraction

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Quantity
from rlgym.generators.science import rods
from rlgym.generators.science.quantities import Working, solution
from rlgym.generators.science.rods import Machine, Rod
from rlgym.generators.stories import phrase

OPENINGS = (
    "A load of {load} N hangs on {machines}",
    "A crate that weighs {load} N hangs on {machines}",
    "A weight of {load} N pulls on {machines}",
)
ONE = "the input of this machine:"
ROW = "the input of machine 1, and the output of each machine pulls on the input of the next:"
ASKED = (
    "What force on the output {last} raises the load slowly at a constant speed?",
    "What force on the output {last} just lifts the load, slowly and without acceleration?",
    "How hard must one pull on the output {last} to raise the load slowly at a constant speed?",
    "With what force must one pull on the output {last} so that the load rises slowly at a constant speed?",
)
CHOSEN = (
    "A load of {load} N is to be lifted with exactly {count} of these {machines} machines, connected in a row in an order of your choice:",
    "{count} of the following {machines} machines, no more and no fewer, are to lift a load of {load} N; they are connected in a row, in any order:",
)
LEAST = (
    "What is the least force on the output of the last machine with which the load can be raised slowly at a constant speed?",
    "Over all choices and orders, what is the least force on the output of the last machine that raises the load slowly at a constant speed?",
)
HANGING = (
    "A mobile of level rods is in balance; the rods weigh nothing unless a weight is given:",
    "From a ceiling hangs a mobile. All its rods hang level; they weigh nothing unless a weight is given:",
    "All rods of this mobile are at rest and level, and have no weight unless one is given:",
    "A mobile hangs still, with all rods level. Rods weigh nothing unless their weight is given:",
)
TOTAL = (
    "Rod {top} hangs from the ceiling. What does the whole mobile weigh?",
    "What is the weight of the whole mobile, which hangs from the ceiling by rod {top}?",
    "The topmost is rod {top}. With what force does the mobile pull on the ceiling?",
    "Find the force on the hook in the ceiling from which rod {top}, and with it everything, hangs.",
)


class Knobs(Config):
    machines: int = knob(4, easy=1, hard=9, doc="how many machines, or rods less one")
    kinds: int = knob(3, easy=2, hard=5, doc="how many kinds of machines there are")
    choice: int = knob(0, easy=0, hard=1, doc="1 if only some of the machines are used, in the order that needs the least force")
    friction: int = knob(30, easy=0, hard=80, doc="percent of machines with friction, or of rods with a weight of their own")


class Data(TaskData):
    load: int
    machines: tuple[Machine, ...]
    chosen: int  # how many of the machines are used, in the best order; 0 for all of them in this order
    rods: tuple[Rod, ...]  # of the shift only
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    kinds = ("lever", "pulleys", "wheel", "slope", "weighted")[: knobs.kinds]
    if knobs.choice and knobs.machines > 2:
        load, machines = _sample_choice(rng, knobs)
    else:
        machines = [rods.machine(rng, kinds, knobs.friction / 100) for _ in range(knobs.machines)]
        load = 10 * rng.integer(5, 200)
    chosen = _count_chosen(len(machines)) if knobs.choice and knobs.machines > 2 else 0
    lines = []
    for k, machine in enumerate(machines, 1):
        rough = (
            f"; because of friction, its output force must be {machine.friction}% of what would suffice without friction"
            if machine.friction != 100
            else ""
        )
        rough += f"; its input bears at most {machine.limit} N" if machine.limit else ""
        lines.append(f"{k}. {phrase(rng, rods.SAID[machine.kind], **dict(zip('ab', machine.numbers)))}{rough}")
    given = " unless a weight is given" if any(machine.kind == "weighted" for machine in machines) else ""
    rules = f"Ropes and machines weigh nothing{given}, and forces act at right angles to arms and radii."
    if chosen:
        opening = phrase(rng, CHOSEN, load=load, machines=len(machines), count=chosen)
        rules = f"The load pulls on the input of the first machine, and the output of each on the input of the next. {rules}"
        question = phrase(rng, LEAST)
    else:
        opening = phrase(rng, OPENINGS, load=load, machines=ONE if len(machines) == 1 else ROW)
        question = phrase(rng, ASKED, last="of the machine" if len(machines) == 1 else f"of machine {len(machines)}")
    text = f"{opening}\n" + "\n".join(lines) + f"\n{rules} {question}"
    return _task(text, Data(load=load, machines=tuple(machines), chosen=chosen, rods=(), answer=""))


def _count_chosen(machines: int) -> int:
    return (machines + 1) // 2


def _sample_choice(rng: Rng, knobs: Knobs) -> tuple[int, list[Machine]]:
    """Machines whose limits make another order than the best one without limits right."""
    count = _count_chosen(knobs.machines)
    while True:
        load = 10 * rng.integer(10, 40)
        machines = [rods.choosable_machine(rng, load, knobs.friction / 100) for _ in range(knobs.machines)]
        best = rods.least_forces(Fraction(load), machines, count)
        if best and best[0] != rods.force_by_offsets(Fraction(load), machines, count):
            return load, machines


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A mobile."""
    hung = rods.mobile(rng, knobs.machines + 1, knobs.friction / 100)
    lines = "\n".join(rods.tree(hung))
    rules = "All distances are measured from the point from which the rod in question hangs."
    text = f"{phrase(rng, HANGING)}\n{lines}\n{rules} {phrase(rng, TOTAL, top=len(hung))}"
    return _task(text, Data(load=0, machines=(), chosen=0, rods=tuple(hung), answer=""))


def solve(task: Task[Data]) -> Fraction:
    # By what each newton of the load comes to at the end; the working goes from machine to machine, or from rod to rod.
    data = task.data
    if data.chosen:
        return rods.searched_force(Fraction(data.load), data.machines, data.chosen)
    return rods.by_leaves(data.rods) if data.rods else rods.by_ratios(Fraction(data.load), data.machines)


def verify(task: Task[Data], answer: Fraction) -> Score:
    return Score.exact(answer == Fraction(task.data.answer), "that is not the force")


def mistakes(task: Task[Data], right: Fraction) -> list[Fraction]:
    data = task.data
    loads = Fraction(data.load or sum(load for rod in data.rods for _, load in rod.loads))
    others = []
    if data.chosen:
        free = [machine.model_copy(update={"limit": 0}) for machine in data.machines]
        found = [rods.force_by_offsets(Fraction(data.load), machines, data.chosen) for machines in (data.machines, free)]
        others = [force for force in found if force]
    return [*others, loads, right * 2, right / 2, 1 / right, loads * loads / right, right + 1]


def cost(task: Task[Data]) -> float:
    data = task.data
    text_length = sum(len(machine.numbers) + (machine.friction != 100) for machine in data.machines) + sum(
        3 + len(rod.left) + len(rod.loads) + 2 * bool(rod.weight) for rod in data.rods
    )
    return float(text_length * (len(data.machines) + len(data.rods)) * max(1, data.chosen) ** 2)


def _task(text: str, data: Data) -> Task[Data]:
    return Task(text, data.model_copy(update={"answer": str(_working(data).value)}))


def _working(data: Data) -> Working:
    work = Working("0 1 2 100")
    if data.rods:
        rods.balance_lines(work, data.rods)
    else:
        found = rods.least_forces(Fraction(data.load), data.machines, data.chosen) if data.chosen else None
        rods.along(work, Fraction(data.load), data.machines, found[1] if found else ())
    return work


environment = Environment(
    Knobs, Quantity("N", digits=4), generate, solve, verify, mistakes, cost,
    solution=solution(_working), shift=shift,
    version=8, concept="Each machine multiplies the force by a ratio of arms, radii or ropes; a rod at rest has equal moments on both sides.",
)  # fmt: skip
