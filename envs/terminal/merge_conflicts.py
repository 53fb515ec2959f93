"""Resolve merge conflicts in files by a stated policy, in a shell, without touching what only looks like a conflict.

Each conflict holds our side and their side, sometimes the common base; the policy depends on the path.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

POLICIES = ("ours", "theirs", "both", "settings", "version")
WORDING = {
    "ours": "in files below {repo}/docs, our side is kept",
    "theirs": "in files whose names end in .lock, their side is kept",
    "both": "in files whose names end in .list, both sides are kept, ours first, without lines of theirs that our side has",
    "settings": "in files whose names end in .conf, whose lines are `key = value`, both sides are joined: each key once, with their value where both have the "
    "key, in alphabetical order of the keys",
    "version": "in the file {repo}/VERSION, the higher version is kept, compared number by number",
}


class Knobs(Config):
    files: int = knob(5, easy=1, hard=9, doc="files with conflicts")
    policies: int = knob(4, easy=2, hard=5, doc="different policies, simple ones first")
    conflicts: int = knob(2, easy=1, hard=3, doc="most conflicts of a file")
    base: int = knob(1, easy=0, hard=1, doc="whether conflicts may show the common base (1) or never do (0)")


class State(Terminal):
    repo: str
    kinds: dict[str, str]  # path -> policy


class Side(NamedTuple):
    ours: list[str]
    theirs: list[str]


def start(rng: Rng, knobs: Knobs) -> State:
    repo, kinds = rng.choice(names.TOPICS), dict[str, str]()
    policies = POLICIES[: knobs.policies]
    files: dict[str, str] = {}
    expected = {}
    chosen = [policies[place % len(policies)] for place in range(knobs.files)] if knobs.files > 1 else [rng.choice(policies)]
    stems = rng.sample(names.WORDS, knobs.files + 3)
    for policy in dict.fromkeys(chosen) if chosen.count("version") > 1 else chosen:
        path = _path(repo, policy, stems.pop())
        kinds[path] = policy
        marked, right = list[str](), list[str]()
        for number in range(1 if policy == "version" else rng.integer(1, knobs.conflicts)):
            plain = [] if policy == "version" else _lines(rng, policy, rng.integer(1, 3), number)
            side = _side(rng, policy, number)
            marked += [*plain, *_conflict(rng, side, knobs.base == 1 and rng.chance(0.5))]
            right += [*plain, *_resolve_lines(policy, side)]
        files[path], expected[path] = "".join(f"{line}\n" for line in marked), trees.entry("".join(f"{line}\n" for line in right))
    files[f"{repo}/guide.md"] = f"Merging\n=======\n\nA conflict starts with <<<<<<< and ends with >>>>>>>.\n{names.sentence(rng, 4)}\n"
    files[f"{repo}/docs/{stems.pop()}.md"] = f"{names.sentence(rng, 1)}\n=======\n{names.sentence(rng, 4)}\n"
    files["merge/unmerged.txt"] = "".join(f"{path}\n" for path in sorted(kinds))
    before = trees.tree(files)
    return State(
        task=_task(repo, tuple(dict.fromkeys(kinds.values())), knobs.base == 1), before=before, files=before,
        expected={**expected, "merge/unmerged.txt": trees.entry("")}, repo=repo, kinds=kinds,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return trees.score_of_state(state)


def plan(state: State) -> list[Step]:
    looks = Step('cat merge/unmerged.txt; for f in $(cat merge/unmerged.txt); do echo "-- $f"; cat $f; done', "First see the conflicts.")
    steps = [Step(_resolve(path, policy), f"{path} is resolved by its policy, {policy}.") for path, policy in sorted(state.kinds.items())]
    return [looks, *steps, Step(": > merge/unmerged.txt", "No file is unmerged any more.")]


KEEP = {
    "ours": "ours",
    "theirs": "theirs",
    "both": "ours + [line for line in theirs if line not in ours]",
    "settings": "[v for _, v in sorted({line.split(' =')[0]: line for line in ours + theirs}.items())]",
    "version": "[max(ours + theirs, key=lambda v: [int(n) for n in v.split('.')])]",
    "all": "ours + theirs",
}


def _resolve(path: str, policy: str) -> str:
    return f"""python3 - <<'END'
import re
text = open({path!r}).read()
def keep(match):
    ours = match[1].split('||||||| ')[0].splitlines()
    theirs = match[2].splitlines()
    return ''.join(line + chr(10) for line in {KEEP[policy]})
