"""Run a tag system: read the first letter, strike out letters in front, write letters at the end.

Towards the hard end the rule also looks at the second letter. On the upper levels the end is given and a first word is asked for: what is written for one
head ends like what is written for another, so that most steps can be undone in several ways, and letters that were deleted unseen may be anything.
Most ways back end far from the beginning, at a word that no rule can have written.
"""

import math
from collections import deque
from collections.abc import Iterator
from itertools import islice, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.draws import sample_hard
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Text("the word in lower case, without spaces", ignore_case=True, ignore_spaces=True)
CONCEPT = "Do one step at a time: look, strike out, write; the letters that are struck out but not looked at do not matter."
GIVES = Step("Step {number}: {word} begins with {head}: strike out {struck}, write {written}, which gives {after}")
WRITES = Step("Step {number}: {word} begins with {head}: strike out {struck}, write {written}")
TRIES = 5
MOST_WORDS = 2000


class Knobs(Config):
    steps: int = knob(10, easy=3, hard=90, doc="steps to run", scale="log")
    letters: int = knob(3, easy=2, hard=5, doc="letters of the alphabet")
    struck: int = knob(2, easy=1, hard=3, doc="letters struck out in each step")
    look: str = knob("one", easy="one", hard="two", order=("one", "two"), doc="letters at the front that tell what is written")
    question: str = knob(
        "end",
        easy="end",
        hard="start",
        order=("end", "start"),
        doc="whether the end is asked for, or a first word that leads to it (two letters, fewer steps)",
    )
    nodes: int = knob(
        20,
        easy=1,
        hard=400,
        scale="log",
        doc="words looked at on the ways back for each first word, at least, if one of 5 draws has as many, where a first word is asked for",
    )


class Data(TaskData):
    start: str
    rules: tuple[tuple[str, str], ...]
    struck: int
    steps: int
    end: str
    size: int = 0
    """Letters of the first word, where it is asked for."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.question == "start":
        return _sample_inverse(rng, knobs, repeats=False)
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
    """First words that repeat a piece of two letters; where the first word is asked for, the longest word that is written does."""
    if knobs.question == "start":
        return _sample_inverse(rng, knobs, repeats=True)
    return _sample_task(rng, knobs, period=2)


def _sample_inverse(rng: Rng, knobs: Knobs, repeats: bool) -> Task[Data]:
    """Rules whose words end alike, and an end to which few first words of the same length lead."""
    steps, size = 2 + 2 * round(math.sqrt(knobs.steps)), 10 + knobs.steps // 25

    def draw() -> Data:
        while True:
            longest = _sample_word(rng, "ab", 2) * 2 if repeats else _sample_word(rng, "ab", 4)
            words = [longest, longest[1:], longest[2:], _sample_word(rng, "ab", rng.integer(2, 3))]
            rules = tuple(zip(("aa", "ab", "ba", "bb"), rng.shuffled(words), strict=True))
            start = _sample_word(rng, "ab", size)
            end = _run(start, rules, 3, steps)
            if end and len(end) > 4 and len(set(start)) > 1:
                return Data(start="", rules=rules, struck=3, steps=steps, end=end, size=size)

    data = sample_hard(draw, _nodes_for_each, knobs.nodes, TRIES)
    prompt = _render_prompt(data)
    asked = (
        f"The first word has {size} letters, each a or b, and after {steps} steps the word is {data.end}. What is the first word? If several first words "
        "lead to this end, give any one of them."
    )
    return Task(prompt[: prompt.index("The word is  at first.")] + asked, data)


def _starts(data: Data) -> Iterator[str]:
    """All first words that lead to the end."""
    for letters in product("ab", repeat=data.size):
        if _run("".join(letters), data.rules, data.struck, data.steps) == data.end:
            yield "".join(letters)


def _undo(data: Data) -> Iterator[str]:
    """The words looked at by undoing steps from the end, and "" before each first word; ? is a letter that was deleted unseen, so may be either."""
    waiting = [(data.end, data.steps)]
    while waiting:
        word, left = waiting.pop()
        yield word
        if not left and len(word) == data.size:
            yield ""
            yield word
        for head, written in data.rules if left else ():
            kept = len(word) - len(written)
            # The word at the front of which three letters are deleted had at least as many.
            if kept >= 0 and all(letter in ("?", other) for letter, other in zip(word[kept:], written, strict=True)):
                waiting.append((head + "?" + word[:kept], left - 1))


def _nodes_for_each(data: Data) -> int:
    """The words looked at on the ways back from the end for each first word found; 0 where they are too many to go through."""
    looked_at = list(islice(_undo(data), MOST_WORDS))
    return 0 if len(looked_at) == MOST_WORDS else len(looked_at) // (1 + looked_at.count(""))


def solve(task: Task[Data]) -> str:
    # On one tape: nothing is ever struck out, only the place of reading moves on.
    data, rules = task.data, dict(task.data.rules)
    if data.size:
        ways = _undo(data)
        while next(ways):
            pass
        return next(ways).replace("?", "a")
    look = len(data.rules[0][0])
    tape = data.start
    for step in range(data.steps):
        tape += rules[tape[step * data.struck : step * data.struck + look]]
    return tape[data.steps * data.struck :]


def verify(task: Task[Data], answer: str) -> Score:
    if task.data.size:
        return _verify_start(task.data, answer)
    return Score.exact(answer == task.data.end, "the word after the last step is different")


def _verify_start(data: Data, answer: str) -> Score:
    if len(answer) != data.size or not set(answer) <= set("ab"):
        return Score.wrong(f"expected {data.size} letters a or b")
    rules, word = dict(data.rules), answer
    for _ in range(data.steps):
        if len(word) < data.struck:
            return Score.wrong("from this word the machine cannot make so many steps")
        word = word[data.struck :] + rules[word[:2]]
    return Score.exact(word == data.end, "this word leads to another end")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    if data.size:
        changed = [right[:i] + ("b" if right[i] == "a" else "a") + right[i + 1 :] for i in range(len(right))]
        return [word for word in (*changed, right[::-1], right[1:], data.end) if not _verify_start(data, word).value]
    runs = [_run(data.start, data.rules, data.struck, data.steps + more) for more in (1, -1)]
    runs.append(_run(data.start, data.rules, data.struck + 1, data.steps))
    return [*(run for run in runs if run), data.start, right[::-1], right[1:], right + right[0]]


def cost(task: Task[Data]) -> float:
    if task.data.size:
        return task.data.steps * (40.0 + _nodes_for_each(task.data))
    return task.data.steps * (2 + task.data.struck) * math.sqrt(len(task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    data, rules, after = task.data, dict(task.data.rules), task.data.start or solve(task)
    for number in range(1, data.steps + 1):
        word, head = after, after[: len(data.rules[0][0])]
        after = word[data.struck :] + rules[head]
        gaps = {"number": number, "word": word, "head": head, "struck": word[: data.struck], "written": rules[head] or "nothing"}
        yield GIVES(**gaps, after=after) if number < data.steps or data.size else WRITES(**gaps)


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
    answers="many",
    solutions=lambda task: _starts(task.data) if task.data.size else [task.data.end],
    shift=shift,
    concept=CONCEPT,
    version=4,
)
