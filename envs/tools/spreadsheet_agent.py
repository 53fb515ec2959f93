"""Work out columns and sums in a spreadsheet by formulas that stay right when the numbers change, and leave all else as it is.

The sheet is judged by putting other numbers into it: a value computed by hand and typed in fails then, as does a formula that
misses a row.
"""

from collections.abc import Callable, Mapping

from pydantic import Field

from rlgym import Config, Game, Rng, Score, TaskData, knob
from rlgym.answers import Call, Calls, Tool, ToolCalls
from rlgym.generators.simulations.calls import run_turn
from rlgym.generators.toolbox.ledgers import (
    DUES,
    SUMS,
    Ledger,
    bound_cell,
    formulas,
    ledger,
    place,
    rate_cell,
    right_values,
    versions,
    write,
)
from rlgym.generators.toolbox.sheets import MANUAL, Broken, at, copy, shown, spans, typed, values

ROWS, COLUMNS = 40, 10


class Read(Tool):
    """Shows the cells of a range such as A1:D9 that are not empty, with what was written and, of formulas, what they come to."""

    range: str = Field(max_length=12)


class Write(Tool):
    """Writes a number, a text or a formula into a cell, in place of what was there; nothing empties it."""

    cell: str = Field(max_length=4)
    text: str = Field(max_length=300)


class FillDown(Tool):
    """Copies a cell's formula into so many cells below it; the rows in it move along, except those after a $, as in B$1."""

    cell: str = Field(max_length=4)
    rows: int = Field(ge=1, le=40)


class Finish(Tool):
    """Ends the work."""


TOOLS = ToolCalls((Read, Write, FillDown, Finish))


class Knobs(Config):
    orders: int = knob(8, easy=4, hard=18, doc="rows of the table")
    sums: int = knob(3, easy=1, hard=6, doc="sums and similar values to compute")
    due: str = knob("rate", easy="plain", hard="cased", order=("plain", "rate", "cased"), doc="how the column is computed")
    dirty: int = knob(1, easy=0, hard=4, doc="numbers that are written with a word and must be put right first")


class State(TaskData):
    ledger: Ledger
    key: int
    cells: tuple[tuple[str, str], ...]
    read: tuple[str, ...] = ()
    finished: bool = False
    told: str = ""


def start(rng: Rng, knobs: Knobs) -> State:
    return _state(rng, ledger(rng, knobs.orders, knobs.sums, knobs.due, knobs.dirty))


