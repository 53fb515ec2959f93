"""Add up the amounts that are spread over a long chronicle, and follow what later sentences say about them.

Sentences may be corrected or taken back by others, and a correction may itself be taken back.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.facts import Bank, filling, passage, read_statements
from rlgym.solutions import Checks, Derivation, Solution, Step

BACK = Step("Sentence {at:int} takes back sentence {of:int}.")
FIXED = Step("Sentence {at:int} sets sentence {of:int} to {amount:int}.")
LIKE = Step("Sentence {at:int} is {more:int} more than the {base:int} of sentence {of:int}: {amount:int}.")
COUNTS = Step("Sentence {at:int} counts with {amount:int}; so far {total:int} in {count:int} sentences.")
BANK = Bank("""
sent: {source} sent {amount} sacks of {crop} to {goal}. | From {source}, {amount} sacks of {crop} went to {goal}.
sent: {goal} received {amount} sacks of {crop} from {source}. | A carter brought {amount} sacks of {crop} from {source} to {goal}.
like: {source} sent {more} sacks of {crop} more to {goal} than the number of sacks in sentence {of}.
like: To {goal}, {source} sent as many sacks of {crop} as sentence {of} tells of, and {more} more.
like: {goal} received {more} sacks of {crop} more from {source} than sentence {of} tells of.
like: Take the sacks of sentence {of} and {more} besides: so many sacks of {crop} went from {source} to {goal}.
fix: The number of sacks in sentence {of} should be {amount}. | Sentence {of} is wrong about the number, which was {amount}.
fix: Read {amount} for the number of sacks in sentence {of}. | A clerk found that sentence {of} ought to say {amount}.
back: Pay no heed to sentence {of}; it is not so. | What sentence {of} says is not true at all.
back: Sentence {of} was written by mistake and does not count. | Strike out sentence {of}.
""")
CROPS = "rye barley flax hops millet lentils turnips oats".split()


class Knobs(Config):
    sentences: int = knob(36, easy=6, hard=110, doc="sentences of the chronicle", scale="log")
    needles: int = knob(6, easy=2, hard=16, doc="sentences that count")
    changes: str = knob(
        "corrected",
        easy="none",
        hard="taken_back",
        order=("none", "corrected", "taken_back"),
        doc="whether sentences are corrected, and corrections taken back",
    )


class Entry(TaskData):
    at: int
    kind: str
    source: str = ""
    goal: str = ""
    crop: str = ""
    amount: int = 0
    of: int = 0


class Data(TaskData):
    entries: tuple[Entry, ...]
    crop: str
    goal: str
    total: int
    count: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    entries = _loads(rng, knobs)
    changes: list[Entry] = []
    if knobs.changes != "none":
        for load in rng.sample(entries, max(2, len(entries) // 3)):
            kind = "back" if rng.chance(0.3) else "fix"
            changes.append(Entry(at=0, kind=kind, of=load.at, amount=rng.integer(11, 98) if kind == "fix" else 0))
    backs = rng.sample(range(len(changes)), max(1, len(changes) // 2)) if knobs.changes == "taken_back" else []
    return _build_task(rng, knobs, entries, changes, backs)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Amounts that are defined by other amounts, in chains: so many more than in another sentence. Nothing is corrected."""
    entries = _loads(rng, knobs)
    deepest = {"none": 1, "corrected": 2, "taken_back": 5}[knobs.changes]
    depth = {load.at: 0 for load in entries}
    for k, load in enumerate(entries[1:], 1):
        base = rng.choice(entries[:k])
        if depth[base.at] < deepest and rng.chance(0.8):
            depth[load.at] = depth[base.at] + 1
            entries[k] = load.model_copy(update={"kind": "like", "of": base.at, "amount": rng.integer(2, 9)})
    return _build_task(rng, knobs, entries, [], [])


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the prompt; what is taken back is struck out first, so that a correction can be written over what it corrects.
    question = task.prompt.rpartition("How many sacks of ")[2]
    statements = dict(read_statements(task.prompt, BANK))
    backs = {at: int(gaps["of"]) for at, (kind, gaps) in statements.items() if kind == "back"}
    struck = {of for at, of in backs.items() if at not in backs.values()}
    statements = {at: statement for at, statement in statements.items() if at not in struck}
    fixed = {int(gaps["of"]): int(gaps["amount"]) for kind, gaps in statements.values() if kind == "fix"}

    def amount(at: int) -> int:
        gaps = statements[at].gaps
        written = int(gaps["amount"]) if "amount" in gaps else int(gaps["more"]) + amount(int(gaps["of"]))
        return fixed.get(at, written)

    amounts = [
        amount(at)
        for at, (kind, gaps) in statements.items()
        if kind in ("sent", "like") and question.startswith(f"{gaps['crop']} did {gaps['goal']}")
    ]
    return sum(amounts), len(amounts)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != 2:
        return Score.wrong("the answer must be two numbers")
    if answer[0] != task.data.total:
        return Score.wrong("the number of sacks is wrong")
    return Score.exact(answer[1] == task.data.count, "the number of sentences is wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    plain = [entry.amount for entry in data.entries if entry.kind == "sent" and (entry.crop, entry.goal) == (data.crop, data.goal)]
    wide = [entry.amount for entry in data.entries if entry.crop == data.crop]
    return [
        (sum(plain), len(plain)),
        (sum(wide), len(wide)),
        (right[0], right[1] + 1),
        (right[0] + 10, right[1]),
        (sum(plain[1:]), right[1]),
    ]


def cost(task: Task[Data]) -> float:
    return len(task.prompt) / 20 + sum(10 * (entry.kind == "sent") + 60 * (entry.kind != "sent") for entry in task.data.entries)


def derive(task: Task[Data]) -> Derivation:
    entries = {entry.at: entry for entry in task.data.entries}
    backs = {entry.at: entry.of for entry in entries.values() if entry.kind == "back"}
    # A taking back that is itself taken back comes before, so that it is known not to count.
    struck: set[int] = set()
    for at in sorted(backs, key=lambda at: (at in backs.values(), at)):
        if at not in struck:
            struck.add(backs[at])
            yield BACK(at=at, of=backs[at])
    amounts: dict[int, int] = {}
    for at, entry in entries.items():
        if entry.kind == "fix" and at not in struck and entry.of not in struck:
            amounts[entry.of] = entry.amount
            yield FIXED(at=at, of=entry.of, amount=entry.amount)
    total = count = 0
    for at in _matching_entries(task.data):
        if at not in struck:
            yield from _derive_amount(entries, at, amounts)
            total, count = total + amounts[at], count + 1
            yield COUNTS(at=at, amount=amounts[at], total=total, count=count)


def _derive_amount(entries: dict[int, Entry], at: int, amounts: dict[int, int]) -> Derivation:
    """Adds the amount of a sentence, after the amounts of those that it refers to."""
    if at in amounts:
        return
    entry = entries[at]
    amounts[at] = entry.amount
    if entry.kind == "like":
        yield from _derive_amount(entries, entry.of, amounts)
        base = amounts[entry.of]
        amounts[at] += base
        yield LIKE(at=at, more=entry.amount, base=base, of=entry.of, amount=amounts[at])


def checks(task: Task[Data]) -> Checks:
    entries = {entry.at: entry for entry in task.data.entries}
    struck, amounts, counted = set[int](), dict[int, int](), list[int]()

    def known(at: int) -> int:
        return amounts[at] if at in amounts or entries[at].kind != "sent" else entries[at].amount

    def is_back(at: int, of: int) -> bool:
        if (entries[at].kind, entries[at].of) != ("back", of) or {at, of} & struck:
            return False
        struck.add(of)
        return True

    def is_fixed(at: int, of: int, amount: int) -> bool:
        if (entries[at].kind, entries[at].of, entries[at].amount) != ("fix", of, amount) or at in struck:
            return False
        amounts[of] = amount
        return True

    def is_like(at: int, more: int, base: int, of: int, amount: int) -> bool:
        entry = entries[at]
        if (entry.kind, entry.of, entry.amount, known(of)) != ("like", of, more, base) or base + more != amount:
            return False
        amounts[at] = amount
        return True

    def counts(at: int, amount: int, total: int, count: int) -> bool:
        rising = not counted or at > counted[-1]
        if at not in _matching_entries(task.data) or at in struck or not rising or known(at) != amount:
            return False
        if (sum(map(known, counted)) + amount, len(counted) + 1) != (total, count):
            return False
        counted.append(at)
        return True

    return {BACK: is_back, FIXED: is_fixed, LIKE: is_like, COUNTS: counts}


def _matching_entries(data: Data) -> list[int]:
    return [entry.at for entry in data.entries if (entry.crop, entry.goal) == (data.crop, data.goal)]


def _loads(rng: Rng, knobs: Knobs) -> list[Entry]:
    """Loads to the town that is asked for, then others that are like them; their places in the text are not known yet."""
    crop, *crops = rng.shuffled(CROPS)
    goal, *towns = stories.places(rng, 7)
    kinds = [(crop, goal)] * knobs.needles
    kinds += [(rng.choice(crops[:3]), goal) if k % 2 else (crop, rng.choice(towns)) for k in range(knobs.needles)]
    loads = []
    for at, (what, where) in enumerate(kinds, 1):
        source = rng.choice([town for town in (goal, *towns) if town != where])
        loads.append(Entry(at=at, kind="sent", source=source, goal=where, crop=what, amount=rng.integer(11, 98)))
    return loads


def _build_task(rng: Rng, knobs: Knobs, entries: list[Entry], changes: list[Entry], backs: list[int]) -> Task[Data]:
    crop, goal = entries[0].crop, entries[0].goal
    changed = [change.model_copy(update={"at": len(entries) + k}) for k, change in enumerate(changes, 1)]
    backed = [Entry(at=len(entries) + len(changed) + k, kind="back", of=changed[which].at) for k, which in enumerate(backs, 1)]
    meant = [*entries, *changed, *backed]
    fill = filling(
        rng,
        max(1, knobs.sentences - len(meant)),
        list(dict.fromkeys([*(entry.goal for entry in entries), *stories.places(rng, 4)])),
        stories.people(rng, 12),
    )
    order = rng.shuffled(range(1, len(meant) + len(fill) + 1))
    place = {entry.at: order[k] for k, entry in enumerate(meant)}
    texts = dict(zip(order[len(meant) :], fill))
    placed = []
    for entry in meant:
        moved = entry.model_copy(update={"at": place[entry.at], "of": place.get(entry.of, 0)})
        more = {"more": moved.amount} if moved.kind == "like" else {"amount": moved.amount}
        texts[moved.at] = BANK.say(rng, moved.kind, source=moved.source, goal=moved.goal, crop=moved.crop, of=moved.of, **more)
        placed.append(moved)
    rules = ""
    if changes:
        rules = " Some sentences change what others say. A sentence that is not to be counted, or not true, is ignored, whatever it says."
    prompt = (
        f"Read this chronicle of one year.{rules}\n\n{passage(rng, [texts[at] for at in sorted(texts)])}\n\n"
        f"How many sacks of {crop} did {goal} receive altogether, and how many sentences tell of them? Count a sentence that tells of such "
        "sacks and is to be counted, but not sentences that only correct others. Give the two numbers in this order."
    )
    data = Data(entries=tuple(sorted(placed, key=lambda entry: entry.at)), crop=crop, goal=goal, total=0, count=0)
    struck = {change.of for k, change in enumerate(changes) if change.kind == "back" and k not in backs}
    fixed = {change.of: change.amount for k, change in enumerate(changes) if change.kind == "fix" and k not in backs}
    amounts: dict[int, int] = {}
    for entry in entries:
        amounts[entry.at] = fixed.get(entry.at, entry.amount + amounts.get(entry.of, 0))
    mine = [amounts[entry.at] for entry in entries if (entry.crop, entry.goal) == (crop, goal) and entry.at not in struck]
    return Task(prompt, data.model_copy(update={"total": sum(mine), "count": len(mine)}))


environment = Environment(
    Knobs, Numbers("the number of sacks and the number of sentences, separated by a comma", max_items=10),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}", checks=checks),
    concept="Settle first which sentences are taken back, then what is corrected, and only then add up what is left.",
    version=3,
)  # fmt: skip
