"""Find a run of a nondeterministic pushdown automaton that reads a whole string and empties the stack.

Any accepting run is accepted.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.solutions import Checks, Derivation, Solution, Step

STEP = Step("Rule {rule:int} reads {read} and leads to the state {state:int} with the stack {stack}")
DONE = Step("The string is read and the stack is empty after the rules {answer}")
MOST_PLACES = 6000


class Rule(NamedTuple):
    state: int
    letter: str  # that is read; empty for none
    top: str  # taken from the stack
    following: int
    push: str  # put on the stack, the first symbol on top


class Place(NamedTuple):
    state: int
    done: int  # letters read
    stack: str  # from its top


class Run(NamedTuple):
    text: str  # that is read
    rules: list[int]


START = Place(0, 0, "Z")


class Knobs(Config):
    length: int = knob(8, easy=5, hard=22, doc="approximate number of letters of the string")
    states: int = knob(2, easy=1, hard=4, doc="states")
    symbols: int = knob(2, easy=2, hard=4, doc="symbols on the stack")
    rules: int = knob(8, easy=4, hard=20, doc="approximate number of rules")
    silent: str = knob("few", easy="none", hard="many", order=("none", "few", "many"), doc="rules that read no letter")


class Data(TaskData):
    rules: tuple[Rule, ...]
    text: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, counting=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Automata that push the same symbol they find, again and again, and must guess when to start taking away."""
    return _sample_task(rng, knobs, counting=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """All places that can be reached, nearest first, without the run that the string was made by."""
    data = task.data
    predecessor: dict[Place, tuple[Place, int] | None] = {START: None}
    queue = list(predecessor)
    for place in queue:
        if place.done == len(data.text) and not place.stack:
            run, link = list[int](), predecessor[place]
            while link:
                run.append(link[1] + 1)
                link = predecessor[link[0]]
            return tuple(reversed(run))
        for i, rule in enumerate(data.rules):
            after = _apply_rule(data.text, place, rule)
            if after and after not in predecessor and len(after.stack) <= len(data.text) - after.done + 3:
                predecessor[after] = place, i
                queue.append(after)
    raise AssertionError("the string is accepted")


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    data = task.data
    place = START
    for step, number in enumerate(answer, 1):
        if not 1 <= number <= len(data.rules):
            return Score.wrong(f"there is no rule {str(number)[:9]}")
        after = _apply_rule(data.text, place, data.rules[number - 1])
        if after is None:
            return Score.wrong(f"rule {number} cannot be used in step {step}")
        place = after
    if place.done < len(data.text):
        return Score.wrong("some letters are not read")
    return Score.exact(not place.stack, "the stack is not empty at the end")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    place, greedy = START, list[int]()
    for _ in range(len(right)):
        fitting = [i for i, rule in enumerate(data.rules) if _apply_rule(data.text, place, rule)]
        if not fitting:
            break
        greedy.append(fitting[0] + 1)
        place = _apply_rule(data.text, place, data.rules[fitting[0]]) or place
    wrong = [tuple(greedy), right[:-1], right[::-1], tuple(number - 1 for number in right), (*right, right[-1])]
    return [answer for answer in wrong if answer and verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.text) * len(data.rules) * (1 + sum(not rule.letter for rule in data.rules)))


def derive(task: Task[Data]) -> Derivation:
    data, right = task.data, solve(task)
    place: Place | None = START
    for number in right:
        rule = data.rules[number - 1]
        place = _apply_rule(data.text, place or START, rule)
        assert place is not None
        yield STEP(rule=number, read=rule.letter or "nothing", state=place.state, stack=place.stack or "empty")
    yield DONE(answer=", ".join(map(str, right)))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    places, used = [START], list[int]()

    def may_be_used(rule: int, read: str, state: int, stack: str) -> bool:
        used.append(rule)
        chosen = data.rules[rule - 1]
        following = _apply_rule(data.text, places[-1], chosen)
        if following is None or rule < 1:
            return False
        places.append(following)
        return (read, state, stack) == (chosen.letter or "nothing", following.state, following.stack or "empty")

    return {STEP: may_be_used, DONE: lambda answer: list(map(int, answer.split(", "))) == used}


