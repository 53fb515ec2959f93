"""Continue a sequence of numbers whose rule is one of a small language of rules."""

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.calculations import evaluate, operand
from rlgym.generators.draws import draw_rare
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Solution, Step

Rule = tuple[int, int, int, int]
KINDS = ("before", "two before", "odd and even")
RULE = Step("For {which} n, a(n) comes from {x:int}*a(n-1) + {y:int}*a(n-2) + {z:int}*n + {w:int}")
WITHIN = Step("Every such number is divided by {modulus:int}, and what is left over is a(n)")
TERM = Step("a({n}): {formula} = {whole}, so a({n}) = {value}")
STEADY_REDRAWN = 0.9
MOST = 40  # hypotheses looked at together
ANSWER = Numbers("the number or numbers asked for", max_items=20)
CONCEPT = "Each known number gives an equation for the unknown factors; find factors for which the rest is always the same."


class Knobs(Config):
    kind: str = knob("two before", easy="before", hard="odd and even", order=KINDS, doc="what a number depends on")
    reach: int = knob(3, easy=2, hard=5, doc="largest factor")
    terms_asked: int = knob(2, easy=1, hard=4, doc="how many further terms to give")


class Data(TaskData):
    terms: tuple[int, ...]
    kind: str
    reach: int
    largest: int  # modulus at most; 0 where nothing is divided
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Remainders of a division by an unknown number."""
    draws = 16 if knobs.terms_asked == 1 else 1
    return draw_rare(lambda: _sample_task(rng, knobs, 40 + 6 * knobs.reach), lambda task: task.data.right, draws)


def _sample_task(rng: Rng, knobs: Knobs, largest: int) -> Task[Data]:
    empty = Data(terms=(), kind=knobs.kind, reach=knobs.reach, largest=largest, right=())
    spans = _spans(empty)
    while True:
        modulus = rng.integer(largest // 2, largest) if largest else 0
        rules = [tuple(rng.choice(span) for span in spans) for _ in range(2 if knobs.kind == KINDS[2] else 1)]
        terms = [rng.integer(0, modulus - 1) if modulus else rng.integer(-5, 9) for _ in range(2)]
        _extend_terms(terms, [(x, y, z, w) for x, y, z, w in rules], modulus, 14 + knobs.terms_asked)
        if max(map(abs, terms)) > 10**7 or len(set(terms)) < 6 or terms[3:7] == terms[4:8]:
            continue
        for shown in range(5, 15):
            data = empty.model_copy(update={"terms": tuple(terms[:shown])})
            right = tuple(terms[shown : shown + knobs.terms_asked])
            steady = terms[shown] - terms[shown - 1] == terms[shown - 1] - terms[shown - 2]
            if steady and largest and rng.chance(STEADY_REDRAWN):
                break  # the next number would be guessed without the rule
            if _agreed_terms(data, knobs.terms_asked) == right:
                return Task(_render_prompt(data, knobs.terms_asked), data.model_copy(update={"right": right}))


def _spans(data: Data) -> tuple[Sequence[int], ...]:
    """What each of the four numbers of a rule may be."""
    reach = range(data.reach + 1) if data.largest else range(-data.reach, data.reach + 1)
    none = range(1)
    last = range(10) if data.largest else range(-9, 10)
    return reach, none if data.kind == KINDS[0] else reach, reach if data.kind == KINDS[0] else none, last


def _render_prompt(data: Data, number: int) -> str:
    reach, second, third, last = (f"from {span[0]} to {span[-1]}" for span in _spans(data))
    parts, where = ["x*a(n-1)"], [f"x {reach}"]
    if data.kind != KINDS[0]:
        parts, where = [*parts, "y*a(n-2)"], [*where, f"y {second}"]
    if data.kind == KINDS[0]:
        parts, where = [*parts, "z*n"], [*where, f"z {third}"]
    formula = " + ".join([*parts, "w"])
    letters = english.join_words([part.split()[0] for part in [*where, "w"]])
    if data.kind == KINDS[2]:
        same = f". One choice of {letters} holds for all odd n ≥ 3, and another one, or the same, for all even n ≥ 3"
    else:
        same = " that are the same for all n ≥ 3"
    rest = f"a(n) is {formula}"
    if data.largest:
        rest = f"a(n) is the remainder when {formula} is divided by m, an integer from 2 to {data.largest} that is the same for all n"
    # a(n-2) shows by itself that the rule cannot hold for n = 2.
    begin = "n ≥ 3 (not necessarily for n = 2)" if data.kind == KINDS[0] else "n ≥ 3"
    return (
        f"A sequence a(1), a(2), a(3), ... follows a rule. For {begin}, {rest}, with integers "
        f"{', '.join(where)} and w {last}{same}. The sequence begins {', '.join(map(str, data.terms))}.\n\nAll rules of this kind "
        f"that fit agree on what comes next. Give the next {'number' if number == 1 else f'{number} numbers in order, separated by commas'}."
    )


def _extend_terms(terms: list[int], rules: Sequence[Rule], modulus: int, count: int) -> None:
    while len(terms) < count:
        n = len(terms) + 1
        x, y, z, w = rules[n % len(rules)]
        value = x * terms[-1] + y * terms[-2] + z * n + w
        terms.append(value % modulus if modulus else value)


def _hypotheses(data: Data) -> Iterator[tuple[int, tuple[Rule, ...]]]:
    """All moduli and rules that fit, the last number of a rule found from the first place where it holds."""
    terms, (xs, ys, zs, ws) = data.terms, _spans(data)
    parts = 2 if data.kind == KINDS[2] else 1
    moduli = range(max(2, max(terms) + 1), data.largest + 1) if data.largest else (0,)
    for modulus in moduli:
        fitting: list[list[Rule]] = []
        for part in range(parts):
            places = [n for n in range(3, len(terms) + 1) if n % parts == part]
            rules_found: list[Rule] = []
            for x, y, z in product(xs, ys, zs):
                rests = {terms[n - 1] - x * terms[n - 2] - y * terms[n - 3] - z * n for n in places}
                rests = {rest % modulus for rest in rests} if modulus else rests
                if len(rests) == 1:
                    rest = rests.pop()
                    rules_found += [(x, y, z, w) for w in ws if (w - rest) % modulus == 0] if modulus else [(x, y, z, rest)] * (rest in ws)
            fitting.append(rules_found)
        for rules in product(*fitting):
            yield modulus, rules


def _agreed_terms(data: Data, number: int) -> tuple[int, ...] | None:
    """What all hypotheses agree on."""
    agreed: tuple[int, ...] | None = None
    for k, (modulus, rules) in enumerate(_hypotheses(data)):
        terms = list(data.terms)
        _extend_terms(terms, rules, modulus, len(terms) + number)
        if k > MOST or agreed not in (None, tuple(terms[-number:])):
            return None
        agreed = tuple(terms[-number:])
    return agreed


def solve(task: Task[Data]) -> tuple[int, ...]:
    """By trying every number for every letter, from the greatest down."""
    data, terms = task.data, list(task.data.terms)
    parts = 2 if data.kind == KINDS[2] else 1
    spans = [span[::-1] for span in _spans(data)]
    for modulus in range(data.largest, 1, -1) if data.largest else (0,):
        rules = [next((rule for rule in product(*spans) if _rule_holds(terms, rule, modulus, part, parts)), None) for part in range(parts)]
        sound = [(rule[0], rule[1], rule[2], rule[3]) for rule in rules if rule]
        if len(sound) == parts:
            _extend_terms(terms, sound, modulus, len(terms) + len(data.right))
            return tuple(terms[-len(data.right) :])
    raise ValueError("no rule fits")


def _rule_holds(terms: Sequence[int], rule: Sequence[int], modulus: int, part: int, parts: int) -> bool:
    x, y, z, w = rule
    for n in range(3, len(terms) + 1):
        if n % parts == part:
            value = x * terms[n - 2] + y * terms[n - 3] + z * n + w
            if (value % modulus if modulus else value) != terms[n - 1]:
                return False
    return True


def verify(task: Task[Data], answer: tuple[int, ...]) -> Score:
    return Score.exact(answer == task.data.right, "rules that fit go on otherwise")


def mistakes(task: Task[Data], right: tuple[int, ...]) -> list[tuple[int, ...]]:
    a, b = task.data.terms[-2:]
    return [
        tuple(b + (b - a) * k for k in range(1, len(right) + 1)),
        (right[0] + 1, *right[1:]),
        task.data.terms[-len(right) :],
        (*right, right[-1]),
    ]


def cost(task: Task[Data]) -> float:
    hypotheses = 1
    for span in _spans(task.data):
        hypotheses *= len(span)
    return float(hypotheses * max(1, task.data.largest) * (2 if task.data.kind == KINDS[2] else 1) * len(task.data.right))


def derive(task: Task[Data]) -> Derivation:
    data, terms, rules = task.data, task.data.terms + task.data.right, list[Rule]()
    names = ("even", "odd") if data.kind == KINDS[2] else ("all",)
    modulus, likely = next(_hypotheses(data))

    def fits(which: str, x: int, y: int, z: int, w: int) -> bool:
        begun = (*rules, (x, y, z, w))
        return which == names[len(rules)] and any(terms[: len(begun)] == begun for _, terms in _hypotheses(data))

    for which, (x, y, z, w) in zip(names, likely, strict=True):
        taken = yield RULE(which=which, x=x, y=y, z=z, w=w).accepting(fits)
        rules.append((taken["x"], taken["y"], taken["z"], taken["w"]))
    if modulus:
        moduli = [other for other, terms in _hypotheses(data) if terms == tuple(rules)]
        taken = yield WITHIN(modulus=moduli[0]).accepting(lambda modulus: modulus in moduli)
    for n in range(3, len(terms) + 1):
        formula = _formula(rules[n % len(rules)], terms, n)
        yield TERM(n=n, formula=formula, whole=evaluate(formula), value=terms[n - 1])


def _formula(rule: Rule, terms: Sequence[int], n: int) -> str:
    x, y, z, w = map(operand, rule)
    return f"{x}*{operand(terms[n - 2])} + {y}*{operand(terms[n - 3])} + {z}*{n} + {w}"


SOLUTION = Solution(derive, "The next numbers: {answer}")
environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=SOLUTION, shift=shift, concept=CONCEPT, version=6
)
