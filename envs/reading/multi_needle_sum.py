"""Add up the amounts that are spread over a long chronicle, and follow what later sentences say about them.

Sentences may be corrected or taken back by others, and a correction may itself be taken back. At the hard end pairs of sentences contradict each
other, loads as well as corrections, and only the total, which is given, decides which sentence of each pair is true; the share of one town is asked for.
"""

import re
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.facts import ledger_solutions, ledgers, passage, read_statements, sample_filler
from rlgym.generators.facts.ledgers import BANK, Entry
from rlgym.generators.facts.sentence_banks import Said
from rlgym.solutions import Checks, Derivation, Solution

QUESTION = re.compile(
    r"(?:received (?P<total>\d+) sacks of .*)?How many sacks of (?P<crop>\w+) did (?P<goal>[\w-]+) receive (?:altogether|from (?P<source>[\w-]+)),"
)
CROPS = "rye barley flax hops millet lentils turnips oats".split()


class Knobs(Config):
    sentences: int = knob(36, easy=6, hard=110, doc="sentences of the chronicle", scale="log")
    needles: int = knob(6, easy=2, hard=16, doc="sentences that count")
    changes: str = knob(
        "corrected",
        easy="none",
        hard="disputed",
        order=("none", "corrected", "taken_back", "disputed"),
        doc="whether sentences are corrected, and corrections taken back; or also disputed, so that the total must decide",
    )


