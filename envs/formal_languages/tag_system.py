"""Run a tag system: read the first letter, strike out letters in front, write letters at the end.

At the hard end the rule also looks at the second letter.
"""

import math
from collections import deque
from collections.abc import Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.steps import Line, ended, first_wrong

GIVES = Line("Step {number}: {word} begins with {head}: strike out {struck}, write {written}, which gives {after}")
WRITES = Line("Step {number}: {word} begins with {head}: strike out {struck}, write {written}")


class Knobs(Config):
    steps: int = knob(10, easy=3, hard=90, doc="steps to run", scale="log")
    letters: int = knob(3, easy=2, hard=5, doc="letters of the alphabet")
    struck: int = knob(2, easy=1, hard=3, doc="letters struck out in each step")
    look: str = knob("one", easy="one", hard="two", order=("one", "two"), doc="letters at the front that tell what is written")


class Data(TaskData):
    start: str
    rules: tuple[tuple[str, str], ...]
    struck: int
    steps: int
    end: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    alphabet = "abcde"[: knobs.letters]
    look = 2 if knobs.look == "two" else 1
    while True:
        heads = ["".join(letters) for letters in product(alphabet, repeat=look)]
        rules = tuple((head, _random(rng, alphabet, rng.integer(max(0, knobs.struck - 1), knobs.struck + 2))) for head in heads)
        start = _random(rng, alphabet, rng.integer(5, 8))
        end = _run(start, rules, knobs.struck, knobs.steps)
        if end is not None and 4 <= len(end) <= 60 and len(set(end)) > 1 and end != start:
            break
    data = Data(start=start, rules=rules, struck=knobs.struck, steps=knobs.steps, end=end)
    return Task(_prompt(data), data)


def solve(task: Task[Data]) -> str:
    # On one tape: nothing is ever struck out, only the place of reading moves on.
    data, rules = task.data, dict(task.data.rules)
    look = len(data.rules[0][0])
    tape = data.start
    for step in range(data.steps):
        tape += rules[tape[step * data.struck : step * data.struck + look]]
    return tape[data.steps * data.struck :]


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.end, "that is not the word after the last step")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    runs = [_run(data.start, data.rules, data.struck, data.steps + more) for more in (1, -1)]
    runs.append(_run(data.start, data.rules, data.struck + 1, data.steps))
    return [*(run for run in runs if run), data.start, right[::-1], right[1:], right + right[0]]


def cost(task: Task[Data]) -> float:
    return task.data.steps * (2 + task.data.struck) * math.sqrt(len(task.data.rules))


def explain(task: Task[Data]) -> list[str]:
    data, rules, steps = task.data, dict(task.data.rules), []
    word = data.start
    for step in range(1, data.steps + 1):
        head = word[: len(data.rules[0][0])]
        before, word = word, word[data.struck :] + rules[head]
        told = {"number": step, "word": before, "head": head, "struck": before[: data.struck], "written": rules[head] or "nothing"}
        steps.append(GIVES.write(**told, after=word) if step < data.steps else WRITES.write(**told))
    return [*steps, f"The word is {word}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, rules = task.data, dict(task.data.rules)
    words = [data.start]

    def follows(step: str) -> bool:
        gives = GIVES.read(step)
        read = gives or WRITES.read(step)
        if not read:
            return False
        word = words[-1]
        head = word[: len(data.rules[0][0])]
        words.append(word[data.struck :] + rules[head])
        told = int(read["number"]), read["word"], read["head"], read["struck"], read["written"]
        same = told == (len(words) - 1, word, head, word[: data.struck], rules[head] or "nothing")
        return same and (gives["after"] == words[-1] if gives else len(words) == data.steps + 1)

    return first_wrong(steps, follows, ended("The word is ", task, environment.answer, verify))


def _prompt(data: Data) -> str:
    look = len(data.rules[0][0])
    heads = "letter" if look == 1 else "two letters"
    rules = "\n".join(f"{head}: write {after or 'nothing'}" for head, after in data.rules)
    letters = "first letter" if data.struck == 1 else f"first {data.struck} letters"
    return (
        f"A machine changes a word step by step. In each step it looks at the first {heads} of the word, strikes out the {letters} of the word, and then "
        f"writes at the end of the word what its rule says for the {heads} it looked at:\n{rules}\n\nThe word is {data.start} at first. What is the word after "
        f"{data.steps} steps?"
    )


def _random(rng: Rng, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def _run(word: str, rules: tuple[tuple[str, str], ...], struck: int, steps: int) -> str | None:
    """The word after so many steps; None if it gets too short or very long."""
    after, look = dict(rules), len(rules[0][0])
    queue = deque(word)
    for _ in range(steps):
        if not max(struck, look) <= len(queue) <= 80:
            return None
        head = "".join(queue[i] for i in range(look))
        for _ in range(struck):
            queue.popleft()
        queue.extend(after[head])
    return "".join(queue)


environment = Environment(
    Knobs,
    Text("the word in lower case, without spaces", fold=True, compact=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Do one step at a time: look, strike out, write; the letters that are struck out but not looked at do not matter.",
)
