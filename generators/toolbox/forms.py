"""Letters, and forms in HTML that are to be filled from them: fields that appear only after others, and their own ways of writing things."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.text.names import PEOPLE

TOWNS = ("Berga", "Colmo", "Dunwick", "Elster", "Fenmoor", "Garda", "Holm", "Istria")
SURNAMES = ("Abbot", "Costa", "Duval", "Engel", "Fox", "Grant", "Holt", "Ivers", "Jonas", "Klein", "Lund", "Moreau")
MONTHS = tuple("January February March April May June July August September October November December".split())
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


class Proto(NamedTuple):
    """A kind of field: labels, what it takes, how a letter says it, and the field and value that make it appear."""

    labels: tuple[str, ...]
    kind: str  # "name", "date", "number", "grams", "phone", "choice", "tick" or "word"
    says: tuple[str, ...]
    options: tuple[str, ...] = ()
    parent: str = ""
    when: str = ""  # a value, or ">N"


PROTOS: dict[str, Proto] = {
    "name": Proto(("Applicant", "Name of the applicant"), "name", ("My name is {}.", "I am {}.")),
    "born": Proto(("Date of birth", "Born on"), "date", ("I was born on {}.", "My birthday is {}.")),
    "type": Proto(
        ("Type of customer", "You are"), "choice", ("I write for a {}.", "This is the order of a {}."), ("household", "company", "school")
    ),
    "firm": Proto(("Firm", "Name of the firm"), "word", ("Our firm is called {}.", "The firm is {}."), TOWNS, "type", "company"),
    "staff": Proto(("Employees",), "number", ("We have {} employees.", "The firm employs {} people."), (), "type", "company"),
    "contact": Proto(
        ("Contact for large firms", "Contact person"),
        "name",
        ("Our contact person is {}.", "Please write to {} there."),
        (),
        "staff",
        ">50",
    ),
    "pupils": Proto(("Pupils", "Number of pupils"), "number", ("There are {} pupils.", "The school has {} pupils."), (), "type", "school"),
    "pieces": Proto(("Pieces", "Number of pieces"), "number", ("I need {} pieces.", "We order {} pieces.")),
    "weight": Proto(("Weight of the old one in grams",), "grams", ("The old one weighs {} kg.", "What you take back weighs {} kg.")),
    "delivery": Proto(("Delivery",), "choice", ("It should come by {}.", "As delivery I choose {}."), ("post", "courier", "pickup")),
    "day": Proto(
        ("Day of the courier",), "choice", ("Have it brought on a {}.", "The courier should come on {}."), DAYS, "delivery", "courier"
    ),
    "branch": Proto(("Branch",), "choice", ("I collect it in {}.", "My branch is {}."), TOWNS, "delivery", "pickup"),
    "insured": Proto(("Insure it",), "tick", ("Insure it: {}.", "As to an insurance: {}.")),
    "value": Proto(("Value in coins",), "number", ("It is worth {} coins.", "Put its value at {} coins."), (), "insured", "yes"),
    "proof": Proto(
        ("Number of the proof of value",), "number", ("The proof of value has the number {}.", "Proof of value: {}."), (), "value", ">1000"
    ),
    "phone": Proto(("Telephone, digits only",), "phone", ("You can ring me at {}.", "My telephone number is {}.")),
    "payment": Proto(("Payment",), "choice", ("I pay by {}.", "Payment is by {}."), ("invoice", "card", "cash")),
    "billing": Proto(("Town of the invoice",), "word", ("The invoice goes to {}.", "Send the invoice to {}."), TOWNS, "payment", "invoice"),
    "due": Proto(
        ("Invoice to be dated",), "date", ("Date the invoice {}.", "The invoice should bear the date {}."), (), "payment", "invoice"
    ),
    "card": Proto(
        ("Last four digits of the card",), "number", ("My card ends in {}.", "The card's last digits are {}."), (), "payment", "card"
    ),
    "news": Proto(("Newsletter",), "tick", ("The newsletter: {}.", "As to your newsletter: {}.")),
}
ROOTS = tuple(key for key, proto in PROTOS.items() if not proto.parent)
FORMS = {"name": ("First Last", "Last, First"), "date": ("D Month YYYY", "DD.MM.YYYY", "YYYY-MM-DD", "MM/DD/YYYY")}


class Box(NamedTuple):
    key: str
    code: str
    label: str
    form: str  # how it wants to be written, empty where there is one way
    options: tuple[tuple[str, str], ...]  # codes and what they stand for


class Form(NamedTuple):
    fields: tuple[Box, ...]
    facts: tuple[tuple[str, str], ...]  # what holds; the last word of the letter
    letter: str
    slips: tuple[tuple[str, str], ...]  # what the letter says at first of the facts that it corrects


def form(rng: Rng, roots: int, deep: bool, exact: bool, slips: int) -> Form:
    """A form with so many fields to begin with; `deep` with fields that appear, `exact` with ways of writing that differ from the letter's."""
    keys = rng.sample(ROOTS, min(roots, len(ROOTS)))
    if deep and not {"type", "delivery", "insured", "payment"} & set(keys):
        keys[0] = rng.choice(("type", "delivery", "insured", "payment"))
    known = {key: _fact(rng, key) for key in keys}
    if deep:
        for key, proto in PROTOS.items():
            if proto.parent in known:
                known[key] = _fact(rng, key)
    shown = [key for key in PROTOS if key in known]
    codes = [f"{rng.choice('abcdefgh')}{number}" for number in rng.sample(range(10, 99), len(shown))]
    fields = tuple(_field(rng, key, code, exact) for key, code in zip(shown, codes))
    visible = {key: value for key, value in known.items() if appears(key, known)}
    silent = [key for key in ("pieces", "born", "name", "phone", "weight") if key in visible][:1]
    if silent and rng.chance(0.75) and len(visible) > 2:
        del visible[silent[0]]
    slipped = [key for key in rng.shuffled(list(visible)) if PROTOS[key].kind != "tick"][:slips]
    wrong = {key: _sample_other_value(rng, key, visible[key]) for key in slipped}
    sentences = [_describe(rng, key, wrong.get(key, visible[key])) for key in rng.shuffled(list(visible))]
    sentences += [f"Ignore what I said before about this: {_describe(rng, key, visible[key])}" for key in slipped]
    return Form(fields, tuple(visible.items()), " ".join(sentences), tuple(wrong.items()))


