"""Close all open brackets of a text in the right order.

In the shifted family the opening brackets are missing, and must be added in front of the text.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.solutions import Derivation, Solution, Step

CLOSING = "{lead} {answer}"
ANSWER = Text("the brackets to add, without spaces", ignore_spaces=True)
CONCEPT = "Keep a stack: push every opening bracket, take one off for every closing bracket; what is left is closed from the top."
PAIRS = {"(": ")", "[": "]", "«": "»"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
QUOTE = "'"
OPENS = Step("Character {number}, {letter}, opens: open are {open}")
CLOSES = Step("Character {number}, {letter}, closes the last one: open are {open}")
PENDING = Step("Character {number}, {letter}, needs an opening bracket: to be opened are {closing}")
MET = Step("Character {number}, {letter}, opens the last one: to be opened are {closing}")


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
    front: bool = False  # whether the brackets are to be added in front

    @property
    def lead(self) -> str:
        return "From the one needed last to the one needed first:" if self.front else "From the last opened to the first:"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    text, right = _sample_text(rng, knobs)
    question = (
        "Some brackets are still open at the end of the text. Which brackets must be added there, in order, so that every bracket is closed "
        "and no more brackets are added than needed?"
    )
    return Task(_render_prompt(knobs, text, question), Data(text=text, right=right))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The beginning is missing: opening brackets must be added in front."""
    text, right = (_mirror(part) for part in _sample_text(rng, knobs))
    question = (
        "The beginning of the text is missing, so that some closing brackets have no partner. Which brackets must be added in front of the text, in order, "
        "so that every bracket has its partner and no more brackets are added than needed?"
    )
    return Task(_render_prompt(knobs, text, question), Data(text=text, right=right, front=True))


def _mirror(text: str) -> str:
    """The text from right to left, with opening and closing brackets exchanged."""
    turned = {**PAIRS, **{closing: bracket for bracket, closing in PAIRS.items()}}
    return "".join(turned.get(letter, letter) for letter in reversed(text))


def _sample_text(rng: Rng, knobs: Knobs) -> tuple[str, str]:
    """A text, and the brackets that close it."""
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
    return text, "".join(PAIRS[bracket] for bracket in reversed(stack))


def _render_prompt(knobs: Knobs, text: str, question: str) -> str:
    kinds = ", ".join(f"{bracket} with {PAIRS[bracket]}" for bracket in list(PAIRS)[: knobs.kinds])
    noise = {
        "none": "",
        "letters": "Ignore the letters. ",
        "quotes": (
            f"The signs {QUOTE} are quotation marks, paired from the left: the first with the second, the third with the fourth and so on. "
            "Ignore what stands between the two marks of a pair, and all letters. "
        ),
    }["letters" if knobs.noise == "quotes" and QUOTE not in text else knobs.noise]
    return f"In this text brackets are paired, {kinds}, and pairs are nested or side by side without crossing:\n{text}\n\n{noise}{question}"


def solve(task: Task[Data]) -> str:
    # Cross out what is closed, innermost first, until only open brackets are left; `generate` keeps a stack.
    pieces = task.data.text.split(QUOTE)[::2]
    brackets = "".join(letter for piece in pieces for letter in piece if letter not in LETTERS)
    pairs = [bracket + closing for bracket, closing in PAIRS.items()]
    while any(pair in brackets for pair in pairs):
        for pair in pairs:
            brackets = brackets.replace(pair, "")
    return _mirror(brackets)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "these brackets do not close the text")


def mistakes(task: Task[Data], right: str) -> list[str]:
    back = {closing: bracket for bracket, closing in PAIRS.items()}
    needed = set(back) if task.data.front else set(PAIRS)
    plain = _mirror("".join(letter for letter in task.data.text if letter in needed))
    return [right[::-1], right[:-1] or "none", right + ")", _mirror(right), plain, right[1:] or "none"]


def cost(task: Task[Data]) -> float:
    return len(task.data.text) + 2 * len(task.data.right)


def derive(task: Task[Data]) -> Derivation:
    stack, quoted, front = "", False, task.data.front
    numbered = list(enumerate(task.data.text, 1))
    for i, letter in numbered[::-1] if front else numbered:
        if letter == QUOTE:
            quoted = not quoted
        elif quoted or letter in LETTERS:
            continue
        elif (letter in PAIRS) != front:
            stack += letter
            yield PENDING(number=i, letter=letter, closing=stack) if front else OPENS(number=i, letter=letter, open=stack)
        else:
            stack = stack[:-1]
            left = stack or "none"
            yield MET(number=i, letter=letter, closing=left) if front else CLOSES(number=i, letter=letter, open=left)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), concept=CONCEPT, shift=shift, version=6
)
