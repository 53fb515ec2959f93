"""Write an argument that readers with different beliefs all accept, step by step.

Each step is a rule that every reader grants, from what all of them believe or what an earlier step showed. Nothing said may exclude what one of them believes,
so the shortest chain to the conclusion often passes through a statement that a reader will not hear.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.writing.criteria import Claims, Fault, at_most, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.statements import Rule, describe_rules, mask_of, names_of, sample_statements
from rlgym.generators.writing.variants import retracted_texts, without_each


class Reader(TaskData):
    name: str
    beliefs: int
    doubts: tuple[int, ...]
    """Positions of rules that the reader does not grant."""


class Knobs(Config):
    statements: int = knob(10, easy=5, hard=18, beyond=24, doc="statements that rules speak of")
    rules: int = knob(10, easy=3, hard=24, beyond=32, doc="rules")
    readers: int = knob(2, easy=1, hard=3, doc="readers who must accept every step")
    exclusions: int = knob(3, easy=1, hard=8, beyond=11, doc="pairs of statements that nobody holds at once")
    steps: int = knob(3, easy=2, hard=5, beyond=6, doc="the fewest steps of the argument")


class Data(TaskData):
    statements: tuple[str, ...]
    rules: tuple[Rule, ...]
    readers: tuple[Reader, ...]
    exclusions: tuple[int, ...]
    goal: int
    steps: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        data = _sample_data(rng, knobs)
        careless = _shortest(data.model_copy(update={"exclusions": ()}))
        if data.steps and len(_shortest(data)) == knobs.steps and (knobs.steps < 3 or len(careless) < knobs.steps):
            return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _shortest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    granted, shared = _undoubted_rules(data), _shared_premises(data)

    def rule(claim: Claim) -> Rule:
        return mask_of(claim.words("premises"), data.statements), mask_of([claim.word("conclusion")], data.statements)

    def follows(claims: Claims) -> Fault | None:
        known, loose = shared, []
        for claim in claims:
            premises, conclusion = rule(claim)
            if (premises, conclusion) not in granted or premises & ~known:
                loose.append(claim)
            known |= conclusion
        return (
            Fault("a step is no rule that all readers grant, or has a premise that is open", tuple(loose), 1 - len(loose) / len(claims))
            if loose
            else None
        )

    def acceptable(claims: Claims) -> Fault | None:
        held, known = [reader.beliefs for reader in data.readers], 0
        for claim in claims:
            known |= rule(claim)[1]
            if any(_clash(data, beliefs | known) for beliefs in held):
                return Fault("a step says what excludes something that a reader holds", (claim,))
        return None

    return score_text(
        _language(data), answer, follows=follows, acceptable=acceptable,
        goal=lambda claims: None if claims and rule(claims[-1])[1] == data.goal else Fault("the last step is not the conclusion asked for", claims[-1:]),
        length=at_most(data.steps),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, chain = task.data, _shortest(task.data)
    careless = _shortest(data.model_copy(update={"exclusions": ()}))
    alone = _shortest(data.model_copy(update={"readers": data.readers[:1]}))
    wrong = [_text(data, other) for other in (careless, alone) if other and not _sound(data, other)]
    return [*wrong, _text(data, chain[::-1]), *retracted_texts(right), *without_each(_language(data), right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.rules) * data.steps * len(data.readers) + len(data.exclusions))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    chain = [(join_words(names_of(p, data.statements)), join_words(names_of(c, data.statements))) for p, c in _shortest(data)]
    steps = [f"All readers grant that {c} if {p}, and none holds anything that excludes it." for p, c in chain]
    shared = names_of(_shared_premises(data), data.statements)
    return [f"All readers believe that {join_words(shared)}.", *steps, f"The argument:\n{solve(task)}"]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    """A chain of the wanted length, a shorter one that a reader must refuse, and rules, beliefs and exclusions around them."""
    steps, detour = knobs.steps, max(1, knobs.steps - 2)
    count = max(knobs.statements, steps + detour + 4)
    order = rng.shuffled(range(count))
    base, chain, short, rest = order[:2], order[2 : 2 + steps], order[2 + steps : 2 + steps + detour], order[2 + steps + detour :]
    goal = chain[-1]
    names = rng.sample(PEOPLE, knobs.readers)
    own = [rng.sample(rest, min(len(rest), rng.integer(1, 2))) for _ in names]
    rules = [_rule(rng, [base[0], *chain][i], [*base, *chain[:i]], link) for i, link in enumerate(chain)]
    rules += [_rule(rng, [base[1], *short][i], base, link) for i, link in enumerate([*short, goal])]
    while len(rules) < knobs.rules:
        rules.append(_rule(rng, rng.choice(rest), order, rng.choice([each for each in order[2:] if each != goal])))
    exclusions = [(rng.choice(short), rng.choice(rng.choice(own)))]
    while len(exclusions) < knobs.exclusions:
        exclusions.append((rng.choice(order[2:]), rng.choice(rest)))
    mixed = tuple(rng.shuffled(list(dict.fromkeys(rules))))
    doubts = [tuple(sorted(rng.sample(range(len(mixed)), len(mixed) // 10 if knobs.readers > 1 else 0))) for _ in names]
    beliefs = [sum(1 << i for i in {*base, *private}) for private in own]
    readers = tuple(Reader(name=name, beliefs=held, doubts=doubt) for name, held, doubt in zip(names, beliefs, doubts, strict=True))
    pairs = tuple(dict.fromkeys(1 << a | 1 << b for a, b in rng.shuffled(exclusions) if a != b))
    consistent = not any(pair & held == pair for pair in pairs for held in beliefs)
    statements = sample_statements(rng, count)
    return Data(statements=statements, rules=mixed, readers=readers, exclusions=pairs, goal=1 << goal, steps=steps if consistent else 0)


def _rule(rng: Rng, first: int, others: list[int], conclusion: int) -> Rule:
    second = [i for i in others if i not in (first, conclusion)]
    premises = 1 << first | (1 << rng.choice(second) if second and rng.chance(0.5) else 0)
    return premises & ~(1 << conclusion) or 1 << others[0], 1 << conclusion


def _undoubted_rules(data: Data) -> list[Rule]:
    return [rule for i, rule in enumerate(data.rules) if not any(i in reader.doubts for reader in data.readers)]


def _shared_premises(data: Data) -> int:
    shared = -1
    for reader in data.readers:
        shared &= reader.beliefs
    return shared


def _clash(data: Data, held: int) -> bool:
    return any(pair & held == pair for pair in data.exclusions)


def _sound(data: Data, chain: list[Rule]) -> bool:
    known = sum({conclusion for _, conclusion in chain})
    return (
        not any(_clash(data, reader.beliefs | known) for reader in data.readers)
        and set(chain) <= set(_undoubted_rules(data))
        and _is_founded(data, chain)
    )


def _is_founded(data: Data, chain: list[Rule]) -> bool:
    known = _shared_premises(data)
    for premises, conclusion in chain:
        if premises & ~known:
            return False
        known |= conclusion
    return True


def _shortest(data: Data) -> list[Rule]:
    """The fewest steps to the goal, by breadth-first search over the sets of conclusions; empty where there are none within six."""
    shared, granted = _shared_premises(data), _undoubted_rules(data)
    if shared & data.goal or any(_clash(data, reader.beliefs | data.goal) for reader in data.readers):
        return []
    reached: dict[int, list[Rule]] = {0: []}
    for _ in range(6):
        grown: dict[int, list[Rule]] = {}
        for known, chain in reached.items():
            for premises, conclusion in granted:
                now = known | conclusion
                if now in grown or conclusion & (known | shared) or premises & ~(known | shared):
                    continue
                if conclusion == data.goal:
                    return [*chain, (premises, conclusion)]
                if not any(_clash(data, reader.beliefs | now | data.goal) for reader in data.readers):
                    grown[now] = [*chain, (premises, conclusion)]
        reached = grown
        if len(reached) > 2000:
            break
    return []


def _text(data: Data, chain: list[Rule]) -> str:
    language, names = _language(data), data.statements
    return " ".join(language.write("step", premises=names_of(p, names), conclusion=names_of(c, names)[0]) for p, c in chain)


def _language(data: Data) -> Language:
    gaps = (
        Gap("premises", data.statements, "and", note="one or more of the statements"),
        Gap("conclusion", data.statements, note="one statement"),
    )
    return Language((Form("step", "Since {premises}, {conclusion}."),), gaps)


def _render_prompt(data: Data) -> str:
    names = data.statements
    lines = []
    for reader in data.readers:
        doubts = f" {reader.name} does not grant rule {join_words([str(i + 1) for i in reader.doubts], 'or')}." if reader.doubts else ""
        lines.append(f"- {reader.name} believes that {join_words(names_of(reader.beliefs, names))}.{doubts}")
    pairs = "\n".join(f"- {first} / {second}" for first, second in (names_of(pair, names) for pair in data.exclusions))
    who = "the reader" if len(data.readers) == 1 else "every reader"
    return (
        f"Rules:\n{describe_rules(data.rules, names)}\n\nPairs of statements that exclude each other:\n{pairs}\n\nWho will read the argument:\n"
        + "\n".join(lines)
        + f"\n\nWrite an argument for the conclusion that {names_of(data.goal, names)[0]}, in at most {count_noun(data.steps, 'step')}. A step has all "
        f"premises of a rule that {who} grants and its conclusion. Each premise is believed by {who} or is the conclusion of an earlier step. No step may "
        "conclude anything that excludes something that a reader is said to believe, or the conclusion of another step. The last step has the conclusion asked "
        "for. "
        f"Write only sentences of this form, one for each step:\n{_language(data).describe()}"
    )


def _solutions(task: Task[Data]) -> list[str]:
    """The argument with its lines apart, and with the premises of each step exchanged."""
    language, names = _language(task.data), task.data.statements
    chain = [(names_of(p, names)[::-1], names_of(c, names)[0]) for p, c in _shortest(task.data)]
    return [solve(task).replace(". ", ".\n"), " ".join(language.write("step", premises=p, conclusion=c) for p, c in chain)]


environment = Environment(
    Knobs, Passage("the argument"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=_solutions,
    shared_helpers="The helpers say which rules and beliefs all readers share and which statements exclude each other, by definition.",
    concept="Keep what all readers believe and the rules that all grant, strike out the statements that a reader must refuse, then search for a chain.",
)  # fmt: skip
