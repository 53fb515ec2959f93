"""Write a letter that lets its reader see why a claim is refused, and lets nothing confidential be seen.

The reader knows the rules and some facts, and draws every conclusion. A fact that is harmless alone may give a secret away together with another one, so the
shortest justification is usually not the right one.
"""

from itertools import combinations

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Passage
from rlgym.generators.draws import draw_against
from rlgym.generators.text.english import count_noun, join_words
from rlgym.generators.text.names import PEOPLE
from rlgym.generators.writing.criteria import Claims, Fault, at_most, every, score_text
from rlgym.generators.writing.language import Form, Gap, Language
from rlgym.generators.writing.statements import CLAIM_STATEMENTS, Rule, closure, describe_rules, mask_of, names_of, sample_statements
from rlgym.generators.writing.variants import retracted_texts

REFUSED = "the claim is refused"


class Knobs(Config):
    facts: int = knob(7, easy=3, hard=11, doc="facts on file")
    derived: int = knob(4, easy=1, hard=7, doc="statements that follow from others by rules")
    rules: int = knob(8, easy=2, hard=16, doc="rules of the office")
    secrets: int = knob(2, easy=1, hard=4, doc="confidential statements")


class Data(TaskData):
    name: str
    statements: tuple[str, ...]
    rules: tuple[Rule, ...]
    on_file: int
    known: int
    secret: int
    facts: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    least = min(3, 1 + knobs.rules // 5)

    def is_plain(data: Data) -> bool:
        """Whether few facts are enough, or the shortest justification gives no secret away."""
        careless = _fewest(data.model_copy(update={"secret": 0}))
        is_safe = careless == _fewest(data) if knobs.rules < 10 else careless.bit_count() == data.facts
        return data.facts < least or (knobs.rules >= 5 and is_safe)

    data = draw_against(lambda: _sample_data(rng, knobs), is_plain, 400)
    return Task(_render_prompt(rng, data), data)


def solve(task: Task[Data]) -> str:
    return _letter(task.data, names_of(_fewest(task.data), task.data.statements))


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data

    def seen(claims: Claims) -> int:
        stated = [fact for claim in claims if claim.form == "fact" for fact in claim.words("facts")]
        return closure(data.known | mask_of(stated, data.statements), data.rules)

    def frame(claims: Claims) -> Fault | None:
        forms = [claim.form for claim in claims]
        framed = len(forms) > 1 and forms[0] == "opening" and forms[-1] == "closing" and set(forms[1:-1]) <= {"fact"}
        return None if framed else Fault("the letter does not begin and end as it must", claims[:1] + claims[1:][-1:])

    def justified(claims: Claims) -> Fault | None:
        return None if seen(claims) >> len(data.statements) - 1 & 1 else Fault("the reader cannot conclude that the claim is refused")

    def discreet(claims: Claims) -> Fault | None:
        known = (seen(claims) & data.secret).bit_count()
        return Fault("the reader can conclude something confidential", (), 1 - known / data.secret.bit_count()) if known else None

    return score_text(
        _language(data), answer, frame=frame,
        true=every(
            lambda claim: claim.form != "fact" or not mask_of(claim.words("facts"), data.statements) & ~data.on_file,
            "a sentence states what the file does not show",
        ),
        justified=justified, discreet=discreet,
        length=at_most(data.facts, lambda claims: sum(len(claim.words("facts")) for claim in claims if claim.form == "fact"), "facts"),
    )  # fmt: skip


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    facts = names_of(_fewest(data), data.statements)
    careless = _fewest(data.model_copy(update={"secret": 0}))
    leaks = closure(data.known | careless, data.rules) & data.secret
    return [
        _letter(data, names_of(data.on_file, data.statements)) if data.on_file.bit_count() > data.facts else "",
        _letter(data, names_of(careless, data.statements)) if leaks else "",
        _letter(data, facts[1:]) if len(facts) > 1 else "", right.partition(". ")[2], *retracted_texts(right),
    ]  # fmt: skip


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(data.on_file.bit_count() * len(data.rules) * data.facts * (1 + data.secret.bit_count()))


def explain(task: Task[Data]) -> list[str]:
    data, best = task.data, _fewest(task.data)
    seen = names_of(closure(data.known | best, data.rules), data.statements)
    return [
        f"The facts to state are: {join_words(names_of(best, data.statements))}.",
        f"With them the reader can conclude: {join_words(seen)}.",
        f"That includes the refusal and nothing confidential, and no smaller choice does it:\n{solve(task)}",
    ]


def _sample_data(rng: Rng, knobs: Knobs) -> Data:
    count = knobs.facts + knobs.derived
    while True:
        statements = (*sample_statements(rng, count, CLAIM_STATEMENTS), REFUSED)
        rules = tuple(dict.fromkeys(_rule(rng, knobs, count) for _ in range(knobs.rules)))
        known = sum(1 << i for i in rng.sample(range(knobs.facts), knobs.facts // 4))
        secret = sum(1 << i for i in rng.sample([i for i in range(count) if not known >> i & 1], min(knobs.secrets, count - 2)))
        on_file, name = (1 << knobs.facts) - 1, rng.choice(PEOPLE)
        data = Data(name=name, statements=statements, rules=rules, on_file=on_file, known=known, secret=secret, facts=0)
        if best := _fewest(data):
            return data.model_copy(update={"facts": best.bit_count()})


def _rule(rng: Rng, knobs: Knobs, count: int) -> Rule:
    """A rule whose premises come before its conclusion, so that rules form no circle."""
    conclusion = count if rng.chance(0.3) else rng.integer(knobs.facts, count - 1)
    premises = rng.sample(range(conclusion), rng.integer(1, 2 if conclusion > 1 else 1) if conclusion < count or knobs.rules < 5 else 2)
    return sum(1 << i for i in premises), 1 << conclusion


def _fewest(data: Data) -> int:
    """The first smallest set of facts that shows the refusal and no secret; 0 where there is none."""
    facts = [1 << i for i in range(len(data.statements)) if data.on_file & ~data.known & ~data.secret & 1 << i]
    if closure(data.known, data.rules) >> len(data.statements) - 1 & 1:
        return 0
    for size in range(1, 5):
        for chosen in combinations(facts, size):
            seen = closure(data.known | sum(chosen), data.rules)
            if seen >> len(data.statements) - 1 & 1 and not seen & data.secret:
                return sum(chosen)
    return 0


def _letter(data: Data, facts: tuple[str, ...]) -> str:
    language = _language(data)
    return " ".join([language.write("opening"), language.write("fact", facts=facts), language.write("closing")])


def _language(data: Data) -> Language:
    facts = names_of(data.on_file, data.statements)
    forms = (
        Form("opening", f"Dear {data.name}, we refuse your claim."), Form("fact", "Our file shows that {facts}."),
        Form("closing", "Yours sincerely, the claims office."),
    )  # fmt: skip
    return Language(forms, (Gap("facts", facts, "and", note="one or more of the facts on file"),))


def _render_prompt(rng: Rng, data: Data) -> str:
    order = rng.shuffled(range(len(data.statements)))

    def listed(mask: int) -> str:
        return join_words([data.statements[i] for i in order if mask >> i & 1])

    known = f" {data.name} knows already that {listed(data.known)}." if data.known else " So far the reader knows no fact of the file."
    return (
        f"An insurance office refuses a claim of {data.name}. Its rules, which {data.name} knows:\n"
        f"{describe_rules(rng.shuffled(data.rules), data.statements)}\n\nThe facts on file: {listed(data.on_file)}.{known} "
        f"From known facts and the facts of the letter, but not from the refusal itself, {data.name} draws every conclusion to which the rules lead. "
        f"Confidential: {listed(data.secret)}.\n\n"
        f"Write the letter. In this way {data.name} must be able to conclude that {REFUSED}, and must not learn or conclude anything confidential, "
        f"whether or not it is on file. The letter states at most {count_noun(data.facts, 'fact')}. It begins with the first of these sentences, ends with the "
        f"last, and between them has only sentences of the second form:\n{_language(data).describe()}"
    )


environment = Environment(
    Knobs, Passage("the letter"), generate, solve, verify, mistakes, cost, explain,
    version=2,
    answers="many", solutions=lambda task: [solve(task).replace(". ", ".\n"), _letter(task.data, names_of(_fewest(task.data), task.data.statements)[::-1])],
    shared_helpers="The helpers compute what follows from rules, by the definition of following, and the fewest facts, which the prompt states.",
    concept="For each choice of facts, draw all conclusions as the reader would: the refusal must be among them and no secret may be.",
)  # fmt: skip
