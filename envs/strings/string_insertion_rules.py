"""Go through a string from left to right and put letters in where rules say so."""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, first_wrong

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WAYS = {
    "skip": ("After a rule was used, go on behind the letters that were put in."),
    "again": "After a rule was used, go on at the first of the letters that were put in, so that they can take part in the next find.",
    "passes": (
        "After a rule was used, go on behind the letters that were put in. When the end is reached, turn the whole string round (write it backwards) and "
        "go through it once more in the same way; do {passes} passes in all, turning the string round between them only."
    ),
}
USED = Line("Pass {number}, place {place}: rule {rule} finds its string and makes {text}")
TURNED = Line("Pass {number} ends; turned round the string is {text}")
DONE = Line("No rule finds anything more: {text}")
Rule = tuple[str, str]


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
    return _made(rng, knobs, loops=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Strings of a repeated block with a few letters changed, so that rules find almost the same things again and again."""
    return _made(rng, knobs, loops=True)


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
    return Score.exact(answer == task.data.right, "another string comes out")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    others = [
        data.model_copy(update={"way": "skip" if data.way == "again" else "again", "passes": 1}),
        data.model_copy(update={"rules": data.rules[::-1]}),
    ]
    return [*(_run(other)[-1][2] for other in others), right[::-1], data.text, right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.right) * len(data.rules) * data.passes + 5 * len(_run(data)))


def explain(task: Task[Data]) -> list[str]:
    steps = []
    for number, rule, text, place in _run(task.data):
        if rule >= 0:
            steps.append(USED.write(number=number, place=place + 1, rule=rule + 1, text=text))
        else:
            steps.append(TURNED.write(number=number, text=text))
    return [*steps, DONE.write(text=solve(task))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    text, place, number = data.text, 0, 1

    def found(start: int) -> tuple[int, int]:
        """The next place at which a rule finds its string, and that rule; -1 where there is none."""
        places = [(at, i) for i, (string, _) in enumerate(data.rules) if (at := text.find(string, start)) >= 0]
        return min(places, default=(-1, -1))

    def follows(step: str) -> bool:
        nonlocal text, place, number
        at, rule = found(place)
        if said := USED.read(step):
            string, more = data.rules[rule]
            text = text[: at + len(string)] + more + text[at + len(string) :]
            place = at + len(string) + (0 if data.way == "again" else len(more))
            said_place = (int(said["number"]), int(said["place"]) - 1, int(said["rule"]) - 1)
            return at >= 0 and said_place == (number, at, rule) and said["text"] == text
        said = TURNED.read(step) or {}
        text, place, number = text[::-1], 0, number + 1
        return at < 0 and number <= data.passes and int(said["number"]) == number - 1 and said["text"] == text

    def ends(step: str) -> bool:
        given = (DONE.read(step) or {})["text"]
        return number == data.passes and found(place)[0] < 0 and given == text and verify(task, given).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, *, loops: bool) -> Task[Data]:
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
        # What is put in must not make finds for ever, and each rule must matter.
        if not _grows(data) and len({rule for _, rule, _, _ in _run(data) if rule >= 0}) >= min(knobs.rules, max(1, knobs.length // 6)):
            break
    runs = _run(data)
    listing = "\n".join(f"{i}. {string}: put {more} in" for i, (string, more) in enumerate(data.rules, 1))
    prompt = (
        f"Go through the string {text} from left to right. At each place look whether the string of a rule begins there. If so, put the "
        f"letters of that rule in right behind the string that was found. {WAYS[knobs.way].format(passes=passes)} If no rule's string begins "
        "there, go one letter further.\n"
        f"{listing}\n\nWhat is the string at the end?"
    )
    return Task(prompt, data.model_copy(update={"right": runs[-1][2]}))


def _grows(data: Data) -> bool:
    """Whether going on at the letters that were put in never comes to an end."""
    return data.way == "again" and len(_run(data)) > 3 * len(data.text)


def _run(data: Data) -> list[tuple[int, int, str, int]]:
    """Every rule used: the pass, the rule, the string after it, and the place; a turned string has the rule -1."""
    text, runs = data.text, list[tuple[int, int, str, int]]()
    for number in range(1, data.passes + 1):
        place = 0
        while place < len(text) and len(runs) <= 3 * len(data.text):
            rule = next((i for i, (string, _) in enumerate(data.rules) if text.startswith(string, place)), -1)
            if rule < 0:
                place += 1
                continue
            string, more = data.rules[rule]
            text = text[: place + len(string)] + more + text[place + len(string) :]
            runs.append((number, rule, text, place))
            place += len(string) + (0 if data.way == "again" else len(more))
        if number < data.passes:
            text = text[::-1]
            runs.append((number, -1, text, 0))
    return runs or [(1, -1, text, 0)]


environment = Environment(
    Knobs,
    Text("the string at the end, without spaces", most=2000, compact=True, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Keep a finger at the place you have come to, and write the whole string anew after each rule.",
)
