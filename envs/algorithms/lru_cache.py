"""Follow a cache through reads and writes, and say what was read and what it holds at the end.

The rule for what is evicted changes with the level: the oldest, the longest unused, or the least often used. On the upper levels the evictions are
chosen: keys differ in what loading them costs, written keys cost more to evict, and the total is to be as small as possible.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.caches import ChosenCache, Held, Request
from rlgym.generators.draws import draw_against
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Words("the words asked for, in order, separated by spaces", max_items=300)
CONCEPT = "Keep the keys in the order in which they would be evicted, and move a key whenever it is used."
GAVE, HELD = Step("{count}. {action} gives {gave}; the cache holds {held}"), Step("{count}. {action}; the cache holds {held}")
CHOSEN = Step("{count}. {action}: {paid:int} paid, {total:int} in all; the cache holds {held}")
RULES = {
    "oldest": "that was put into the cache first (reading or overwriting a key that is in the cache does not count as putting it in)",
    "unused": "that was used longest ago (being put in, read or overwritten counts as being used)",
    "rare": (
        "that was used least often since it was put in (being put in, read or overwritten each counts as one use); among several such keys, the one "
        "that was used longest ago"
    ),
}


class Action(NamedTuple):
    kind: str
    key: str
    number: int


class Knobs(Config):
    room: int = knob(3, easy=2, hard=9, doc="keys that fit into the cache; about half as many where evictions are chosen")
    actions: int = knob(14, easy=5, hard=90, doc="reads and writes; three tenths as many where evictions are chosen")
    rule: str = knob("unused", easy="oldest", hard="rare", order=("oldest", "unused", "rare"), doc="eviction policy")
    eviction: str = knob(
        "rule", easy="rule", hard="choice", order=("rule", "choice"), doc="evictions follow the rule, or are chosen for the least cost"
    )
    removals: int = knob(10, easy=0, hard=12, doc="percent of actions that remove a key or change the room")


class Data(TaskData):
    room: int
    rule: str
    actions: tuple[Action, ...]
    final: tuple[str, ...]
    loading: tuple[tuple[str, int], ...] = ()
    """What loading each key costs, where evictions are chosen."""
    write_back: int = 0
    best: int = 0
    """The least total cost, where evictions are chosen."""

    @property
    def last(self) -> str:
        if self.loading:
            return f"No other choice costs less than {self.best}"
        return f"{len(self.actions)}. {_render_action(self.actions[-1])}"

    @property
    def chosen(self) -> ChosenCache:
        return ChosenCache(self.room, self.loading, self.write_back, tuple(Request(key, kind == "write") for kind, key, _ in self.actions))


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.eviction == "choice":
        return _sample_choice(rng, knobs, rounds=False)
    return _sample_task(rng, knobs, rounds=False)


def _sample_task(rng: Rng, knobs: Knobs, rounds: bool) -> Task[Data]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: knobs.room + 2 + knobs.room // 2]
    keys, room = rng.shuffled(letters), knobs.room
    while True:
        actions: list[Action] = []
        for i in range(knobs.actions):
            key = keys[i % (room + 1)] if rounds and rng.chance(0.8) else rng.choice(keys)
            if rng.chance(knobs.removals / 100):
                resizing = rng.chance(0.3)
                actions.append(Action("room", "", rng.integer(max(1, room - 1), room + 1)) if resizing else Action("remove", key, 0))
            elif rng.chance(0.5) and actions:
                actions.append(Action("read", key, 0))
            else:
                actions.append(Action("write", key, rng.integer(10, 99)))
        actions += [Action("write", key, rng.integer(10, 99)) for key in keys[:2]] + [Action("read", keys[2], 0)]
        final = _simulate(room, knobs.rule, tuple(actions))
        if len(final) > 2:
            break
    data = Data(room=room, rule=knobs.rule, actions=tuple(actions), final=final)
    kinds = {what for what, _, _ in actions}
    more = "remove K: K is taken out of the cache if it is there.\n" if "remove" in kinds else ""
    if "room" in kinds:
        more += "room n: from now on there is room for n keys; while the cache holds more, a key is evicted by the same rule.\n"
    listing = "\n".join(f"{i}. {_render_action(action)}" for i, action in enumerate(actions, 1))
    prompt = (
        f"A cache has room for {room} keys with a value each, and is initially empty. When a key that is not in the cache is to be put into a full one, a "
        f"key is evicted first: the one {RULES[knobs.rule]}.\n"
        "write K v: if K is in the cache its value becomes v, otherwise K is put in with the value v.\n"
        f"read K: gives the value of K, or - if K is not in the cache; then nothing is put in.\n{more}"
        f"\nThese are the actions:\n{listing}\n\nGive the results of the reads, in order, and then for each key that is in the cache at the end, in "
        f"alphabetical order, the key and its value in the form K=v."
    )
    return Task(prompt, data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Keys that come round in the same order again and again, one more of them than there is room for."""
    if knobs.eviction == "choice":
        return _sample_choice(rng, knobs, rounds=True)
    return _sample_task(rng, knobs, rounds=True)


