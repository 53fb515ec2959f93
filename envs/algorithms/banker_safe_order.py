"""Find an order in which processes can finish with what is free and what they hold, or the processes that can never finish.

Any safe order is accepted; at the harder levels the answer to some tasks is the exact set of processes that are stuck.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.draws import draw_against
from rlgym.solutions import Checks, Derivation, Solution, Step

Amounts = tuple[int, ...]
CAN = Step("Free {free}: P{one:int} still needs {needs} and can finish; then {after} are free")
NONE = Step("Free {free}: none of those left can finish, and what they hold never becomes free")


class Knobs(Config):
    processes: int = knob(8, easy=5, hard=24, doc="how many processes there are")
    resources: int = knob(3, easy=1, hard=6, doc="kinds of resources")
    unsafe: int = knob(20, easy=0, hard=30, doc="percent of tasks in which some processes can never finish")


class Data(TaskData):
    free: Amounts
    held: tuple[Amounts, ...]
    most: tuple[Amounts, ...]
    stuck: tuple[int, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return draw_against(lambda: _sample_task(rng, knobs), _yields_to_a_list)


def _yields_to_a_list(task: Task[Data]) -> bool:
    """Whether the processes can finish as they are listed, from the end of the list, or by what they hold or need."""
    data, listed = task.data, range(len(task.data.held))
    orders = [
        listed,
        listed[::-1],
        *(sorted(listed, key=amounts.__getitem__, reverse=back) for amounts in (data.held, data.most) for back in (False, True)),
    ]
    return not data.stuck and any(verify(task, tuple(f"p{i}" for i in order)).value == 1 for order in orders)


def _sample_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    count, kinds = knobs.processes, range(knobs.resources)
    order = rng.shuffled(range(count))
    free = tuple(rng.integer(0, 3) for _ in kinds)
    allocated = tuple(tuple(rng.integer(0, 4) for _ in kinds) for _ in range(count))
    # Each process needs, of each kind, about what the ones before it in a hidden order have given back by then.
    most, available = [tuple[int, ...]()] * count, list(free)
    for i in order:
        needs = [max(0, available[k] - rng.integer(0, 1 + available[k] // 3)) for k in kinds]
        most[i] = tuple(allocated[i][k] + needs[k] for k in kinds)
        available = [available[k] + allocated[i][k] for k in kinds]
    if rng.chance(knobs.unsafe / 100):
        # The last few together wait for more than the others can ever give back.
        waiting = order[-rng.integer(1, max(1, count // 2)) :]
        kind = rng.choice(kinds)
        reach = free[kind] + sum(allocated[i][kind] for i in range(count) if i not in waiting)
        for i in waiting:
            most[i] = tuple(allocated[i][k] + reach + rng.integer(1, 3) if k == kind else amount for k, amount in enumerate(most[i]))
    data = Data(free=free, held=allocated, most=tuple(most), stuck=())
    data = data.model_copy(update={"stuck": tuple(i for i in range(count) if i not in _safe_sequence(data, range(count)))})
    rows = "\n".join(f"P{i}: holds {_render_amounts(allocated[i])}, needs at most {_render_amounts(most[i])}" for i in range(count))
    stuck_rule = (
        "\n\nIf there is no such order, give instead the word stuck and then, in any order, the names of all processes that can never finish, "
        "whatever order the others finish in."
    )
    prompt = (
        f"There {'is 1 kind' if len(free) == 1 else f'are {len(free)} kinds'} of resources. {count} processes hold some of each kind already, and each "
        f"line gives what a process holds and the most that it needs in all, including what it holds, before it can finish:\n{rows}\nFree are "
        f"{_render_amounts(free)}.\n\nProcesses finish one after the other. A process can finish only when, for each kind, what it still needs is no more "
        "than what is free; once it has finished, all that it held is free again. Give an order in which all processes can "
        f"finish.{stuck_rule if knobs.unsafe else ''}"
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return _render_answer(task.data, range(len(task.data.held)))


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
        if any(need > now for need, now in zip(_needs(data, i), free, strict=True)):
            return Score.wrong(f"P{i} cannot finish at its place in the order")
        free = [now + allocation for now, allocation in zip(free, data.held[i], strict=True)]
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    all_names = tuple(f"p{i}" for i in range(len(data.held)))
    by_need = sorted(range(len(all_names)), key=lambda i: sum(_needs(data, i)))
    return [all_names, right[::-1], tuple(f"p{i}" for i in by_need), right[:-1], ("stuck", all_names[0]), ("stuck", *all_names), ("stuck",)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.held) * (len(task.data.held) + 1) * len(task.data.free))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    free = list(data.free)
    for i in _safe_sequence(data, range(len(data.held))):
        after = [now + allocation for now, allocation in zip(free, data.held[i], strict=True)]
        yield CAN(free=_render_amounts(free), one=i, needs=_render_amounts(_needs(data, i)), after=_render_amounts(after))
        free = after
    if data.stuck:
        yield NONE(free=_render_amounts(free))


def checks(task: Task[Data]) -> Checks:
    data = task.data
    available, done = list(data.free), list[int]()

    def can(i: int) -> bool:
        return all(need <= now for need, now in zip(_needs(data, i), available, strict=True))

    def finishes(free: str, one: int, needs: str, after: str) -> bool:
        fits = one not in done and free == _render_amounts(available) and needs == _render_amounts(_needs(data, one)) and can(one)
        done.append(one)
        available[:] = [now + allocation for now, allocation in zip(available, data.held[one], strict=True)]
        return fits and after == _render_amounts(available)

    def is_stuck(free: str) -> bool:
        return free == _render_amounts(available) and not any(can(i) for i in range(len(data.held)) if i not in done)

    return {NONE: is_stuck, CAN: finishes}


def _render_amounts(amounts: Sequence[int]) -> str:
    return f"({', '.join(map(str, amounts))})"


def _needs(data: Data, i: int) -> list[int]:
    """What a process still needs of each kind."""
    return [most - allocation for most, allocation in zip(data.most[i], data.held[i], strict=True)]


def _safe_sequence(data: Data, preferred: Sequence[int]) -> list[int]:
    """The processes that can finish, in a safe order; the first preferred one that can finish is next (banker's algorithm)."""
    free, order = list(data.free), list[int]()
    while True:
        for i in preferred:
            if i not in order and all(need <= now for need, now in zip(_needs(data, i), free, strict=True)):
                order.append(i)
                free = [now + allocation for now, allocation in zip(free, data.held[i], strict=True)]
                break
        else:
            return order


def _render_answer(data: Data, preferred: Sequence[int]) -> tuple[str, ...]:
    order = _safe_sequence(data, preferred)
    if len(order) == len(data.held):
        return tuple(f"p{i}" for i in order)
    return ("stuck", *(f"p{i}" for i in preferred if i not in order))


def _other_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    count = len(task.data.held)
    for preferred in (range(count - 1, -1, -1), sorted(range(count), key=lambda i: -sum(task.data.held[i])), range(count)):
        yield _render_answer(task.data, preferred)


environment = Environment(
    Knobs, Words("the names of the processes (after the word stuck, where the task asks for it), separated by spaces", max_items=80, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The answer is {answer}", checks), answers="many", solutions=_other_answers,
    concept="Let any process finish that can, since that only frees more; go on until all have finished or none of those left can.",
    version=4,
)  # fmt: skip
