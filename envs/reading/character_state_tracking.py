"""Follow who holds what, and where it lies, through a story in which people walk, give, swap, and have their deeds undone."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, score_parts, sentences
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step

WALKS = Step("Sentence {at}: {who} is in the {room}.")
HOLDS = Step("Sentence {at}: the {item} is with {who}.")
LIES = Step("Sentence {at}: the {item} lies in the {room}.")
SWAPPED = Step("Sentence {at}: the {item} is with {who}, and the {second} with {other}.")
UNDONE = Step("Sentence {at} undoes sentence {of}.")
BANK = Bank("""
start: {who} was in the {room}. | {who} stood in the {room}. | {who} had come to the {room}. | The {room} was where {who} was waiting.
lay: The {item} lay in the {room}. | In the {room} lay the {item}. | Somebody had left the {item} in the {room}.
lay: The {room} held the {item}.
go: {who} went to the {room}. | {who} walked over to the {room}. | Next, {who} was seen entering the {room}. | Off to the {room} went {who}.
take: {who} picked up the {item}. | The {item} was taken by {who}. | {who} took hold of the {item}. | Now {who} had the {item} in hand.
drop: {who} put down the {item}. | The {item} was left lying by {who}. | {who} let go of the {item}.
drop: Tired of the {item}, {who} laid it down.
give: {who} gave the {item} to {other}. | {other} got the {item} from {who}. | {who} handed {other} the {item}.
give: From {who} the {item} passed to {other}.
swap: {who} and {other} swapped the {item} for the {second}. | {who} let {other} have the {item} and got the {second} for it.
swap: {who} gave {other} the {item} in exchange for the {second}. | {other} traded the {second} for the {item} of {who}.
undo: Then the last action not yet undone was undone. | The last action that was still in effect was undone.
undo: Everything was put back to how it was before the last action not yet undone.
undo: After that, the last action not yet undone was reversed.
""")
ROOMS = "kitchen cellar attic garden library stable hall tower workshop pantry".split()
DECKS = "galley hold bridge cabin stern bow mess engine-room crow-nest locker".split()
ITEMS = "lamp key book rope flute apple knife cup coin mirror scarf compass whistle candle ring".split()


class Knobs(Config):
    deeds: int = knob(14, easy=4, hard=60, doc="deeds of the story", scale="log")
    people: int = knob(4, easy=2, hard=6, doc="people")
    kinds: str = knob(
        "swaps", easy="simple", hard="undone", order=("simple", "swaps", "undone"), doc="whether people swap things, and deeds are undone"
    )


class Deed(TaskData):
    kind: str
    who: str = ""
    room: str = ""
    item: str = ""
    other: str = ""
    second: str = ""


class Data(TaskData):
    deeds: tuple[Deed, ...]
    rooms_asked: bool = False
    asked: tuple[str, ...]
    answer: tuple[str, ...]


State = dict[str, str]  # a person's room, an item's holder or room


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, rooms_asked=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """On a ship, with much walking about; it is asked where the things are, whoever holds them."""
    return _sample_task(rng, knobs, rooms_asked=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt and strikes out what is undone; then each thing is looked for from the end of the story backwards.
    deeds = [Deed(kind=statement.kind, **statement.gaps) for text in sentences(task.prompt).values() if (statement := BANK.read(text))]
    kept = list[Deed]()
    for deed in deeds:
        if deed.kind == "undo":
            kept.pop()
        else:
            kept.append(deed)
    queried = (
        task.prompt.rpartition("\n\n")[2]
        .partition("?")[0]
        .replace(" and ", ", ")
        .replace("the ", "")
        .replace(" holds ", " are ")
        .split(" are ")[-1]
        .split(", ")
    )

    def room(who: str, before: int) -> str:
        return next(deed.room for deed in kept[before::-1] if deed.kind in ("start", "go") and deed.who == who)

    out = []
    for item in queried:
        at, last = next((k, deed) for k, deed in reversed(list(enumerate(kept))) if item in (deed.item, deed.second))
        gets = {"lay": "", "drop": "", "take": last.who, "give": last.other, "swap": last.other if item == last.item else last.who}[
            last.kind
        ]
        place = last.room if last.kind == "lay" else room(last.who, at)
        out.append(place if not gets else room(gets, len(kept) - 1) if task.data.rooms_asked else gets)
    return tuple(word.lower() for word in out)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    first = {deed.item: deed.room.lower() for deed in task.data.deeds if deed.kind == "lay"}
    people = [deed.who.lower() for deed in task.data.deeds if deed.kind == "start"]
    other = people[0] if right[-1] != people[0] else people[1]
    return [tuple(first[item] for item in task.data.asked), (*right[:-1], other), right[::-1], right[:-1], (*right, other)]


def cost(task: Task[Data]) -> float:
    weights = {"start": 1, "lay": 1, "go": 2, "take": 2, "drop": 3, "give": 3, "swap": 5, "undo": 6}
    return float(sum(weights[deed.kind] for deed in task.data.deeds))


def derive(task: Task[Data]) -> Derivation:
    worlds, standing = [State()], list[int]()
    for at, deed in enumerate(task.data.deeds, 1):
        if deed.kind == "undo":
            worlds.pop()
            yield UNDONE(at=at, of=standing.pop())
            continue
        world = _apply(worlds[-1], deed)
        worlds.append(world)
        standing.append(at)
        if deed.kind in ("start", "go"):
            yield WALKS(at=at, who=deed.who, room=deed.room)
        elif deed.kind == "swap":
            yield SWAPPED(at=at, item=deed.item, who=deed.other, second=deed.second, other=deed.who)
        elif deed.kind in ("take", "give"):
            yield HOLDS(at=at, item=deed.item, who=world[deed.item])
        else:
            yield LIES(at=at, item=deed.item, room=world[deed.item])


def _apply(now: State, deed: Deed) -> State:
    match deed.kind:
        case "start" | "go":
            return now | {deed.who: deed.room}
        case "lay":
            return now | {deed.item: deed.room}
        case "take":
            return now | {deed.item: deed.who}
        case "drop":
            return now | {deed.item: now.get(deed.who, "")}
        case "give":
            return now | {deed.item: deed.other}
    return now | {deed.item: deed.other, deed.second: deed.who}


def _answer_word(now: State, item: str, rooms_asked: bool) -> str:
    where = now[item]
    return (now.get(where, where) if rooms_asked else where).lower()


def _sample_deed(rng: Rng, now: State, people: Sequence[str], items: Sequence[str], rooms: Sequence[str], kinds: Sequence[str]) -> Deed:
    """A deed that can be done now: things are taken where they lie, and people who deal with each other are in one room."""
    while True:
        kind, who = rng.choice(kinds), rng.choice(people)
        near = [other for other in people if other != who and now[other] == now[who]]
        carried = [item for item in items if now[item] == who]
        if kind == "go":
            return Deed(kind=kind, who=who, room=rng.choice([room for room in rooms if room != now[who]]))
        if kind == "take" and (lying := [item for item in items if now[item] == now[who]]):
            return Deed(kind=kind, who=who, item=rng.choice(lying))
        if kind == "drop" and carried:
            return Deed(kind=kind, who=who, item=rng.choice(carried))
        if kind == "give" and carried and near:
            return Deed(kind=kind, who=who, item=rng.choice(carried), other=rng.choice(near))
        if kind == "swap" and carried and near:
            other = rng.choice(near)
            if theirs := [item for item in items if now[item] == other]:
                return Deed(kind=kind, who=who, item=rng.choice(carried), other=other, second=rng.choice(theirs))


def _sample_task(rng: Rng, knobs: Knobs, rooms_asked: bool) -> Task[Data]:
    people = stories.people(rng, knobs.people)
    rooms = rng.sample(DECKS if rooms_asked else ROOMS, max(2, knobs.people - 1))
    items = rng.sample(ITEMS, knobs.people + 2)
    kinds = ["go"] * (3 if rooms_asked else 1) + ["take", "take", "drop", "give", "give"] + ["swap"] * (3 * (knobs.kinds != "simple"))
    opening = [Deed(kind="start", who=who, room=rng.choice(rooms)) for who in people]
    opening += [Deed(kind="lay", item=item, room=rng.choice(rooms)) for item in items]
    worlds = [State()]
    for deed in opening:
        worlds.append(_apply(worlds[-1], deed))
    deeds, first = list(opening), len(worlds)
    while len(deeds) < len(opening) + knobs.deeds:
        if knobs.kinds == "undone" and len(worlds) > first + 1 and rng.chance(0.25):
            deeds.append(Deed(kind="undo"))
            worlds.pop()
        else:
            deeds.append(_sample_deed(rng, worlds[-1], people, items, rooms, kinds))
            worlds.append(_apply(worlds[-1], deeds[-1]))
    last = worlds[-1]
    moved = [item for item in items if any(item in (deed.item, deed.second) for deed in deeds[len(opening) :])]
    queried = tuple(rng.shuffled([*moved, *(item for item in items if item not in moved)][:3]) if len(moved) < 3 else rng.sample(moved, 3))
    story_sentences = [BANK.say(rng, deed.kind, **deed.model_dump(exclude={"kind"})) for deed in deeds]
    rules = (
        " Deeds that are undone are as if never done, and what lay or was held where before lies or is held there again."
        if knobs.kinds == "undone"
        else ""
    )
    listed = english.join_words([f"the {item}" for item in queried])
    if rooms_asked:
        question = f"In the end, where are {listed}? Name for each of them, in this order, the place where it is, on the floor or in somebody's hands."
    else:
        question = f"In the end, who holds {listed}? Name for each of them, in this order, who holds it or, if nobody does, the place where it lies."
    prompt = (
        "People take things that lie where they are, carry what they hold wherever they go, and put things down where they are."
        f"{rules}\n\n{passage(rng, story_sentences)}\n\n{question}"
    )
    answer = tuple(_answer_word(last, item, rooms_asked) for item in queried)
    return Task(prompt, Data(deeds=tuple(deeds), rooms_asked=rooms_asked, asked=queried, answer=answer))


environment = Environment(
    Knobs, Words("the three words in this order, separated by spaces", max_items=20, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Strike out what is undone, then note after each deed who is where and who holds what.",
    version=3,
)  # fmt: skip
