"""Answer a customer by letter: decide on each returned item by the numbered clauses of a policy, and state decisions, amounts and the total.

The letter is free text between a given first and last line. Decisions come in the order of the items; words that would promise more are forbidden.
"""

import re
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.writing.composing import compose, grouped, in_words, write_sentence
from rlgym.rubrics import Fact, FactSheet, Term, checks, rubric_of_facts
from rlgym.solutions import Derivation, Solution, Step

ITEMS = ("kettle", "lamp", "toaster", "radio", "blender", "clock", "scale", "heater", "printer", "camera")
TOOLS = ("drill", "saw", "ladder", "sander", "mower", "pump", "welder", "router", "grinder", "shredder")
REFUND = ("refund", "refunds", "refunded", "repay", "repaid", "money back", "paid back", "return the sum")
DECLINE = ("declined", "decline", "declines", "rejected", "reject", "refused", "refuse", "turned down")
TOTAL = ("total", "altogether", "in all", "sum", "overall")
FORBIDDEN = ("compensation", "discount", "guarantee", "exception", "voucher")
SENTENCES = {
    "paid": (
        "We will refund {n} euros for the {item}.",
        "For the {item} you will be repaid {n} euros.",
        "The refund for the {item} is {n} euros.",
        "You get {n} euros of your money back for the {item}.",
    ),
    "declined": (
        "The {item} is declined under clause {c}.",
        "Under clause {c} we must decline the {item}.",
        "The return of the {item} was rejected by clause {c}.",
        "Clause {c} has the effect that the {item} is refused.",
    ),
    "total": ("The total of all payments is {n} euros.", "Altogether you will receive {n} euros.", "In all we will transfer {n} euros."),
}  # fmt: skip
OPENINGS = ("Thank you for your letter.", "We have looked at your returns with care.", "Your parcel has reached us.")
CLOSINGS = ("The transfer takes a few days.", "Please write to us with any questions.", "We hope to see you again.")
PAID = Step("The {item}: {price:int} euros less {percent:int} percent and a fee of {fee:int} gives {amount:int}.")
DECLINED = Step("The {item} is declined under clause {clause:int}.")
SUM = Step("In all {total:int} euros are paid.")


class Knobs(Config):
    items: int = knob(3, easy=2, hard=6, doc="items that were sent back")
    clauses: int = knob(4, easy=2, hard=7, doc="clauses of the policy")


class Item(TaskData):
    name: str
    price: int
    days: int
    opened: bool
    damaged: bool
    on_sale: bool


class Clause(TaskData):
    kind: str
    number: int
    value: int


class Decision(TaskData):
    """Of an item: the clause that declines it (0 for none), and what is paid."""

    item: str
    clause: int
    percent: int
    fee: int
    amount: int


class Data(TaskData):
    sheet: FactSheet
    items: tuple[Item, ...]
    decisions: tuple[Decision, ...]
    first_line: str
    last_line: str
    most_words: int


