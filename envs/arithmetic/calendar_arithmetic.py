"""Follow a chain of moves through the calendar.

Days, months, weekdays and working days between holidays. In the shifted family the calendar is invented, with its own months, week and leap years.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.times.calendars import Calendar, Date, Move, apply_move, format_date, next_date, parse_date
from rlgym.solutions import Derivation, Solution, Step

KINDS: dict[str, tuple[str, ...]] = {"days": ("later", "earlier"), "months": ("later", "earlier", "months", "weekday")}
KINDS["working"] = ("later", "earlier", "months", "weekday", "working", "working")
SYLLABLES = ("bar", "dul", "fen", "gol", "hap", "jor", "kel", "lim", "mur", "nas", "pel", "rud", "sol", "tam", "vir", "wol")
MOVED = Step("Step {i} leads to {date}, a {weekday}")
CLOSING = "The last date is {answer}"
ANSWER = Text("the date as year-month-day, such as 0987-06-05", max_characters=40)
CONCEPT = "Count whole years and months first, then the days that are left; weekdays repeat with the week."


class Knobs(Config):
    moves: int = knob(4, easy=1, hard=12, doc="how many moves")
    days: int = knob(120, easy=20, hard=6000, scale="log", doc="largest number of days in one move")
    kinds: str = knob(
        "months", easy="days", hard="working", order=tuple(KINDS), doc="only days, also months and weekdays, or also working days"
    )


class Data(TaskData):
    calendar: Calendar
    start: Date
    moves: tuple[Move, ...]
    holidays: tuple[Date, ...]
    right: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, Calendar(), "The calendar is the Gregorian one")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    months = tuple(rng.integer(17, 45) for _ in range(rng.integer(5, 14)))
    leap = rng.choice(((3,), (4,), (5,), (6, 30), (4, 20, 60)))
    week = tuple(f"{name.capitalize()}day" for name in rng.sample(SYLLABLES, rng.integer(4, 9)))
    calendar = Calendar(
        months=months, leap=leap, leap_month=rng.integer(1, len(months)), week=week, first=rng.integer(0, len(week) - 1), free=1
    )
    exceptions = "".join(f", {'but not' if k % 2 == 0 else 'and yet'} those divisible by {every}" for k, every in enumerate(leap[1:]))
    rule = (
        f"On another planet, the months of a year have {', '.join(map(str, months))} days. In years whose number is divisible by {leap[0]}{exceptions}, "
        f"month {calendar.leap_month} has one day more. The week runs {', '.join(week)}"
    )
    return _sample_task(rng, knobs, calendar, rule)


def _sample_task(rng: Rng, knobs: Knobs, calendar: Calendar, rule: str) -> Task[Data]:
    start = calendar.date(calendar.number(Date(rng.integer(1600, 2200), 1, 1)) + rng.integer(0, calendar.days - 1))
    moves = tuple(_sample_move(rng, knobs, calendar) for _ in range(knobs.moves))
    holidays: list[Date] = []
    date = start
    for move in moves:
        if move.kind == "working":
            near = calendar.number(date) + (move.count if move.count < 0 else 0)
            holidays += [calendar.date(near + rng.integer(1, abs(move.count) + 2)) for _ in range(1 + abs(move.count) // 12)]
        date = apply_move(calendar, date, move, holidays)
    # Holidays that were added for a later move apply to all moves.
    date = start
    for move in moves:
        date = apply_move(calendar, date, move, holidays)
    move_texts = [f"{i}. {_move_text(calendar, move)}" for i, move in enumerate(moves, 1)]
    rules = (
        f"{rule}. Dates are written as year-month-day. {format_date(start)} is a {calendar.week[calendar.weekday(calendar.number(start))]}."
    )
    if any(move.kind == "months" for move in moves):
        rules += " Where a month is too short for the day, a move by months ends on the last day of that month."
    if holidays:
        free = " and ".join(calendar.week[-calendar.free :])
        listed = ", ".join(format_date(day) for day in sorted(set(holidays)))
        rules += f" Working days are all days except {free} and these holidays: {listed}."
    listing = "\n".join(move_texts)
    prompt = (
        f"{rules} Start at {format_date(start)} and make "
        f"{'this move' if len(moves) == 1 else 'these moves one after another'}:\n{listing}\n\nWhich date is reached?"
    )
    data = Data(calendar=calendar, start=start, moves=moves, holidays=tuple(sorted(set(holidays))), right=format_date(date))
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    # Day by day; `verify` counts days.
    data, calendar, date = task.data, task.data.calendar, task.data.start
    weekday = calendar.weekday(calendar.number(date))
    for move in data.moves:
        days_left, sign = abs(move.count), 1 if move.count > 0 or move.kind == "weekday" else -1
        if move.kind == "months":
            target = date.year * len(calendar.months) + date.month - 1 + move.count
            year, month = target // len(calendar.months), target % len(calendar.months) + 1
            date = Date(year, month, min(date.day, calendar.length(year, month)))
            weekday = calendar.weekday(calendar.number(date))
            continue
        while True:
            date, weekday = next_date(calendar, date, sign), (weekday + sign) % len(calendar.week)
            if move.kind == "weekday":
                if weekday == move.count:
                    break
                continue
            days_left -= move.kind != "working" or (weekday < len(calendar.week) - calendar.free and date not in data.holidays)
            if not days_left:
                break
    return format_date(date)


def verify(task: Task[Data], answer: str) -> Score:
    pieces = answer.split("-")
    plain = len(pieces) == 3 and all(piece.isascii() and piece.isdigit() and len(piece) < 6 for piece in pieces)
    return Score.exact(plain and parse_date(answer) == parse_date(task.data.right), "the moves lead to another date")


def mistakes(task: Task[Data], right: str) -> list[str]:
    calendar, number = task.data.calendar, task.data.calendar.number(parse_date(right))
    return [format_date(calendar.date(number + off)) for off in (1, -1, len(calendar.week), -2)] + [format_date(task.data.start)]


def cost(task: Task[Data]) -> float:
    weights = {"days": 1, "months": 1, "weekday": 2, "working": 5}
    return sum(weights[move.kind] * (1 + len(str(abs(move.count)))) for move in task.data.moves)


def derive(task: Task[Data]) -> Derivation:
    data, date = task.data, task.data.start
    for i, move in enumerate(data.moves, 1):
        date = apply_move(data.calendar, date, move, data.holidays)
        weekday = data.calendar.week[data.calendar.weekday(data.calendar.number(date))]
        yield MOVED(i=i, date=format_date(date), weekday=weekday)


def _sample_move(rng: Rng, knobs: Knobs, calendar: Calendar) -> Move:
    kind, sign = rng.choice(KINDS[knobs.kinds]), rng.choice((1, -1))
    if kind in ("later", "earlier"):
        return Move(kind="days", count=rng.integer(2, knobs.days) * (1 if kind == "later" else -1))
    if kind == "months":
        return Move(kind=kind, count=sign * rng.integer(1, max(3, knobs.days // 20)))
    if kind == "weekday":
        return Move(kind=kind, count=rng.integer(0, len(calendar.week) - 1))
    return Move(kind=kind, count=sign * rng.integer(3, min(60, knobs.days)))


def _move_text(calendar: Calendar, move: Move) -> str:
    count, direction = abs(move.count), "forward" if move.count > 0 else "back"
    if move.kind == "weekday":
        return f"Go forward to the next {calendar.week[move.count]} (at least one day)."
    unit = {"days": "day", "months": "month", "working": "working day"}[move.kind]
    counted = "" if move.kind != "working" else " (the current day is not counted)"
    return f"Go {direction} {count} {unit}{'s' if count > 1 else ''}{counted}."


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=Solution(derive, CLOSING), shift=shift, concept=CONCEPT, version=4
)
