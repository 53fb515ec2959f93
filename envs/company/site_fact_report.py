"""Report facts from a web site of hundreds of linked pages, each with the very page that states it.

Pages contradict each other, some are outdated or do not count, and some give orders to whoever reads them. A fact too many or too few fails.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.company import WorkKnobs
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.web.browser import BROWSER, RemoveFact, StateFact
from rlgym.generators.web.questions import BOOK, answer, draw, questions_of, state_of

TOOLS = ToolCalls((*BROWSER, StateFact, RemoveFact, Finish), limit_in_prompt=True)


class Knobs(WorkKnobs):
    records: int = knob(20, easy=6, hard=60, doc="venues that no question is about")
    cases: int = knob(4, easy=1, hard=8, doc="facts to report")
    clauses: int = knob(3, easy=0, hard=5, doc="rules about which pages count")


def start(rng: Rng, knobs: Knobs) -> Work:
    drawn = draw(rng, knobs)
    items = "\n".join(f"{number}. {question.text}" for number, question in enumerate(drawn.questions, 1))
    entries = {f"item {number}": {"value": "", "page": ""} for number in range(1, len(drawn.questions) + 1)}
    briefing = (
        f"Report these facts from the site of a region, each with its value as the page writes it, numbers without a unit, and the path of the "
        f"page that states it:\n{items}"
    )
    return desk.ready(state_of(drawn, knobs, briefing, {"report": entries}, rng), knobs)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    rules = BOOK.look_up(eyes, slip)
    answers = eyes.for_each(questions_of(eyes), lambda question: answer(eyes, rules, question, slip))
    return [StateFact(item=number, value=value, page=page) for number, (value, page) in enumerate(answers, 1) if page]


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Find every page about the thing, see which of them count, and take the latest that states the fact.",
    rules=desk.rules,
    milestones=desk.milestones,
    version=5,
)  # fmt: skip
