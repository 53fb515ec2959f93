"""Follow how many coins everybody has through a story of gifts, halves, doublings and sharings, or back from its end to its beginning."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, sample_filler
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step

AFTER = Step("After sentence {at}: {all}.")
BEFORE = Step("Before sentence {at}: {all}.")
BANK = Bank("""
give: {who} gave {other} {number} coins. | {other} got {number} coins from {who}. | From {who}, {number} coins went to {other}.
give: {number} coins changed hands from {who} to {other}.
half: {who} gave {other} exactly half of the coins that {who} had. | Half of what {who} had went to {other}.
half: {other} got half of the coins of {who}.
half: {who} split the coins that {who} had into two equal heaps and gave {other} one of them.
match: {who} gave {other} as many coins as {other} already had. | {who} doubled what {other} had, out of {who}'s own purse.
match: For each coin that {other} had, {who} gave {other} another one. | What {other} had was doubled by {who}, coin by coin.
each: {who} gave {number} coins to each of the others. | Each of the others got {number} coins from {who}.
each: {who} went around and gave everybody else {number} coins.
each: Everybody but {who} got {number} coins from {who}.
share: {who} and {other} put their coins together and shared them equally.
share: {who} and {other} pooled all they had, and each took half of it.
share: {who} and {other} evened out what they had, so that both had the same.
share: To end a quarrel, {who} and {other} pooled their coins and divided them equally.
return: {who} gave {other} exactly as many coins as the last gift of {other} to {who} had held.
return: {who} gave back to {other} the last gift received from {other}.
return: {who} paid back in full the last gift that {who} had received from {other}.
return: {other} got back from {who} all coins of the last gift of {other} to {who}.
""")
KINDS = {
    "plain": ("give",),
    "parts": ("give", "half", "match", "each"),
    "returned": ("give", "half", "match", "each", "share", "return", "return"),
}
FORTH = ("give", "half", "match", "each")


class Knobs(Config):
    events: int = knob(8, easy=2, hard=26, doc="things that happen", scale="log")
    people: int = knob(4, easy=3, hard=6, doc="people")
    fill: int = knob(6, easy=0, hard=40, doc="sentences about other matters")
    kinds: str = knob(
        "parts",
        easy="plain",
        hard="returned",
        order=("plain", "parts", "returned"),
        doc="whether gifts are numbers, parts, or as large as earlier ones",
    )


class Event(TaskData):
    at: int
    kind: str
    who: str
    other: str = ""
    number: int = 0


class Data(TaskData):
    people: tuple[str, ...]
    told: tuple[int, ...]  # what everybody has at the beginning, or at the end
    backwards: bool
    events: tuple[Event, ...]
    asked: tuple[str, ...]
    amounts: tuple[int, ...]


Purses = dict[str, int]
Gifts = dict[tuple[str, str], int]  # giver and receiver -> coins of the last gift


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, backwards=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The prompt gives the amounts at the end and asks for those at the beginning; every event can be reversed."""
    return _sample_task(rng, knobs, backwards=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the prompt; each sentence is one line of equations between purses before and after it.
    opening, question = task.prompt.partition("\n\n")[0], task.prompt.rpartition("\n\n")[2]
    purses = {}
    for piece in opening.partition(": ")[2].partition(".")[0].replace(" and ", ", ").split(", "):
        owner, held = piece.split()
        purses[owner] = int(held)
    backwards = "at the end" in opening.partition(":")[0]
    statements = list(read_statements(task.prompt, BANK))
    gifts: Gifts = {}
    for _, (kind, gaps) in reversed(statements) if backwards else statements:
        who, other, number = gaps["who"], gaps.get("other", ""), int(gaps.get("number", 0))
        if kind == "share":
            purses[who] = purses[other] = (purses[who] + purses[other]) // 2
            continue
        if kind == "each":
            moved = dict.fromkeys((name for name in purses if name != who), number)
        elif backwards:
            moved = {other: {"give": number, "half": purses[who], "match": purses[other] // 2}[kind]}
        else:
            amounts = {"give": number, "half": purses[who] // 2, "match": purses[other], "return": gifts.get((other, who), 0)}
            moved = {other: amounts[kind]}
        for name, coins in moved.items():
            gifts[who, name] = coins
            purses[name] += -coins if backwards else coins
            purses[who] -= -coins if backwards else coins
    queried = (
        question.partition("coins ")[2].partition(" have")[0].removeprefix("did ").removeprefix("do ").replace(" and ", ", ").split(", ")
    )
    return tuple(purses[name] for name in queried)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.amounts):
        return Score.wrong(f"the answer must be {len(task.data.amounts)} numbers")
    return Score.exact(answer == task.data.amounts, "not all of the amounts are right")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    given = dict(zip(task.data.people, task.data.told))
    return [tuple(given[name] for name in task.data.asked), right[::-1], (right[0] + 1, *right[1:]), right[:-1], (*right[1:], right[0])]


def cost(task: Task[Data]) -> float:
    weights = {"give": 2, "half": 3, "match": 3, "each": 5, "share": 4, "return": 7}
    return len(task.prompt) / 200 + sum(weights[event.kind] for event in task.data.events) * (2 if task.data.backwards else 1)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    step, events = (BEFORE, data.events[::-1]) if data.backwards else (AFTER, data.events)
    for event, purses in zip(events, _history(data)[1:]):
        yield step(at=event.at, all=_render_purses(data, purses))


def _render_purses(data: Data, purses: Purses) -> str:
    return ", ".join(f"{name} {purses[name]}" for name in data.people)


def _history(data: Data) -> list[Purses]:
    """The amounts at the stated end, and step by step from there on."""
    out, gifts = [dict(zip(data.people, data.told))], Gifts()
    for event in data.events[::-1] if data.backwards else data.events:
        out.append(_turn_back(out[-1], event) if data.backwards else _apply(out[-1], gifts, event))
    return out


def _apply(purses: Purses, gifts: Gifts, event: Event) -> Purses:
    """What everybody has after an event; its gifts are written down."""
    out = dict(purses)
    if event.kind == "share":
        out[event.who] = out[event.other] = (purses[event.who] + purses[event.other]) // 2
        return out
    coins = {"half": purses[event.who] // 2, "match": purses.get(event.other, 0), "return": gifts.get((event.other, event.who), 0)}.get(
        event.kind, event.number
    )
    for name in [event.other] if event.other else [name for name in purses if name != event.who]:
        gifts[event.who, name] = coins
        out[event.who] -= coins
        out[name] += coins
    return out


def _turn_back(purses: Purses, event: Event) -> Purses:
    """What everybody had before an event that can be turned back."""
    out = dict(purses)
    coins = {"half": purses[event.who], "match": purses.get(event.other, 0) // 2}.get(event.kind, event.number)
    for name in [event.other] if event.other else [name for name in purses if name != event.who]:
        out[event.who] += coins
        out[name] -= coins
    return out


def _is_allowed(purses: Purses, gifts: Gifts, event: Event) -> bool:
    match event.kind:
        case "half":
            return purses[event.who] % 2 == 0
        case "share":
            return (purses[event.who] + purses[event.other]) % 2 == 0
        case "return":
            return (event.other, event.who) in gifts
    return True


def _sample_task(rng: Rng, knobs: Knobs, backwards: bool) -> Task[Data]:
    people = tuple(stories.people(rng, knobs.people))
    kinds = [kind for kind in KINDS[knobs.kinds] if kind in FORTH] if backwards else KINDS[knobs.kinds]
    start = {name: 2 * rng.integer(10, 45) for name in people}
    purses, gifts, events = dict(start), Gifts(), list[Event]()
    while len(events) < knobs.events:
        kind = rng.choice(kinds)
        who, other = rng.sample(people, 2)
        if kind == "return" and gifts:
            other, who = rng.choice(list(gifts))
        number = rng.integer(2, 30) if kind == "give" else rng.integer(2, 9) if kind == "each" else 0
        one = Event(at=0, kind=kind, who=who, other="" if kind == "each" else other, number=number)
        tried = dict(gifts)
        if (
            _is_allowed(purses, gifts, one)
            and (after := _apply(purses, tried, one)) != purses
            and all(0 < coins < 1000 for coins in after.values())
        ):
            purses, gifts = after, tried
            events.append(one)
    statements: list[tuple[Event | None, str]] = [
        (event, BANK.say(rng, event.kind, **event.model_dump(exclude={"kind", "at"}))) for event in events
    ]
    others = sample_filler(rng, knobs.fill, stories.places(rng, 4), [name for name in stories.people(rng, 20) if name not in people][:6])
    for text in others:
        statements.insert(rng.integer(0, len(statements)), (None, text))
    placed = tuple(event.model_copy(update={"at": at}) for at, (event, _) in enumerate(statements, 1) if event)
    known, unknown_purses = (purses, start) if backwards else (start, purses)
    queried = tuple(rng.sample(people, 3))
    listed = english.join_words([f"{name} {known[name]}" for name in people])
    when = "at the end" if backwards else "at first"
    question = f"did {english.join_words(queried)} have at first" if backwards else f"do {english.join_words(queried)} have at the end"
    prompt = (
        f"The coins that people had {when}: {listed}. {'The following had happened by then' if backwards else 'Then the following happened'}, in this order, "
        f"and nobody else gave or got coins.{_gift_definition(placed)}\n\n{passage(rng, [text for _, text in statements])}\n\nHow many coins "
        f"{question}? Give the numbers in this order."
    )
    told_amounts = tuple(known[name] for name in people)
    amounts = tuple(unknown_purses[name] for name in queried)
    return Task(prompt, Data(people=people, told=told_amounts, backwards=backwards, events=placed, asked=queried, amounts=amounts))


def _gift_definition(events: tuple[Event, ...]) -> str:
    """What counts as a gift, where a later sentence returns one."""
    if not any(event.kind == "return" for event in events):
        return ""
    several = (
        ", and coins given to several people at once are a separate gift to each" if any(event.kind == "each" for event in events) else ""
    )
    sharing = "; when two people divide their coins equally, that is no gift" if any(event.kind == "share" for event in events) else ""
    return f" All coins that pass from one person to another count as a gift, also those that are paid back{several}{sharing}."


environment = Environment(
    Knobs, Numbers("the three numbers in this order, separated by commas", max_items=20), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Write what everybody has as one row, and change the row sentence by sentence; going backwards, every change is undone.",
    version=6,
)  # fmt: skip
