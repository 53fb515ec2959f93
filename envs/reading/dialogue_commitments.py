"""Find out from a long chat who has promised what to whom in the end, after refusals, hand-overs, releases and corrections."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, score_parts, sentences
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

NOW = Step("Message {at} in time: {who} owes {goal} the {thing}.")
GONE = Step("Message {at} in time: nobody owes the {thing} any longer.")
SAME = Step("Message {at} in time changes nothing: {why}.")
WHY = {"wish": "a wish is no promise", "maybe": "what may be is no promise", "wrong": "its sender has no right to this"}
BANK = Bank("""
promise: {goal}, I promise to bring you the {thing}. | I will bring you the {thing}, {goal}, you have my word.
promise: {goal}: the {thing} is on me, I promise.
promise: You will get the {thing} from me for sure, {goal}.
maybe: Perhaps I can bring you the {thing}, {goal}, but I promise nothing. | {goal}, I might find the {thing} for you, if I have time.
maybe: I will think about the {thing}, {goal}. | No promises, {goal}, but the {thing} may turn up.
wish: {goal}, could you bring me the {thing}? | I would love to have the {thing} from you, {goal}. | {goal}, bring me the {thing}, please.
wish: Will you see to the {thing} for me, {goal}?
hand: {other} will bring the {thing} instead of me; we have agreed on it.
hand: I have passed the {thing} on to {other}, who takes over my promise.
hand: {other} is responsible for the {thing} now, not me: we have settled that. | {other} has taken the {thing} off my hands, promise and all.
turn: I will still bring the {thing}, but to {goal}, as we have all agreed. | The {thing} I owe goes to {goal} instead, by common consent.
turn: Everybody agrees that I bring the {thing} to {goal} now and to nobody else. | From now on I owe the {thing} to {goal}, as agreed.
free: I no longer need the {thing}; whoever owes me one is free. | Forget the {thing} that I was promised.
free: I release whoever promised me the {thing}.
free: No {thing} for me after all, so consider that promise gone.
trade: {other} and I swap what we owe: the {thing} from me for the {second}.
trade: {other} and I have traded the {thing} for the {second}, each taking over the other promise.
trade: My {thing} for the {second} of {other}: each of us takes over what the other owes.
trade: I take over the {second} from {other}, and {other} the {thing} from me.
""")
THINGS = "cake salad tent guitar kettle ladder drill map lamp soup bread camera drum rope blanket".split()
KINDS = {"plain": ("promise", "maybe", "free"), "handed": ("promise", "maybe", "wish", "hand", "hand", "turn", "free")}
KINDS["traded"] = (*KINDS["handed"], "trade", "trade", "turn", "wrong")
RULES = (
    "Only a promise creates a debt: its sender then owes the thing to the person addressed. Each thing is owed by at most one person at a "
    "time, so a promise of a thing that somebody already owes has no effect. The person to whom a thing is owed may release the one who owes it.",
    "The person who owes a thing may pass the debt on to somebody else, or redirect the thing to another recipient. The others concerned "
    "always agree to this, whether or not the message says so.",
    "Two people who each owe a thing may trade their debts, which one of them announces for both. A release or a transfer announced by somebody "
    "without the right to it has no effect.",
)


class Knobs(Config):
    messages: int = knob(16, easy=5, hard=70, doc="messages of the chat", scale="log")
    people: int = knob(4, easy=3, hard=7, doc="people who write")
    changes: str = knob(
        "handed",
        easy="plain",
        hard="traded",
        order=("plain", "handed", "traded"),
        doc="whether promises are handed over, turned to others, and traded",
    )


class Message(TaskData):
    kind: str
    who: str
    goal: str = ""
    thing: str = ""
    other: str = ""
    second: str = ""


class Data(TaskData):
    messages: tuple[Message, ...]
    asked: tuple[str, ...]
    answer: tuple[str, ...]


Owed = dict[str, tuple[str, str]]  # thing -> who owes it to whom


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, shuffled=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The messages stand out of order, with the minute at which each was sent."""
    return _sample_task(rng, knobs, shuffled=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the chat, puts it in order, and traces each thing that is asked for through the messages that name it.
    text, _, question = task.prompt.rpartition("\n\n")
    read = []
    for at, line in sentences(text).items():
        head, _, words = line.partition(": ")
        statement = BANK.read(words)
        assert statement
        read.append(
            (int(head.split()[-1]) if "minute" in head else at, Message(kind=statement.kind, who=head.split(",")[0], **statement.gaps))
        )
    chat = [message for _, message in sorted(read, key=lambda pair: pair[0])]
    queried = question.partition("?")[0].rpartition("owes ")[2].replace("the ", "").replace(" and ", ", ").split(", ")
    owed: Owed = {}
    for one in chat:
        owed = _describe(owed, one)
    return tuple(word.lower() for thing in queried for word in owed.get(thing, ("nobody", "nobody")))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    first: Owed = {}
    for message in reversed(task.data.messages):
        first |= {message.thing: (message.who, message.goal)} if message.kind == "promise" else {}
    plain = tuple(word.lower() for thing in task.data.asked for word in first.get(thing, ("nobody", "nobody")))
    swapped = tuple(right[k ^ 1] for k in range(len(right)))
    other = next(message.who.lower() for message in task.data.messages if message.who.lower() != right[-1])
    return [plain, swapped, (*right[:-1], other), right[2:], right[2:] + right[:2]]


def cost(task: Task[Data]) -> float:
    weights = {"promise": 2, "maybe": 1, "wish": 1, "free": 3, "hand": 4, "turn": 4, "trade": 8}
    return float(sum(weights[message.kind] for message in task.data.messages))


def derive(task: Task[Data]) -> Derivation:
    owed = Owed()
    for at, message in enumerate(task.data.messages, 1):
        after = _apply(owed, message)
        if message.kind in WHY or after == owed:
            yield SAME(at=at, why=WHY.get(message.kind, WHY["wrong"]))
        else:
            changed = [thing for thing in (message.thing, message.second) if thing]
            yield from any_order(_debt(at, thing, after) for thing in changed)
        owed = after


def _debt(at: int, thing: str, owed: Owed) -> Due:
    return NOW(at=at, who=owed[thing][0], goal=owed[thing][1], thing=thing) if thing in owed else GONE(at=at, thing=thing)


def _apply(owed: Owed, message: Message) -> Owed:
    """What is owed after a message; one that its sender has no right to changes nothing."""
    who, goal = owed.get(message.thing, ("", ""))
    match message.kind:
        case "promise" if not who:
            return owed | {message.thing: (message.who, message.goal)}
        case "hand" if who == message.who and message.other != goal:
            return owed | {message.thing: (message.other, goal)}
        case "turn" if who == message.who and goal != message.goal:
            return owed | {message.thing: (who, message.goal)}
        case "free" if goal == message.who:
            return {thing: pair for thing, pair in owed.items() if thing != message.thing}
        case "trade" if who == message.who and owed.get(message.second, ("", ""))[0] == message.other:
            return owed | {message.thing: (message.other, goal), message.second: (message.who, owed[message.second][1])}
    return owed


def _describe(owed: Owed, message: Message) -> Owed:
    """The same for a message that was read: by what it must find before it."""
    holders = {thing: who for thing, (who, _) in owed.items()}
    out = dict(owed)
    if message.kind == "promise" and message.thing not in owed:
        out[message.thing] = message.who, message.goal
    if message.kind == "free" and message.thing in owed and owed[message.thing][1] == message.who:
        del out[message.thing]
    if holders.get(message.thing) == message.who:
        goal = owed[message.thing][1]
        if message.kind == "hand" and message.other != goal:
            out[message.thing] = message.other, goal
        if message.kind == "turn" and message.goal != message.who:
            out[message.thing] = message.who, message.goal
        if message.kind == "trade" and holders.get(message.second) == message.other:
            out[message.thing], out[message.second] = (message.other, goal), (message.who, owed[message.second][1])
    return out


def _sample_message(rng: Rng, kind: str, people: Sequence[str], things: Sequence[str], owed: Owed) -> Message | None:
    who, goal, _ = rng.sample(people, 3)
    thing = rng.choice(things)
    if kind in ("maybe", "wish"):
        return Message(kind=kind, who=who, goal=goal, thing=thing)
    if kind == "promise":
        free = [thing for thing in things if thing not in owed]
        return Message(kind=kind, who=who, goal=goal, thing=rng.choice(free)) if free else None
    if not owed:
        return None
    if kind == "wrong":  # somebody who has no right to it
        thing = rng.choice(list(owed))
        outside = [name for name in people if name not in owed[thing]]
        goals = [name for name in people if name not in (outside[0], *owed[thing])] or [owed[thing][0]]
        if rng.chance(0.5):
            return Message(kind="free", who=outside[0], thing=thing)
        return Message(kind="hand", who=outside[0], thing=thing, other=rng.choice(goals))
    thing = rng.choice(list(owed))
    debtor, creditor = owed[thing]
    rest = [name for name in people if name not in (debtor, creditor)]
    if kind == "free":
        return Message(kind=kind, who=creditor, thing=thing)
    if kind == "hand":
        return Message(kind=kind, who=debtor, thing=thing, other=rng.choice(rest))
    if kind == "turn":
        return Message(kind=kind, who=debtor, thing=thing, goal=rng.choice(rest))
    # Nobody ends up owing something to themselves.
    others = [two for two, (name, goal) in owed.items() if name not in (debtor, creditor) and goal != debtor]
    return (
        Message(kind="trade", who=debtor, thing=thing, other=owed[second][0], second=second)
        if (second := rng.choice(others or [""]))
        else None
    )


def _sample_task(rng: Rng, knobs: Knobs, shuffled: bool) -> Task[Data]:
    people = stories.people(rng, knobs.people)
    things = rng.sample(THINGS, 3 + knobs.messages // 14)
    chat, owed = list[Message](), Owed()
    while len(chat) < knobs.messages:
        kind = "promise" if len(owed) < 2 and rng.chance(0.7) else rng.choice(KINDS[knobs.changes])
        message = _sample_message(rng, kind, people, things, owed)
        if message and not (message.kind == "free" and kind == "free" and rng.chance(0.5)):
            chat.append(message)
            owed = _apply(owed, message)
    queried = tuple(rng.sample([*owed, *(thing for thing in things if thing not in owed)][:3], 3))
    minutes = sorted(rng.sample(range(1, 9 * knobs.messages), knobs.messages))
    lines = []
    for minute, message in zip(minutes, chat):
        words = BANK.say(rng, message.kind, **message.model_dump(exclude={"kind", "who"}))
        lines.append(f"{message.who}, minute {minute}: {words}" if shuffled else f"{message.who}: {words}")
    order = rng.shuffled(lines) if shuffled else lines
    text = "\n".join(f"{at}. {line}" for at, line in enumerate(order, 1))
    when = "The messages are out of order; the minute tells when each was sent. " if shuffled else ""
    rules = when + " ".join(RULES[: 1 + list(KINDS).index(knobs.changes)])
    listed = english.join_words([f"the {thing}" for thing in queried])
    prompt = (
        f"{rules}\n\n{text}\n\nIn the end, who owes {listed}? For each thing, in this order, give two names: the person who owes it and the "
        "person to whom it is owed. If nobody owes a thing, write nobody twice for it."
    )
    answer = tuple(word.lower() for thing in queried for word in owed.get(thing, ("nobody", "nobody")))
    return Task(prompt, Data(messages=tuple(chat), asked=queried, answer=answer))


environment = Environment(
    Knobs, Words("six words, two for each thing, separated by spaces", max_items=40, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Keep a list of who owes what to whom, and change it only by messages from somebody who has the right to.",
    version=4,
)  # fmt: skip
