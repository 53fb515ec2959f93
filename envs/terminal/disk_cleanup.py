"""Find out in a shell what fills a disk, and delete what a retention policy allows, and nothing else.

Large files lie among many small ones; names and ages decide what may go. Some files are protected by a list, by a link or by their age.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.trees import DAY
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry, file_size

RULES = ("age", "newest", "listed", "linked")
REPORT = "report.txt"
WRITE, DELETE = f"echo $(wc -l < scratch/go) $(cat scratch/go | xargs -r cat | wc -c) > {REPORT}", "xargs -r rm < scratch/go"


class Knobs(Config):
    folders: int = knob(4, easy=1, hard=7, doc="folders of services")
    files: int = knob(6, easy=4, hard=9, doc="files in each folder")
    rules: int = knob(2, easy=0, hard=4, doc="rules of the policy that protect files")


class State(Terminal):
    limit: int  # bytes from which on a file counts as large
    ending: str
    days: int
    rules: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    limit, ending, days = rng.integer(25, 70) * 100, rng.choice(("dump", "bak", "cache", "trace")), rng.integer(10, 40)
    held = RULES[: knobs.rules]
    services = sorted(rng.sample(names.SERVICES, knobs.folders))
    files: dict[str, Entry] = {}
    for place, service in enumerate(services):
        stale = place % 2 == 0  # in every other folder even the newest file is old
        for stem in rng.sample(names.WORDS, knobs.files):
            size, other = rng.weighted(("large", "near", "small"), (3, 1, 1)), rng.chance(0.3)
            count = {"large": rng.integer(limit, 3 * limit), "near": rng.integer(limit - 900, limit - 60), "small": rng.integer(30, 900)}[
                size
            ]
            age = rng.integer(days + 13, days + 60) if stale or rng.chance(0.7) or "age" not in held else rng.integer(1, days - 2)
            name = f"srv/{service}/{stem}.{rng.choice(('db', 'log', f'{ending}.txt')) if other else ending}"
            files[name] = _file(rng, count, CLOCK - age * DAY - rng.integer(0, 40_000))
        # One large file more that is old enough, and two more copies, so that each rule has something to protect.
        for number, stem in enumerate(rng.sample(names.TOPICS, 3)):
            files[f"srv/{service}/{stem}.{ending}"] = _file(rng, rng.integer(limit, 2 * limit), CLOCK - (days + 3 + 9 * number) * DAY)
        if "age" in held and not stale:
            files[f"srv/{service}/recent.{ending}"] = _file(rng, rng.integer(limit, 2 * limit), CLOCK - (days - 3) * DAY)
    large = [path for path, entry in files.items() if file_size(entry) >= limit and path.endswith(f".{ending}")]
    if "listed" in held:
        kept = sorted({rng.choice([path for path in large if path.startswith(f"srv/{service}/")]) for service in services})
        files["etc/keep.txt"] = trees.entry("# files that stay\n" + "".join(f"/work/{path}\n" for path in kept))
    if "linked" in held:
        for service in services:
            target = rng.choice([path for path in large if path.startswith(f"srv/{service}/")])
            files[f"active/{service}"] = Entry("symlink", 0o777, CLOCK - DAY, f"/work/{target}")
    gone = _files_to_delete(files, limit, ending, days, held)
    freed = sum(file_size(files[path]) for path in gone)
    expected: dict[str, Entry | None] = dict.fromkeys(gone)
    before = trees.tree(files)
    return State(
        task=_task(limit, ending, days, held), before=before, files=before, expected={**expected, REPORT: trees.entry(f"{len(gone)} {freed}\n")},
        limit=limit, ending=ending, days=days, rules=held,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return trees.score_of_state(state)


def plan(state: State, without: str = "") -> list[Step]:
    rules, old = (
        [rule for rule in state.rules if rule != without],
        f" -not -newermt '{_cutoff(state.days)}'" if without != "age" and "age" in state.rules else "",
    )
    find = f"find srv -type f -name '*.{state.ending}' -size +{state.limit - 1}c{old} | sort > scratch/go"
    steps = [
        Step("du -a srv | sort -n | tail -30; ls; ls -lR --time-style=full-iso srv | head -60", "First see what is large, and where."),
        Step(
            f"mkdir -p scratch; {find}; wc -l scratch/go",
            "Collect the candidates: by ending, by size in bytes, and by age where the policy says so.",
        ),
    ]
    if "newest" in rules:
        newest = f"for d in srv/*/; do ls -t $d*.{state.ending} | head -n 1; done"
        steps.append(Step(_without(newest), "The newest file of each folder with that ending leaves the list."))
    if "listed" in rules:
        steps.append(Step(_without("sed -n 's|^/work/||p' etc/keep.txt"), "The files in the list of files that stay leave it."))
    if "linked" in rules:
        steps.append(Step(_without("for l in active/*; do readlink $l | sed 's|^/work/||'; done"), "So do the targets of the links."))
    return [*steps, Step(f"{WRITE}; {DELETE}", "The number and the bytes are written down before the files go.")]


def _without(listing: str) -> str:
    """A command that takes the paths of a listing out of the candidates."""
    return f"({listing}) | sort > scratch/stays; comm -23 scratch/go scratch/stays > scratch/left; mv scratch/left scratch/go"


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {rule: make_policy(commands(plan(first, rule))) for rule in first.rules}


def mistakes(state: State) -> list[Calls]:
    # Deletes by ending alone, by size alone, everything, or in steps of 1024 bytes; forgets the report.
    by_name = f"find srv -name '*.{state.ending}' | xargs rm; echo 1 1 > {REPORT}"
    by_size = f"find srv -type f -size +{state.limit // 1024}k | xargs rm; echo 1 1 > {REPORT}"
    return shortcuts(state, [[by_name], [by_size], [*commands(plan(state))[:-1], DELETE]])


def cost(state: State) -> float:
    return float(len(state.files) * (2 + len(state.rules)))


def _file(rng: Rng, size: int, seconds: int) -> Entry:
    """A file of about this size, of one repeated line."""
    line = f"{names.sentence(rng, 3)} {rng.integer(0, 9999)}\n"
    return trees.entry(line * max(1, -(-size // len(line))), seconds=seconds)


def _cutoff(days: int) -> str:
    """The date before which a file is old enough, at noon UTC of the day of the task."""
    return f"2024-05-17 12:00:00 {days} days ago"


def _files_to_delete(files: Mapping[str, Entry], limit: int, ending: str, days: int, rules: tuple[str, ...]) -> list[str]:
    own = [path for path in files if path.startswith("srv/") and path.endswith(f".{ending}")]
    folders = {path: path.rpartition("/")[0] for path in own}
    newest = {
        max((path for path in own if folders[path] == folder), key=lambda path: files[path].seconds) for folder in set(folders.values())
    }
    kept = set(newest) if "newest" in rules else set()
    if "listed" in rules:
        kept |= {line.removeprefix("/work/") for line in files["etc/keep.txt"].content.splitlines()}
    if "linked" in rules:
        kept |= {entry.content.removeprefix("/work/") for entry in files.values() if entry.kind == "symlink"}
    old = [path for path in own if "age" not in rules or files[path].seconds <= CLOCK - days * DAY]
    return sorted(path for path in old if file_size(files[path]) >= limit and path not in kept)


def _task(limit: int, ending: str, days: int, rules: tuple[str, ...]) -> str:
    wording = {
        "age": f"a file stays if it was changed less than {days} days ago; take 2024-05-17 12:00 UTC as the current time",
        "newest": f"in each folder below /work/srv, the .{ending} file that was changed last stays, whatever its size",
        "listed": "the files that /work/etc/keep.txt lists stay",
        "linked": "the files to which the links in /work/active lead stay",
    }
    policy = (
        f"\n\nThese rules of the retention policy protect files:\n{chr(10).join(f'- {wording[rule]}' for rule in rules)}" if rules else ""
    )
    unless = ", unless a rule below protects it" if rules else ""
    return (
        f"The disk that holds /work/srv is full. Delete every regular file below /work/srv whose name ends in .{ending} and whose size is at least "
        f"{limit} bytes{unless}. Then write to /work/{REPORT} one line with two integers, separated by one space: how many files you have deleted, "
        f"and how many bytes they had in all.{policy}"
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="List the candidates by name, size and age first, take away what each rule protects, count the rest, and only then delete.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=3,
)  # fmt: skip