def appears(key: str, values: Mapping[str, str]) -> bool:
    """Whether a field is shown, with these values in the others; the field it hangs on must be shown too."""
    proto = PROTOS[key]
    if not proto.parent:
        return True
    value = values.get(proto.parent, "")
    met = value.isdigit() and int(value) > int(proto.when[1:]) if proto.when.startswith(">") else value == proto.when
    return met and appears(proto.parent, values)


def write(field: Box, value: str) -> str:
    """A fact as its field wants it."""
    match PROTOS[field.key].kind:
        case "choice":
            return next(code for code, text in field.options if text == value)
        case "date":
            year, month, day = value.split("-")
            return {
                "D Month YYYY": f"{int(day)} {MONTHS[int(month) - 1]} {year}",
                "DD.MM.YYYY": f"{day}.{month}.{year}",
                "MM/DD/YYYY": f"{month}/{day}/{year}",
            }.get(field.form, value)
        case "name":
            first, last = value.split()
            return f"{last}, {first}" if field.form == "Last, First" else value
    return value


def read_as(field: Box, text: str) -> str | None:
    """The fact that is meant by what was written into a field, None where the field does not take it."""
    text = " ".join(text.split())
    match PROTOS[field.key].kind:
        case "choice":
            return dict(field.options).get(text)
        case "tick":
            return text if text in ("yes", "no") else None
        case "number" | "grams" | "phone":
            return text if re.fullmatch("[0-9]{1,12}", text) else None
        case "name":
            last, comma, first = text.partition(", ")
            parts = [first, last] if comma else text.split(" ")
            return " ".join(parts) if bool(comma) == (field.form == "Last, First") and len(parts) == 2 and all(parts) else None
        case "date":
            return _date(field.form, text)
    return text if 0 < len(text) <= 60 else None