class Data(TaskData):
    entries: tuple[Entry, ...]
    crop: str
    goal: str
    total: int
    count: int
    untrue: tuple[int, ...] = ()
    source: str = ""  # whose share is asked for; empty for all


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    entries = _loads(rng, knobs)
    if knobs.changes == "disputed":
        return _sample_disputed(rng, knobs, entries)
    changes: list[Entry] = []
    if knobs.changes != "none":
        for load in rng.sample(entries, max(2, len(entries) // 3)):
            kind, at = "back" if rng.chance(0.3) else "fix", len(entries) + len(changes) + 1
            changes.append(Entry(at=at, kind=kind, of=load.at, amount=rng.integer(11, 98) if kind == "fix" else 0))
    backs = rng.sample(changes, max(1, len(changes) // 2)) if knobs.changes == "taken_back" else []
    first = len(entries) + len(changes) + 1
    return _build_task(
        rng, knobs, [*entries, *changes, *(Entry(at=at, kind="back", of=change.at) for at, change in enumerate(backs, first))]
    )


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Amounts that are defined by other amounts, in chains: so many more than in another sentence. Nothing is corrected but at the hard end."""
    entries, disputed = _loads(rng, knobs), knobs.changes == "disputed"
    deepest = {"none": 1, "corrected": 2, "taken_back": 5, "disputed": 3}[knobs.changes]
    depth = {load.at: 0 for load in entries}
    half = len(entries) // 2
    # What is disputed or corrected is not referred to: the loads that are asked for come last then.
    order = [*range(half, len(entries)), *range(half)] if disputed else [*range(len(entries))]
    for place, k in enumerate(order[1:], 1):
        base = entries[rng.choice(order[: min(place, half) if disputed else place])]
        if depth[base.at] < deepest and rng.chance(0.8):
            depth[entries[k].at] = depth[base.at] + 1
            entries[k] = entries[k].model_copy(update={"kind": "like", "of": base.at, "amount": rng.integer(2, 9)})
    return _sample_disputed(rng, knobs, entries) if knobs.changes == "disputed" else _build_task(rng, knobs, entries)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the prompt. Disputes are settled in every way until the total is right; what is taken back is struck out before corrections are made.
    statements = dict(read_statements(task.prompt, BANK))
    disputes = [(int(gaps["of"]), int(gaps["other"])) for kind, gaps in statements.values() if kind == "either"]
    asked = QUESTION.search(task.prompt)
    assert asked is not None
    for untrue in product(*disputes):
        found = [
            (amount, statements[at].gaps["source"])
            for at, amount in _amounts({at: said for at, said in statements.items() if at not in untrue}, statements).items()
            if (statements[at].gaps["crop"], statements[at].gaps["goal"]) == (asked["crop"], asked["goal"])
        ]
        if not asked["total"] or sum(amount for amount, _ in found) == int(asked["total"]):
            break
    ours = [amount for amount, source in found if asked["source"] in (None, source)]
    return sum(ours), len(ours)


def _amounts(true: dict[int, Said], statements: dict[int, Said]) -> dict[int, int]:
    """The amounts of the loads that count, if these of the statements are true."""
    backs = {at: int(gaps["of"]) for at, (kind, gaps) in true.items() if kind == "back"}
    struck: set[int] = set()
    # From those that nothing takes back: what they strike out takes nothing back in its turn.
    while free := [at for at in backs if at not in backs.values()]:
        struck |= {backs[at] for at in free}
        backs = {at: of for at, of in backs.items() if at not in free and at not in struck}
    fixed = {int(gaps["of"]): int(gaps["amount"]) for at, (kind, gaps) in true.items() if kind == "fix" and at not in struck}

    def amount(at: int) -> int:
        gaps = statements[at].gaps
        return fixed[at] if at in fixed else int(gaps["amount"]) if "amount" in gaps else int(gaps["more"]) + amount(int(gaps["of"]))

    return {at: amount(at) for at, (kind, _) in true.items() if kind in ("sent", "like") and at not in struck}


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 2:
        return Score.wrong("the answer must be two numbers")
    if answer[0] != task.data.total:
        return Score.wrong("the number of sacks is wrong")
    return Score.exact(answer[1] == task.data.count, "the number of sentences is wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    mine = [entry for entry in data.entries if entry.kind == "sent" and entry.crop == data.crop and data.source in ("", entry.source)]
    plain = [entry.amount for entry in mine if entry.goal == data.goal]
    return [
        (sum(plain), len(plain)),
        (sum(entry.amount for entry in mine), len(mine)),
        (right[0], right[1] + 1),
        (right[0] + 10, right[1]),
        (sum(plain[1:]), right[1]),
    ]


def cost(task: Task[Data]) -> float:
    work = {"sent": 10, "either": 300}
    return len(task.prompt) / 20 + sum(work.get(entry.kind, 60) for entry in task.data.entries)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    yield from ledger_solutions.derive(data.entries, data.untrue, _matching_entries(data), data.source)


def checks(task: Task[Data]) -> Checks:
    data = task.data
    return ledger_solutions.checks(data.entries, data.untrue, _matching_entries(data))


def _matching_entries(data: Data) -> list[int]:
    return [entry.at for entry in data.entries if (entry.crop, entry.goal) == (data.crop, data.goal)]


def _loads(rng: Rng, knobs: Knobs) -> list[Entry]:
    """Loads to the town that is asked for, then others that are like them; their places in the text are not known yet."""
    crop, *crops = rng.shuffled(CROPS)
    goal, *towns = stories.places(rng, 7)
    disputed = knobs.changes == "disputed"
    needles = max(knobs.needles, ledgers.DISPUTED_LOADS) if disputed else knobs.needles
    kinds = [(crop, goal)] * needles
    kinds += [(rng.choice(crops[:3]), goal) if k % 2 else (crop, rng.choice(towns)) for k in range(needles)]
    loads = []
    for at, (what, where) in enumerate(kinds, 1):
        source = rng.choice([town for town in (goal, *towns[: 3 if disputed else None]) if town != where])
        loads.append(
            Entry(at=at, kind="sent", source=source, goal=where, crop=what, amount=rng.integer(11, ledgers.MOST_SACKS if disputed else 98))
        )
    return loads


def _sample_disputed(rng: Rng, knobs: Knobs, entries: list[Entry]) -> Task[Data]:
    """Changes and disputes of which the total lets only one reading stand."""
    crop, goal = entries[0].crop, entries[0].goal
    loads = [load for load in entries if (load.crop, load.goal) == (crop, goal)]
    while True:
        meant = [*entries, *ledgers.disputed_changes(rng, loads, len(entries) + 1)]
        if settled := ledgers.settled_by_total(meant, {load.at for load in loads}):
            return _build_task(rng, knobs, meant, rng.choice(settled), rng.choice(loads).source)


def _build_task(rng: Rng, knobs: Knobs, meant: list[Entry], untrue: tuple[int, ...] = (), source: str = "") -> Task[Data]:
    crop, goal = meant[0].crop, meant[0].goal
    fill = sample_filler(
        rng,
        max(1, knobs.sentences - len(meant)),
        list(dict.fromkeys([*(entry.goal for entry in meant if entry.goal), *stories.places(rng, 4)])),
        stories.people(rng, 12),
    )
    order = rng.shuffled(range(1, len(meant) + len(fill) + 1))
    place = {entry.at: order[k] for k, entry in enumerate(meant)}
    texts = dict(zip(order[len(meant) :], fill))
    placed = []
    for entry in meant:
        moved = entry.model_copy(update={"at": place[entry.at], "of": place.get(entry.of, 0), "other": place.get(entry.other, 0)})
        gaps = moved.model_dump(include={"source", "goal", "crop", "of", "other"})
        texts[moved.at] = BANK.say(rng, moved.kind, **gaps, **{"more" if moved.kind == "like" else "amount": moved.amount})
        placed.append(moved)
    false = tuple(sorted(place[at] for at in untrue))
    amounts = ledgers.amounts(placed, ledgers.standing(placed, false))
    ours = [amounts[entry.at] for entry in placed if (entry.crop, entry.goal) == (crop, goal) and entry.at in amounts]
    mine = [
        amounts[entry.at]
        for entry in placed
        if (entry.crop, entry.goal) == (crop, goal) and entry.at in amounts and source in ("", entry.source)
    ]
    data = Data(
        entries=tuple(sorted(placed, key=lambda entry: entry.at)),
        crop=crop,
        goal=goal,
        total=sum(mine),
        count=len(mine),
        untrue=false,
        source=source,
    )
    return Task(_render_prompt(data, passage(rng, [texts[at] for at in sorted(texts)]), sum(ours)), data)


def _render_prompt(data: Data, chronicle: str, received: int) -> str:
    kinds = {entry.kind for entry in data.entries}
    rules = " Some sentences correct the number in another sentence." if "fix" in kinds else ""
    if "back" in kinds:
        rules += " Some sentences strike out another sentence, which is then ignored, whatever it says."
    if "either" in kinds:
        rules += (
            " Some sentences name two others, one true and one false. The false one is ignored, whatever it says; the true one may still be struck "
            "out, or its number corrected."
        )
    ignored = ["are ignored"] * bool(kinds & {"back", "either"}) + ["only correct another sentence"] * ("fix" in kinds)
    counted = f" Do not count sentences that {' or '.join(ignored)}." if ignored else ""
    question = f"How many sacks of {data.crop} did {data.goal} receive altogether, and how many sentences report these deliveries?{counted}"
    if data.source:
        question = (
            f"According to a reliable tally, {data.goal} received {received} sacks of {data.crop} altogether, and this decides which of the "
            f"sentences that contradict each other are true. How many sacks of {data.crop} did {data.goal} receive from {data.source}, and how many "
            f"sentences report these deliveries?{counted}"
        )
    return f"Read this chronicle of one year.{rules}\n\n{chronicle}\n\n{question} Give the two numbers in this order."


environment = Environment(
    Knobs, Numbers("the number of sacks and the number of sentences, separated by a comma and a space, as in 120, 4", max_items=10),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}", checks=checks),
    concept="Settle first which sentences are taken back, then what is corrected, and only then add up what is left; a given total decides what is disputed.",
    version=5,
)  # fmt: skip
