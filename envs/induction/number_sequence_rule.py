"""Continue a sequence of numbers whose rule is one of a small language of rules."""

from collections.abc import Iterator, Sequence
from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Numbers
from rlgym.generators.steps import Line, ended, first_wrong
from rlgym.generators.worked import evaluate, inside

Rule = tuple[int, int, int, int]
KINDS = ("before", "two before", "odd and even")
RULE = Line("For {which} n, a(n) comes from {x}*a(n-1) + {y}*a(n-2) + {z}*n + {w}")
WITHIN = Line("Every such number is divided by {modulus}, and what is left over is a(n)")
TERM = Line("a({n}): {formula} = {whole}, so a({same}) = {value}")
END = "The next numbers: "
MOST = 40  # hypotheses looked at together


class Knobs(Config):
    kind: str = knob("two before", easy="before", hard="odd and even", order=KINDS, doc="what a number depends on")
    reach: int = knob(3, easy=2, hard=5, doc="largest factor")
    asked: int = knob(2, easy=1, hard=4, doc="how many more numbers are asked for")


class Data(TaskData):
    terms: tuple[int, ...]
    kind: str
    reach: int
    largest: int  # modulus at most; 0 where nothing is divided
    right: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _made(rng, knobs, 0)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """What is left over in a division by a number that is not told."""
    return _made(rng, knobs, 10 + 6 * knobs.reach)


