"""Find an order in which processes can finish with what is free and what they hold, or the processes that can never finish.

Any safe order is accepted; at the harder levels the answer to some tasks is the exact set of processes that are stuck.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.steps import Line, ended, first_wrong

Amounts = tuple[int, ...]
CAN = Line("Free {free}: P{one} still needs {needs} and can finish; then {after} are free")
NONE = Line("Free {free}: none of those left can finish, and what they hold never becomes free")


class Knobs(Config):
    processes: int = knob(8, easy=3, hard=24, doc="how many processes there are")
    resources: int = knob(3, easy=1, hard=6, doc="kinds of resources")
    unsafe: int = knob(20, easy=0, hard=30, doc="percent of tasks in which some processes can never finish")


class Data(TaskData):
    free: Amounts
    held: tuple[Amounts, ...]
    most: tuple[Amounts, ...]
    stuck: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    count, kinds = knobs.processes, range(knobs.resources)
    order = rng.shuffled(range(count))
    free = tuple(rng.integer(0, 3) for _ in kinds)
    held = tuple(tuple(rng.integer(0, 4) for _ in kinds) for _ in range(count))
    # Each process needs, of each kind, about what the ones before it in a hidden order have given back by then.
    most, available = [tuple[int, ...]()] * count, list(free)
    for i in order:
        needs = [max(0, available[k] - rng.integer(0, 1 + available[k] // 3)) for k in kinds]
        most[i] = tuple(held[i][k] + needs[k] for k in kinds)
        available = [available[k] + held[i][k] for k in kinds]
    if rng.chance(knobs.unsafe / 100):
        # The last few together wait for more than the others can ever give back.
        waiting = order[-rng.integer(1, max(1, count // 2)) :]
        kind = rng.choice(kinds)
        reach = free[kind] + sum(held[i][kind] for i in range(count) if i not in waiting)
        for i in waiting:
            most[i] = tuple(held[i][k] + reach + rng.integer(1, 3) if k == kind else amount for k, amount in enumerate(most[i]))
    data = Data(free=free, held=held, most=tuple(most), stuck=())
    data = data.model_copy(update={"stuck": tuple(i for i in range(count) if i not in _finished(data, range(count)))})
    rows = "\n".join(f"P{i}: holds {_row(held[i])}, needs at most {_row(most[i])}" for i in range(count))
    end = (
        "\n\nIf there is no such order, name instead all processes that can never finish, in whatever order the others are run. In that case write the "
        "word stuck first and then their names, in any order."
    )
    prompt = (
        f"There {'is 1 kind' if len(free) == 1 else f'are {len(free)} kinds'} of resources. "
        f"{count} processes hold some of each kind already, and each needs at most so many of each kind in all, "
        f"what it holds included, before it can finish:\n{rows}\nFree are {_row(free)}.\n\nProcesses finish one after the other. A process can finish only "
        "when, for each kind, what it still needs is no more than what is free; once it has finished, all that it held is free as well. "
        f"Give an order in which all processes can finish.{end if knobs.unsafe else ''}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _answered(task.data, range(len(task.data.held)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    names = {f"p{i}": i for i in range(len(data.held))}
    claims = answer[0].rstrip(":") == "stuck"
    order = [names.get(name, -1) for name in (answer[1:] if claims else answer)]
    if -1 in order or len(set(order)) < len(order):
        return Score.wrong("every name must be one of the processes', and be given once")
    if claims:
        return Score.exact(bool(data.stuck) and sorted(order) == sorted(data.stuck), "these are not the processes that can never finish")
    if len(order) != len(names):
        return Score.wrong("each process must be named")
    free = list(data.free)
    for i in order:
        if any(most - held > now for most, held, now in zip(data.most[i], data.held[i], free, strict=True)):
            return Score.wrong(f"P{i} cannot finish at its place in the order")
        free = [now + held for now, held in zip(free, data.held[i], strict=True)]
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    every = tuple(f"p{i}" for i in range(len(data.held)))
    by_need = sorted(range(len(every)), key=lambda i: sum(data.most[i]) - sum(data.held[i]))
    return [every, right[::-1], tuple(f"p{i}" for i in by_need), right[:-1], ("stuck", every[0]), ("stuck", *every), ("stuck",)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.held) * (len(task.data.held) + 1) * len(task.data.free))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    free, steps = list(data.free), []
    for i in _finished(data, range(len(data.held))):
        needs = tuple(most - held for most, held in zip(data.most[i], data.held[i], strict=True))
        after = [now + held for now, held in zip(free, data.held[i], strict=True)]
        steps.append(CAN.write(free=_row(free), one=i, needs=_row(needs), after=_row(after)))
        free = after
    if data.stuck:
        steps.append(NONE.write(free=_row(free)))
    return [*steps, f"The answer is {' '.join(solve(task))}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    free, done = list(data.free), list[int]()

    def needs(i: int) -> list[int]:
        return [most - held for most, held in zip(data.most[i], data.held[i], strict=True)]

    def can(i: int) -> bool:
        return all(need <= now for need, now in zip(needs(i), free, strict=True))

    def follows(step: str) -> bool:
        if read := NONE.read(step):
            return read["free"] == _row(free) and not any(can(i) for i in range(len(data.held)) if i not in done)
        read = CAN.read(step)
        if not read:
            return False
        one = int(read["one"])
        true = one not in done and read["free"] == _row(free) and read["needs"] == _row(needs(one)) and can(one)
        done.append(one)
        free[:] = [now + held for now, held in zip(free, data.held[one], strict=True)]
        return true and read["after"] == _row(free)

    return first_wrong(steps, follows, ended("The answer is ", task, environment.answer, verify))


def _row(amounts: Sequence[int]) -> str:
    return f"({', '.join(map(str, amounts))})"


def _finished(data: Data, preferred: Sequence[int]) -> list[int]:
    """Those that can finish, in an order that works: always the first one preferred that can."""
    free, order = list(data.free), list[int]()
    while True:
        for i in preferred:
            if i not in order and all(most - held <= now for most, held, now in zip(data.most[i], data.held[i], free, strict=True)):
                order.append(i)
                free = [now + held for now, held in zip(free, data.held[i], strict=True)]
                break
        else:
            return order


def _answered(data: Data, preferred: Sequence[int]) -> tuple[str, ...]:
    order = _finished(data, preferred)
    if len(order) == len(data.held):
        return tuple(f"p{i}" for i in order)
    return ("stuck", *(f"p{i}" for i in preferred if i not in order))


def _others(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    count = len(task.data.held)
    for preferred in (range(count - 1, -1, -1), sorted(range(count), key=lambda i: -sum(task.data.held[i])), range(count)):
        yield _answered(task.data, preferred)


environment = Environment(
    Knobs,
    Words("the names of the processes in order, separated by spaces", most=80, fold=True),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    answers="many",
    solutions=_others,
    concept="Let any process finish that can, since that only frees more; go on until all have finished or none of those left can.",
)
