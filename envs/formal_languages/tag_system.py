"""Run a tag system: read the first letter, strike out letters in front, write letters at the end.

At the hard end the rule also looks at the second letter.
"""

import math
from collections import deque
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Text("the word in lower case, without spaces", ignore_case=True, ignore_spaces=True)
CONCEPT = "Do one step at a time: look, strike out, write; the letters that are struck out but not looked at do not matter."
GIVES = Step("Step {number}: {word} begins with {head}: strike out {struck}, write {written}, which gives {after}")
WRITES = Step("Step {number}: {word} begins with {head}: strike out {struck}, write {written}")


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
    return _sample_task(rng, knobs, period=8)


def _sample_task(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    alphabet = "abcde"[: knobs.letters]
    look = 2 if knobs.look == "two" else 1
    while True:
        heads = ["".join(letters) for letters in product(alphabet, repeat=look)]
        rules = tuple((head, _sample_word(rng, alphabet, rng.integer(max(0, knobs.struck - 1), knobs.struck + 2))) for head in heads)
        size = rng.integer(5, 8)
        start = (_sample_word(rng, alphabet, min(period, size)) * size)[:size]
        end = _run(start, rules, knobs.struck, knobs.steps)
        if end is not None and 4 <= len(end) <= 60 and len(set(end)) > 1 and end != start:
            break
    data = Data(start=start, rules=rules, struck=knobs.struck, steps=knobs.steps, end=end)
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """First words that repeat a piece of two letters."""
    return _sample_task(rng, knobs, period=2)


def solve(task: Task[Data]) -> str:
    # On one tape: nothing is ever struck out, only the place of reading moves on.
    data, rules = task.data, dict(task.data.rules)
    look = len(data.rules[0][0])
    tape = data.start
    for step in range(data.steps):
        tape += rules[tape[step * data.struck : step * data.struck + look]]
    return tape[data.steps * data.struck :]


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.end, "the word after the last step is different")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    runs = [_run(data.start, data.rules, data.struck, data.steps + more) for more in (1, -1)]
    runs.append(_run(data.start, data.rules, data.struck + 1, data.steps))
    return [*(run for run in runs if run), data.start, right[::-1], right[1:], right + right[0]]


def cost(task: Task[Data]) -> float:
    return task.data.steps * (2 + task.data.struck) * math.sqrt(len(task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    data, rules, after = task.data, dict(task.data.rules), task.data.start
    for number in range(1, data.steps + 1):
        word, head = after, after[: len(data.rules[0][0])]
        after = word[data.struck :] + rules[head]
        gaps = {"number": number, "word": word, "head": head, "struck": word[: data.struck], "written": rules[head] or "nothing"}
        yield GIVES(**gaps, after=after) if number < data.steps else WRITES(**gaps)


def _render_prompt(data: Data) -> str:
    look = len(data.rules[0][0])
    heads = "letter" if look == 1 else "two letters"
    rules = "\n".join(f"{head}: write {after or 'nothing'}" for head, after in data.rules)
    letters = "first letter" if data.struck == 1 else f"first {data.struck} letters"
    return (
        f"A machine changes a word step by step. In each step it looks at the first {heads} of the word, deletes the {letters} of the word, and then "
        f"writes at the end of the word what its rule says for the {heads} it looked at:\n{rules}\n\nThe word is {data.start} at first. "
        f"What is the word after {data.steps} steps?"
    )


def _sample_word(rng: Rng, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def _run(word: str, rules: tuple[tuple[str, str], ...], struck: int, steps: int) -> str | None:
    """The word after the given number of steps; None if it gets too short or very long."""
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
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, "The word is {answer}"),
    shift=shift,
    concept=CONCEPT,
    version=2,
)
