"""Write a clause of a contract, in as few sentences as possible, that decides every stated case as agreed.

Later sentences take precedence over earlier ones, so that exceptions of exceptions are short. The search runs backwards: the last sentence must be right for
all that it covers, and every case it covers is settled.
"""

from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.writing.criteria import Claims, Fault, at_most, score_text
from rlgym.generators.writing.language import Claim, Form, Gap, Language
from rlgym.generators.writing.variants import retracted_texts, without_each

TRAITS = (
    ("age", ("young", "adult", "retired")),
    ("home", ("local", "foreign", "regional")),
    ("pass", ("registered", "invited", "unknown")),
    ("time", ("early", "late", "punctual")),
)
VERDICTS = {"pay": "pay the fee", "free": "enter free of charge"}
Rule = tuple[str, tuple[str, ...]]


class Knobs(Config):
    cases: int = knob(8, easy=3, hard=14, doc="cases that the parties have agreed on")
    attributes: int = knob(3, easy=2, hard=4, doc="attributes of a visitor")
    sentences: int = knob(3, easy=2, hard=5, doc="sentences that the clause needs if possible; the cases are decided by two more")


class Data(TaskData):
    attributes: tuple[str, ...]
    cases: tuple[tuple[tuple[str, ...], str], ...]
    sentences: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    data = draw_against(lambda: _sample_data(rng, knobs), lambda data: data.sentences < min(knobs.sentences, (knobs.cases + 2) // 3), 40)
    return Task(_render_prompt(data), data)


def solve(task: Task[Data]) -> str:
    return _text(task.data, _shortest(task.data))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data

    def decided(claims: Claims) -> Fault | None:
        wrong = [case for case, verdict in data.cases if _verdict(case, claims) != verdict]
        return Fault("a case is not decided as agreed", (), 1 - len(wrong) / len(data.cases)) if wrong else None

    return score_text(_language(data), answer, decided=decided, length=at_most(data.sentences))


def mistakes(task: Task[Data], right: str) -> list[str]:
    data, rules = task.data, _shortest(task.data)
    turned = [({"pay": "free", "free": "pay"}[verdict], traits) for verdict, traits in rules]
    backwards = rules[::-1]
    listed = [(verdict, case[:2]) for case, verdict in data.cases]
    others = [_text(data, listed)] if len(listed) > data.sentences else []
    as_first = (
        _text(data, backwards) if any(_decided_by(case, backwards) != verdict for case, verdict in data.cases) else _text(data, turned)
    )
    return [_text(data, turned), as_first, *others, *retracted_texts(right), *without_each(_language(data), right)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.cases) * len(task.data.attributes) * task.data.sentences**2)


def explain(task: Task[Data]) -> list[str]:
    data, left, steps = task.data, list(task.data.cases), list[str]()
    for verdict, traits in reversed(_shortest(data)):
        covered = [case for case, _ in left if set(traits) <= set(case)]
        left = [each for each in left if each[0] not in covered]
        who = f"visitors who are {join_words(traits)}" if traits else "all visitors"
        steps.append(f"Among the cases left, {who} all {VERDICTS[verdict]}: {count_noun(len(covered), 'case')} settled by this sentence.")
    return [*steps, f"In reverse order, since later sentences take precedence:\n{solve(task)}"]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    while True:
        attributes = rng.sample(TRAITS, knobs.attributes)
        cases = list(dict.fromkeys(tuple(rng.choice(values) for _, values in attributes) for _ in range(4 * knobs.cases)))[: knobs.cases]
        first = rng.choice(list(VERDICTS))
        rules: list[Rule] = [(first, ())]
        while len(rules) < knobs.sentences + 2 * (knobs.cases > 4):
            chosen = rng.sample(attributes, 1 if rng.chance(0.4) else 2)
            verdict = rng.choice(list(VERDICTS)) if len(rules) > 1 else {"pay": "free", "free": "pay"}[first]
            rules.append((verdict, tuple(rng.choice(values) for _, values in chosen)))
        agreed = tuple((case, _decided_by(case, rules)) for case in cases)
        data = Data(attributes=tuple(name for name, _ in attributes), cases=agreed, sentences=0)
        if len({verdict for _, verdict in agreed}) == 2:
            return data.model_copy(update={"sentences": len(_shortest(data))})


def _decided_by(case: tuple[str, ...], rules: list[Rule]) -> str:
    return next((verdict for verdict, traits in reversed(rules) if set(traits) <= set(case)), "")


def _verdict(case: tuple[str, ...], claims: Claims) -> str:
    """What the last sentence that covers a case says; empty where none does."""
    found = [_read(claim)[0] for claim in claims if set(_read(claim)[1]) <= set(case)]
    return found[-1] if found else ""


def _read(claim: Claim) -> Rule:
    verdict, _, scope = claim.form.partition("-")
    return verdict, claim.words("traits") if scope == "some" else ()


def _shortest(data: Data) -> list[Rule]:
    """The fewest sentences, by breadth-first search over the cases that no later sentence covers."""
    values = [
        [value for value in options if any(value in case for case, _ in data.cases)] for name, options in TRAITS if name in data.attributes
    ]
    single: list[tuple[str, ...]] = [(value,) for options in values for value in options]
    double: list[tuple[str, ...]] = [(a, b) for first, second in combinations(values, 2) for a in first for b in second]
    scopes: list[tuple[tuple[str, ...], int]] = [((), (1 << len(data.cases)) - 1)]
    scopes += [(traits, sum(1 << i for i, (case, _) in enumerate(data.cases) if set(traits) <= set(case))) for traits in [*single, *double]]
    pay = sum(1 << i for i, (_, verdict) in enumerate(data.cases) if verdict == "pay")
    reached: dict[int, list[Rule]] = {(1 << len(data.cases)) - 1: []}
    seen = set(reached)
    while 0 not in reached:
        grown: dict[int, list[Rule]] = {}
        for left, rules in reached.items():
            for traits, mask in scopes:
                covered = mask & left
                if covered and left & ~covered not in seen and covered & pay in (0, covered):
                    seen.add(left & ~covered)
                    grown[left & ~covered] = [("pay" if covered & pay else "free", traits), *rules]
        reached = grown
    return reached[0]


def _text(data: Data, rules: list[Rule]) -> str:
    language = _language(data)
    return " ".join(
        language.write(f"{verdict}-some", traits=traits) if traits else language.write(f"{verdict}-all") for verdict, traits in rules
    )


def _language(data: Data) -> Language:
    words = tuple(value for name, values in TRAITS if name in data.attributes for value in values)
    forms = [Form(f"{key}-all", f"All visitors {verdict}.") for key, verdict in VERDICTS.items()]
    forms += [Form(f"{key}-some", f"Visitors who are {{traits}} {verdict}.") for key, verdict in VERDICTS.items()]
    return Language(tuple(forms), (Gap("traits", words, "and", note="one or two traits", most=2),))


def _render_prompt(data: Data) -> str:
    lines = "\n".join(
        f"- {', '.join(case)}: {VERDICTS[verdict].removesuffix(' the fee').removesuffix(' of charge')}" for case, verdict in data.cases
    )
    return (
        f"The parties of a contract agree on these cases of visitors, who either pay or enter free:\n{lines}\n\nWrite a clause that decides all these cases "
        f"as agreed, in at most {count_noun(data.sentences, 'sentence')}. A sentence covers the visitors who have all traits it names. Where several sentences "
        "cover a visitor, the last of them counts; where none does, the case is not decided. Cases that are not listed may be decided in any way. Write only "
        f"sentences of these forms:\n{_language(data).describe()}"
    )


environment = Environment(
    Knobs, Passage("the clause"), generate, solve, verify, mistakes, cost, explain,
    version=2, answers="many", solutions=lambda task: [solve(task), solve(task).replace(". ", ".\n")],
    shared_helpers="The helpers say which sentence decides a case, as the prompt defines it, and find the fewest sentences, which the prompt states.",
    concept="Look first for the last sentence: a scope whose cases are all decided alike; strike these cases and look again.",
)  # fmt: skip
