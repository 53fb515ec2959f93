"""The state of work in a company's systems, and what others do in them meanwhile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from pydantic.fields import FieldInfo

from rlgym.answers import Tool
from rlgym.core.config import Config, knob
from rlgym.core.task import TaskData
from rlgym.generators.company.operations import Show
from rlgym.generators.company.versions import TITLE, refusal
from rlgym.generators.company.world import Changes, Tables, overlaid, patch_tables


class WorkKnobs(Config):
    """Knobs of all families of work; with one case the briefing states all that is needed to begin."""

    cases: int = knob(3, easy=1, hard=6, doc="cases to be settled")
    records: int = knob(20, easy=6, hard=60, doc="records of each kind that no case is about")
    arrivals: int = knob(1, easy=0, hard=2, doc="whether others write while one works: not at all for 0")
    outages: int = knob(1, easy=0, hard=3, doc="tools that fail at their first call")
    spare: int = knob(60, easy=200, hard=25, scale="log", doc="calls beyond those of the oracle, in percent")
    token_spare: int = knob(
        100,
        easy=300,
        hard=50,
        scale="log",
        doc="tokens of results beyond those of the oracle, in percent; with one case there is no such limit",
    )
    calls_per_turn: int = knob(4, easy=8, hard=1, doc="calls that are run in one turn")


class Arrival(NamedTuple):
    """What others do after the given number of calls: they write rows of one system, and a notice names the record."""

    after: int
    system: str
    record: str
    rows: Tables


class Work(TaskData):
    """The state of the work. `base` is what the systems held at the start and what others wrote; `changes` is what the player wrote."""

    briefing: str
    base: Tables
    facts: dict[str, str]
    """What the briefing says, by name."""
    rules: tuple[str, ...]
    """The names of the rules that this task states and exercises."""
    rights: tuple[str, ...]
    actor: str
    today: str
    budget: int = 0
    calls_per_turn: int = 8
    arrivals: tuple[Arrival, ...] = ()
    outages: tuple[str, ...] = ()
    """Names of tools whose first call is not answered."""
    answered: tuple[str, ...] = ()
    calls: int = 0
    changes: Changes = {}
    log: tuple[tuple[str, str], ...] = ()
    """The answered look-ups with their results, and the notices."""
    given: int = 0
    """How many of the look-ups were made before the start; the briefing shows them."""
    versions: dict[str, str] = {}
    """The day on which a tool is replaced by its second version, by the name of the tool; ALWAYS if it was long ago."""
    token_budget: int = 0
    """Tokens of results beyond which no call is run; 0 for no such limit."""
    tokens: int = 0
    done: tuple[str, ...] = ()
    finished: bool = False
    told: str = ""


def describe(state: Work, manual: str) -> str:
    """The task as the model reads it first."""
    most = state.calls_per_turn
    turn = (
        f"A turn may have up to {most} calls; only the first {most} are run. "
        if most > 1
        else "A turn has one call; only the first is run. "
    )
    arrivals = (
        "Other users work in the same systems meanwhile; a notice in a result names what they created or changed, and it counts for the task. "
        if state.arrivals
        else ""
    )
    versions = (
        f"Of a tool that is listed twice, once with the ending _v2, one version works today; the page of the wiki titled {TITLE!r} says which. "
        if any(state.versions.values())
        else ""
    )
    tokens = (
        f"The results of your calls may have {state.token_budget} tokens in all, four characters each; once they are used up, no call is run. "
        if state.token_budget
        else ""
    )
    outages = "A call that is answered with error 503 changed nothing; make it again. " if state.outages else ""
    return (
        f"{state.briefing}\n\nYou work as {state.actor}. Today is {state.today}. Your rights: {', '.join(state.rights)}.\n\n"
        f"{manual}\n\n"
        f"You have {state.budget} calls in all, failed ones included; calls beyond that are not run. {tokens}{turn}{versions}{arrivals}{outages}"
        "When you finish, the state of all systems is compared with the state that the task asks for: everything that was asked for must be there, "
        "and nothing else may have changed."
    )


def after_arrival(state: Work, arrival: Arrival) -> tuple[Work, str]:
    """The state once others have written, and the notice of it."""
    notice = f"Notice: another user has created or changed {arrival.record} in the system {arrival.system}."
    update = {
        "base": patch_tables(state.base, arrival.rows),
        "changes": overlaid(state.changes, arrival.rows),
        "log": (*state.log, ("notice", f"{arrival.system} {arrival.record}")),
    }
    return state.model_copy(update=update), notice


def error_message(status: int, why: str) -> str:
    """The result of a call that failed."""
    return json.dumps({"error": status, "message": why}, ensure_ascii=False)


def reads_of_all_records(tools: Sequence[type[Tool]], state: Work) -> tuple[Tool, ...]:
    """A look-up of every record of the systems that has a tool to read it."""
    working = [tool for tool in tools if not refusal(state.versions, tool, tuple(tools), state.today)]
    shows = [tool for tool in working if issubclass(tool, Show) and tool.table and sum(map(_is_required, tool.model_fields.values())) == 1]
    return tuple(tool.model_validate({next(iter(tool.model_fields)): code}) for tool in shows for code in state.base.get(tool.table, {}))


def _is_required(field: FieldInfo) -> bool:
    return field.is_required()
