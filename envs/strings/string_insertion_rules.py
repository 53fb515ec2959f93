"""Go through a string from left to right and put letters in where rules say so."""

from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Derivation, Solution, Step

CLOSING = "No rule finds anything more: {answer}"
ANSWER = Text("the string at the end, without spaces", max_characters=2000, ignore_spaces=True, ignore_case=True)
CONCEPT = "Keep a finger at the place you have come to, and write the whole string anew after each rule."
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WAYS = {
    "skip": "After a rule is used, continue after the inserted letters.",
    "again": "After a rule is used, continue at the first of the inserted letters, so that they can be part of the next match.",
    "passes": (
        "After a rule is used, continue after the inserted letters. When the end is reached, reverse the whole string and "
        "go through it once more in the same way; do {passes} passes in all, reversing the string only between them."
    ),
}
USED = Step("Pass {number}, place {place}: rule {rule} finds its string and makes {text}")
TURNED = Step("Pass {number} ends; turned round the string is {text}")
Rule = tuple[str, str]


class Event(NamedTuple):
    number: int  # of the pass
    rule: int  # that was used; -1 where the string was turned round
    text: str  # after it
    place: int


class Knobs(Config):
    length: int = knob(14, easy=6, hard=40, doc="letters of the string")
    rules: int = knob(3, easy=1, hard=6, doc="rules")
    way: str = knob("again", easy="skip", hard="passes", order=tuple(WAYS), doc="where to go on, and how often the string is gone through")


class Data(TaskData):
    text: str
    rules: tuple[Rule, ...]
    way: str
    passes: int
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, loops=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Strings of a repeated block with a few letters changed, so that rules find almost the same things again and again."""
    return _sample_task(rng, knobs, loops=True)


def solve(task: Task[Data]) -> str:
    """With what lies behind and ahead as two lists, instead of places in one string."""
    data, text = task.data, task.data.text
    for number in range(data.passes):
        behind, ahead = list[str](), list(text[::-1] if number else text)[::-1]
        while ahead:
            rule = next((rule for rule in data.rules if "".join(ahead[: -len(rule[0]) - 1 : -1]) == rule[0]), None)
            if rule is None:
                behind.append(ahead.pop())
                continue
            behind += rule[0]
            del ahead[-len(rule[0]) :]
            if data.way == "again":
                ahead += rule[1][::-1]
            else:
                behind += rule[1]
        text = "".join(behind)
    return text


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "the result is a different string")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    others = [
        data.model_copy(update={"way": "skip" if data.way == "again" else "again", "passes": 1}),
        data.model_copy(update={"rules": data.rules[::-1]}),
    ]
    return [*(_run(other)[-1].text for other in others), right[::-1], data.text, right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.right) * len(data.rules) * data.passes + 5 * len(_run(data)))


def derive(task: Task[Data]) -> Derivation:
    for event in _run(task.data):
        if event.rule >= 0:
            yield USED(number=event.number, place=event.place + 1, rule=event.rule + 1, text=event.text)
        else:
            yield TURNED(number=event.number, text=event.text)


def _sample_task(rng: Rng, knobs: Knobs, *, loops: bool) -> Task[Data]:
    used = rng.sample(LETTERS, 2 + (knobs.rules > 1) + (knobs.rules > 3))
    passes = 2 + (knobs.length > 30) if knobs.way == "passes" else 1
    while True:
        if loops:
            block = "".join(rng.choice(used) for _ in range(rng.integer(3, 6)))
            letters = list((block * knobs.length)[: knobs.length])
            for _ in range(1 + knobs.length // 8):
                letters[rng.integer(0, knobs.length - 1)] = rng.choice(used)
            text = "".join(letters)
        else:
            text = "".join(rng.choice(used) for _ in range(knobs.length))
        rules: dict[str, str] = {}
        while len(rules) < knobs.rules:
            string = "".join(rng.choice(used) for _ in range(rng.integer(2, 3)))
            if not any(string in other or other in string for other in rules):
                rules[string] = "".join(rng.choice(used) for _ in range(rng.integer(1, 2)))
            elif rng.chance(0.05):
                rules.clear()
        data = Data(text=text, rules=tuple(rules.items()), way=knobs.way, passes=passes, right="")
        # Insertions must not trigger rules without end, and each rule must matter.
        if not _grows(data) and len({event.rule for event in _run(data) if event.rule >= 0}) >= min(knobs.rules, max(1, knobs.length // 6)):
            break
    events = _run(data)
    listing = "\n".join(f"{i}. {string}: insert {inserted}" for i, (string, inserted) in enumerate(data.rules, 1))
    prompt = (
        f"Go through the string {text} from left to right. At each position check whether the string of a rule begins there. If so, insert the letters of "
        f"that rule right after the string found. {WAYS[knobs.way].format(passes=passes)} If no rule's string begins there, move one "
        f"letter further.\n{listing}\n\nWhat is the string at the end?"
    )
    return Task(prompt, data.model_copy(update={"right": events[-1].text}))


def _grows(data: Data) -> bool:
    """Whether going on at the letters that were put in never comes to an end."""
    return data.way == "again" and len(_run(data)) > 3 * len(data.text)


def _run(data: Data) -> list[Event]:
    """Every rule used and every turn, in order."""
    text, events = data.text, list[Event]()
    for number in range(1, data.passes + 1):
        place = 0
        while place < len(text) and len(events) <= 3 * len(data.text):
            rule = next((i for i, (string, _) in enumerate(data.rules) if text.startswith(string, place)), -1)
            if rule < 0:
                place += 1
                continue
            string, inserted = data.rules[rule]
            text = text[: place + len(string)] + inserted + text[place + len(string) :]
            events.append(Event(number, rule, text, place))
            place += len(string) + (0 if data.way == "again" else len(inserted))
        if number < data.passes:
            text = text[::-1]
            events.append(Event(number, -1, text, 0))
    return events or [Event(1, -1, text, 0)]


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, CLOSING, whole=True),
    shift=shift,
    concept=CONCEPT,
    version=3,
)
