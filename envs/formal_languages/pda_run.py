"""Find a run of a nondeterministic pushdown automaton that reads a whole string and empties the stack.

Any accepting run is accepted.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, first_wrong

STEP = Line("Rule {rule} reads {read} and leads to the state {state} with the stack {stack}")
DONE = Line("The string is read and the stack is empty after the rules {rules}")
MOST_PLACES = 6000
Rule = tuple[int, str, str, int, str]  # state, letter read or "", symbol taken from the stack, next state, symbols put there (first on top)
Place = tuple[int, int, str]  # state, letters read, stack from its top


class Knobs(Config):
    length: int = knob(8, easy=3, hard=22, doc="letters of the string, about")
    states: int = knob(2, easy=1, hard=4, doc="states")
    symbols: int = knob(2, easy=2, hard=4, doc="symbols on the stack")
    rules: int = knob(8, easy=4, hard=20, doc="rules, about")
    silent: str = knob("few", easy="none", hard="many", order=("none", "few", "many"), doc="rules that read no letter")


class Data(TaskData):
    rules: tuple[Rule, ...]
    text: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, counting=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Automata that push the same symbol they find, again and again, and must guess when to start taking away."""
    return _made(rng, knobs, counting=True)


def solve(task: Task[Data]) -> tuple[int, ...]:
    """All places that can be reached, nearest first, without the run that the string was made by."""
    data = task.data
    came: dict[Place, tuple[Place, int] | None] = {(0, 0, "Z"): None}
    queue = list(came)
    for place in queue:
        if place[1] == len(data.text) and not place[2]:
            run, here = list[int](), came[place]
            while here:
                run.append(here[1] + 1)
                here = came[here[0]]
            return tuple(reversed(run))
        for i, rule in enumerate(data.rules):
            after = _after(data.text, place, rule)
            if after and after not in came and len(after[2]) <= len(data.text) - after[1] + 3:
                came[after] = place, i
                queue.append(after)
    raise AssertionError("the string is accepted")


def verify(task: Task[Data], answer: Sequence[int]) -> Score:
    data = task.data
    place: Place = (0, 0, "Z")
    for step, number in enumerate(answer, 1):
        if not 1 <= number <= len(data.rules):
            return Score.wrong(f"there is no rule {str(number)[:9]}")
        after = _after(data.text, place, data.rules[number - 1])
        if after is None:
            return Score.wrong(f"rule {number} cannot be used in step {step}")
        place = after
    if place[1] < len(data.text):
        return Score.wrong("some letters are not read")
    return Score.exact(not place[2], "the stack is not empty at the end")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    place, greedy = (0, 0, "Z"), list[int]()
    for _ in range(len(right)):
        fitting = [i for i, rule in enumerate(data.rules) if _after(data.text, place, rule)]
        if not fitting:
            break
        greedy.append(fitting[0] + 1)
        place = _after(data.text, place, data.rules[fitting[0]]) or place
    wrong = [tuple(greedy), right[:-1], right[::-1], tuple(number - 1 for number in right), (*right, right[-1])]
    return [answer for answer in wrong if answer and verify(task, answer).value == 0]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.text) * len(data.rules) * (1 + sum(not rule[1] for rule in data.rules)))


def explain(task: Task[Data]) -> list[str]:
    data, right = task.data, solve(task)
    steps, place = list[str](), (0, 0, "Z")
    for number in right:
        place = _after(data.text, place, data.rules[number - 1]) or place
        read = data.rules[number - 1][1] or "nothing"
        steps.append(STEP.write(rule=number, read=read, state=place[0], stack=place[2] or "empty"))
    return [*steps, DONE.write(rules=", ".join(map(str, right)))]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    place: Place = (0, 0, "Z")
    used: list[int] = []

    def follows(step: str) -> bool:
        nonlocal place
        said = STEP.read(step) or {}
        used.append(int(said["rule"]))
        rule = data.rules[used[-1] - 1]
        after = _after(data.text, place, rule)
        if after is None or used[-1] < 1:
            return False
        place = after
        return said == {"rule": str(used[-1]), "read": rule[1] or "nothing", "state": str(place[0]), "stack": place[2] or "empty"}

    def ends(step: str) -> bool:
        given = list(map(int, (DONE.read(step) or {})["rules"].split(", ")))
        return given == used and verify(task, given).value == 1

    return first_wrong(steps, follows, ends)