def markup(field: Box, value: str) -> str:
    """A field as HTML."""
    kind = PROTOS[field.key].kind
    label = f'<label for="{field.code}">{escape(field.label)}</label>'
    filled = write(field, value) if value else ""
    if kind == "choice":
        rows = "".join(f'<option value="{code}"{" selected" * (code == filled)}>{escape(text)}</option>' for code, text in field.options)
        return f'{label} <select id="{field.code}"><option value=""></option>{rows}</select>'
    if kind == "tick":
        return f'{label} <input id="{field.code}" type="checkbox"{" checked" * (filled == "yes")}> <!-- yes or no -->'
    hint = f' placeholder="{field.form}"' if field.form else ""
    return f'{label} <input id="{field.code}" type="{"number" if kind in ("number", "grams") else "text"}"{hint} value="{escape(filled)}">'


def _field(rng: Rng, key: str, code: str, exact: bool) -> Box:
    proto = PROTOS[key]
    form = rng.choice(FORMS[proto.kind][1:] if exact else FORMS[proto.kind][:1]) if proto.kind in FORMS else ""
    codes = [f"{rng.choice('rstvw')}{number}" for number in rng.sample(range(1, 60), len(proto.options))] if exact else proto.options
    options = tuple(rng.shuffled(list(zip(codes, proto.options)))) if proto.kind == "choice" else ()
    return Box(key, code, rng.choice(proto.labels), form, options)


def _fact(rng: Rng, key: str) -> str:
    proto = PROTOS[key]
    match proto.kind:
        case "name":
            return f"{rng.choice(PEOPLE)} {rng.choice(SURNAMES)}"
        case "date":
            return f"{rng.integer(1950, 2019)}-{rng.integer(1, 12):02}-{rng.integer(1, 28):02}"
        case "choice":
            return rng.choice(proto.options[1:] if len(proto.options) == 3 and rng.chance(0.6) else proto.options)
        case "tick":
            return "yes" if rng.chance(0.5) else "no"
        case "phone":
            return f"0{rng.integer(10_000_000, 99_999_999)}"
        case "grams":
            return str(10 * rng.integer(30, 900))
        case "word":
            return f"{rng.choice(proto.options)} {rng.choice(('North', 'South', 'East', 'West'))}"
    low, high = {"value": (400, 2500), "staff": (20, 120), "card": (1000, 9999), "proof": (10_000, 99_999)}.get(key, (2, 90))
    return str(rng.integer(low, high))


def _sample_other_value(rng: Rng, key: str, value: str) -> str:
    """Another value of the same kind, which shows and hides nothing else."""
    for _ in range(30):
        other = _fact(rng, key)
        if other != value:
            return other
    raise AssertionError("unreachable: every kind of fact has many values")


def _describe(rng: Rng, key: str, value: str) -> str:
    """A fact in the words of a letter."""
    proto = PROTOS[key]
    match proto.kind:
        case "date":
            year, month, day = value.split("-")
            value = f"{int(day)} {MONTHS[int(month) - 1]} {year}"
        case "grams":
            value = f"{int(value) / 1000:g}"
        case "phone":
            value = f"{value[:3]} {value[3:6]} {value[6:]}"
        case "tick":
            value = "yes, please" if value == "yes" else "no, thank you"
    return rng.choice(proto.says).format(value)


def _date(form: str, text: str) -> str | None:
    if form == "D Month YYYY":
        match = re.fullmatch("([0-9]{1,2}) ([A-Za-z]+) ([0-9]{4})", text)
        if not match or match[2].capitalize() not in MONTHS:
            return None
        return f"{match[3]}-{MONTHS.index(match[2].capitalize()) + 1:02}-{int(match[1]):02}"
    pattern = {"DD.MM.YYYY": r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})", "MM/DD/YYYY": "([0-9]{2})/([0-9]{2})/([0-9]{4})"}.get(form)
    if pattern is None:
        return text if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None
    match = re.fullmatch(pattern, text)
    if not match:
        return None
    day, month = (match[1], match[2]) if form == "DD.MM.YYYY" else (match[2], match[1])
    return f"{match[3]}-{month}-{day}"
