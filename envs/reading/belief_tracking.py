"""Tell where somebody thinks that somebody else thinks a thing is, after moves, secret looks and lies.

Beliefs follow stated rules: what is seen or heard together is known to be known by all who were there, and telling does not change what
the teller thinks.
"""

from collections.abc import Sequence
from itertools import groupby

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.draws import draw_against
from rlgym.generators.facts import Bank, passage, score_parts, sentences
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step, any_order

SEEN = Step("Sentence {at} is about the {thing}, names the {box}, and is shared by {who}.")
LAST = Step("Question {number}: what counts is sentence {at}, so the {box}.")
BANK = Bank("""
enter: {who} came into the room. | {who} walked into the room. | {who} entered the room. | Now {who} stepped in.
leave: {who} left the room. | {who} walked out of the room. | {who} went out. | Now {who} stepped outside.
seen: {who} put the {thing} into the {box}, with {others_words} looking on.
seen: While {others_words} looked on, {who} put the {thing} into the {box}.
seen: Before the eyes of {others_words}, {who} moved the {thing} to the {box}.
seen: {who} showed {others_words} how the {thing} went into the {box}.
move: {who} put the {thing} into the {box}. | {who} placed the {thing} in the {box}. | {who} moved the {thing} to the {box}.
move: The {thing} was put into the {box} by {who}.
peek: Unnoticed by anybody, {who} found out where the {thing} was. | {who} secretly looked where the {thing} was, and saw it.
peek: {who} took a secret look and saw where the {thing} really was. | Unknown to everybody else, {who} saw where the {thing} was.
tell: {who} told {others_words}, with nobody else to hear it, that the {thing} was in the {box}.
tell: When nobody else could hear, {who} told {others_words} that the {thing} was in the {box}.
tell: In a message seen by nobody but {others_words}, {who} said that the {thing} was in the {box}.
tell: {who} whispered to {others_words} that the {thing} was in the {box}.
""")
THINGS = "coin ring letter key stamp pearl".split()
BOXES = "chest drawer basket sack jar trunk bucket cabinet".split()
ROOM = (
    "Initially everybody is in the room: {people}. Everybody in the room, and nobody else, sees where things are put, and who else sees it. "
    "Boxes are closed: people who enter cannot see what is in them."
)
OUTSIDE = (
    "The people are {people}. Whoever puts a thing into a box and those who are said to look on see where it is put, and who else sees it; nobody else "
    "sees it."
)
LOOKS = " Nobody else notices a secret look, and it changes only what the person who looks believes."
LIES = (
    " People believe whatever they are told, whether it is true or not. All the people who are told something together know that the others "
    "were told it too, and they think that the teller believes it; the teller knows that they believe it. Telling something does not change what the "
    "teller believes."
)
CHAINS = (
    " Nobody guesses about events that they took no part in: only the last event about a thing that Zed and Yan {shared} together decides where Zed "
    "thinks that Yan thinks that thing is{longer}."
)


class Knobs(Config):
    events: int = knob(12, easy=4, hard=50, beyond=110, doc="things that happen", scale="log")
    order: int = knob(2, easy=1, hard=4, beyond=6, doc="how many minds a question goes through")
    deceit: str = knob("looks", easy="moves", hard="lies", order=("moves", "looks", "lies"), doc="whether there are secret looks, and lies")


class Event(TaskData):
    kind: str
    who: str
    others: tuple[str, ...] = ()
    thing: str = ""
    box: str = ""


class Question(TaskData):
    minds: tuple[str, ...]
    thing: str


