"""Fill in and submit a form of a web site from facts that are spread over its pages, each written as its field asks.

Pages contradict each other, some are outdated or do not count, and some give orders to whoever reads them. The form can be submitted once.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row
from rlgym.generators.web.browser import BROWSER, FillField, OpenPage, SubmitForm
from rlgym.generators.web.questions import BOOK, SiteKnobs, answer, draw, state_of
from rlgym.generators.web.site import Question

STYLES = {
    "director": {"": "it as on the page", "surname": "the surname, a comma, a space and the first name"},
    "opening year": {"": "it as on the page", "age": "the number of years from then to 2026"},
    "ticket price": {"": "it as on the page, without the unit", "cents": "the price in cents, as digits only"},
    "closing day": {"": "it as on the page", "short": "its first three letters, in capitals"},
    "number of seats": {"": "it as on the page, without the unit", "dozens": "the number of whole dozens"},
}
TOOLS = ToolCalls((*BROWSER, FillField, SubmitForm, Finish), limit_in_prompt=True)


class Knobs(SiteKnobs):
    cases: int = knob(4, easy=1, hard=8, doc="fields of the form")
    styled: float = knob(0.5, easy=0.0, hard=1.0, doc="share of the fields that ask for another form than that of the page")


def start(rng: Rng, knobs: Knobs) -> Work:
    drawn = draw(rng, knobs)
    path = f"/forms/{rng.choice(('survey', 'report', 'register', 'census'))}-{rng.integer(1000, 9999)}"
    lines = []
    for number, question in enumerate(drawn.questions, 1):
        style = list(STYLES[question.attribute].values())[rng.chance(knobs.styled)]
        lines.append(f"Field {number}: {question.text}; write {style}.")
    drawn.site.add(path, "Form of the year", "forms", lines, 12, [])
    form: Row = {"status": "open", **{f"field {number}": "" for number in range(1, len(lines) + 1)}}
    briefing = f"Fill in the form {path} of the site of a region, and submit it. Its page says what each field asks for."
    styled = any("write it as on the page" not in line for line in lines)
    state = state_of(drawn, knobs, briefing, {"forms": {path: form}}, rng)
    facts = {name: text for name, text in state.facts.items() if name != "questions"} | {"form": path}
    return desk.ready(state.model_copy(update={"facts": facts, "rules": (*state.rules, *(("written",) if styled else ()))}), knobs)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    rules, form = BOOK.look_up(eyes, slip), eyes.facts["form"]
    lines = [line for line in eyes.ask(OpenPage(path=form)).split("\n") if line.startswith("Field ")]
    asked = [line.removesuffix(".").partition(": ")[2].split("; write ") for line in lines]
    answers = eyes.for_each([_question(text) for text, _ in asked], lambda question: answer(eyes, rules, question, slip)[0])
    deeds: list[Write] = []
    for number, ((_, style), value) in enumerate(zip(asked, answers), 1):
        if value:
            deeds.append(FillField(form=form, field=number, value=value if slip == "written" else _render_value(value, style)))
    return [*deeds, SubmitForm(form=form)]


def _question(text: str) -> Question:
    """The question of a field, read from its words."""
    attribute, _, venue = text.removeprefix("the ").partition(" of the ")
    if attribute == "number":  # of seats
        attribute, _, venue = text.removeprefix("the ").rpartition(" of the ")
    if venue.startswith("only "):
        kind, _, town = venue.removeprefix("only ").partition(" in ")
        return Question("", attribute, town, kind)
    return Question(venue, attribute)


def _render_value(value: str, style: str) -> str:
    known = {text: key for styles in STYLES.values() for key, text in styles.items()}
    match known[style]:
        case "surname":
            first, last = value.split()
            return f"{last}, {first}"
        case "age":
            return str(2026 - int(value))
        case "cents":
            return value.replace(".", "").lstrip("0")
        case "short":
            return value[:3].upper()
        case "dozens":
            return str(int(value) // 12)
    return value


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Read what each field asks for, find the page that counts for it, and write the value as the field wants it before you submit.",
    rules=desk.rules,
    milestones=desk.milestones,
    version=5,
)  # fmt: skip