TEXTS = {
    "window": "An item that comes back more than {v} days after delivery is declined.",
    "opened": "{v} percent of the price is taken off for an opened item.",
    "sale": "An item bought on sale is declined.",
    "damaged": (
        "An item that arrived damaged and comes back within {v} days is not declined, and nothing is taken off for opening or as a fee. "
        "If it comes back later, it is treated like any other item."
    ),
    "fee": "A fee of {v} euros is taken off each payment, after any share of the price.",
    "free": "If {v} or more items are paid for, no fee is taken off.",
    "cap": "No more than {v} euros are paid for an item, whatever is taken off before.",
}


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, ITEMS, ("window", "opened"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Tools, with a policy that always has sales and damage in it."""
    return _sample_task(rng, knobs, TOOLS, ("sale", "damaged"))


def solve(task: Task[Data]) -> str:
    return _written(task.prompt, 0)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    names = [f"decision on the {each.item}" for each in data.decisions]
    further = (
        checks.begins_with(data.first_line), checks.ends_with(data.last_line), checks.stated_in_order(data.sheet, [*names, "total"]),
        checks.avoids(FORBIDDEN),
    )  # fmt: skip
    return rubric_of_facts(data.sheet, [*names, "total"], data.most_words, further, (data.first_line, data.last_line)).score(answer)


def mistakes(task: Task[Data], right: str) -> list[str]:
    every = _written(re.sub(r"\d\. (If|An item that arrived|No more than).*\n?", "", task.prompt), 0)
    number = re.search(r"(\d+) euros", right)
    changed = right.replace(number[0], f"{int(number[1]) + 5} euros") if number else ""
    lines = right.split("\n")
    promised = right.replace("\n\n" + lines[-1], " We add a discount.\n\n" + lines[-1])
    return [text for text in (every, changed, promised, "\n".join(lines[1:]), "\n".join(lines[:-1]), task.prompt) if text]


def cost(task: Task[Data]) -> float:
    clauses = len(re.findall(r"^\d\. ", task.prompt, re.MULTILINE))
    return float(len(task.data.items) * (3 + clauses))


def derive(task: Task[Data]) -> Derivation:
    for item, each in zip(task.data.items, task.data.decisions, strict=True):
        if each.clause:
            yield DECLINED(item=each.item, clause=each.clause)
        else:
            yield PAID(item=each.item, price=item.price, percent=each.percent, fee=each.fee, amount=each.amount)
    yield SUM(total=sum(each.amount for each in task.data.decisions))


def _sample_task(rng: Rng, knobs: Knobs, names: tuple[str, ...], always: tuple[str, ...]) -> Task[Data]:
    others = [kind for kind in TEXTS if kind not in always]
    kinds = (
        [*always, *others[: max(0, knobs.clauses - 2)]]
        if knobs.clauses > 5
        else [*always, *rng.sample([k for k in others if k != "free"], knobs.clauses - 2)]
    )
    while True:
        values = {
            "window": rng.integer(12, 30), "opened": 5 * rng.integer(1, 6), "sale": 0, "damaged": rng.integer(35, 60), "fee": rng.integer(3, 9),
            "free": rng.integer(2, 4), "cap": 10 * rng.integer(8, 20),
        }  # fmt: skip
        clauses = [Clause(kind=kind, number=at, value=values[kind]) for at, kind in enumerate(rng.shuffled(kinds), 1)]
        items = tuple(
            Item(
                name=name, price=20 * rng.integer(2, 15), days=rng.integer(4, 45), opened=rng.chance(0.5),
                damaged="damaged" in kinds and rng.chance(0.35), on_sale="sale" in kinds and rng.chance(0.35),
            )
            for name in rng.sample(names, knobs.items)
        )  # fmt: skip
        decisions = _decide(items, clauses)
        if any(not each.clause for each in decisions) and len({each.amount for each in decisions if each.amount}) > 0:
            break
    person = rng.choice(PEOPLE)
    first, last, most = f"Dear {person}", "The service desk", 18 * len(items) + 50
    listed = "\n".join(f"- {_described(item, kinds)}" for item in items)
    policy = "\n".join(f"{clause.number}. {TEXTS[clause.kind].format(v=clause.value)}" for clause in clauses)
    prompt = (
        f"{person} sent back these items and wants the money:\n{listed}\n\nThe policy:\n{policy}\n\nAn item that no clause declines is paid for at "
        "its price, less what the clauses take off. Where several clauses decline an item, the one with the lowest number counts.\n\n"
        f"Write the letter. Its first line is {first!r} and its last line {last!r}. In between, each item gets exactly one sentence in the order of the list: "
        "it names the item and says how many euros are refunded, or that it is declined and under which clause. Then one sentence gives the total "
        "in euros. These sentences mention no other item or figure; other sentences have none. The letter does not use the words "
        f"{', '.join(FORBIDDEN)}, and has at most {most} words of plain text, without lists."
    )
    vocabulary = (*(Term(aliases=(item.name,)) for item in items), Term(aliases=DECLINE), Term(aliases=REFUND))
    facts = tuple(_fact(each) for each in decisions)
    total = sum(each.amount for each in decisions)
    sum_fact = Fact(name="total", terms=(Term(aliases=TOTAL), Term(aliases=(f"{total} euros", f"euros {total}"))), keys=1)
    sheet = FactSheet(facts=(*facts, sum_fact), vocabulary=vocabulary)
    return Task(prompt, Data(sheet=sheet, items=items, decisions=decisions, first_line=first, last_line=last, most_words=most))


def _described(item: Item, kinds: list[str]) -> str:
    more = [f"bought {'on sale' if item.on_sale else 'at the full price'}"] if "sale" in kinds else []
    more += [f"arrived {'damaged' if item.damaged else 'intact'}"] if "damaged" in kinds else []
    more += ["opened" if item.opened else "unopened"] if "opened" in kinds else []
    return ", ".join([f"{item.name}: {item.price} euros", *more, f"came back {item.days} days after delivery"])


def _fact(each: Decision) -> Fact:
    item, name = Term(aliases=(each.item,)), f"decision on the {each.item}"
    if each.clause:
        return Fact(
            name=name, terms=(item, Term(aliases=DECLINE), Term(aliases=(f"clause {each.clause}", f"clause no {each.clause}"))), keys=1
        )
    return Fact(name=name, terms=(item, Term(aliases=REFUND), Term(aliases=(f"{each.amount} euros", f"euros {each.amount}"))), keys=1)


def _decide(items: tuple[Item, ...], clauses: list[Clause]) -> tuple[Decision, ...]:
    by = {clause.kind: clause for clause in clauses}
    kept = list[Decision]()
    for item in items:
        protected = item.damaged and "damaged" in by and item.days <= by["damaged"].value
        against = [by["window"].number] if "window" in by and item.days > by["window"].value else []
        against += [by["sale"].number] if "sale" in by and item.on_sale else []
        clause = min(against) if against and not protected else 0
        percent = by["opened"].value if "opened" in by and item.opened and not protected else 0
        fee = by["fee"].value if "fee" in by and not protected else 0
        kept.append(Decision(item=item.name, clause=clause, percent=percent, fee=fee, amount=0))
    paid = sum(not each.clause for each in kept)
    free = "free" in by and paid >= by["free"].value
    out = list[Decision]()
    for item, each in zip(items, kept, strict=True):
        fee = 0 if free else each.fee
        amount = item.price * (100 - each.percent) // 100 - fee
        amount = min(amount, by["cap"].value) if "cap" in by else amount
        out.append(each.model_copy(update={"fee": fee, "amount": 0 if each.clause else amount}))
    return tuple(out)


def _written(prompt: str, key: int) -> str:
    """A letter, from what the prompt shows: each clause is looked up in the text of the policy when an item needs it."""
    rng = Rng("letter", key, prompt)
    policy = dict(re.findall(r"^(\d)\. (.*)$", prompt, re.MULTILINE))

    def clause(pattern: str) -> tuple[int, int]:
        """The number of a clause and the figure in it; (0, 0) where the policy has none."""
        for number, text in policy.items():
            if match := re.search(pattern, text):
                return int(number), int(match[1]) if match.groups() else 0
        return 0, 0

    late, sale, damaged = clause(r"more than (\d+) days"), clause("bought on sale is"), clause(r"within (\d+) days")
    share, fee, free, cap = clause(r"^(\d+) percent"), clause(r"fee of (\d+)"), clause(r"^If (\d+) or"), clause(r"more than (\d+) euros")
    amounts, refused = dict[str, list[int]](), dict[str, int]()
    order = list[str]()
    for name, price, details, days in re.findall(r"^- (\w+): (\d+) euros,(.*) came back (\d+) days", prompt, re.MULTILINE):
        order.append(name)
        safe = damaged[0] and "arrived damaged" in details and int(days) <= damaged[1]
        reasons = [late[0]] * bool(late[0] and int(days) > late[1]) + [sale[0]] * bool(sale[0] and "on sale" in details)
        if reasons and not safe:
            refused[name] = min(reasons)
            continue
        left = int(price) - int(price) * share[1] // 100 * (" opened" in details and not safe)
        amounts[name] = [left, 0 if safe else fee[1]]
    waived = free[0] and len(amounts) >= free[1]
    due = {name: left - (0 if waived else taken) for name, (left, taken) in amounts.items()}
    due = {name: min(value, cap[1]) if cap[0] else value for name, value in due.items()}
    number = (str, grouped, in_words)[key % 3]
    sentences = [
        write_sentence(rng, SENTENCES, "paid", item=name, n=number(due[name]))
        if name in due
        else write_sentence(rng, SENTENCES, "declined", item=name, c=refused[name])
        for name in order
    ]
    sentences.append(write_sentence(rng, SENTENCES, "total", n=number(sum(due.values()))))
    first, last = re.findall(r"line(?: is)? '([^']+)'", prompt)
    return f"{first},\n\n{compose(rng, sentences, OPENINGS, CLOSINGS)}\n\n{last}"


def _solutions(task: Task[Data]) -> Iterator[str]:
    yield from (_written(task.prompt, key) for key in range(1, 6))


environment = Environment(
    Knobs, Passage("the letter"), generate, solve, verify, mistakes, cost,
    shift=shift, answers="many", solutions=_solutions, solution=Solution(derive, "So this letter says what the policy decides:\n{answer}"),
    concept="Decide on each item by all clauses first, those that protect it before those that decline it; then write one sentence for each decision.",
)  # fmt: skip
