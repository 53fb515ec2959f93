"""Fill a form, given as HTML, from a letter: fields appear only after others are filled, and want things written in their own way.

The letter corrects itself, and leaves things out that the form asks for. The form can be sent once, and every field is judged.
"""

from collections.abc import Callable, Mapping
from functools import partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.toolbox.forms import PROTOS, Box, Form, appears, form, markup, read_as, write


class Show(Tool):
    """Shows the form as it is now."""


class Fill(Tool):
    """Writes a value into the field with this id; for a list, the value of one of its options; for a checkbox, yes or no. Empty clears it."""

    field: str = Field(max_length=12)
    value: str = Field(max_length=80)


class Send(Tool):
    """Sends the form as it is now, and ends the task."""


TOOLS = ToolCalls((Show, Fill, Send))


class Knobs(Config):
    fields: int = knob(6, easy=3, hard=11, doc="fields shown at first, of eleven kinds")
    depth: str = knob("deep", easy="flat", hard="deep", order=("flat", "deep"), doc="whether fields appear after others are filled")
    writing: str = knob(
        "exact", easy="plain", hard="exact", order=("plain", "exact"), doc="whether fields want other spellings than the letter's"
    )
    slips: int = knob(1, easy=0, hard=4, doc="things that the letter says wrongly and corrects")


class State(TaskData):
    form: Form
    values: tuple[tuple[str, str], ...] = ()  # keys and facts
    shown: tuple[str, ...] = ()  # fields that were seen
    sent: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return State(form=form(rng, knobs.fields, knobs.depth == "deep", knobs.writing == "exact", knobs.slips))


def shift(rng: Rng, knobs: Knobs) -> State:
    """Few fields at first, from which the others come, in a letter that takes back more of what it says."""
    sampled = form(rng, 2 + knobs.fields // 2, True, knobs.writing == "exact", knobs.slips + 1)
    return State(form=sampled)


def show(state: State) -> str:
    if state.told:
        return state.told
    ticks = (
        "; a checkbox counts as empty until it is given yes or no, and must be given one where the letter says something about it"
        if any(PROTOS[field.key].kind == "tick" for field in state.form.fields)
        else ""
    )
    grows = (
        "Some fields appear only when others have certain values, and what was in a field that disappears is lost. "
        if _has_dependent_fields(state)
        else ""
    )
    corrects = "Where the letter corrects itself, the correction holds. " if state.form.slips else ""
    return (
        f"Fill in a form from this letter, and send it:\n\n{state.form.letter}\n\n"
        f"The form is a web page that can only be seen and filled with tools. {grows}{corrects}"
        f"Leave empty what the letter says nothing about{ticks}.\n{TOOLS.manual()}\n\n"
        "The form can be sent once. Every field that is shown then must hold what the letter says, written as the field wants it."
    )


def act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _run, lambda now: now.sent)


def outcome(state: State) -> Score | None:
    if not state.sent:
        return None
    right, given = dict(state.form.facts), dict(state.values)
    wrong = sum(right.get(key) != given.get(key) for key in right.keys() | given.keys())
    return Score.exact(wrong == 0, f"{wrong} fields do not hold what the letter says")


def milestones(state: State) -> dict[str, float]:
    right, given = dict(state.form.facts), dict(state.values)
    keys = right.keys() | given.keys()
    return {"fields_right": sum(right.get(key) == given.get(key) for key in keys) / len(keys)}


def best(state: State) -> Calls:
    return _calls_to_fill(state, dict(state.form.facts))


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    facts = dict(first.form.facts)
    unticked = {key: value for key, value in facts.items() if PROTOS[key].kind != "tick" or value == "yes"}
    plain = {
        key: value
        for key, value in facts.items()
        if all(field.key != key or _is_written_plainly(field, value) for field in first.form.fields)
    }
    shown = {key: value for key, value in facts.items() if not PROTOS[key].parent}
    silent = [field for field in first.form.fields if field.key not in facts and not PROTOS[field.key].parent]
    values_by_rule = {"leave_empty": facts | {field.key: _placeholder(field) for field in silent}, "as_the_field_wants_it": plain}
    values_by_rule |= {"look_again": shown} if _has_dependent_fields(first) else {}
    values_by_rule |= {"corrections": facts | dict(first.form.slips)} if first.form.slips else {}
    values_by_rule |= {"checkboxes": unticked} if any(PROTOS[field.key].kind == "tick" for field in first.form.fields) else {}
    return {rule: partial(_fill_with, held) for rule, held in values_by_rule.items()}


def _fill_with(held: dict[str, str], state: State) -> Calls:
    return _calls_to_fill(state, held)


def _is_written_plainly(field: Box, value: str) -> bool:
    """Whether a field takes a value as the letter writes it."""
    kind = PROTOS[field.key].kind
    text = value if kind == "choice" else write(field._replace(form="D Month YYYY" if kind == "date" else ""), value)
    return kind not in ("phone", "grams") and read_as(field, text) == value


