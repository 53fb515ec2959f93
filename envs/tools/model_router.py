"""Send questions to a pool of models so that every one is answered and all together cost no more than the least possible.

Models differ in skills, prices, what they cost to load once and how long a question may be; some cards boast, and only
tests show it. Judged by the log of what was sent where: the cost is counted to the coin. The parts of the score are the share of the questions that
were answered, and the least cost divided by what was spent.
"""

from dataclasses import replace

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.models import FIELDS, Model, Question, able, cheapest, cost, model, pool, question
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Office, Read, Record


class ListModels(Browse):
    """Lists the models of the pool; the price is in coins for every thousand tokens begun, loading is in coins."""

    kind, by, shows = "model", (), ("price", "loading", "longest")
    page: int = FIRST_PAGE


class GetModel(Read):
    """Reads a model's card: the hardest question of each field that it says it can answer, and what it costs."""

    kind = "model"
    code: str = CODE


class ListTests(Browse):
    """Lists the tests of a model: the hardest question of a field that it answered there."""

    kind, by, shows = "test", ("model",), ("field", "hardest solved")
    model: str = CODE
    page: int = FIRST_PAGE


class GetQuestion(Read):
    """Reads the field, the hardness and the length of a question."""

    kind = "question"
    code: str = CODE


class Send(Change):
    """Sends a question to a model, which is paid for at once."""

    touches = {"question": "question", "model": "model"}
    question: str = CODE
    model: str = CODE


TOOLS = ToolCalls((ListModels, GetModel, ListTests, GetQuestion, Send, Finish))


class Knobs(Config):
    models: int = knob(5, easy=2, hard=8, doc="models in the pool")
    questions: int = knob(6, easy=3, hard=12, doc="questions")
    fields: int = knob(3, easy=1, hard=5, doc="fields of the questions")
    boasts: float = knob(0.2, easy=0.0, hard=0.4, doc="share of the skills that a card says too much of")


class State(Office):
    questions: tuple[str, ...]
    budget: int


def start(rng: Rng, knobs: Knobs) -> State:
    world = pool(rng, knobs.models, knobs.questions, knobs.fields, knobs.boasts)
    briefing = (
        f"You route questions to a pool of {knobs.models} models. Have each of these answered: {', '.join(world.questions)}. All together may cost "
        f"{world.budget} coins, which is the least possible.\n\n"
        "- A model answers a question if its skill in the question's field is at least the question's hardness and the question has no more "
        "tokens than the model's maximum. A question sent to a model that cannot answer it is not answered, but paid for.\n"
        "- A model's skill in a field is what the tests of the model show in that field; only in a field without a test it is what its card says.\n"
        "- A question costs the model's price for every thousand tokens begun (2,100 tokens are three thousands). The first question sent to a "
        "model also costs its loading price.\n"
        "Send each question once."
    )
    state = State(briefing=briefing, records=world.records, cases=1, questions=world.questions, budget=world.budget)
    return desk.begun(state) if knobs.models == 2 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    questions = [question(one) for one in eyes.reads([GetQuestion(code=code) for code in state.questions])]
    names = [row.code for row in eyes.all(ListModels())]
    cards = eyes.reads([GetModel(code=name) for name in names])
    tests = eyes.each([lambda name=name: eyes.all(ListTests(model=name)) for name in names])  # type: ignore[misc]
    models = [model(card if slip == "believes_cards" else _test(card, shown)) for card, shown in zip(cards, tests)]
    if slip == "greedy":
        models = [one._replace(loading=0) for one in models]
    found = cheapest(models, questions)
    return [Send(question=what, model=to) for what, to in found[1]] if found else []


def _test(card: Record, tests: list[Record]) -> Record:
    """A card with what the tests show in place of what it says."""
    return card._replace(facts=card.facts | {test.word("field"): test.facts["hardest solved"] for test in tests})


def outcome(state: State) -> Score | None:
    """The score, with what a reward of answers and cost needs as its parts, as in Router-R1."""
    score = desk.outcome(state)
    if score is None:
        return None
    models, questions, route = _sent(state)
    answered = {what for what, to in route if what in questions and able(models[to], questions[what])}
    spent = cost(list(models.values()), list(questions.values()), [one for one in route if one[0] in questions])
    # A low cost is worth nothing by itself: one cheap question would earn it.
    parts = {"answered": len(answered) / len(questions), "cost": min(1.0, state.budget / spent) if len(answered) == len(questions) else 0.0}
    return replace(score, parts=parts)


def _sent(state: State) -> tuple[dict[str, Model], dict[str, Question], list[tuple[str, str]]]:
    """The models with their true skills, the questions, and which question was sent to which model."""
    records = {record.code: record for record in state.records}
    tests = [record for record in state.records if record.kind == "test"]
    models = {
        code: model(_test(one, [test for test in tests if test.facts["model"] == code]))
        for code, one in records.items()
        if one.kind == "model"
    }
    questions = {code: question(records[code]) for code in state.questions}
    return models, questions, [(one.question, one.model) for key in state.done for one in TOOLS.parse(key) if isinstance(one, Send)]


def judge(state: State) -> str:
    models, questions, route = _sent(state)
    if sorted(what for what, _ in route) != sorted(questions):
        return "not every question was sent exactly once"
    if not all(able(models[to], questions[what]) for what, to in route):
        return "a question was sent to a model that cannot answer it"
    return "" if cost(list(models.values()), list(questions.values()), route) <= state.budget else "it cost more than was allowed"


def milestones(state: State) -> dict[str, float]:
    records = {record.code: record for record in state.records}
    tests = [record for record in state.records if record.kind == "test"]
    sent = [one for key in state.done for one in TOOLS.parse(key) if isinstance(one, Send)]
    models = {one.model: model(_test(records[one.model], [test for test in tests if test.facts["model"] == one.model])) for one in sent}
    questions = [one.question for one in sent]
    lost = (
        state.spoiled
        or len(set(questions)) < len(questions)
        or not all(able(models[one.model], question(records[one.question])) for one in sent)
    )
    return {"questions_sent": 0.0 if lost else len(set(questions) & set(state.questions)) / len(state.questions)}


def weight(state: State) -> float:
    return float(len(FIELDS) + len(state.questions) * sum(record.kind == "model" for record in state.records))


desk = Service(TOOLS, decide, slips=("believes_cards", "greedy"), judge=judge, weight=weight)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Find each model's true skills, then weigh loading another model once against the higher price of those already loaded.",
    rules=desk.rules,
    version=6,
    milestones=milestones,
)  # fmt: skip
