"""Audit the permissions of a file tree in a shell against a written policy, and repair exactly what breaks it.

Files, folders and scripts have different rules; setuid bits and files that anyone may write are traps, and links are not followed.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.trees import DAY
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry

KINDS = ("secret", "script", "folder", "special", "private")
RULES = {
    "secret": "files whose names end in .key have mode 600",
    "script": "other files whose first line starts with #! have mode 755",
    "special": "other files whose first line starts with #! and that {root}/setuid.txt lists have mode 4755 instead",
    "folder": "folders have mode 755",
    "private": "below {root}/private, and for that folder itself, group and others have no permissions; the owner's permissions and the setuid bit "
    "are as above",
}
REPORT = "changed.txt"


class Knobs(Config):
    files: int = knob(10, easy=4, hard=24, doc="files of the tree")
    rules: int = knob(3, easy=1, hard=5, doc="kinds of files with rules of their own")
    wrong: float = knob(0.4, easy=0.5, hard=0.3, doc="share of wrong modes")


class State(Terminal):
    root: str
    kinds: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    root, kinds = rng.choice(names.TOPICS), KINDS[: knobs.rules]
    folders = ["bin", "share", "share/data", *(["private", "private/old"] if "private" in kinds else [])]
    files: dict[str, Entry] = {}
    right: dict[str, int] = {}
    special = []
    for number, stem in enumerate(rng.sample(names.WORDS, knobs.files)):
        kind = ("secret", "script", "plain", "plain")[number % 4]
        path = f"{root}/{rng.choice(folders)}/{stem}{'.key' if kind == 'secret' else rng.choice(('', '.sh', '.txt'))}"
        text = f"{'#!/bin/sh' if kind == 'script' else '# plain'}\necho {stem}\n"
        right[path] = {"secret": 0o600, "script": 0o755 if "script" in kinds else 0o644}.get(kind, 0o644)
        if "special" in kinds and kind == "script" and rng.chance(0.4):
            special.append(path)
            right[path] = 0o4755
        files[path] = trees.entry(text)
    if "special" in kinds:
        files[f"{root}/setuid.txt"], right[f"{root}/setuid.txt"] = trees.entry("".join(f"/work/{path}\n" for path in special)), 0o644
    files[f"{root}/share/latest"] = Entry("symlink", 0o777, CLOCK - DAY, "data")
    tree = trees.tree(files)
    right |= {path: 0o755 for path, entry in tree.items() if entry.kind == "folder" and "folder" in kinds}
    right = {
        path: mode & ~0o077 if f"{path}/".startswith(f"{root}/private/") and "private" in kinds else mode for path, mode in right.items()
    }
    before = {
        path: entry._replace(mode=_wrong_mode(rng, right[path], entry, knobs.wrong)) if path in right else entry
        for path, entry in tree.items()
    }
    changed = [path for path in before if path in right and before[path].mode != right[path]]
    expected: dict[str, Entry | None] = {path: before[path]._replace(mode=right[path]) for path in changed}
    report = trees.entry("".join(f"/work/{path} {right[path]:o}\n" for path in changed))
    return State(
        task=_task(root, kinds), before=before, files=before, expected={**expected, REPORT: report}, root=root, kinds=kinds
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return trees.score_of_state(
        state, modes=_modes(state) == _modes(state.model_copy(update={"files": {**state.before, **state.expected}}))
    )


def plan(state: State, without: str = "") -> list[Step]:
    root, rules = state.root, [kind for kind in state.kinds if kind != without]
    modes = f"find {root} ! -type l -printf '%m %p\\n' | sort"
    looks = f"ls -lR {root}; cat {root}/setuid.txt; head -qn 1 $(find {root} -type f) | sort | uniq -c"
    notes = f"mkdir -p scratch; {modes} > scratch/before; find {root} -type f | xargs chmod 644"
    steps = [Step(f"{looks}\n{notes}", "First see and note the modes and the kinds of files; then all files get the mode of plain ones.")]
    commands_of = {
        "secret": f"find {root} -type f -name '*.key' | xargs -r chmod 600",
        "script": f"for f in $(find {root} -type f); do head -n 1 $f | grep -q '^#!' && chmod 755 $f; done",
        "folder": f"find {root} -type d | xargs chmod 755",
        "special": f"cat {root}/setuid.txt | xargs -r chmod 4755",
        "private": f"chmod -R go= {root}/private",
    }
    steps += [Step(commands_of[kind], f"Then the rule: {RULES[kind].format(root=root)}.") for kind in rules]
    report = (
        f"{modes} > scratch/after; comm -13 scratch/before scratch/after | sed 's|^\\([0-7]*\\) \\(.*\\)|/work/\\2 \\1|' | sort > {REPORT}"
    )
    return [*steps, Step(report, "What differs from the modes noted at first was changed.")]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {
        kind: make_policy(commands(plan(first, kind)))
        for kind in first.kinds
        if kind != "special" or first.before[f"{first.root}/setuid.txt"].content
    }


def mistakes(state: State) -> list[Calls]:
    # Opens or closes everything; makes only files whose names end in .sh executable; forgets the report.
    by_name = [command.replace("head -n 1 $f | grep -q '^#!'", "echo $f | grep -q 'sh$'") for command in commands(plan(state))]
    opened = [f"chmod -R 755 {state.root}; touch {REPORT}"]
    return shortcuts(
        state, [opened, [f"chmod -R 644 {state.root}"], commands(plan(state))[:-1], by_name if "script" in state.kinds else opened]
    )


def cost(state: State) -> float:
    return float(len(state.before) * (1 + len(state.kinds)))


def _modes(state: Terminal) -> dict[str, int]:
    """The modes of everything but links and what is not compared."""
    entries = {path: entry for path, entry in state.files.items() if entry is not None and entry.kind != "symlink"}
    return {path: entry.mode for path, entry in entries.items() if path != REPORT and path.partition("/")[0] != "scratch"}


def _wrong_mode(rng: Rng, right: int, entry: Entry, share: float) -> int:
    if entry.kind == "folder":
        return rng.choice((0o777, 0o775, 0o700, 0o750)) if rng.chance(share) else right
    return rng.choice((0o666, 0o777, 0o664, 0o600, 0o755, 0o644, 0o640, 0o4755)) if rng.chance(share + 0.15) else right


def _task(root: str, kinds: tuple[str, ...]) -> str:
    wording = {kind: RULES[kind].format(root=f"/work/{root}") for kind in RULES if kind in kinds}
    private = wording.pop("private", "")
    lines = [*wording.values(), "all other files have mode 644", *([private] if private else [])]
    return (
        f"Audit the permissions of the tree /work/{root}, and set every mode that breaks this policy:\n"
        + "".join(f"- {line}\n" for line in lines)
        + f"\n{'' if 'folder' in kinds else 'Folders keep their modes. '}Do not change links, or what files hold. Then write to /work/{REPORT} one line for "
        "each file or folder whose mode you have changed, with its absolute path, a space and its new mode in octal digits, such as "
        f"`/work/{root}/bin/tool 644`. Sort the lines in byte order."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Note all modes first, apply the general rule and then the special ones in their order, and report the differences.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=5,
)  # fmt: skip