def _sample_choice(rng: Rng, knobs: Knobs, rounds: bool) -> Task[Data]:
    """Requests for which simple policies pay too much, if there are such among the draws."""
    room = max(2, knobs.room * 4 // 9)
    keys = rng.shuffled("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: room + 6])
    count = max(2 * room + 4, knobs.actions * 3 // 10)

    def draw() -> Data:
        actions = list[Action]()
        while len(actions) < count:
            key = keys[len(actions) % (room + 2)] if rounds and rng.chance(0.7) else rng.choice(keys)
            if not actions or actions[-1].key != key:
                actions.append(Action(rng.choice(("read", "read", "write")), key, 0))
        loading = tuple((key, rng.integer(1, 9)) for key in sorted(keys))
        data = Data(room=room, rule="", actions=tuple(actions), final=(), loading=loading, write_back=rng.integer(2, 4))
        return data.model_copy(update={"best": data.chosen.least_total()})

    def is_too_easy(data: Data) -> bool:
        return any(data.chosen.total(evicted) == data.best for evicted in data.chosen.by_policies())

    data = draw_against(draw, is_too_easy, 40)
    listing = "\n".join(f"{i}. {action.kind} {action.key}" for i, action in enumerate(data.actions, 1))
    used = {action.key for action in data.actions}
    prompt = (
        f"A cache has room for {room} keys and is initially empty. These are the requests:\n{listing}\n\n"
        "A requested key that is not in the cache is loaded, no matter whether it is to be read or written. If the cache is full, a key is evicted before "
        "that, and you choose which; no key is evicted at any other time. Loading costs: "
        f"{', '.join(f'{key} {price}' for key, price in data.loading if key in used)}. Evicting a key is free unless there was a request to write it since it "
        f"was last loaded; then it costs {data.write_back}. After the last request nothing more is to be paid.\n\n"
        "Choose the evicted keys so that the total cost of loading and evicting is as small as possible. Give these keys in the order in which they are "
        "evicted. If several choices are equally good, give any one of them."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """From the history of uses of each key; `generate` keeps an eviction order instead."""
    data, room = task.data, task.data.room
    if data.loading:
        return next(data.chosen.cheapest())
    values_held: dict[str, int] = {}
    uses: dict[str, list[int]] = {}
    outputs = []
    for now, (what, key, number) in enumerate(data.actions):
        if what == "room":
            room = number
        elif what == "remove":
            values_held.pop(key, None)
        elif what == "read":
            outputs.append(str(values_held[key]) if key in values_held else "-")
            if key in values_held:
                uses[key].append(now)
        elif key in values_held:
            values_held[key] = number
            uses[key].append(now)
        while len(values_held) > room or (what == "write" and key not in values_held and len(values_held) == room):
            first = {"oldest": lambda k: (uses[k][0],), "unused": lambda k: (uses[k][-1],), "rare": lambda k: (len(uses[k]), uses[k][-1])}
            del values_held[min(values_held, key=first[data.rule])]
        if what == "write" and key not in values_held:
            values_held[key], uses[key] = number, [now]
    return (*outputs, *(f"{key}={values_held[key]}" for key in sorted(values_held)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.final
    if task.data.loading:
        total = task.data.chosen.total(tuple(word.upper() for word in answer))
        if total is None:
            return Score.wrong("the evictions are too many or too few, or a key is evicted that is not in the cache")
        return Score.exact(total == task.data.best, "another choice costs less")
    if len(answer) != len(right):
        return Score.wrong("the answer has the wrong number of words")
    plain = tuple(word.replace("−", "-").upper().replace(":", "=") for word in answer)
    reads = sum(what == "read" for what, _, _ in task.data.actions)
    if plain[:reads] != right[:reads]:
        return Score.wrong("a read returned a different value")
    return Score.exact(plain == right, "the final content of the cache is different")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    if data.loading:
        tempting = [*data.chosen.by_policies(), right[::-1], right[:-1], (*right, right[0])]
        return [each for each in tempting if data.chosen.total(each) != data.best]
    others = [_simulate(data.room, rule, data.actions) for rule in RULES]
    bigger = _simulate(data.room + 1, data.rule, data.actions)
    return [*others, bigger, _simulate(99, data.rule, data.actions), right[:-1], tuple("-" for _ in right), right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.loading:
        return float(len(data.actions) * data.room * len(data.loading))
    return float(len(data.actions) * (2 + list(RULES).index(data.rule)) + data.room)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    if data.loading:
        yield from _derive_choice(data, next(data.chosen.cheapest()))
        return
    for count, action in enumerate(data.actions[:-1], 1):
        # Worked out anew from the history, as `solve` does.
        words = solve(Task(task.prompt, data.model_copy(update={"actions": data.actions[:count]})))
        reads, cache = [word for word in words if "=" not in word], " ".join(word for word in words if "=" in word) or "nothing"
        if action.kind == "read":
            yield GAVE(count=count, action=_render_action(action), gave=reads[-1], held=cache)
        else:
            yield HELD(count=count, action=_render_action(action), held=cache)


def _derive_choice(data: Data, evicted: tuple[str, ...]) -> Derivation:
    chosen, waiting = data.chosen, list(evicted)
    held, total = Held(), 0
    for count, (action, request) in enumerate(zip(data.actions, chosen.requests, strict=True), 1):
        key = waiting.pop(0) if chosen.needs_eviction(held, request) else ""
        held, paid = chosen.serve(held, request, key)
        total += paid
        what = f"{action.kind} {action.key}{f' after {key} was evicted' if key else ''}"
        yield CHOSEN(count=count, action=what, paid=paid, total=total, held=" ".join(name for name, _ in held))


def _render_action(action: Action) -> str:
    what, key, number = action
    return {"write": f"write {key} {number}", "room": f"room {number}"}.get(what, f"{what} {key}")


def _simulate(room: int, rule: str, actions: tuple[Action, ...]) -> tuple[str, ...]:
    """What the reads return and what is left, with the keys kept in the order of eviction."""
    eviction_order: list[str] = []
    values: dict[str, int] = {}
    counts: dict[str, int] = {}
    outputs = []

    def evict() -> None:
        eviction_order.remove(min(eviction_order, key=counts.__getitem__) if rule == "rare" else eviction_order[0])

    def use(key: str) -> None:
        counts[key] += 1
        if rule != "oldest":
            eviction_order.remove(key)
            eviction_order.append(key)

    for what, key, number in actions:
        if what == "room":
            room = number
            while len(eviction_order) > room:
                evict()
        elif what == "remove":
            if key in eviction_order:
                eviction_order.remove(key)
        elif what == "read":
            outputs.append(str(values[key]) if key in eviction_order else "-")
            if key in eviction_order:
                use(key)
        else:
            values[key] = number
            if key in eviction_order:
                use(key)
                continue
            if len(eviction_order) == room:
                evict()
            eviction_order.append(key)
            counts[key] = 1
    return (*outputs, *(f"{key}={values[key]}" for key in sorted(eviction_order)))


def _right_answers(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    yield from task.data.chosen.cheapest() if task.data.loading else [task.data.final]


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, "{last}; so all in all: {answer}"),
    shift=shift,
    concept=CONCEPT,
    answers="many",
    solutions=_right_answers,
    version=3,
)
