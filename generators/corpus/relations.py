"""What can be said of the things of an invented world, in several wordings each."""

from typing import NamedTuple


class Relation(NamedTuple):
    """One value per thing: of which kind of thing, what kind the value has, how it is asked for, and how pages say it.

    `back` asks for the thing with this value; it is empty where that is never asked.
    """

    subject: str
    value: str
    heading: str
    ask: str
    says: tuple[str, ...]
    back: str = ""


def _wordings(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


RELATIONS = {
    "birthplace": Relation(
        "person", "town", "Origins", "the town where {x} was born",
        _wordings("{x} was born in {y}.|{y} is the birthplace of {x}.|{x} came into the world at {y}.|The cradle of {x} stood in {y}."),
    ),
    "birth": Relation(
        "person", "year", "Origins", "the year in which {x} was born",
        _wordings("{x} was born in the year {y}.|The year of birth of {x} is {y}.|{x}, born {y}, is still spoken of.|In {y}, {x} was born."),
    ),
    "teacher": Relation(
        "person", "person", "Ties", "the teacher of {x}",
        _wordings("{x} was taught by {y}.|{y} was the teacher of {x}.|{x} learned everything from {y}.|It was {y} who taught {x}."),
    ),
    "employer": Relation(
        "person", "company", "Ties", "the company that employs {x}",
        _wordings("{x} works for {y}.|{y} employs {x}.|{x} is on the payroll of {y}.|{x} earns a living at {y}."),
    ),
    "river": Relation(
        "town", "river", "Origins", "the river that flows through {x}",
        _wordings("{y} flows through {x}.|{x} lies on both banks of {y}.|Through {x} runs {y}.|{x} was built along {y}."),
    ),
    "settled": Relation(
        "town", "year", "Origins", "the year in which {x} was founded",
        _wordings("{x} was founded in {y}.|The charter of {x} dates from {y}.|{x} goes back to the year {y}.|In {y}, {x} was founded."),
    ),
    "mayor": Relation(
        "town", "person", "Ties", "the mayor of {x}",
        _wordings("The mayor of {x} is {y}.|{y} is mayor of {x}.|{x} is governed by {y}.|The town hall of {x} is led by {y}."),
    ),
    "partner": Relation(
        "town", "town", "Ties", "the partner town of {x}",
        _wordings("The partner town of {x} is {y}.|{x} is twinned with {y}.|{x} has chosen {y} as its partner town."),
    ),
    "mouth": Relation(
        "river", "town", "Ties", "the town where {x} reaches the sea",
        _wordings("{x} reaches the sea at {y}.|{x} ends in the sea at {y}.|{y} stands at the mouth of {x}.|The mouth of {x} is at {y}."),
    ),
    "length": Relation(
        "river", "number", "Origins", "the length of {x} in kilometres",
        _wordings("{x} is {y} kilometres long.|From spring to mouth {x} measures {y} kilometres.|The length of {x} is {y} kilometres."),
    ),
    "seat": Relation(
        "company", "town", "Ties", "the town where {x} has its head office",
        _wordings("{x} has its head office in {y}.|{x} is based in {y}.|{y} is the seat of {x}.|The headquarters of {x} are in {y}."),
    ),
    "founder": Relation(
        "company", "person", "Origins", "the person who founded {x}",
        _wordings("{x} was founded by {y}.|{y} founded {x}.|{x} was set up by {y}.|The founder of {x} is {y}."),
        "the company that {x} founded",
    ),
    "began": Relation(
        "company", "year", "Origins", "the year in which {x} was founded",
        _wordings("{x} was founded in {y}.|{x} has traded since {y}.|{x} opened its doors in {y}.|In {y}, {x} was set up."),
    ),
    "owner": Relation(
        "ship", "company", "Ties", "the company that owns {x}",
        _wordings("{x} belongs to {y}.|{y} owns {x}.|{x} is owned by {y}.|{x} sails for its owner, {y}."),
        "the ship that {x} owns",
    ),
    "captain": Relation(
        "ship", "person", "Ties", "the captain of {x}",
        _wordings("The captain of {x} is {y}.|{y} commands {x}.|{x} sails under {y}.|{y} is captain of {x}."),
        "the ship whose captain is {x}",
    ),
    "port": Relation(
        "ship", "town", "Origins", "the home port of {x}",
        _wordings("The home port of {x} is {y}.|{x} is registered at its home port, {y}.|{y} is the home port of {x}."),
    ),
    "launched": Relation(
        "ship", "year", "Origins", "the year in which {x} was launched",
        _wordings("{x} was launched in {y}.|{x} first touched water in {y}.|The launch of {x} was in {y}.|In {y}, {x} was launched."),
    ),
    "author": Relation(
        "novel", "person", "Origins", "the author of {x}",
        _wordings("{x} was written by {y}.|{y} wrote {x}.|The author of {x} is {y}.|{x} is a work of {y}."),
        "the novel that {x} wrote",
    ),
    "setting": Relation(
        "novel", "town", "Ties", "the town in which {x} is set",
        _wordings("{x} is set in {y}.|The story of {x} takes place in {y}.|{y} is the scene of {x}."),
    ),
    "printed": Relation(
        "novel", "year", "Origins", "the year in which {x} was first printed",
        _wordings("{x} was first printed in {y}.|The first printing of {x} was in {y}.|{x} came from the press in {y}."),
    ),
}  # fmt: skip
BESIDE = _wordings(
    "{x} is sometimes confused with {y}.|An old song names {x} and {y} in one verse.|Nothing links {x} with {y}, whatever is said."
    "|A painting in the town hall shows {x} and {y}.|Visitors ask about {x} as often as about {y}.|A letter mentions {x} next to {y}."
)
KINDS = ("person", "town", "company", "river", "ship", "novel")
NAMED = {kind: f"the {kind} {{}}" if kind not in ("person", "town") else "{}" for kind in KINDS}
ENDS = {
    "person": ("sen", "ard", "quist", "mann", "ley", "sko"),
    "town": ("by", "wick", "holm", "stead", "ford", "mar"),
    "company": ("ex", "tor", "ics", "bank", "works", "line"),
    "river": ("a", "une", "is", "eau", "ach", "ow"),
    "ship": ("elle", "ara", "us", "ine", "ette", "ida"),
    "novel": ("iad", "ora", "ium", "ance", "esque", "ode"),
}
STARTS = "Al Bar Cor Dal El Fen Gar Hol Ith Jor Kel Lom Mar Nor Ost Pel Quor Ral Sel Tor Ul Var Wen Yar Zel".split()
MIDDLES = "b d f g l m n r s t v bel del fan gor lim man nor ril tam".split()
