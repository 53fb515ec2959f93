"""Rewrite a string by rules until none applies.

On the upper levels rules and places may be chosen freely, and the shortest string that can be reached is asked for: every fixed strategy gets stuck on a
longer one, and it must be seen that no choice does better. At the top each rule may be applied in both directions, and the way to the shortest string leads
through strings that are longer than the first.
"""

from collections.abc import Iterator
from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.draws import draw_against, sample_hard
from rlgym.generators.languages.string_rules import Rule, equal_strings, reach_strings, sample_equations
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Text("the string that is left, without spaces", ignore_spaces=True, ignore_case=True)
CONCEPT = "One step at a time: write the whole string after each step, and look at the rules from the first again."
ORDERS = ("rule", "place", "right")
ORDER_RULES = {
    "rule": "take the first rule in the list that applies anywhere, and apply it at the leftmost place where it does",
    "place": "find the leftmost place of the string where any rule applies, and apply the first rule in the list that applies there",
    "right": "find the place furthest to the right where any rule applies, and apply the last rule in the list that applies there",
}
REWRITE = Step(
    "In {before}, rule {rule:int} applies at letter {place:int} and is the one to take: {left} becomes {right}, which gives {after}"
)
CHOSEN = Step("In {before}, rule {rule:int} is applied at letter {place:int}: {left} becomes {right}, which gives {after}")
BOTH_WAYS = Step("In {before}, rule {rule:int} is applied at letter {place:int}: {old} becomes {new}, which gives {after}")
NONE = Step("{strings:int} strings can be reached from {text}, and none of them is shorter than {size:int} letters")
END = "No rule applies any more, so this is left: {answer}"
MOST_EQUAL = 450
TRIES = 7


class Knobs(Config):
    length: int = knob(14, easy=4, hard=36, doc="letters of the string")
    rules: int = knob(4, easy=2, hard=8, doc="how many rules there are")
    steps: int = knob(8, easy=1, hard=40, doc="the least number of rewriting steps")
    goal: str = knob(
        "stated",
        easy="stated",
        hard="both ways",
        order=("stated", "shortest", "both ways"),
        doc="a stated strategy, free choices to a shortest string (fewer letters), or the same with rules that work in both directions",
    )
    order: str = knob("rule", easy="rule", hard="right", order=ORDERS, doc="rewriting strategy")


class Data(TaskData):
    text: str
    rules: tuple[Rule, ...]
    order: str
    steps: int
    right: str
    shortest: tuple[str, ...] = ()
    """All shortest strings that can be reached, where rules and places may be chosen."""
    most: int = 0
    """The most letters that a string may have where rules work in both directions."""

    @property
    def moves(self) -> tuple[Rule, ...]:
        """The rules in the directions in which they may be applied."""
        return (*self.rules, *((right, left) for left, right in self.rules)) if self.most else self.rules


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.goal == "both ways":
        return _sample_both_ways(rng, knobs, period=0)
    return _sample_shortest(rng, knobs, period=0) if knobs.goal == "shortest" else _sample_task(rng, knobs, moves=False)


