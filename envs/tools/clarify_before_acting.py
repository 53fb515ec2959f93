"""Do what a colleague asks for, and ask back first wherever the words fit more than one thing, and only there.

The colleague is a simulated person who understands ordinary English and answers what is asked, and each answer may still leave several things
over. Acting on a guess loses even where the guess is lucky, and so does asking what the words had settled already.
"""

from typing import ClassVar, Literal

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.archive import QUALITIES, archive, fitting, matter
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Read
from rlgym.generators.users.desk import Conversations, Say, hear, talk
from rlgym.generators.users.grammar import Meaning
from rlgym.generators.users.moods import moods
from rlgym.generators.users.person import Chat, Line, Person
from rlgym.generators.users.translation.prompts import LANGUAGE, worded


class ListFiles(Browse):
    """Lists the files of a sort."""

    kind, by, shows = "file", ("sort",), ("subject", "town", "year", "state")
    sort: Literal["contract", "plan", "report", "invoice", "photo"]
    page: int = FIRST_PAGE


class ReadRequest(Read):
    """Reads a request."""

    kind = "request"
    code: str = CODE


class SayToColleague(Say):
    """Says something to the colleague, in plain English; the answer is what they reply. Name the request that you mean."""

    grammar: ClassVar[str] = "archive"
    questions: ClassVar[dict[str, str]] = {
        "subject": "What is the subject?",
        "town": "Which town is it for?",
        "year": "Which year is it from?",
        "state": "Which state is it in?",
    }


class GetFile(Read):
    """Opens a file."""

    kind = "file"
    code: str = CODE


class Send(Change):
    """Sends a file to the colleague, as a request asks."""

    touches = {"request": "request", "file": "file"}
    request: str = CODE
    file: str = CODE


class Delete(Change):
    """Deletes a file forever, as a request asks."""

    touches = {"request": "request", "file": "file"}
    request: str = CODE
    file: str = CODE


class Decline(Change):
    """Says that no file is the one that a request means."""

    touches = {"request": "request"}
    request: str = CODE


TOOLS = ToolCalls((ReadRequest, ListFiles, SayToColleague, GetFile, Send, Delete, Decline, Finish))


class Knobs(Config):
    requests: int = knob(3, easy=1, hard=5, doc="things that the colleague asks for")
    files: int = knob(6, easy=4, hard=9, doc="files of each sort")
    vague: int = knob(2, easy=1, hard=4, doc="most qualities that a request leaves out")
    language: str = LANGUAGE


class State(Conversations):
    requests: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, knobs, crossed=False)


def shift(rng: Rng, knobs: Knobs) -> State:
    """Requests that say what a file is not."""
    return _state(rng, knobs, crossed=True)


def _state(rng: Rng, knobs: Knobs, crossed: bool) -> State:
    world = archive(rng, knobs.requests, knobs.files, knobs.vague, crossed)
    briefing = (
        f"You keep the files of an office, and a colleague has left requests: {', '.join(world.requests)}.\n\n"
        "The colleague is a person: speak to them in plain English, and name the request. They may need to be asked twice.\n"
        "Each request is for one file, which may not exist. Consider all files of the sort it names that fit its description. If none fits, decline. If one "
        f"fits, it is the one. If several fit, ask back about the first of these qualities in which those that fit differ: {', '.join(QUALITIES)}; "
        "drop the files that the answer rules out, and continue in this way until one file or none is left. Ask about nothing else: an unnecessary "
        "question fails the task, and so does acting before a necessary one. Open a file before you send or delete it."
    )
    state = State(
        briefing=briefing,
        records=world.records,
        cases=len(world.requests),
        requests=world.requests,
        people=(world.person.speaking(knobs.language),),
        chats=(Chat(),),
    )
    return desk.begun(state) if knobs.requests == 1 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    request = eyes.read(ReadRequest(code=state.requests[case]))
    rows = eyes.all(ListFiles.model_validate({"sort": request.word("sort")}))
    left = fitting(rows, request.facts)
    while len(left) > 1 and slip != "takes_the_first":
        about = next(name for name in QUALITIES if len({row.facts[name] for row in left}) > 1)
        answer = eyes.read(_asking(request.code, about))
        left = [row for row in left if row.facts[about] == answer.facts[about]]
    if not left:
        return [Decline(request=request.code)]
    file = eyes.read(GetFile(code=left[0].code))
    if request.facts["verb"] == "send" or slip == "only_sends":
        return [Send(request=request.code, file=file.code)]
    return [Delete(request=request.code, file=file.code)]


def _needs(state: State, change: Tool) -> list[str]:
    """The answers that must have been heard before a request is acted on."""
    assert isinstance(change, Send | Delete | Decline)
    eyes = Eyes(state.records, TOOLS, None)
    if change.request in state.requests:
        decide(state, state.requests.index(change.request), eyes)
    asked = {name: TOOLS.render((_asking(change.request, name),)) for name in QUALITIES}
    return [f"{name} {matter(change.request)}" for name, key in asked.items() if key in eyes.used]


def _asking(request: str, about: str) -> SayToColleague:
    asking: SayToColleague = SayToColleague.asking(f"{about} {matter(request)}")
    return asking


def _react(state: State, person: Person, meaning: Meaning) -> Line | None:
    """What the colleague says to something that none of the lines answers."""
    match meaning.intent:
        case "go_ahead" | "ask:which":
            return Line("", "I do not know the codes of files. Ask me what you need to know about it.")
        case "ask:request":
            return Line("", "It is all in the requests that I left; read them again.")
        case "ask:sure":
            return Line("", "I meant it as I wrote it.")
        case "open" | "anything_else":
            return Line("", f"Only what I left: {', '.join(state.requests)}.")
    return None


def _talk(state: State, call: Tool) -> tuple[State, str] | None:
    return talk(state, call, TOOLS, _react)


def judge(state: State) -> str:
    """The changes must be those asked for, and no question may be one that was not needed."""
    eyes = Eyes(state.records, TOOLS, None)
    expected = sorted(TOOLS.render((deed,)) for case in range(state.cases) for deed in decide(state, case, eyes))
    if sorted(state.done) != expected:
        return "the changes made are not those that the requests mean"
    ask_backs, needed = ({key for key in keys if key.startswith('{"tool": "say_to_colleague"')} for keys in (state.seen, eyes.used))
    return "" if ask_backs <= needed else "something was asked that the words had settled"


desk = Service(
    TOOLS, decide, slips=("takes_the_first", "only_sends"), needs=_needs, judge=judge, talk=_talk, heard=hear, voices=("answer",),
)  # fmt: skip

environment = Game(
    Knobs, TOOLS, start, worded(desk.show), desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    shift=shift,
    concept="Compare the words with everything they could mean, ask only while several things are left, and act when one is.",
    rules=desk.rules,
    version=10,
    milestones=desk.milestones, moods=moods,
    with_user=desk.with_user,
)  # fmt: skip
