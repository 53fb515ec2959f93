"""Follow a cache through reads and writes, and say what was read and what it holds at the end.

The rule for what is thrown out changes with the level: the oldest, the longest unused, or the least often used.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.steps import Line, ended, first_wrong

Action = tuple[str, str, int]
GAVE, HELD = Line("{count}. {said} gives {gave}; the cache holds {held}"), Line("{count}. {said}; the cache holds {held}")
RULES = {
    "oldest": "that was put into the cache first (reading or overwriting a key that is in the cache does not count as putting it in)",
    "unused": "that was used longest ago (being put in, read or overwritten counts as being used)",
    "rare": (
        "that was used least often since it was put in (being put in, read or overwritten each counts as one use); among several such keys, the one "
        "that was used longest ago"
    ),
}


class Knobs(Config):
    room: int = knob(3, easy=2, hard=9, doc="keys that fit into the cache")
    actions: int = knob(14, easy=5, hard=90, doc="reads and writes")
    rule: str = knob("unused", easy="oldest", hard="rare", order=("oldest", "unused", "rare"), doc="what is thrown out")
    removals: int = knob(10, easy=0, hard=12, doc="percent of actions that remove a key or change the room")


class Data(TaskData):
    room: int
    rule: str
    actions: tuple[Action, ...]
    final: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: knobs.room + 2 + knobs.room // 2]
    keys, room = rng.shuffled(letters), knobs.room
    while True:
        actions: list[Action] = []
        for _ in range(knobs.actions):
            key = rng.choice(keys)
            if rng.chance(knobs.removals / 100):
                resizing = rng.chance(0.3)
                actions.append(("room", "", rng.integer(max(1, room - 1), room + 1)) if resizing else ("remove", key, 0))
            elif rng.chance(0.5) and actions:
                actions.append(("read", key, 0))
            else:
                actions.append(("write", key, rng.integer(10, 99)))
        actions += [("write", keys[0], rng.integer(10, 99)), ("write", keys[1], rng.integer(10, 99)), ("read", keys[2], 0)]
        final = _kept(room, knobs.rule, tuple(actions))
        if len(final) > 2:
            break
    data = Data(room=room, rule=knobs.rule, actions=tuple(actions), final=final)
    kinds = {what for what, _, _ in actions}
    more = "remove K: K is taken out of the cache if it is there.\n" if "remove" in kinds else ""
    if "room" in kinds:
        more += "room n: from now on there is room for n keys; while the cache holds more, a key is thrown out by the same rule.\n"
    listing = "\n".join(f"{i}. {_said(action)}" for i, action in enumerate(actions, 1))
    prompt = (
        f"A cache has room for {room} keys with a value each, and is empty at first. When a key that is not in the cache is to be put into a full one, a "
        f"key is thrown out before that: the one {RULES[knobs.rule]}.\n"
        "write K v: if K is in the cache its value becomes v, otherwise K is put in with the value v.\n"
        f"read K: gives the value of K, or - if K is not in the cache; then nothing is put in.\n{more}"
        f"\nThese are the actions:\n{listing}\n\nGive what the reads gave, in order, and then for each key that is in the cache at the end, in alphabetical "
        "order, the key and its value in the form K=v."
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> tuple[str, ...]:
    """By the history alone: who is in the cache, and since when and how often each was used, is looked up in the list of actions."""
    data, room = task.data, task.data.room
    inside: dict[str, int] = {}
    uses: dict[str, list[int]] = {}
    said = []
    for now, (what, key, number) in enumerate(data.actions):
        if what == "room":
            room = number
        elif what == "remove":
            inside.pop(key, None)
        elif what == "read":
            said.append(str(inside[key]) if key in inside else "-")
            if key in inside:
                uses[key].append(now)
        elif key in inside:
            inside[key] = number
            uses[key].append(now)
        while len(inside) > room or (what == "write" and key not in inside and len(inside) == room):
            first = {"oldest": lambda k: (uses[k][0],), "unused": lambda k: (uses[k][-1],), "rare": lambda k: (len(uses[k]), uses[k][-1])}
            del inside[min(inside, key=first[data.rule])]
        if what == "write" and key not in inside:
            inside[key], uses[key] = number, [now]
    return (*said, *(f"{key}={inside[key]}" for key in sorted(inside)))


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    right = task.data.final
    if len(answer) != len(right):
        return Score.wrong("the answer has another count of words")
    plain = tuple(word.replace("−", "-").upper().replace(":", "=") for word in answer)
    reads = sum(what == "read" for what, _, _ in task.data.actions)
    if plain[:reads] != right[:reads]:
        return Score.wrong("a read gave something else")
    return Score.exact(plain == right, "the cache holds something else at the end")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    others = [_kept(data.room, rule, data.actions) for rule in RULES]
    bigger = _kept(data.room + 1, data.rule, data.actions)
    return [*others, bigger, _kept(99, data.rule, data.actions), right[:-1], tuple("-" for _ in right), right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.actions) * (2 + list(RULES).index(data.rule)) + data.room)


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    steps = []
    for count, action in enumerate(data.actions[:-1], 1):
        before = data.actions[:count]
        gave = [word for word in _kept(data.room, data.rule, before) if "=" not in word]
        held = " ".join(word for word in _kept(data.room, data.rule, before) if "=" in word) or "nothing"
        told = {"count": count, "said": _said(action), "held": held}
        steps.append(GAVE.write(**told, gave=gave[-1]) if action[0] == "read" else HELD.write(**told))
    return [*steps, f"{len(data.actions)}. {_said(data.actions[-1])}; so all in all: {' '.join(data.final)}"]


def replay(task: Task[Data], steps: Sequence[str]) -> int | None:
    data = task.data
    done: list[Action] = []

    def follows(step: str) -> bool:
        action = data.actions[len(done)]
        done.append(action)
        # What the reads gave, then the keys: worked out anew from the history.
        words = solve(Task(task.prompt, data.model_copy(update={"actions": tuple(done)})))
        gave, held = [word for word in words if "=" not in word], [word for word in words if "=" in word]
        line = GAVE if action[0] == "read" else HELD
        read = line.read(step)
        if not read or (read["count"], read["said"]) != (str(len(done)), _said(action)) or (line is GAVE and read["gave"] != gave[-1]):
            return False
        return read["held"] == (" ".join(held) or "nothing")

    lead = f"{len(task.data.actions)}. {_said(task.data.actions[-1])}; so all in all: "
    return first_wrong(steps, follows, ended(lead, task, environment.answer, verify))


def _said(action: Action) -> str:
    what, key, number = action
    return {"write": f"write {key} {number}", "room": f"room {number}"}.get(what, f"{what} {key}")


def _kept(room: int, rule: str, actions: tuple[Action, ...]) -> tuple[str, ...]:
    """What the reads give and what is left: a list of keys in the order in which they would go, with values and counts beside it."""
    line: list[str] = []
    values: dict[str, int] = {}
    counts: dict[str, int] = {}
    said = []

    def throw_out() -> None:
        line.remove(min(line, key=counts.__getitem__) if rule == "rare" else line[0])

    def use(key: str) -> None:
        counts[key] += 1
        if rule != "oldest":
            line.remove(key)
            line.append(key)

    for what, key, number in actions:
        if what == "room":
            room = number
            while len(line) > room:
                throw_out()
        elif what == "remove":
            if key in line:
                line.remove(key)
        elif what == "read":
            said.append(str(values[key]) if key in line else "-")
            if key in line:
                use(key)
        else:
            values[key] = number
            if key in line:
                use(key)
                continue
            if len(line) == room:
                throw_out()
            line.append(key)
            counts[key] = 1
    return (*said, *(f"{key}={values[key]}" for key in sorted(line)))


environment = Environment(
    Knobs,
    Words("what the reads gave, then the keys with their values, all separated by spaces", most=300),
    generate,
    solve,
    verify,
    mistakes,
    cost,
    explain,
    replay=replay,
    concept="Keep the keys in the order in which they would be thrown out, and move a key whenever it is used.",
)
