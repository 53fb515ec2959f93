"""Report facts from a web site of hundreds of linked pages, each with the very page that states it.

Pages contradict each other, some are outdated or do not count, and some give orders to whoever reads them. A fact too many or too few fails. The
parts of the score are the nuggets: the share of the facts that are reported rightly, and the share of those reported whose page states the value.
"""

from dataclasses import replace

from rlgym import Game, Rng, Score, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.web.browser import BROWSER, RemoveFact, StateFact
from rlgym.generators.web.questions import BOOK, SiteKnobs, answer, draw, nuggets, questions_of, state_of

TOOLS = ToolCalls((*BROWSER, StateFact, RemoveFact, Finish), limit_in_prompt=True)


class Knobs(SiteKnobs):
    cases: int = knob(4, easy=1, hard=8, doc="facts to report")
    citations: str = knob("asked", easy="none", hard="asked", order=("none", "asked"), doc="whether each fact is cited with its page")


def start(rng: Rng, knobs: Knobs) -> Work:
    drawn = draw(rng, knobs)
    items = "\n".join(f"{number}. {question.text}" for number, question in enumerate(drawn.questions, 1))
    cited = knobs.citations == "asked"
    entries = {f"item {number}": {"value": "", **({"page": ""} if cited else {})} for number in range(1, len(drawn.questions) + 1)}
    form = "its value as the page writes it, numbers without a unit" + (", and the path of the page that states it" if cited else "")
    facts = "these facts from the site of a region, each with" if len(drawn.questions) > 1 else "this fact from the site of a region, with"
    briefing = f"Report {facts} {form}:\n{items}"
    return desk.ready(state_of(drawn, knobs, briefing, {"report": entries}, rng), knobs)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    rules = BOOK.look_up(eyes, slip)
    answers = eyes.for_each(questions_of(eyes), lambda question: answer(eyes, rules, question, slip))
    return [StateFact(item=number, value=value, page=page) for number, (value, page) in enumerate(answers, 1) if page]


def outcome(state: Work) -> Score | None:
    """Right if the whole report is; the parts say which share of the facts was reported, and of how many facts the page cited states the value."""
    score = desk.outcome(state)
    return replace(score, parts=nuggets(state, desk.wanted(state))) if score else None


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Find every page about the thing, see which of them count, and take the latest that states the fact.",
    rules=desk.rules,
    milestones=desk.milestones,
    version=7,
)  # fmt: skip