class Data(TaskData):
    people: tuple[str, ...]
    events: tuple[Event, ...]
    room: bool
    questions: tuple[Question, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_varied(rng, knobs, room=True)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """No room that people come to and leave: each time it is said who looks on, and news goes by messages to several people."""
    return _sample_varied(rng, knobs, room=False)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the prompt, notes who took part in what, and looks for the last event that all minds of a question shared.
    opening, questions = task.prompt.partition("\n\n")[0], task.prompt.rpartition("\n\n")[2]
    present = set(_names(opening.partition(": ")[2].partition(".")[0])) if opening.startswith("Initially") else set()
    seen: list[tuple[str, str, set[str], str, str]] = []
    real: dict[str, str] = {}
    for text in sentences(task.prompt.rpartition("\n\n")[0]).values():
        statement = BANK.read(text)
        assert statement
        kind, gaps = statement
        if kind in ("enter", "leave"):
            present ^= {gaps["who"]}
            continue
        witnesses = {gaps["who"], *(present if kind == "move" else ()), *_names(gaps.get("others_words", ""))}
        if kind in ("move", "seen"):
            real[gaps["thing"]] = gaps["box"]
        seen.append((kind, gaps["who"], witnesses, gaps["thing"], gaps.get("box") or real[gaps["thing"]]))
    out = []
    for line in questions.split("\n")[1:]:
        words = line.replace("?", "").split()
        minds = [name for name, _ in groupby(words[k - 1] for k, word in enumerate(words) if word in ("think", "thinks"))]
        fits = [
            box
            for kind, who, witnesses, thing, box in seen
            if thing == words[-2]
            and witnesses.issuperset(minds)
            and not (kind == "tell" and minds == [who])
            and not (kind == "peek" and minds != [who])
        ]
        out.append(fits[-1])
    return tuple(out)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    real = tuple(
        [event.box for event in data.events if event.thing == ask.thing and event.kind in ("move", "seen")][-1] for ask in data.questions
    )
    named = tuple([event.box for event in data.events if event.thing == ask.thing and event.box][-1] for ask in data.questions)
    last = tuple(_belief(_event_witnesses(data), ask.minds[-1:], ask.thing)[1] for ask in data.questions)
    other = next(box for box in BOXES if box != right[-1])
    return [real, named, last, right[::-1], (*right[:-1], other), right[:-1]]


def cost(task: Task[Data]) -> float:
    weights = {"enter": 1, "leave": 1, "move": 2, "seen": 2, "peek": 3, "tell": 5}
    return float(sum(weights[event.kind] for event in task.data.events) * len(task.data.questions[0].minds))


def derive(task: Task[Data]) -> Derivation:
    shared = _event_witnesses(task.data)
    yield from any_order(
        SEEN(at=at, thing=event.thing, who=" and ".join(witnesses), box=box)
        for at, (event, witnesses, box) in enumerate(shared, 1)
        if event.thing
    )
    for number, question in enumerate(task.data.questions, 1):
        at, box = _belief(shared, question.minds, question.thing)
        yield LAST(number=number, at=at, box=box)


def _names(words: str) -> list[str]:
    return words.replace(" and ", ", ").split(", ") if words else []


def _event_witnesses(data: Data) -> list[tuple[Event, list[str], str]]:
    """For each event who takes part, in a fixed order, and which box it names."""
    present = set(data.people) if data.room else set[str]()
    real: dict[str, str] = {}
    out = []
    for event in data.events:
        if event.kind in ("enter", "leave"):
            present ^= {event.who}
        if event.kind in ("move", "seen"):
            real[event.thing] = event.box
        taking = {event.who, *event.others} | (present if event.kind == "move" else set())
        out.append((event, [name for name in data.people if name in taking], event.box or real.get(event.thing, "")))
    return out


def _belief(shared: Sequence[tuple[Event, list[str], str]], minds: Sequence[str], thing: str) -> tuple[int, str]:
    """The event that a belief goes by, and the box that it names. Who thinks of their own thoughts thinks what they think."""
    chain = [name for name, _ in groupby(minds)]
    belief = (0, "")
    for at, (event, witnesses, box) in enumerate(shared, 1):
        alone = chain == [event.who]
        if (
            event.thing == thing
            and not set(chain) - set(witnesses)
            and not (event.kind == "tell" and alone)
            and (event.kind != "peek" or alone)
        ):
            belief = at, box
    return belief


def _event(
    rng: Rng, knobs: Knobs, people: Sequence[str], things: Sequence[str], boxes: Sequence[str], present: set[str], room: bool
) -> Event | None:
    kinds = {"moves": ["move"], "looks": ["move", "move", "peek"], "lies": ["move", "peek", "tell", "tell"]}[knobs.deceit]
    kind = rng.choice((kinds + ["go", "go"] * (1 + len(kinds) // 3)) if room else kinds)
    who = rng.choice(people)
    present_now = [name for name in people if name in present]
    thing, box = rng.choice(things), rng.choice(boxes)
    others = rng.sample([name for name in people if name != who], rng.integer(1, max(1, len(people) - 3)))
    if kind == "go":
        return Event(kind="leave" if who in present else "enter", who=who) if who not in present or len(present_now) > 1 else None
    if kind == "move":
        return (
            Event(kind="move", who=rng.choice(present_now), thing=thing, box=box)
            if room
            else Event(kind="seen", who=who, others=tuple(others), thing=thing, box=box)
        )
    if kind == "peek":
        return Event(kind="peek", who=who, thing=thing) if who not in present else None
    return Event(kind="tell", who=who, others=tuple(others[:2]), thing=thing, box=box)


def _question(rng: Rng, knobs: Knobs, people: Sequence[str], thing: str) -> Question:
    """A question through as many minds as the knob says, of two or three people."""
    few = rng.sample(people, 2 if rng.chance(0.5) else 3)
    minds = [rng.choice(few)]
    while len(minds) < knobs.order:
        minds.append(rng.choice([name for name in few if name != minds[-1]]))
    return Question(minds=tuple(minds), thing=thing)


def _render_question(ask: Question) -> str:
    return f"Where does {ask.minds[0]} think {''.join(f'that {name} thinks ' for name in ask.minds[1:])}the {ask.thing} is?"


def _merit(shared: Sequence[tuple[Event, list[str], str]], ask: Question, real: str) -> int:
    """How much a question asks: rather where the belief is not the truth, nor that of fewer minds, and not the first of all."""
    at, box = _belief(shared, ask.minds, ask.thing)
    nearer = _belief(shared, ask.minds[1:], ask.thing)[1] if len(ask.minds) > 1 else real
    outer = _belief(shared, ask.minds[:1], ask.thing)[1] if len(ask.minds) > 1 else real
    return 2 * (box != real) + (box != nearer) + (box != outer) + 2 * (at > 3)


def _sample_varied(rng: Rng, knobs: Knobs, room: bool) -> Task[Data]:
    """Not all three answers are the same box."""
    return draw_against(lambda: _sample_task(rng, knobs, room), lambda task: len(set(task.data.answer)) == 1)


def _sample_task(rng: Rng, knobs: Knobs, room: bool) -> Task[Data]:
    people = tuple(stories.people(rng, 4 + (knobs.order > 2)))
    things = rng.sample(THINGS, 1 + (knobs.events > 8) + (knobs.events > 25))
    boxes = rng.sample(BOXES, 5 + (knobs.events > 25))
    first = "move" if room else "seen"
    events = [Event(kind=first, who=people[0], others=() if room else people[1:], thing=thing, box=rng.choice(boxes)) for thing in things]
    present = set(people) if room else set[str]()
    real = {event.thing: event.box for event in events}
    while len(events) < len(things) + knobs.events:
        one = _event(rng, knobs, people, things, boxes, present, room)
        if one is None or (one.kind in ("move", "seen") and real[one.thing] == one.box):
            continue
        if one.kind in ("enter", "leave"):
            present ^= {one.who}
        elif one.kind in ("move", "seen"):
            real[one.thing] = one.box
        events.append(one)
    data = Data(people=people, events=tuple(events), room=room, questions=(), answer=())
    shared, questions = _event_witnesses(data), list[Question]()
    while len(questions) < 3:
        thing = things[len(questions) % len(things)]
        drawn = [ask for ask in (_question(rng, knobs, people, thing) for _ in range(16)) if ask not in questions]
        if drawn:
            questions.append(max(drawn, key=lambda ask: _merit(shared, ask, real[ask.thing])))
    answer = tuple(_belief(shared, ask.minds, ask.thing)[1] for ask in questions)
    sentence_list = [
        BANK.say(rng, event.kind, who=event.who, thing=event.thing, box=event.box, others_words=english.join_words(event.others or ("",)))
        for event in events
    ]
    questions_text = "\n".join(
        f"({k}) Where does {ask.minds[0]} think {''.join(f'that {name} thinks ' for name in ask.minds[1:])}the {ask.thing} is?"
        for k, ask in enumerate(questions, 1)
    )
    opening = (ROOM if room else OUTSIDE).format(people=english.join_words(people))
    rules = LOOKS * (knobs.deceit != "moves") + LIES * (knobs.deceit == "lies")
    if knobs.order > 1:
        rules += CHAINS.format(
            shared="saw or heard of" if knobs.deceit == "lies" else "saw",
            longer=", and likewise for longer chains" if knobs.order > 2 else "",
        )
    prompt = (
        f"{opening}{rules}\n\n{passage(rng, sentence_list)}\n\nAfter all these events, answer each question with one box:\n{questions_text}"
    )
    return Task(prompt, data.model_copy(update={"questions": tuple(questions), "answer": answer}))


environment = Environment(
    Knobs, Words("the three boxes in the order of the questions, separated by spaces", max_items=20, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Write down who took part in each event; a chain of thoughts goes by the last event in which everybody of the chain took part.",
    version=6,
)  # fmt: skip
