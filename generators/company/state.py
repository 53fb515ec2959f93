"""The state of work in a company's systems, and what others do in them meanwhile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from pydantic.fields import FieldInfo

from rlgym.answers import Tool
from rlgym.core.task import TaskData
from rlgym.generators.company.operations import Show
from rlgym.generators.company.world import Changes, Tables, overlaid, patch_tables


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
    outages = "A call that is answered with error 503 changed nothing; make it again. " if state.outages else ""
    return (
        f"{state.briefing}\n\nYou work as {state.actor}. Today is {state.today}. Your rights: {', '.join(state.rights)}.\n\n"
        f"{manual}\n\n"
        f"You have {state.budget} calls in all, failed ones included; calls beyond that are not run. {turn}{arrivals}{outages}"
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
    shows = [tool for tool in tools if issubclass(tool, Show) and tool.table and sum(map(_is_required, tool.model_fields.values())) == 1]
    return tuple(tool.model_validate({next(iter(tool.model_fields)): code}) for tool in shows for code in state.base.get(tool.table, {}))


def _is_required(field: FieldInfo) -> bool:
    return field.is_required()