def _made(rng: Rng, knobs: Knobs, largest: int) -> Task[Data]:
    empty = Data(terms=(), kind=knobs.kind, reach=knobs.reach, largest=largest, right=())
    spans = _spans(empty)
    while True:
        modulus = rng.integer(largest // 2, largest) if largest else 0
        rules = [tuple(rng.choice(span) for span in spans) for _ in range(2 if knobs.kind == KINDS[2] else 1)]
        terms = [rng.integer(0, modulus - 1) if modulus else rng.integer(-5, 9) for _ in range(2)]
        _continue(terms, [(x, y, z, w) for x, y, z, w in rules], modulus, 14 + knobs.asked)
        if max(map(abs, terms)) > 10**7 or len(set(terms)) < 6 or terms[3:7] == terms[4:8]:
            continue
        for shown in range(5, 15):
            data = empty.model_copy(update={"terms": tuple(terms[:shown])})
            right = tuple(terms[shown : shown + knobs.asked])
            if _certain(data, knobs.asked) == right:
                return Task(_told(data, knobs.asked), data.model_copy(update={"right": right}))


def _spans(data: Data) -> tuple[Sequence[int], ...]:
    """What each of the four numbers of a rule may be."""
    reach = range(data.reach + 1) if data.largest else range(-data.reach, data.reach + 1)
    none = range(1)
    last = range(10) if data.largest else range(-9, 10)
    return reach, none if data.kind == KINDS[0] else reach, reach if data.kind == KINDS[0] else none, last


def _told(data: Data, asked: int) -> str:
    reach, second, third, last = (f"from {span[0]} to {span[-1]}" for span in _spans(data))
    parts, where = ["x*a(n-1)"], [f"x {reach}"]
    if data.kind != KINDS[0]:
        parts, where = [*parts, "y*a(n-2)"], [*where, f"y {second}"]
    if data.kind == KINDS[0]:
        parts, where = [*parts, "z*n"], [*where, f"z {third}"]
    formula = " + ".join([*parts, "w"])
    both = " One rule of this kind holds for all odd n, and another one or the same for all even n." if data.kind == KINDS[2] else ""
    rest = f" The number a(n) is {formula}"
    if data.largest:
        rest = f" The number a(n) is what is left over when {formula} is divided by m, an integer from 2 to {data.largest} that is the same for all n"
    return (
        f"A sequence a(1), a(2), a(3), ... goes by a rule from a(3) on.{rest}, with integers {', '.join(where)} and w {last} that are the same for "
        f"all n{' that the rule holds for' if both else ''}.{both} The sequence begins {', '.join(map(str, data.terms))}.\n\nAll rules of this kind "
        f"that fit agree on what comes next. Give the next {asked} number{'s' * (asked > 1)}."
    )


def _continue(terms: list[int], rules: Sequence[Rule], modulus: int, count: int) -> None:
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
            found: list[Rule] = []
            for x, y, z in product(xs, ys, zs):
                rests = {terms[n - 1] - x * terms[n - 2] - y * terms[n - 3] - z * n for n in places}
                rests = {rest % modulus for rest in rests} if modulus else rests
                if len(rests) == 1:
                    rest = rests.pop()
                    found += [(x, y, z, w) for w in ws if (w - rest) % modulus == 0] if modulus else [(x, y, z, rest)] * (rest in ws)
            fitting.append(found)
        for rules in product(*fitting):
            yield modulus, rules


def _certain(data: Data, asked: int) -> tuple[int, ...] | None:
    """What all hypotheses agree on."""
    agreed: tuple[int, ...] | None = None
    for k, (modulus, rules) in enumerate(_hypotheses(data)):
        terms = list(data.terms)
        _continue(terms, rules, modulus, len(terms) + asked)
        if k > MOST or agreed not in (None, tuple(terms[-asked:])):
            return None
        agreed = tuple(terms[-asked:])
    return agreed


def solve(task: Task[Data]) -> tuple[int, ...]:
    """By trying every number for every letter, from the greatest down."""
    data, terms = task.data, list(task.data.terms)
    parts = 2 if data.kind == KINDS[2] else 1
    spans = [span[::-1] for span in _spans(data)]
    for modulus in range(data.largest, 1, -1) if data.largest else (0,):
        rules = [next((rule for rule in product(*spans) if _holds(terms, rule, modulus, part, parts)), None) for part in range(parts)]
        sound = [(rule[0], rule[1], rule[2], rule[3]) for rule in rules if rule]
        if len(sound) == parts:
            _continue(terms, sound, modulus, len(terms) + len(data.right))
            return tuple(terms[-len(data.right) :])
    raise ValueError("no rule fits")


def _holds(terms: Sequence[int], rule: Sequence[int], modulus: int, part: int, parts: int) -> bool:
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


def explain(task: Task[Data]) -> list[str]:
    data, terms, steps = task.data, list(task.data.terms), list[str]()
    modulus, rules = next(_hypotheses(data))
    for which, (x, y, z, w) in zip(("even", "odd") if len(rules) > 1 else ("all",), rules):
        steps.append(RULE.write(which=which, x=x, y=y, z=z, w=w))
    if modulus:
        steps.append(WITHIN.write(modulus=modulus))
    _continue(terms, rules, modulus, len(terms) + len(data.right))
    for n in range(3, len(terms) + 1):
        formula = _formula(rules[n % len(rules)], terms, n)
        steps.append(TERM.write(n=n, formula=formula, whole=evaluate(formula), same=n, value=terms[n - 1]))
    return [*steps, END + environment.answer.render(data.right)]


def _formula(rule: Rule, terms: Sequence[int], n: int) -> str:
    x, y, z, w = map(inside, rule)
    return f"{x}*{inside(terms[n - 2])} + {y}*{inside(terms[n - 3])} + {z}*{n} + {w}"


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data, terms = task.data, list(task.data.terms + task.data.right)
    rules: dict[str, Rule] = {}
    moduli = [0]
    likely = {rules: modulus for modulus, rules in _hypotheses(data)}

    def follows(step: str) -> bool:
        if said := RULE.read(step):
            rules[said["which"]] = (int(said["x"]), int(said["y"]), int(said["z"]), int(said["w"]))
            names = ("even", "odd") if data.kind == KINDS[2] else ("all",)
            at = names.index(said["which"])
            return any(found[at] == rules[said["which"]] for found in likely)
        if said := WITHIN.read(step):
            moduli.append(int(said["modulus"]))
            return any(modulus == moduli[-1] and set(found) <= set(rules.values()) for modulus, found in _hypotheses(data))
        said = TERM.read(step) or {}
        n = int(said["n"])
        rule = rules.get("all") or rules[("even", "odd")[n % 2]]
        whole = int(said["whole"])
        value = whole % moduli[-1] if moduli[-1] else whole
        told = n > 2 and said["same"] == said["n"] and said["formula"] == _formula(rule, terms, n) and evaluate(said["formula"]) == whole
        return told and said["value"] == str(value) == str(terms[n - 1])

    return first_wrong(steps, follows, ended(END, task, environment.answer, verify))


environment = Environment(
    Knobs,
    Numbers("the numbers in order, separated by commas", most=20),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    shift=shift,
    concept="Each known number gives an equation for the unknown factors; find factors for which the rest is always the same.",
)
