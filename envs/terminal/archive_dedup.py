"""Remove duplicates from an archive in a shell by linking them to one file, as a policy says, and report what was saved.

Equal names are no equal contents; some files are too small, of another group or must stay separate.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry

RULES = ("small", "group", "separate")
REPORT = "saved.txt"


class Knobs(Config):
    groups: int = knob(2, easy=1, hard=4, doc="folders of the archive")
    files: int = knob(6, easy=4, hard=10, doc="files in each folder")
    rules: int = knob(2, easy=0, hard=3, doc="rules about what is linked")
    symbolic: int = knob(0, easy=0, hard=1, doc="hard links (0) or symbolic links (1)")


class State(Terminal):
    root: str
    least: int
    rules: tuple[str, ...]
    symbolic: bool
    linked: dict[str, str]  # path -> the file that it must be a link to


def start(rng: Rng, knobs: Knobs) -> State:
    root, held, least = rng.choice(names.TOPICS), RULES[: knobs.rules], rng.integer(60, 90)
    folders, stems = sorted(rng.sample(names.SERVICES, knobs.groups)), rng.sample(names.WORDS, 6)
    large = [f"{names.sentence(rng, 18)} {number}\n" for number in range(4)]
    small = [f"{names.sentence(rng, 2)} {number}\n" for number in range(2)]
    files: dict[str, str] = {}
    for folder in folders:
        contents = [
            large[0],
            large[0],
            *(rng.choice(large) for _ in range(knobs.files - 2)),
            *([small[0], small[0], small[1]] if "small" in held else []),
        ]
        for number, text in enumerate(rng.shuffled(contents)):
            files[f"{root}/{folder}/{rng.choice(('a', 'b', 'old/c'))}/{rng.choice(stems)}{number}.txt"] = text
    if "separate" in held:
        chosen = [
            next(path for path in sorted(files, reverse=True) if files[path] == large[0] and path.startswith(f"{root}/{folder}/"))
            for folder in folders
        ]
        files[f"{root}/separate.txt"] = "".join(f"/work/{path}\n" for path in chosen)
    linked = _links(files, root, least, held)
    before = trees.tree(files)
    saved = sum(len(files[path]) for path in linked)
    return State(
        task=_task(root, least, held, knobs.symbolic == 1), before=before, files=before,
        expected={REPORT: trees.entry(f"{len(linked)} {saved}\n")}, root=root, least=least, rules=held, symbolic=knobs.symbolic == 1, linked=linked,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    # Links are checked against `linked`; the comparison of contents then looks through them.
    seen = {path: state.before[path] if _leads(state, path) else entry for path, entry in state.files.items()}
    right = all(_leads(state, path) for path in state.linked) and all(
        not _is_link(state, path) for path in state.before if path not in state.linked
    )
    return trees.score_of_state(state.model_copy(update={"files": seen}), links=right)


def plan(state: State, without: str = "") -> list[Step]:
    rules = [rule for rule in state.rules if rule != without]
    size = f" -size +{state.least - 1}c" if "small" in rules else ""
    looks = f"find {state.root} -type f | sort | xargs ls -l; cat {state.root}/separate.txt"
    lists = f"mkdir -p scratch; find {state.root}/*/ -type f{size} | sort > scratch/files"
    steps = [Step(f"{looks}\n{lists}", "First see the files and their sizes, and list those that may be linked.")]
    if "separate" in rules:
        drop = f"sed 's|^/work/||' {state.root}/separate.txt | sort | comm -23 scratch/files - > scratch/few; mv scratch/few scratch/files"
        steps.append(Step(drop, "Files that must stay separate leave the list."))
    key = '$1 " " p[2]' if "group" in rules else "$1"
    pair = f'{{ split($2, p, "/"); k = {key}; if (k in first) print $2, first[k]; else first[k] = $2 }}'
    pairs = f"xargs sha256sum < scratch/files | awk '{pair}' > scratch/pairs"
    steps.append(Step(pairs, "Of files with the same hash, the first by path is the one to which the others are linked."))
    report = f"echo $(wc -l < scratch/pairs) $(cut -d ' ' -f 1 scratch/pairs | xargs -r cat | wc -c) > {REPORT}"
    link = "ln -sfr $f $d" if state.symbolic else "ln -f $f $d"
    linked = f"while read d f; do {link}; done < scratch/pairs"
    return [*steps, Step(f"{report}\n{linked}", "Count before anything changes; then the duplicates become links.")]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = [rule for rule in first.rules if rule != "group" or len({path.split("/")[1] for path in first.linked}) > 1]
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Deletes the duplicates, links in the other way, links files of the same name, or forgets the report.
    *first, last = commands(plan(state))
    report, _, linked = last.partition("\n")
    other = last.replace("ln -sfr", "ln -f") if state.symbolic else last.replace("ln -f", "ln -sfr")
    deleted = f"{report}\nwhile read d f; do rm $d; done < scratch/pairs"
    return shortcuts(state, [[*first, deleted], [*first, other], [*first, linked]])


def cost(state: State) -> float:
    return float(len(state.before) * (1 + len(state.rules)) + state.symbolic)


def _links(files: Mapping[str, str], root: str, least: int, rules: tuple[str, ...]) -> dict[str, str]:
    separate = {line.removeprefix("/work/") for line in files.get(f"{root}/separate.txt", "").splitlines()}
    first: dict[tuple[str, str], str] = {}
    linked = {}
    for path in sorted(path for path in files if path.count("/") > 1 and path not in separate):
        if "small" in rules and len(files[path]) < least:
            continue
        key = (files[path], path.split("/")[1] if "group" in rules else "")
        if key in first:
            linked[path] = first[key]
        else:
            first[key] = path
    return linked


def _leads(state: State, path: str) -> bool:
    """Whether a path is the kind of link that was asked for, to the file that it must be a link to."""
    target, entry = state.linked.get(path), state.files.get(path)
    if target is None or entry is None:
        return False
    if state.symbolic:
        return entry.kind == "symlink" and _resolve_link(path, entry.content) == target
    # The smallest path of linked files has the content; here that is the target, unless the file is linked to others as well.
    return entry.kind == "hardlink" and entry.content == target


def _resolve_link(path: str, target: str) -> str:
    parts = [] if target.startswith("/") else path.split("/")[:-1]
    for part in target.removeprefix("/work").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _is_link(state: State, path: str) -> bool:
    entry: Entry | None = state.files.get(path)
    return entry is not None and entry.kind in ("symlink", "hardlink")


def _task(root: str, least: int, rules: tuple[str, ...], symbolic: bool) -> str:
    kind = "a symbolic link, relative or absolute," if symbolic else "a hard link"
    more = {
        "small": f"files smaller than {least} bytes are not linked, and nothing is linked to them",
        "group": f"only files in the same folder directly below {root}, or anywhere below that folder, are linked with each other",
        "separate": f"the files that {root}/separate.txt lists are not linked, and nothing is linked to them",
    }
    stated = f"\n\nThese rules hold as well:\n{chr(10).join(f'- {more[rule]}' for rule in rules)}" if rules else ""
    return (
        f"The archive /work/{root} holds several copies of some files, in folders below it. Of each set of files with the same content, keep unchanged "
        f"the one whose path comes first in byte order, and replace each of the others by {kind} to it, under its own path. Then write to "
        f"/work/{REPORT} one line with two integers, separated by one space: how many files you have replaced, and how many bytes they had in all.{stated}"
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Compare contents by a hash, apply the rules to the list first, and count before you link.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=4,
)  # fmt: skip