def _sample_task(rng: Rng, knobs: Knobs, moves: bool) -> Task[Data]:
    letters = "abc" if knobs.rules < 4 else "abcd" if knobs.rules < 7 else "abcde"
    # Runs of few steps come by chance more rarely than runs of many: ask for less after every failure.
    steps_left = knobs.steps * 4
    while True:
        rules = _sample_rules(rng, letters, knobs.rules, moves)
        text = "".join(rng.choice(letters) for _ in range(max(knobs.length, 3)))
        trace = _trace(text, rules, knobs.order)
        if len(trace) > max(1, steps_left // 4) and len(trace[-1]) > 1:
            break
        steps_left -= 1
    listing = "\n".join(f"{i}. {left} -> {right}" for i, (left, right) in enumerate(rules, 1))
    prompt = (
        f"Start with the string {text} and these rules, each of which replaces one occurrence of the letters on its left by those on its right:\n"
        f"{listing}\n\nIn each step {ORDER_RULES[knobs.order]}. Stop when no rule applies. What string is left?"
    )
    return Task(prompt, Data(text=text, rules=rules, order=knobs.order, steps=len(trace) - 1, right=trace[-1]))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Rules that only exchange and move letters, so that the string keeps its length and runs are sortings; for a shortest string, a repeated piece."""
    if knobs.goal == "both ways":
        return _sample_both_ways(rng, knobs, period=4)
    if knobs.goal == "shortest":
        return _sample_shortest(rng, knobs, period=4)
    return _sample_task(rng, knobs, moves=True)


def solve(task: Task[Data]) -> str:
    # Letter by letter over a list; `generate` lets str.find look for the places.
    if task.data.shortest:
        return min(
            equal_strings(task.data.text, task.data.moves, task.data.most) if task.data.most else _reach_by_length(task.data),
            key=lambda text: (len(text), text),
        )
    letters = list(task.data.text)
    rules = [(list(left), list(right)) for left, right in task.data.rules]
    while True:
        redexes = [(at, i) for at in range(len(letters)) for i, (left, _) in enumerate(rules) if letters[at : at + len(left)] == left]
        if not redexes:
            return "".join(letters)
        by_rule = min(redexes, key=lambda spot: spot[::-1])
        at, i = by_rule if task.data.order == "rule" else min(redexes) if task.data.order == "place" else max(redexes)
        letters[at : at + len(rules[i][0])] = rules[i][1]


def _reach_by_length(data: Data) -> set[str]:
    """All strings that can be reached, the longer ones first: no rule makes a string longer."""
    by_length: dict[int, set[str]] = {len(data.text): {data.text}}
    for size in range(len(data.text), 0, -1):
        waiting = sorted(by_length.get(size, ()))
        for text in waiting:
            for left, right in data.rules:
                pieces = text.split(left)
                # Overlapping places are found by looking at every letter.
                places = [at for at in range(len(text)) if text.startswith(left, at)] if len(pieces) > 1 else []
                for after in (text[:at] + right + text[at + len(left) :] for at in places):
                    same = by_length.setdefault(len(after), set())
                    if len(after) == size and after not in same:
                        waiting.append(after)
                    same.add(after)
    return set().union(*by_length.values())


def verify(task: Task[Data], answer: str) -> Score:
    if task.data.shortest:
        return Score.exact(answer in task.data.shortest, "this string cannot be reached, or a shorter one can")
    return Score.exact(answer == task.data.right, "a different string is left")


def mistakes(task: Task[Data], right: str) -> list[str]:
    # One step too few, the other orders, the string backwards.
    data = task.data
    if data.shortest:
        left = [_trace(data.text, data.rules, order)[-1] for order in ORDERS]
        left += [min(reach_strings(data.text, data.rules) or (data.text,), key=len)] if data.most else []
        return [text for text in (*left, right[::-1], right[1:], data.text, right + right[-1]) if text and text not in data.shortest]
    trace = _trace(data.text, data.rules, data.order)
    return [trace[-2], *(_trace(data.text, data.rules, order)[-1] for order in ORDERS), right[::-1], data.text]


def cost(task: Task[Data]) -> float:
    if task.data.shortest:
        data = task.data
        strings = len(reach_strings(data.text, data.moves, data.most) or ())
        return 200.0 + strings * (5 if data.most else 1)
    return task.data.steps * len(task.data.rules) + len(task.data.text)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.shortest:
        yield from _derive_shortest(data)
        return
    for before, after in pairwise(_trace(data.text, data.rules, data.order)):
        at, i = _find_redex(before, data.rules, data.order)
        left, right = data.rules[i]
        yield REWRITE(before=before, rule=i + 1, place=at + 1, left=left, right=right or "nothing", after=after)


def _derive_shortest(data: Data) -> Derivation:
    reached, text, way = reach_strings(data.text, data.moves, data.most) or {}, min(data.shortest), list[tuple[str, int, int, str]]()
    while text != data.text:
        before, rule, place = reached[text]
        way.append((before, rule, place, text))
        text = before
    for before, rule, place, after in reversed(way):
        left, right = data.moves[rule]
        if data.most:
            yield BOTH_WAYS(before=before, rule=rule % len(data.rules) + 1, place=place + 1, old=left, new=right, after=after)
        else:
            yield CHOSEN(before=before, rule=rule + 1, place=place + 1, left=left, right=right or "nothing", after=after)
    yield NONE(strings=len(reached), text=data.text, size=len(data.shortest[0]))


def _sample_shortest(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    """A string from which many others can be reached, and a shortest one that no strategy finds, if there is such a task among the draws."""
    size = max(4, min(knobs.length * 2 // 7, 10))

    def draw() -> tuple[Data, int]:
        while True:
            rules = _sample_rules(rng, "abc", max(4, knobs.rules), False)
            text = "".join(rng.choice("abc") for _ in range(size))
            text = (text[:period] * size)[:size] if period else text
            reached = reach_strings(text, rules)
            if reached and len(reached) > 1:
                break
        least = min(map(len, reached))
        shortest = tuple(sorted(each for each in reached if len(each) == least))
        return Data(text=text, rules=rules, order="", steps=0, right="", shortest=shortest), len(reached)

    def is_unfit(drawn: tuple[Data, int]) -> bool:
        data, strings = drawn
        best = len(data.shortest[0])
        ends = [_trace(data.text, data.rules, order)[-1] for order in ORDERS]
        return strings < 2 * size * size or len(data.shortest) > 2 or best < min(3, size - 1) or any(len(end) == best for end in ends)

    data, _ = draw_against(draw, is_unfit, 40)
    listing = "\n".join(f"{i}. {left} -> {right}" for i, (left, right) in enumerate(data.rules, 1))
    prompt = (
        f"Start with the string {data.text} and these rules, each of which replaces one occurrence of the letters on its left by those on its right:\n"
        f"{listing}\n\nIn each step choose any rule and any place where it applies; you may stop at any time. What is the shortest string that can be "
        "reached? If several strings are equally short, give any one of them."
    )
    return Task(prompt, data)


def _sample_both_ways(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    """A string that no rules make as short as can be without making it longer first, if there is such a task among the draws."""
    size = max(4, min(knobs.length // 4, 7))

    def draw() -> Data:
        while True:
            rules = sample_equations(rng, max(3, knobs.rules // 2))
            text = "".join(rng.choice("abc") for _ in range(size))
            text = (text[:period] * size)[:size] if period else text
            data = Data(text=text, rules=rules, order="", steps=0, right="", most=size + 2)
            reached = reach_strings(text, data.moves, data.most, MOST_EQUAL)
            if reached and len(reached) > size * size:
                break
        least = min(map(len, reached))
        return data.model_copy(update={"shortest": tuple(sorted(each for each in reached if len(each) == least))})

    def count_strings(data: Data) -> int:
        """How many strings can be reached; 0 where a shortest one can be reached by strings that get shorter or stay as long, or several are."""
        least = len(data.shortest[0])
        if len(data.shortest) > 2 or not 1 < least < size:
            return 0
        near = reach_strings(data.text, data.moves, size) or ()
        return 0 if any(len(each) == least for each in near) else len(equal_strings(data.text, data.moves, data.most))

    data = sample_hard(draw, count_strings, size * size * 4, TRIES)
    listing = "\n".join(f"{i}. {left} <-> {right}" for i, (left, right) in enumerate(data.rules, 1))
    prompt = (
        f"Start with the string {data.text} and these rules, each of which replaces one occurrence of the letters on one side by those on the other side, in "
        f"either direction:\n{listing}\n\nIn each step choose any rule, a direction and any place where it applies; no string may have more than {data.most} "
        "letters, and you may stop at any time. What is the shortest string that can be reached? If several strings are equally short, give any one of them."
    )
    return Task(prompt, data)


def _right_answers(task: Task[Data]) -> Iterator[str]:
    yield from task.data.shortest or (task.data.right,)


def _sample_rules(rng: Rng, letters: str, count: int, moves: bool) -> tuple[Rule, ...]:
    """Rules that make the string shorter, or earlier in the dictionary at the same length, so that rewriting must end."""
    rules: dict[str, str] = {}
    while len(rules) < count:
        left = "".join(rng.choice(letters) for _ in range(rng.integer(2, 3)))
        kind = rng.integer(1, 10)
        # Swapping two letters is what makes runs long.
        right = left[::-1] if moves or kind <= 5 else "".join(rng.choice(letters) for _ in range(len(left) - (kind <= 7)))
        if left not in rules and (len(right) < len(left) or right < left):
            rules[left] = right
    return tuple(rules.items())


def _trace(text: str, rules: tuple[Rule, ...], order: str) -> list[str]:
    """The string after each step, from the first to the one to which no rule applies."""
    trace = [text]
    while True:
        at, i = _find_redex(trace[-1], rules, order)
        if at < 0:
            return trace
        left, right = rules[i]
        trace.append(trace[-1][:at] + right + trace[-1][at + len(left) :])


def _find_redex(text: str, rules: tuple[Rule, ...], order: str) -> tuple[int, int]:
    """Where the next step happens, and by which rule; (-1, 0) when none applies."""
    if order == "right":
        rightmost = max((text.rfind(left), i) for i, (left, _) in enumerate(rules))
        return rightmost if rightmost[0] >= 0 else (-1, 0)
    places = [(text.find(left), i) for i, (left, _) in enumerate(rules)]
    applicable = [place for place in places if place[0] >= 0]
    if not applicable:
        return -1, 0
    return applicable[0] if order == "rule" else min(applicable)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END), shift=shift, concept=CONCEPT, answers="many", solutions=_right_answers,
    version=4,
)  # fmt: skip