def shift(rng: Rng, knobs: Knobs) -> State:
    """A short table with many sums, in which a discount always plays a part."""
    due = "rate" if knobs.due == "plain" else "cased"
    return _state(rng, ledger(rng, max(4, knobs.orders // 2), min(7, knobs.sums + 2), due, min(3, knobs.dirty)))


def show(state: State) -> str:
    if state.told:
        return state.told
    ledger = state.ledger
    due = DUES[ledger.due].format(rate=rate_cell(ledger), bound=bound_cell(ledger))
    sums = "\n".join(f"- {goal.cell}: {SUMS[goal.kind].format(word=goal.word)}" for goal in ledger.goals)
    mend = "Where pieces are written with a word after the number, write the number alone into the cell first. " if ledger.dirty else ""
    return (
        f"A sheet holds a table of {len(ledger.orders)} orders, with its headings in row {ledger.top} and an order in every row below. Fill the column "
        f"headed {ledger.heading!r} for every order: {due}. Then fill {'these cells' if chr(10) in sums else 'this cell'}:\n{sums}\n\n"
        f"{mend}Use formulas: the sheet must go on being right when regions, pieces, prices, and the discount and bound where there are any, are changed "
        f"later. Write into no other cells.\n{MANUAL}\n{TOOLS.manual()}\n\nCells are A1 to {at(COLUMNS, ROWS)}. Finish when the sheet is complete."
    )


def act(state: State, calls: Calls) -> State:
    return run_turn(state, calls, _run, lambda now: now.finished)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    ledger, cells = state.ledger, dict(state.cells)
    expected = right_values(ledger)
    inputs = {cell: typed(text) for cell, text in write(ledger, clean=True).items()}
    if {cell: typed(text) for cell, text in cells.items() if cell not in expected} != inputs:
        return Score.wrong("a cell was changed that was to stay, or a number was not put right")
    for version in (ledger, *versions(Rng("sheet", state.key), ledger)):
        try:
            found = values(cells | write(version, clean=True))
        except Broken as why:
            return Score.wrong(f"a formula fails: {why}")
        wrong = sum(found.get(cell) != value for cell, value in right_values(version).items())
        if wrong:
            return Score.wrong(f"{wrong} cells are not right{'' if version is ledger else ' when the numbers are others'}")
    return Score.exact(True)


def best(state: State) -> Calls:
    return _work(state, formulas(state.ledger))


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    mended = {"mend": _mends_nothing} if first.ledger.dirty else {}
    return {"formulas": _types_sums, "no_other_cells": _leaves_a_note, **mended}


def _types_sums(state: State) -> Calls:
    sums = right_values(state.ledger)
    return _work(state, formulas(state.ledger) | {goal.cell: shown(sums[goal.cell]) for goal in state.ledger.goals})


def _leaves_a_note(state: State) -> Calls:
    calls = best(state)
    return (Write(cell=at(COLUMNS, ROWS), text="done"), Finish()) if isinstance(calls[0], Finish) else calls


def _mends_nothing(state: State) -> Calls:
    return best(state.model_copy(update={"ledger": state.ledger._replace(dirty=())}))


def mistakes(state: State) -> list[Calls]:
    # Finishes at once; types the numbers in; misses the last row; multiplies by hand what a cell says; writes a note next to it.
    ledger, calls = state.ledger, best(state)
    plan = formulas(ledger)
    first = place(ledger, "due", 0)
    goal = ledger.goals[0]
    typed = plan | {goal.cell: shown(right_values(ledger)[goal.cell])}
    last = f":{place(ledger, 'due', len(ledger.orders) - 1)}"
    short = {cell: text.replace(last, f":{place(ledger, 'due', len(ledger.orders) - 2)}") for cell, text in plan.items()}
    short = short if short != plan else plan | {goal.cell: "=0"}
    fixed = plan | {first: plan[first].replace(place(ledger, "pieces", 0), str(ledger.orders[0].pieces))}
    note = (Write(cell="F40", text="done"), *calls[:7])
    return [(Finish(),), _work(state, typed), _work(state, short), _work(state, fixed), note]


def cost(state: State) -> float:
    ledger = state.ledger
    return len(ledger.orders) / 2 + 2 * len(ledger.goals) + len(ledger.dirty) + {"plain": 1, "rate": 3, "cased": 6}[ledger.due]


def turns(state: State) -> int:
    ledger = state.ledger
    return len(ledger.orders) + len(ledger.goals) + len(ledger.dirty) + 10


def explain(state: State) -> list[str]:
    ledger, calls = state.ledger, best(state)
    match calls[0]:
        case Read():
            steps = ["Which column holds what, and which cells are to be put right, must be seen first."]
        case Write() | FillDown():
            steps = [
                f"The column is {DUES[ledger.due].split(',')[0]} in every row; the sums refer to its whole range of {len(ledger.orders)} rows."
            ]
        case _:
            steps = ["Every cell that was asked for holds a formula, and nothing else was touched."]
    return [*steps, TOOLS.render(calls)]


def _run(state: State, call: Tool) -> tuple[State, str]:
    cells = dict(state.cells)
    match call:
        case Finish():
            return state.model_copy(update={"finished": True}), ""
        case Read(range=asked):
            try:
                shown = [cell for cell in spans(asked) if _is_cell(cell)]
            except Broken as why:
                return state, str(why)
            rows = [f"{cell}: {cells[cell]}{_result(cells, cell)}" for cell in shown if cell in cells]
            return state.model_copy(update={"read": (*state.read, asked)}), "\n".join(rows) or "these cells are empty"
        case Write(cell=cell, text=text):
            name = cell.strip().upper()
            if not _is_cell(name):
                return state, f"there is no cell {cell!r}"
            cells = {one: old for one, old in cells.items() if one != name} | ({name: text.strip()} if text.strip() else {})
            return state.model_copy(update={"cells": tuple(cells.items())}), f"{name} holds {text.strip()}{_result(cells, name)}"
        case FillDown(cell=cell, rows=rows):
            name = cell.strip().upper()
            if not _is_cell(name) or not _is_cell(f"{name[0]}{int(name[1:]) + rows}") or not cells.get(name, "").startswith("="):
                return state, f"{cell!r} holds no formula, or there are not {rows} cells below it"
            for k in range(1, rows + 1):
                cells[f"{name[0]}{int(name[1:]) + k}"] = copy(cells[name], k)
            return state.model_copy(update={"cells": tuple(cells.items())}), f"copied to {rows} cells below {name}"
    raise AssertionError(f"unreachable: {call!r} is no declared tool")


def _is_cell(name: str) -> bool:
    letter, row = name[:1], name[1:]
    return "A" <= letter <= chr(64 + COLUMNS) and row.isascii() and row.isdigit() and len(row) < 3 and row[0] != "0" and int(row) <= ROWS


def _result(cells: dict[str, str], cell: str) -> str:
    if not cells.get(cell, "").startswith("="):
        return ""
    try:
        return f" -> {shown(values({cell: cells[cell]} | cells)[cell])}"
    except Broken as why:
        return f" -> error, {why}"


def _work(state: State, plan: dict[str, str]) -> Calls:
    """The next calls of one who wants these formulas, the first of them copied down its column."""
    ledger, cells = state.ledger, dict(state.cells)
    whole = f"A{ledger.top}:{at(COLUMNS, ledger.top + len(ledger.orders))}"
    if whole not in state.read:
        return (Read(range=whole),)
    changes: list[Call] = [
        Write(cell=place(ledger, "pieces", k), text=str(ledger.orders[k].pieces))
        for k in ledger.dirty
        if cells[place(ledger, "pieces", k)] != str(ledger.orders[k].pieces)
    ]
    first = place(ledger, "due", 0)
    changes += [Write(cell=first, text=plan[first])] if cells.get(first) != plan[first] else []
    last = place(ledger, "due", len(ledger.orders) - 1)
    changes += [FillDown(cell=first, rows=len(ledger.orders) - 1)] if last not in cells else []
    changes += [Write(cell=cell, text=text) for cell, text in plan.items() if cell != first and cells.get(cell) != text]
    return tuple(changes)[: TOOLS.max_calls] or (Finish(),)


def _state(rng: Rng, ledger: Ledger) -> State:
    return State(ledger=ledger, key=rng.integer(0, 10**9), cells=tuple(write(ledger).items()))


environment = Game(
    Knobs, TOOLS, start, show, act, outcome, best, mistakes, cost, turns, explain, shift,
    concept="Read the headings, refer to cells and whole ranges instead of numbers, and fix with a $ what must not move when a formula is copied.",
    version=3,
    rules=rules,
)  # fmt: skip
