"""Close all open brackets of a text in the right order."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Derivation, Solution, Step

CLOSING = "From the last opened to the first: {answer}"
ANSWER = Text("the brackets to add, without spaces", ignore_spaces=True)
CONCEPT = "Keep a stack: push every opening bracket, take one off for every closing bracket; what is left is closed from the top."
PAIRS = {"(": ")", "[": "]", "«": "»"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
QUOTE = "'"
OPENS = Step("Character {number}, {letter}, opens: open are {open}")
CLOSES = Step("Character {number}, {letter}, closes the last one: open are {open}")


class Knobs(Config):
    length: int = knob(30, easy=10, hard=140, doc="characters of the text")
    open: int = knob(6, easy=4, hard=16, doc="brackets that are still open at its end")
    kinds: int = knob(3, easy=2, hard=3, doc="kinds of brackets")
    noise: str = knob(
        "letters", easy="none", hard="quotes", order=("none", "letters", "quotes"), doc="letters between brackets; brackets in quotes too"
    )


class Data(TaskData):
    text: str
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    opening = list(PAIRS)[: knobs.kinds]
    length = max(knobs.length, knobs.open)
    stack: list[str] = []
    out: list[str] = []
    while len(out) < length or len(stack) != knobs.open:
        if knobs.noise != "none" and rng.chance(0.35):
            out.append(rng.choice(LETTERS))
            continue
        if knobs.noise == "quotes" and rng.chance(0.1):
            inside = [rng.choice([*opening, *PAIRS.values(), rng.choice(LETTERS)]) for _ in range(rng.integer(1, 4))]
            out += [QUOTE, *inside, QUOTE]
            continue
        # Towards the end the number of open brackets is brought to what is asked for.
        depth = knobs.open if length - len(out) <= 2 * abs(len(stack) - knobs.open) + 2 else knobs.open + rng.integer(-2, 2)
        if stack and (len(stack) > depth or (len(stack) == depth and rng.chance(0.5))):
            out.append(PAIRS[stack.pop()])
        else:
            stack.append(rng.choice(opening))
            out.append(stack[-1])
    text = "".join(out)
    right = "".join(PAIRS[bracket] for bracket in reversed(stack))
    kinds = ", ".join(f"{bracket} with {PAIRS[bracket]}" for bracket in opening)
    noise = {
        "none": "",
        "letters": "Ignore the letters. ",
        "quotes": f"Ignore the letters, and also any brackets between a {QUOTE} and the next {QUOTE}. ",
    }[knobs.noise]
    prompt = (
        f"In this text brackets are paired, {kinds}, and pairs are nested or side by side without crossing:\n{text}\n\n{noise}Some brackets are still "
        "open at its end. Which brackets must be added at the end, so that every bracket is closed and no more brackets are added than needed?"
    )
    return Task(prompt, Data(text=text, right=right))


def solve(task: Task[Data]) -> str:
    # Cross out what is closed, innermost first, until only open brackets are left; `generate` keeps a stack.
    pieces = task.data.text.split(QUOTE)[::2]
    brackets = "".join(letter for piece in pieces for letter in piece if letter not in LETTERS)
    pairs = [bracket + closing for bracket, closing in PAIRS.items()]
    while any(pair in brackets for pair in pairs):
        for pair in pairs:
            brackets = brackets.replace(pair, "")
    return "".join(PAIRS[bracket] for bracket in reversed(brackets))


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "these brackets do not close the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    back = {closing: bracket for bracket, closing in PAIRS.items()}
    plain = "".join(PAIRS[letter] for letter in reversed(task.data.text) if letter in PAIRS)
    return [right[::-1], right[:-1] or "none", right + ")", "".join(back[letter] for letter in reversed(right)), plain, right[1:] or "none"]


def cost(task: Task[Data]) -> float:
    return len(task.data.text) + 2 * len(task.data.right)


def derive(task: Task[Data]) -> Derivation:
    stack, quoted = "", False
    for i, letter in enumerate(task.data.text, 1):
        if letter == QUOTE:
            quoted = not quoted
        elif quoted or letter in LETTERS:
            continue
        elif letter in PAIRS:
            stack += letter
            yield OPENS(number=i, letter=letter, open=stack)
        else:
            stack = stack[:-1]
            yield CLOSES(number=i, letter=letter, open=stack or "none")


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), concept=CONCEPT, version=3
)