def _placeholder(field: Box) -> str:
    return {"name": "Ada Grant", "date": "2000-01-01"}.get(PROTOS[field.key].kind, "1")


def mistakes(state: State) -> list[Calls]:
    # Sends at once; leaves a field out; fills another value in; copies a value into a field that the letter does not mention.
    facts = dict(state.form.facts)
    last = [key for key in facts if key not in {PROTOS[other].parent for other in facts}][-1]
    first = next(iter(facts))
    shorter = {key: value for key, value in facts.items() if key != last}
    turned = facts | {last: _other(state, last, facts[last])}
    stop = (Send(),)
    return [
        stop,
        _calls_to_fill(state, shorter),
        _calls_to_fill(state, turned),
        (Fill(field=state.form.fields[0].code, value=first), Send()),
    ]


def cost(state: State) -> float:
    fields = [field for field in state.form.fields if field.key in dict(state.form.facts)]
    exact = sum(bool(field.form) and field.form not in ("First Last", "D Month YYYY") for field in fields)
    return len(fields) + exact + 2 * _depth(state) + state.form.letter.count("Ignore")


def turns(state: State) -> int:
    return 2 * len(state.form.facts) + 2 * _depth(state) + 6


def explain(state: State) -> list[str]:
    calls, given = best(state), dict(state.values)
    if isinstance(calls[0], Show):
        steps = ["Fields may have appeared, so the form must be looked at."]
    elif isinstance(calls[0], Send):
        steps = ["Every field that is shown holds what the letter says last, or is empty where it says nothing."]
    else:
        steps = [
            f"{field.code} ({field.label}): {PROTOS[field.key].kind}, as the letter says last."
            for field in _visible(state)
            if dict(state.form.facts).get(field.key, "") != given.get(field.key, "")
        ]
    return [*steps, TOOLS.render(calls)]


def _run(state: State, call: Tool) -> tuple[State, str]:
    match call:
        case Show():
            fields = _visible(state)
            given = dict(state.values)
            rows = "\n".join(f"  {markup(field, given.get(field.key, ''))}" for field in fields)
            return state.model_copy(update={"shown": tuple(field.code for field in fields)}), f"<form>\n{rows}\n</form>"
        case Send():
            return state.model_copy(update={"sent": True}), ""
        case Fill(field=code, value=value):
            field = next((field for field in _visible(state) if field.code == code.strip()), None)
            if field is None:
                return state, f"the form shows no field {code!r}"
            fact = read_as(field, value) if value.strip() else ""
            if fact is None:
                wants = f"is to be written as {field.form}" if field.form else "does not take this"
                return state, f"{field.code} was not filled: {field.label!r} {wants}, got {value[:40]!r}"
            given = {key: old for key, old in state.values if key != field.key} | ({field.key: fact} if fact else {})
            remaining = tuple((key, old) for key, old in given.items() if appears(key, given))
            before = {one.code for one in _visible(state)}
            state = state.model_copy(update={"values": remaining})
            changed = "; the form has changed" if {one.code for one in _visible(state)} != before else ""
            return state, f"{field.code} holds {value.strip()!r}{changed}"
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _has_dependent_fields(state: State) -> bool:
    """Whether some fields appear only after others."""
    return any(PROTOS[field.key].parent for field in state.form.fields)


def _visible(state: State) -> list[Box]:
    given = dict(state.values)
    return [field for field in state.form.fields if appears(field.key, given)]


def _calls_to_fill(state: State, values: dict[str, str]) -> Calls:
    """The next calls of one who wants the form to hold this."""
    fields, given = _visible(state), dict(state.values)
    if any(field.code not in state.shown for field in fields):
        return (Show(),)
    left: list[Call] = []
    for field in fields:
        value = values.get(field.key, "")
        if value != given.get(field.key, ""):
            left.append(Fill(field=field.code, value=write(field, value) if value else ""))
    return tuple(left)[: TOOLS.max_calls] or (Send(),)


def _other(state: State, key: str, value: str) -> str:
    """Another value of the same kind."""
    proto = PROTOS[key]
    match proto.kind:
        case "choice":
            return next(option for option in proto.options if option != value)
        case "tick":
            return "no" if value == "yes" else "yes"
        case "date":
            return f"{value[:-2]}{29 - int(value[-2:]):02}"
        case "number" | "grams" | "phone":
            return value[:-1] + str((int(value[-1]) + 1) % 10)
    return "Ada Grant" if value != "Ada Grant" else "Ben Fox"


def _depth(state: State) -> int:
    """How often new fields appear on the way."""

    def deep(key: str) -> int:
        return 1 + deep(PROTOS[key].parent) if PROTOS[key].parent else 0

    return max(deep(key) for key, _ in state.form.facts)


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Look at the form again whenever it changes, and for every field take the letter's last word on it, in the field's own writing.",
    milestones=milestones,
    version=3,
    rules=rules,
)  # fmt: skip
