"""Find out by SQL queries over security logs where an incident came from.

The origin and the whole chain of processes must be right and must have been seen in a result. A chain that is right up to a point earns a
part, less for each wrong process in it; more processes than allowed earn nothing, and so does the origin without the chain.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Misuse, Tool, ToolCalls
from rlgym.generators.tables.incidents import RULES as FACTS
from rlgym.generators.tables.incidents import Logs, Origin, logs, schema, tables, trace
from rlgym.sandbox.sql_compile import require_quick_compile
from rlgym.sandbox.sqlite import QueryFailed, Value, run_query

SHOWN_ROWS, SHOWN_CHARACTERS = 12, 120
CAUSES = ("parent", "session", "file")
RULES = (
    "The process that a host and a pid stand for at a time is the one with that host and pid that started last before that time (pids are reused). "
    "Go back from the alerted process, the one that the alert's host and pid stand for at the alert's time, from each process to its cause:\n"
    "1. If a row of sessions has the process's host and pid and the time of its start, the cause is the process that source_host and source_pid stand "
    "for at that time.\n"
    "2. Otherwise, if its image was written on its host before it started (files with action 'write' and that path), the cause is the process that did "
    "the last of these writes. If the hash of that write is also the hash of a download by the writing process or of a mail to the account it runs "
    "under, earlier than the write, the writing process is the first one, and the origin is the address or the sender of the latest such download or mail.\n"
    "3. Otherwise the cause is the process that its parent_pid stands for on its host at the time of its start."
)


class Query(Tool):
    """Runs one SELECT on the logs, read-only; at most 12 rows are shown, and 120 characters of a value."""

    sql: str = Field(max_length=4000)


class Submit(Tool):
    """Ends the investigation: the origin, and the keys of the processes from the alerted one back to the first, in this order."""

    origin: str = Field(max_length=80)
    path: list[str] = Field(max_length=60)


TOOLS = ToolCalls((Query, Submit), max_calls=1)


class Knobs(Config):
    hops: int = knob(4, easy=1, hard=9, doc="steps from a process to its cause")
    noise: int = knob(20, easy=4, hard=60, doc="a fourth of the harmless events")
    causes: str = knob("file", easy="parent", hard="file", order=CAUSES, doc="kinds of causes on the way, each with those before it")
    again: int = knob(20, easy=0, hard=60, doc="percent of the processes whose pid was used before")


class State(TaskData):
    logs: Logs
    most: int
    asked: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()  # of the right path and origin, what a result has shown
    origin: str = ""
    path: tuple[str, ...] = ()
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    kinds = CAUSES[: CAUSES.index(knobs.causes) + 1]
    return State(logs=logs(rng, knobs.hops, knobs.noise, kinds, knobs.again), most=knobs.hops + 1 + rng.integer(1, 3))


def shift(rng: Rng, knobs: Knobs) -> State:
    """Three hosts only, between which the incident goes to and fro."""
    return State(
        logs=logs(rng, knobs.hops, knobs.noise, ("session", "session", "file"), knobs.again, few=True),
        most=knobs.hops + 1 + rng.integer(1, 3),
    )


def show(state: State) -> str:
    if state.told:
        return state.told
    alert = state.logs.alerts[0]
    return (
        f"Security logs are kept in these SQLite tables (times are minutes; no two events have the same time, except "
        f"that a session has the time at which its process started):\n\n{schema()}\n\n"
        f"Alert {alert[0]} says: {alert[4]} by pid {alert[3]} on host {alert[2]} at {alert[1]}. Find out where this came from. {RULES}\n\n"
        f"{TOOLS.manual()}\n\n"
        f"Submit the origin and the path, which has at most {state.most} keys; both must have been seen in the results of your queries."
    )


def act(state: State, calls: Calls) -> State:
    match calls[0]:
        case Query(sql=sql):
            output, seen = _run(state, sql)
            return state.model_copy(update={"told": output, "asked": (*state.asked, sql[:1000]), "seen": seen})
        case Submit(origin=origin, path=path):
            return state.model_copy(
                update={"finished": True, "origin": origin.strip().lower(), "path": tuple(entity.strip() for entity in path)}
            )
        case Misuse(problem=problem):
            return state.model_copy(update={"told": problem})
    raise AssertionError("every call is of a declared tool")


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    right = _traced_origin(state.logs)
    if len(state.path) > state.most:
        return Score.wrong(f"a path of {len(state.path)} keys is longer than the {state.most} allowed")
    good = next(
        (i for i, (first, second) in enumerate(zip(state.path, right.path, strict=False)) if first != second or first not in state.seen),
        None,
    )
    good = min(len(state.path), len(right.path)) if good is None else good
    is_found = state.origin == right.entity and right.entity in state.seen
    known = good / len(right.path)
    if is_found and state.path == right.path and good == len(right.path):
        return Score.exact(True, path=1.0, origin=1.0)
    # What lies near the alert is found easily, so it counts little; each wrong key halves what is left.
    share = max(0, good * good - 1) / (len(right.path) ** 2 + 1)
    value = share / 2 * 0.5 ** (len(state.path) - good)
    return Score.partial(
        value if value > 0.01 else 0.0,
        "the origin or some process on the path is wrong or was not seen",
        path=known,
        origin=float(is_found),
    )


def milestones(state: State) -> dict[str, float]:
    right = _traced_origin(state.logs)
    wanted = {*right.path, right.entity}
    return {"evidence_seen": len(wanted.intersection(state.seen)) / len(wanted)}


def best(state: State) -> Calls:
    right = _traced_origin(state.logs)
    ahead = next((sql for sql in _plan(state.logs) if sql not in state.asked), None)
    return (Submit(origin=right.entity, path=list(right.path)) if ahead is None else Query(sql=ahead),)


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    known = {rule: partial(_skip_rule, rule) for rule in FACTS if rule != "writes"}
    return {"seen_in_results": _asks_nothing, **known}


def _asks_nothing(state: State) -> Calls:
    right = _traced_origin(state.logs)
    return (Submit(origin=right.entity, path=list(right.path)),)


def _skip_rule(rule: str, state: State) -> Calls:
    """Submits the path of one who does not heed a rule, which is the first few processes where that leads nowhere."""
    said, wrong = best(state), trace(state.logs, rule)
    if not isinstance(said[0], Submit):
        return said
    return (Submit(origin=wrong.entity, path=list(wrong.path[:60])),) if wrong else (Submit(origin="", path=said[0].path[:1]),)


def mistakes(state: State) -> list[Calls]:
    logs = state.logs
    keys = sorted(str(row[0]) for row in logs.processes)
    right = _traced_origin(logs)
    senders: list[Call] = [Submit(origin=str(row[1]), path=[]) for row in logs.mails[:1]]
    return [
        (Submit(origin=right.entity, path=list(right.path)),) if not state.asked else (Submit(origin="", path=keys[:1]),),
        (Submit(origin=right.entity, path=keys[:60]),),
        (Query(sql="DELETE FROM alerts"),),
        *((call,) for call in senders),
    ]


def cost(state: State) -> float:
    return float(3 * len(_plan(state.logs)) + sum(map(len, state.logs)) / 20)


def turns(state: State) -> int:
    return 12 + 5 * len(_traced_origin(state.logs).path)


def explain(state: State) -> list[str]:
    calls = best(state)
    why = (
        f"{len(state.seen)} of the entities on the way are seen; the next row to look up follows from the last one by the rules."
        if isinstance(calls[0], Query)
        else "Every process on the way and the origin have been seen in results."
    )
    return [why, TOOLS.render(calls)]


def _run(state: State, sql: str) -> tuple[str, tuple[str, ...]]:
    query, logs = sql.strip().rstrip(";").rstrip(), tables(state.logs)
    try:
        require_quick_compile(logs, query)
        rows = run_query(logs, query)
    except QueryFailed as failed:
        return f"the query failed: {failed}", state.seen
    lines = [" | ".join(_cell(value) for value in row) for row in rows[:SHOWN_ROWS]]
    text = "\n".join(lines)
    right = _traced_origin(state.logs)
    seen = [entity for entity in (*right.path, right.entity) if entity not in state.seen and entity in text]
    more = f"\n({len(rows)} rows in all; the first {SHOWN_ROWS} are shown)" if len(rows) > SHOWN_ROWS else ""
    return (text or "(no rows)") + more, (*state.seen, *seen)


def _cell(value: Value) -> str:
    return "NULL" if value is None else str(value)[:SHOWN_CHARACTERS]


@cache
def _traced_origin(logs: Logs) -> Origin:
    traced = trace(logs)
    assert traced is not None
    return traced


@cache
def _plan(logs: Logs) -> tuple[str, ...]:
    """Queries that follow the rules one after the other, each about what the one before has shown."""
    right, plan = _traced_origin(logs), list[str]()
    for (_, host, pid, _, started, image, _), time in zip(right.processes, right.moments, strict=True):
        plan.append(_running(host, pid, time))
        plan.append(
            f"SELECT 'session', source_host, source_pid, time, '' FROM sessions WHERE host = '{host}' AND pid = {pid} AND time = {started} UNION ALL "
            f"SELECT * FROM (SELECT 'write', host, pid, time, hash FROM files WHERE host = '{host}' AND action = 'write' AND path = '{image}' "
            f"AND time < {started} ORDER BY time DESC LIMIT 1)"
        )
    image = right.processes[-2][5]
    written = f"(SELECT hash FROM files WHERE host = '{host}' AND path = '{image}' AND action = 'write' AND time = {time})"
    return (
        *plan[:-2],
        f"WITH writer AS ({_running(host, pid, time)}) SELECT key, account, started FROM writer UNION ALL SELECT * FROM ("
        f"SELECT 'download', address, time FROM downloads WHERE host = '{host}' AND pid = {pid} AND hash = {written} AND time < {time} UNION ALL "
        f"SELECT 'mail', sender, time FROM mails WHERE recipient = (SELECT account FROM writer) AND hash = {written} AND time < {time} "
        "ORDER BY 3 DESC LIMIT 1)",
    )


def _running(host: Value, pid: Value, time: Value) -> str:
    """A query for the process that a host and a pid stand for at a time."""
    return f"SELECT * FROM processes WHERE host = '{host}' AND pid = {pid} AND started < {time} ORDER BY started DESC LIMIT 1"


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain,
    shift=shift, partial=True,
    concept="Look up the alerted process, ask each table for its cause in the order of the rules, and go on from the process that this shows.",
    milestones=milestones,
    version=6,
    rules=rules,
)  # fmt: skip
