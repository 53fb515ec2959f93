"""Apply a game's rule book, with exceptions and rules of precedence, to several pieces on the board.

How many steps a piece may go follows from one rule that is chosen by precedence, and from what other rules add or forbid.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.facts import Bank, numbered_list, sentences
from rlgym.solutions import Derivation, OneOf, Solution, Step, any_order

VOID = Step("For piece {at} rule {by} sets aside rule {of}.")
BASE = Step("For piece {at} rule {by} decides: {amount} steps.")
MORE = Step("For piece {at} rule {by} adds {more}: {amount} steps.")
RULES = Bank("""
base: {which_words} may go {amount} steps. | {which_words} is allowed {amount} steps. | The reach of {which_words} is {amount} steps.
base: {which_words} has a reach of {amount} steps.
add: {which_words} may go {more} steps further than it otherwise could. | {more} steps are added to the reach of {which_words}.
add: {which_words} gets {more} extra steps. | An extra {more} steps are added to the reach of {which_words}.
void: Rule {of} does not apply to {which_words}. | {which_words} is exempt from rule {of}. | {which_words} ignores rule {of}.
void: As an exception, rule {of} has no effect on {which_words}.
""")
PIECES = Bank("""
piece: a {colour} {kind} on {ground} | on {ground}, a {colour} {kind} | a {kind}, {colour}, standing on {ground}
piece: standing on {ground}, a {kind} that is {colour}
""")
TRAITS = {
    "kind": ("knight", "tower", "herald", "monk", "scout", "giant"),
    "colour": ("red", "white", "green", "black", "golden"),
    "ground": ("sand", "grass", "ice", "stone", "marsh"),
}
SEA = {
    "kind": ("frigate", "cutter", "galley", "raft", "barge", "sloop"),
    "colour": ("crimson", "teal", "bronze", "silver", "violet"),
    "ground": ("reef", "shallows", "deeps", "current", "kelp"),
}
ORDERS = {
    "later": "{base}, only the last one on the list counts.",
    "earlier": "{base}, only the first one on the list counts.",
    "closer": "{base}, only the most specific one counts: the one that names the greatest number of the three traits kind, "
    "colour and ground. Of several that name equally many, only the last one on the list counts.",
}


class Knobs(Config):
    rules: int = knob(9, easy=3, hard=30, beyond=60, doc="rules of the book", scale="log")
    pieces: int = knob(4, easy=3, hard=8, beyond=14, doc="pieces to judge")
    exceptions: str = knob(
        "added",
        easy="none",
        hard="set_aside",
        order=("none", "added", "set_aside"),
        doc="whether rules add to others, and set others aside",
    )


class Rule(TaskData):
    kind: str
    which: tuple[tuple[str, str], ...]
    number: int


class Data(TaskData):
    rules: tuple[Rule, ...]
    pieces: tuple[tuple[tuple[str, str], ...], ...]
    precedence: str
    steps: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, TRAITS, ("later", "closer"))


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Ships on the sea, where the first rule that fits decides, and exceptions stand before what they except."""
    return _sample_task(rng, knobs, SEA, ("earlier", "closer"))


def solve(task: Task[Data]) -> tuple[int, ...]:
    # Reads the prompt, and lets one rule after the other have its say about all pieces, the last first, so that exceptions come before.
    opening, book, board = task.prompt.split("\n\n")[:3]
    rules = {at: statement for at, text in sentences(book).items() if (statement := RULES.read(text))}
    pieces = [statement.gaps for text in sentences(board).values() if (statement := PIECES.read(text))]
    out = []
    for piece in pieces:
        void: set[int] = set()
        base: list[tuple[int, int, int]] = []
        more = 0
        for at in sorted(rules) if "comes before it" in opening else sorted(rules, reverse=True):
            kind, gaps = rules[at]
            words = [word for word in gaps["which_words"].split() if word not in ("a", "A", "piece", "on")]
            if at in void or any(word not in piece.values() for word in words):
                continue
            if kind == "void":
                void.add(int(gaps["of"]))
            elif kind == "add":
                more += int(gaps["more"])
            else:
                rank = at if "the last one on the list" in opening else -at
                base.append((len(words) if "most specific" in opening else 0, rank, int(gaps["amount"])))
        out.append(max(base)[2] + more)
    return tuple(out)


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    if len(answer) != len(task.data.steps):
        return Score.wrong(f"the answer must be {len(task.data.steps)} numbers")
    wrong = next((at for at, (first, second) in enumerate(zip(answer, task.data.steps), 1) if first != second), None)
    return Score.exact(wrong is None, f"the steps of piece {wrong} are wrong")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    data = task.data
    first = [next(rule.number for rule in data.rules if rule.kind == "base" and _meets(rule, piece)) for piece in data.pieces]
    every = [sum(rule.number for rule in data.rules if rule.kind != "void" and _meets(rule, piece)) for piece in data.pieces]
    return [tuple(first), tuple(every), right[::-1], right[:-1], (*right[:-1], right[-1] + 1)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.pieces) * sum({"base": 2, "add": 4, "void": 6}[rule.kind] for rule in task.data.rules))


def derive(task: Task[Data]) -> Derivation:
    rules = task.data.rules
    for at, piece in enumerate(task.data.pieces, 1):
        holding, voids = _rules_that_hold(task.data, piece)
        yield from any_order(VOID(at=at, by=by, of=rules[by - 1].number) for by in voids)
        by = _deciding_rule(task.data, holding)
        amount = rules[by - 1].number
        yield BASE(at=at, by=by, amount=amount)
        additions = {by: rules[by - 1].number for by in holding if rules[by - 1].kind == "add"}
        while additions:
            taken = yield OneOf(tuple(MORE(at=at, by=by, more=more, amount=amount + more) for by, more in additions.items()))
            amount += additions.pop(taken["by"])