def _made(rng: Rng, knobs: Knobs, *, counting: bool) -> Task[Data]:
    letters = "".join(sorted(rng.sample("abcdefghijklmnopqrstuvwxyz", 2)))
    while True:
        rules = _rules(rng, knobs, letters, counting=counting)
        for _ in range(6):
            found = _walk(rng, rules, knobs.length)
            if (
                found
                and knobs.length <= len(found[0]) <= knobs.length + 2
                and len(set(found[0])) > 1
                and len(set(found[1])) >= min(max(4, knobs.rules // 3), knobs.rules - 1, knobs.length - 1)
                and not _repeats(found[0])
            ):
                break
        else:
            continue
        data = Data(rules=rules, text=found[0])
        if _small(data):
            break
    listing = "\n".join(
        f"{i}. {here} {read or '-'} {top} -> {there} {push or '-'}" for i, (here, read, top, there, push) in enumerate(rules, 1)
    )
    nothing = " A - in place of the letter means that no letter is read." if any(not rule[1] for rule in rules) else ""
    prompt = (
        "A pushdown automaton reads a string from left to right and keeps a stack. It starts in the state 0 with the one symbol Z on the stack. A rule "
        f"`p x T -> q W` can be used in the state p if the next letter is x and T is on top of the stack: "
        f"x is read, T is taken away, the symbols W are put "
        f"on the stack, the first of them on top, and the state becomes q.{nothing} A - in place of W means that nothing is "
        f"put there.\n{listing}\n\nSeveral rules "
        f"may fit at the same time. Find a run that reads the whole string {data.text} and ends with an empty stack, in any state. "
        "Give the numbers of its rules in order."
    )
    return Task(prompt, data)


def _repeats(text: str) -> bool:
    """Whether a longer string mostly goes round in one to five letters."""
    return len(text) > 8 and any(
        4 * sum(one == other for one, other in zip(text, text[by:], strict=False)) > 3 * (len(text) - by) for by in range(1, 6)
    )


def _rules(rng: Rng, knobs: Knobs, letters: str, *, counting: bool) -> tuple[Rule, ...]:
    stack = "ZABC"[: knobs.symbols]
    share = {"none": 0.0, "few": 0.15, "many": 0.3}[knobs.silent]
    rules = [(rng.integer(0, knobs.states - 1), rng.choice(letters), top, rng.integer(0, knobs.states - 1), "") for top in stack]
    while len(rules) < max(knobs.rules, 2 * knobs.symbols):
        here, there, top = rng.integer(0, knobs.states - 1), rng.integer(0, knobs.states - 1), rng.choice(stack)
        silent = rng.chance(share)
        if silent and rng.chance(0.5):
            push = rng.choice(stack)
        elif counting:
            push = rng.choice(stack[1:]) + top if rng.chance(0.7) else ""
        else:
            push = "".join(rng.choice(stack) for _ in range(rng.integer(0, 2)))
        rule = (here, "" if silent else rng.choice(letters), top, there, push)
        # A silent rule that pushes on or changes nothing would allow runs without end.
        if rule not in rules and not (silent and (len(push) > 1 or (push >= top and here >= there))):
            rules.append(rule)
        elif rng.chance(0.02):
            break
    return tuple(sorted(rules, key=lambda rule: (rule[0], stack.index(rule[2]), rule[1])))


def _walk(rng: Rng, rules: Sequence[Rule], length: int) -> tuple[str, list[int]] | None:
    """A random run from the start to an empty stack: the letters that it reads, and its rules."""
    state, stack, text, used = 0, "Z", "", list[int]()
    while stack and len(used) < 3 * length + 6:
        fitting = [i for i, rule in enumerate(rules) if rule[0] == state and rule[2] == stack[0]]
        # Growing at first and shrinking later makes strings of about the wanted length.
        kinds = [i for i in fitting if (len(rules[i][4]) > 0) == (len(text) + len(stack) <= length - 1)]
        if not fitting:
            return None
        used.append(rng.choice(kinds or fitting))
        _, read, _, state, push = rules[used[-1]]
        text, stack = text + read, push + stack[1:]
    return None if stack else (text, used)


def _after(text: str, place: Place, rule: Rule) -> Place | None:
    state, done, stack = place
    here, read, top, there, push = rule
    if here != state or not stack.startswith(top) or (read and text[done : done + 1] != read):
        return None
    return there, done + len(read), push + stack[1:]


def _small(data: Data) -> bool:
    """Whether few enough places can be reached, and the solver's bound on the stack leaves an accepting run."""
    seen = {(0, 0, "Z")}
    queue: list[Place] = list(seen)
    accepted = False
    for place in queue:
        accepted = accepted or (place[1] == len(data.text) and not place[2])
        for rule in data.rules:
            after = _after(data.text, place, rule)
            if after and after not in seen and len(after[2]) <= len(data.text) - after[1] + 3:
                seen.add(after)
                queue.append(after)
                if len(queue) > MOST_PLACES:
                    return False
    return accepted


def _others(task: Task[Data]) -> Iterator[tuple[int, ...]]:
    """Runs found by going as deep as possible first, with the last rules first, and never through a place that led nowhere."""
    data = task.data
    dead: set[Place] = set()

    def runs(place: Place, way: tuple[Place, ...]) -> Iterator[tuple[int, ...]]:
        if place[1] == len(data.text) and not place[2]:
            yield ()
            return
        fruitful = False
        for i in range(len(data.rules) - 1, -1, -1):
            after = _after(data.text, place, data.rules[i])
            if after and after not in dead and after not in way and len(after[2]) <= len(data.text) - after[1] + 3:
                for rest in runs(after, (*way, after)):
                    fruitful = True
                    yield (i + 1, *rest)
        if not fruitful:
            dead.add(place)

    return runs((0, 0, "Z"), ((0, 0, "Z"),))


environment = Environment(
    Knobs,
    Numbers("the numbers of the rules in the order of their use, separated by commas", most=400),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    answers="many",
    solutions=_others,
    concept="What is left on the stack must still be taken away by the letters that are left: guess early, and go back when both cannot fit.",
    version=2,
)
