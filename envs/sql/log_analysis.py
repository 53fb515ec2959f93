"""Pair the starts and ends of requests in a server's log and say what the log tells of them."""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.answers.mapping import Pairs
from rlgym.solutions import Derivation, Due, Solution, Step, any_order

Event = tuple[int, str, str, str]  # time, what, request, host or outcome
HOSTS = ("ant", "bee", "cat", "dog", "elk", "fox")
SPELL = Step("{request} runs on {host} from {begin:int} to {end} ({outcome})")
HOST = Step("On {host}, {words}: {value:int}")
END = "So the answer is:\n{answer}"
WORDS = {
    "counts": "requests that end with ok there",
    "slow": "the durations of those that end with ok add up to",
    "load": "the most that run at the same time",
}


class Knobs(Config):
    requests: int = knob(8, easy=4, hard=22, doc="requests in the log")
    hosts: int = knob(3, easy=2, hard=6, doc="hosts that serve them")
    trouble: int = knob(30, easy=10, hard=55, doc="percent of the requests that are tried again, fail or never end")
    question: str = knob(
        "slow", easy="counts", hard="load", order=("counts", "slow", "load"), doc="counts, sums of time, or the most at once"
    )


class Data(TaskData):
    events: tuple[Event, ...]
    hosts: tuple[str, ...]
    asked: str


SAID = {
    "counts": "how many requests it completed (ended with ok on it)",
    "slow": "the sum of the durations of the requests that it completed (ended with ok on it); a request's duration is the time of its end "
    "less the time of its last start",
    "load": "the largest number of attempts that ran on it at the same time; each attempt runs on the host on which it started, from its start until "
    "the next start or the end of its request (at that moment it no longer runs), or else to the end of the log",
}


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, 8 + 3 * knobs.requests)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Requests that come all at once and overlap for long."""
    return _sample_task(rng, knobs, 20 + 8 * knobs.requests)


def solve(task: Task[Data]) -> Pairs:
    """Request by request: its starts and its end, then what a host has of them."""
    data = task.data
    spells: list[tuple[str, int, int, str]] = []
    for request in dict.fromkeys(event[2] for event in data.events):
        mine = [event for event in data.events if event[2] == request]
        for i, (time, what, _, host) in enumerate(mine):
            if what == "start":
                after = mine[i + 1] if i + 1 < len(mine) else (10**6, "none", request, "none")
                spells.append((host, time, after[0], after[3] if after[1] == "end" else "none"))
    figures: dict[str, int] = {}
    for host in data.hosts:
        host_spells = [spell for spell in spells if spell[0] == host]
        done = [spell for spell in host_spells if spell[3] == "ok"]
        most = max((sum(a <= begin < b for _, a, b, _ in host_spells) for _, begin, _, _ in host_spells), default=0)
        figures[host] = {"counts": len(done), "slow": sum(b - a for _, a, b, _ in done), "load": most}[data.asked]
    return tuple(sorted((host, str(value)) for host, value in figures.items()))


def verify(task: Task[Data], answer: Pairs) -> Score:
    right = _describe(task.data)
    return Score.exact(dict(answer) == right, "some host is missing or has another number")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    starts = tuple(sorted((host, str(sum(event[3] == host for event in data.events))) for host in data.hosts))
    first = [
        event for i, event in enumerate(data.events) if event[1] == "end" or not any(other[2] == event[2] for other in data.events[:i])
    ]
    failed = [(time, what, request, "ok" if note == "failed" else note) for time, what, request, note in data.events]
    others = [_describe(data.model_copy(update={"events": tuple(events)})) for events in (first, failed)]
    return [starts, *(tuple(sorted(other.items())) for other in others), ((right[0][0], str(int(right[0][1]) + 1)), *right[1:]), right[1:]]


def cost(task: Task[Data]) -> float:
    return len(task.data.events) * (1.0 + ("counts", "slow", "load").index(task.data.asked)) + 3 * len(task.data.hosts)


def derive(task: Task[Data]) -> Derivation:
    """Where each request runs and how that ends, then what each host has of it."""
    data, steps = task.data, list[Due]()
    for request in dict.fromkeys(event[2] for event in data.events):
        mine = [event for event in data.events if event[2] == request]
        for i, (time, what, _, host) in enumerate(mine):
            if what == "start":
                end, kind, _, note = mine[i + 1] if i + 1 < len(mine) else ("the end of the log", "", "", "")
                outcome = note if kind == "end" else "it starts again" if kind else "it does not end"
                steps.append(SPELL(request=request, host=host, begin=time, end=end, outcome=outcome))
    yield from any_order(steps)
    found = _describe(data)
    yield from any_order([HOST(host=host, words=WORDS[data.asked], value=found[host]) for host in data.hosts])


def _describe(data: Data) -> dict[str, str]:
    """In one pass over the log, keeping where each request runs now."""
    running: dict[str, tuple[str, int]] = {}
    load, most = dict.fromkeys(data.hosts, 0), dict.fromkeys(data.hosts, 0)
    done, spent = dict.fromkeys(data.hosts, 0), dict.fromkeys(data.hosts, 0)
    for time, what, request, note in data.events:
        before = running.pop(request, None)
        if before:
            load[before[0]] -= 1
        if what == "start":
            running[request] = note, time
            load[note] += 1
            most[note] = max(most[note], load[note])
        elif before and note == "ok":
            done[before[0]] += 1
            spent[before[0]] += time - before[1]
    return {host: str(value) for host, value in {"counts": done, "slow": spent, "load": most}[data.asked].items()}


def _sample_task(rng: Rng, knobs: Knobs, longest: int) -> Task[Data]:
    hosts = tuple(sorted(rng.sample(HOSTS, knobs.hosts)))
    while True:
        events: list[Event] = []
        names = rng.sample(range(10, 100), knobs.requests)
        taken: set[int] = set()

        def free(time: int, taken: set[int] = taken) -> int:
            while time in taken:
                time += 1
            taken.add(time)
            return time

        for name in names:
            time = free(100 + rng.integer(0, 8 * knobs.requests))
            request = f"q{name}"
            events.append((time, "start", request, rng.choice(hosts)))
            odd = rng.integer(1, 100) <= knobs.trouble
            fate = rng.choice(("again", "failed", "lost", "again")) if odd else "ok"
            if fate == "again":
                time = free(time + rng.integer(1, longest))
                events.append((time, "start", request, rng.choice(hosts)))
                fate = rng.choice(("ok", "ok", "failed"))
            if fate != "lost":
                events.append((free(time + rng.integer(1, longest)), "end", request, fate))
        data = Data(events=tuple(sorted(events)), hosts=hosts, asked=knobs.question)
        if len(set(_describe(data).values())) > 1 or len(hosts) == 2:
            break
    shown = "\n".join(f"{time} {what} {request} {'on ' if what == 'start' else ''}{note}" for time, what, request, note in data.events)
    prompt = (
        "A server's log, one event per line with its time in seconds. A request starts on a host. Each start begins an attempt; a request may start "
        "again, on the same "
        "host or another one, which abandons its earlier attempt. It ends with ok or failed, on the host of its last start, or is still running when "
        "the log ends."
        f"\n\n{shown}\n\n"
        f"For each of the hosts {', '.join(hosts)} give {SAID[knobs.question]}. Give 0 where there are none."
    )
    return Task(prompt, data)


environment = Environment(
    Knobs, Mapping("one line `host: number` for each host"), generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    shift=shift,
    concept="Follow each request through the log, and let a new start take it away from the host where it ran.",
    version=5,
)  # fmt: skip