def _meets(rule: Rule, piece: Sequence[tuple[str, str]]) -> bool:
    return all(trait in piece for trait in rule.which)


def _rules_that_hold(data: Data, piece: Sequence[tuple[str, str]]) -> tuple[list[int], list[int]]:
    """The numbers of the rules that hold for a piece, and of those among them that set others aside."""
    void: set[int] = set()
    holding, voids = [], []
    for at in range(len(data.rules), 0, -1) if data.precedence != "earlier" else range(1, len(data.rules) + 1):
        rule = data.rules[at - 1]
        if at not in void and _meets(rule, piece):
            holding.append(at)
            if rule.kind == "void":
                void.add(rule.number)
                voids.append(at)
    return sorted(holding), voids


def _deciding_rule(data: Data, holding: Sequence[int]) -> int:
    base = [at for at in holding if data.rules[at - 1].kind == "base"]
    if data.precedence == "closer":
        return max(base, key=lambda at: (len(data.rules[at - 1].which), at))
    return max(base) if data.precedence == "later" else min(base)


def _sample_task(rng: Rng, knobs: Knobs, traits: dict[str, tuple[str, ...]], precedences: tuple[str, str]) -> Task[Data]:
    precedence = rng.choice(precedences) if knobs.rules > 5 else precedences[0]
    used = {name: rng.sample(words, 3) for name, words in traits.items()}
    backwards = precedence == "earlier"
    rules = [Rule(kind="base", which=(), number=rng.integer(2, 9))]
    for at in range(2, knobs.rules + 1):
        names = rng.sample(list(used), rng.weighted((1, 2, 3), (6, 3, 1)))
        kinds = {"none": ["base"], "added": ["base", "base", "add"], "set_aside": ["base", "add", "add", "void", "void", "void"]}[
            knobs.exceptions
        ]
        kind = rng.choice(kinds) if at > 2 else "base"
        number = rng.integer(2, at - 1) if kind == "void" else rng.integer(2, 9)
        # What is set aside somewhere must be able to hold there.
        like = dict(rules[number - 1].which) if kind == "void" else {}
        which = tuple((name, like.get(name, rng.choice(used[name]))) for name in ("kind", "colour", "ground") if name in names)
        rules.append(Rule(kind=kind, which=which, number=number))
    if backwards:  # the same book from behind: a rule that sets another aside stands before it
        rules = [rule.model_copy(update={"number": knobs.rules + 1 - rule.number}) if rule.kind == "void" else rule for rule in rules[::-1]]
    empty = Data(rules=tuple(rules), pieces=(), precedence=precedence, steps=())
    pieces = list[tuple[tuple[str, str], ...]]()
    while len(pieces) < knobs.pieces:
        piece = tuple((name, rng.choice(words)) for name, words in used.items())
        if piece not in pieces and (len(_rules_that_hold(empty, piece)[0]) > 1 or rng.chance(0.2)):
            pieces.append(piece)
    amounts = []
    for piece in pieces:
        holding, _ = _rules_that_hold(empty, piece)
        added = sum(rules[at - 1].number for at in holding if rules[at - 1].kind == "add")
        amounts.append(rules[_deciding_rule(empty, holding) - 1].number + added)
    book = numbered_list(_phrase_rule(rng, rule) for rule in rules)
    board = numbered_list(PIECES.say(rng, "piece", **dict(piece)) for piece in pieces)
    aside = ""
    if any(rule.kind == "void" for rule in rules):
        side = "lower" if not backwards else "higher"
        aside = (
            f" A rule that sets another one aside always comes {'after' if not backwards else 'before'} it; where it applies to a piece, the rule with the "
            f"{side} number that it names has no effect on that piece. A rule that is itself set aside for a piece sets nothing aside for that piece."
        )
    kinds_present = {rule.kind for rule in rules}
    adds = " Every rule that adds steps and applies to a piece adds its steps." if "add" in kinds_present else ""
    base = (
        "Of the rules that apply to a piece"
        if kinds_present == {"base"}
        else "Of the rules that apply to a piece and set its reach (rather than add to it)"
    )
    prompt = (
        f"The reach of a piece is the number of steps that it may go. A rule applies to every piece that fits its "
        f"description. {ORDERS[precedence].format(base=base)}{adds}{aside}\n\nThe rules:\n{book}\n\n"
        f"The pieces:\n{board}\n\nWhat is the reach of each piece? Give the numbers of steps in the order of the pieces."
    )
    return Task(prompt, Data(rules=tuple(rules), pieces=tuple(pieces), precedence=precedence, steps=tuple(amounts)))


def _phrase_rule(rng: Rng, rule: Rule) -> str:
    traits = dict(rule.which)
    which = f"a {traits['colour']} {traits.get('kind', 'piece')}" if "colour" in traits else f"a {traits.get('kind', 'piece')}"
    which += f" on {traits['ground']}" if "ground" in traits else ""
    gaps = {"base": {"amount": rule.number}, "add": {"more": rule.number}, "void": {"of": rule.number}}[rule.kind]
    text = RULES.say(rng, rule.kind, which_words=which, **gaps)
    return text[0].upper() + text[1:]


environment = Environment(
    Knobs, Numbers("the numbers in this order, separated by commas", max_items=40), generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="For each piece strike out first what is set aside, then find the one rule that decides, and add at the end.",
    version=5,
)  # fmt: skip