pattern = r'^<<<<<<< .*\\n((?:.*\\n)*?)^=======\\n((?:.*\\n)*?)>>>>>>> .*\\n'
open({path!r}, 'w').write(re.sub(pattern, keep, text, flags=re.M))
END"""


def _wrong_plan(state: State, change: Mapping[str, str]) -> list[str]:
    plan_commands = commands(plan(state))
    return [
        plan_commands[0],
        *(_resolve(path, change.get(policy, policy)) for path, policy in sorted(state.kinds.items())),
        plan_commands[-1],
    ]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    other = {"ours": "theirs", "theirs": "ours", "both": "all", "settings": "all", "version": "ours"}
    found = {policy: _wrong_plan(first, {policy: other[policy]}) for policy in dict.fromkeys(first.kinds.values()) if policy != "version"}
    return {policy: make_policy(wrong) for policy, wrong in {**found, "unmerged_list": commands(plan(first))[:-1]}.items()}


def mistakes(state: State) -> list[Calls]:
    # Deletes the markers and keeps everything; deletes them in every file, also where they only look alike; forgets the list.
    markers = f"find {state.repo} -type f | xargs sed -i '/^<<<<<<</d; /^=======$/d; /^>>>>>>>/d'; : > merge/unmerged.txt"
    own = f"{_each('ours', state.kinds)}\n: > merge/unmerged.txt\nsed -i 's/$/ /' {state.repo}/guide.md"
    return shortcuts(state, [[markers], [own], commands(plan(state))[:-1]])


def cost(state: State) -> float:
    return float(sum(entry.content.count("\n") for entry in state.before.values()) * (1 + len({*state.kinds.values()})))


def _each(policy: str, paths: Sequence[str] | Mapping[str, str]) -> str:
    return "\n".join(_resolve(path, policy) for path in paths)


def _path(repo: str, policy: str, stem: str) -> str:
    return {"ours": f"{repo}/docs/{stem}.md", "version": f"{repo}/VERSION"}.get(
        policy, f"{repo}/{stem}.{ {'theirs': 'lock', 'both': 'list', 'settings': 'conf'}.get(policy, '') }"
    )


def _lines(rng: Rng, policy: str, count: int, number: int) -> list[str]:
    words = rng.sample(names.TOPICS, count)
    if policy == "settings":
        return [f"{number}.{word} = {rng.integer(1, 99)}" for word in words]
    return [f"{word} {rng.integer(1, 99)}" for word in words] if policy != "ours" else [names.sentence(rng, 4) for _ in words]


def _side(rng: Rng, policy: str, number: int) -> Side:
    if policy == "version":
        major, minor = rng.integer(1, 4), rng.integer(2, 8)
        high, low = f"{major}.{minor + rng.integer(3, 8)}.{rng.integer(0, 9)}", f"{major}.{minor}.{rng.integer(0, 20)}"
        return Side([high], [low]) if rng.chance(0.5) else Side([low], [high])
    if policy == "settings":
        keys = [f"{number}.{word}" for word in rng.sample(names.WORDS, 4)]
        ours, theirs = keys[:3], [keys[1], keys[3]] if rng.chance(0.5) else [keys[3], keys[0], keys[1]]
        return Side([f"{key} = {rng.integer(1, 40)}" for key in ours], [f"{key} = {rng.integer(41, 99)}" for key in theirs])
    words = rng.sample(names.WORDS, 4)
    shared = [f"{words[0]} 1"] if policy == "both" else []
    ours, theirs = (
        [f"{words[1]} {rng.integer(1, 99)}", *shared],
        [f"{words[2]} {rng.integer(1, 99)}", *shared, f"{words[3]} {rng.integer(1, 99)}"],
    )
    return Side(ours, theirs)


def _conflict(rng: Rng, side: Side, base: bool) -> list[str]:
    common = ["||||||| base", f"{rng.choice(names.PEOPLE)} 0"] if base else []
    return ["<<<<<<< ours", *side.ours, *common, "=======", *side.theirs, ">>>>>>> theirs"]


def _resolve_lines(policy: str, side: Side) -> list[str]:
    match policy:
        case "ours":
            return side.ours
        case "theirs":
            return side.theirs
        case "both":
            return [*side.ours, *(line for line in side.theirs if line not in side.ours)]
        case "settings":
            return sorted({line.partition(" = ")[0]: line for line in [*side.ours, *side.theirs]}.values())
    return [max([*side.ours, *side.theirs], key=lambda version: tuple(map(int, version.split("."))))]


def _task(repo: str, policies: tuple[str, ...], base: bool) -> str:
    common = (
        " A line `||||||| base` may follow our side; the lines from there to `=======` show the common base and belong to neither side."
        if base
        else ""
    )
    return (
        f"A merge in the folder /work/{repo} left conflicts in the files that /work/merge/unmerged.txt lists. In a conflict, our side lies between "
        "the lines "
        f"`<<<<<<< ours` and `=======`, and their side between `=======` and `>>>>>>> theirs`.{common} Resolve every conflict by the policy: "
        f"{'; '.join(WORDING[policy].format(repo=repo) for policy in policies)}. What is kept takes the place of the conflict with its "
        "marker lines; lines outside conflicts stay as they are. At the end /work/merge/unmerged.txt must be empty."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Read each conflict, find the policy of its path, and replace the whole conflict, markers included, by what the policy keeps.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