def _sample_task(rng: Rng, knobs: Knobs, *, counting: bool) -> Task[Data]:
    letters = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", 2)))
    while True:
        rules = _sample_rules(rng, knobs, letters, counting=counting)
        for _ in range(6):
            sampled = _sample_run(rng, rules, knobs.length)
            if (
                sampled
                and knobs.length <= len(sampled.text) <= knobs.length + 2
                and len(set(sampled.text)) > 1
                and len(set(sampled.rules)) >= min(max(4, knobs.rules // 3), knobs.rules - 1, knobs.length - 1)
                and not _is_repetitive(sampled.text)
            ):
                break
        else:
            continue
        data = Data(rules=rules, text=sampled.text)
        if _is_small(data):
            break
    listing = "\n".join(
        f"{i}. {link} {read or '-'} {top} -> {following_state} {push or '-'}"
        for i, (link, read, top, following_state, push) in enumerate(rules, 1)
    )
    nothing = ' A "-" in place of the letter means that no letter is read.' if any(not rule.letter for rule in rules) else ""
    prompt = (
        "A pushdown automaton reads a string from left to right and keeps a stack. It starts in state 0 with only the symbol Z on the stack. A rule "
        "`state letter top -> new-state symbols` can be applied in its state if its letter comes next in the string and its top is the top of the stack: "
        f"the letter is read, the top is replaced with the symbols (the first of which becomes the new top), and the new state is entered.{nothing} A "
        '"-" in place of the symbols means that the top is removed without replacement.\n'
        f"{listing}\n\nSeveral rules may be applicable at the same time. "
        f"Find a run that reads the whole string {data.text} and ends with an empty stack, in any state. If there are several such runs, give any one of them."
    )
    return Task(prompt, data)


def _is_repetitive(text: str) -> bool:
    """Whether a longer string mostly goes round in one to five letters."""
    return len(text) > 8 and any(
        4 * sum(first == second for first, second in zip(text, text[by:], strict=False)) > 3 * (len(text) - by) for by in range(1, 6)
    )


def _sample_rules(rng: Rng, knobs: Knobs, letters: str, *, counting: bool) -> tuple[Rule, ...]:
    stack = "ZABC"[: knobs.symbols]
    share = {"none": 0.0, "few": 0.15, "many": 0.3}[knobs.silent]
    rules = [Rule(rng.integer(0, knobs.states - 1), rng.choice(letters), top, rng.integer(0, knobs.states - 1), "") for top in stack]
    while len(rules) < max(knobs.rules, 2 * knobs.symbols):
        link, following_state, top = rng.integer(0, knobs.states - 1), rng.integer(0, knobs.states - 1), rng.choice(stack)
        silent = rng.chance(share)
        if silent and rng.chance(0.5):
            push = rng.choice(stack)
        elif counting:
            push = rng.choice(stack[1:]) + top if rng.chance(0.7) else ""
        else:
            push = "".join(rng.choice(stack) for _ in range(rng.integer(0, 2)))
        rule = Rule(link, "" if silent else rng.choice(letters), top, following_state, push)
        # A silent rule that pushes on or changes nothing would allow runs without end.
        if rule not in rules and not (silent and (len(push) > 1 or (push >= top and link >= following_state))):
            rules.append(rule)
        elif rng.chance(0.02):
            break
    # In the order of the stack's symbols, the numbers of the rules would give the run away where there are few rules.
    return tuple(sorted(rng.shuffled(rules), key=lambda rule: rule.state))


def _sample_run(rng: Rng, rules: Sequence[Rule], length: int) -> Run | None:
    """A random run from the start to an empty stack: the letters that it reads, and its rules."""
    state, stack, text, used = 0, "Z", "", list[int]()
    while stack and len(used) < 3 * length + 6:
        fitting = [i for i, rule in enumerate(rules) if rule.state == state and rule.top == stack[0]]
        # Growing at first and shrinking later makes strings of about the wanted length.
        kinds = [i for i in fitting if (len(rules[i].push) > 0) == (len(text) + len(stack) <= length - 1)]
        if not fitting:
            return None
        used.append(rng.choice(kinds or fitting))
        _, read, _, state, push = rules[used[-1]]
        text, stack = text + read, push + stack[1:]
    return None if stack else Run(text, used)


def _apply_rule(text: str, place: Place, rule: Rule) -> Place | None:
    state, done, stack = place
    link, read, top, following_state, push = rule
    if link != state or not stack.startswith(top) or (read and text[done : done + 1] != read):
        return None
    return Place(following_state, done + len(read), push + stack[1:])


def _is_small(data: Data) -> bool:
    """Whether few enough places can be reached, and the solver's bound on the stack leaves an accepting run."""
    seen, queue = {START}, [START]
    accepted = False
    for place in queue:
        accepted = accepted or (place.done == len(data.text) and not place.stack)
        for rule in data.rules:
            after = _apply_rule(data.text, place, rule)
            if after and after not in seen and len(after.stack) <= len(data.text) - after.done + 3:
                seen.add(after)
                queue.append(after)
                if len(queue) > MOST_PLACES:
                    return False
    return accepted


def _other_answers(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """Runs found by going as deep as possible first, with the last rules first, and never through a place that led nowhere."""
    data = task.data
    dead: set[Place] = set()

    def runs(place: Place, visited: tuple[Place, ...]) -> Iterator[tuple[int, ...]]:
        if place.done == len(data.text) and not place.stack:
            yield ()
            return
        fruitful = False
        for i in range(len(data.rules) - 1, -1, -1):
            after = _apply_rule(data.text, place, data.rules[i])
            if after and after not in dead and after not in visited and len(after.stack) <= len(data.text) - after.done + 3:
                for rest in runs(after, (*visited, after)):
                    fruitful = True
                    yield (i + 1, *rest)
        if not fruitful:
            dead.add(place)

    return runs(START, (START,))


environment = Environment(
    Knobs, Numbers("the numbers of the applied rules in order, separated by commas", max_items=400),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, DONE, checks), shift=shift, answers="many", solutions=_other_answers,
    concept="What is left on the stack must still be taken away by the letters that are left: guess early, and go back when both cannot fit.",
    version=7,
)  # fmt: skip
