"""Merge branches of a git repository in a shell so that the features of all of them work together.

Conflicts are of several kinds; some are not seen by git. Hidden tests run the merged functions, and the history is checked.
"""

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import git_files, shop_branches, trees, world
from rlgym.generators.terminal.shop_branches import Pair
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import file_bytes, run_command

REPO, ORDERS = "repo", 6
UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
KEPT = ("HEAD", "index", "packed-refs")  # files of .git that the checks read, besides refs and objects
BRANCHES = ("discounts", "checkout", "pricing", "spring-sale", "billing", "orders")
README = "The folder repo is a git repository. Its branch main is checked out.\n"


class Knobs(Config):
    branches: int = knob(2, easy=1, hard=3, doc="branches to merge")
    functions: int = knob(2, easy=1, hard=3, doc="functions that each branch and main have changed")
    kinds: int = knob(2, easy=1, hard=3, doc="kinds of conflicts, plain ones first")
    records: int = knob(1, easy=0, hard=2, doc="files about the whole, a list of changes and a version, that all branches change")


class Merge(NamedTuple):
    """A branch, the commit at its end, and the files that differ from main's once it is merged after the ones before it."""

    branch: str
    tip: str
    files: dict[str, str]


class State(Terminal):
    pairs: tuple[Pair, ...]
    merges: tuple[Merge, ...]
    main: str  # the last commit of main at the beginning
    files_at_the_end: dict[str, str]  # of the repository
    orders: dict[str, tuple[tuple[int, int, bool], ...]]  # by function, for the hidden tests


def start(rng: Rng, knobs: Knobs) -> State:
    names = rng.sample(BRANCHES, knobs.branches)
    goods = rng.sample(shop_branches.GOODS, knobs.branches * knobs.functions + 1)
    kinds = rng.shuffled(shop_branches.KINDS[: knobs.kinds]) * knobs.branches * knobs.functions
    pairs = [shop_branches.pair(rng, name, kind) for name, kind in zip(goods[:-1], kinds)]
    versions = [f"1.{minor}.0" for minor in rng.sample(range(7, 13), knobs.branches + 1)]
    spare = shop_branches.pair(rng, goods[-1], "steps").before
    by_branch = {name: pairs[place * knobs.functions : (place + 1) * knobs.functions] for place, name in enumerate(names)}

    def files(side: str, changed: list[Pair], entries: list[str], version: str) -> dict[str, str]:
        functions = {pair.before.name: pair.before for pair in pairs} | {goods[-1]: spare}
        functions |= {pair.before.name: getattr(pair, side) for pair in changed}
        notes = {"CHANGES.md": shop_branches.changelog(entries)} if knobs.records else {}
        notes |= {"VERSION": f"{version}\n"} if knobs.records > 1 else {}
        return {"CONTRIBUTING.md": shop_branches.contributing(knobs.records), **notes, **shop_branches.package(functions)}

    repository, at = git_files.Repository(), CLOCK - 9 * trees.DAY
    old = ["shop: the first functions"]
    root = repository.commit(files("before", [], old, "1.2.0"), [], old[0], at)
    tips, done, main = {}, list[Pair](), root
    for place, pair in enumerate(pairs):
        done.append(pair)
        ours = files("ours", done, [*old, *(one.ours_says for one in done)], versions[0] if place else "1.2.0")
        main = repository.commit(ours, [main], pair.ours_says, at + 3600 * (place + 1))
    for number, (name, changed) in enumerate(by_branch.items(), 1):
        tip = root
        for place in range(len(changed)):
            entries = [*old, *(one.theirs_says for one in changed[: place + 1])]
            theirs = files("theirs", changed[: place + 1], entries, versions[number])
            tip = repository.commit(theirs, [tip], changed[place].theirs_says, at + 3600 * place + 60 * number)
        tips[name] = tip
    ours = files("ours", pairs, [*old, *(one.ours_says for one in pairs)], versions[0] if len(pairs) > 1 else "1.2.0")
    now, merges = ours, list[Merge]()
    for number, name in enumerate(names, 1):
        merged = [pair for place in range(number) for pair in by_branch[names[place]]]
        entries = [*old, *(one.ours_says for one in pairs), *(one.theirs_says for one in merged)]
        after = files("ours", pairs, entries, max(versions[: number + 1], key=_numbers))
        after |= shop_branches.package({pair.before.name: pair.merged for pair in merged})
        merges.append(
            Merge(branch=name, tip=tips[name], files={path: text for path, text in after.items() if now[path] != text or path == "VERSION"})
        )
        now = after
    inside = repository.files({"main": main, **tips}, "main", ours)
    before = trees.tree({"README.md": README, **{f"{REPO}/{path}": data for path, data in inside.items()}})
    return State(
        task=_task(names, knobs.records), before=before, files=before, pairs=tuple(pairs), merges=tuple(merges), main=main, files_at_the_end=now,
        orders={pair.before.name: tuple(shop_branches.cases(rng, pair, ORDERS)) for pair in pairs},
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    outside = [
        {path: entry for path, entry in tree.items() if not path.startswith(f"{REPO}/") and path != ".gitconfig"}
        for tree in (state.before, state.files)
    ]
    return trees.score_of_state(state.model_copy(update={"before": outside[0], "files": outside[1]}), **_checks(state))


def _checks(state: State) -> dict[str, bool]:
    """Whether main holds the branches and all commits, just the right files, nothing unfinished, and functions that pass the hidden tests."""
    prefix = f"{REPO}/.git/"
    kept = {path: entry for path, entry in state.files.items() if path.startswith(prefix) and _is_read(path.removeprefix(prefix))}
    # The settings and hooks of the repository could run programs, so the checks use none of them.
    clean = trees.tree({**kept, f"{prefix}config": git_files.CONFIG})
    tips = [state.main, *(merge.tip for merge in state.merges)]
    lines = [
        "export GIT_NO_REPLACE_OBJECTS=1; git symbolic-ref HEAD",
        *(f"git merge-base --is-ancestor {tip} HEAD && echo yes" for tip in tips),
    ]
    lines += ["git fsck --no-dangling > /dev/null && echo yes", "git diff --cached --quiet HEAD && echo yes", "git ls-tree -r HEAD"]
    told = run_command(clean, f"cd {REPO}\n" + "\n".join(lines), CLOCK).stdout.splitlines()
    head = ["refs/heads/main", *["yes"] * (len(tips) + 2)]
    work = {path.removeprefix(f"{REPO}/"): file_bytes(state.files, path) for path in state.files if path.startswith(f"{REPO}/")}
    work = {path: data for path, data in work.items() if data is not None and not path.startswith(".git/")}
    committed = sorted(f"100644 blob {git_files.blob_id(data or b'')}\t{path}" for path, data in work.items())
    functions = {f"shop/{pair.before.name}.py" for pair in state.pairs}
    wanted = {path: text.encode() for path, text in state.files_at_the_end.items() if path not in functions}
    return {
        "merged": told[: len(head)] == head and not any(f"{prefix}{name}" in state.files for name in UNDER_WAY),
        "committed": sorted(told[len(head) :]) == committed,
        "files": {path: data for path, data in work.items() if path not in functions} == wanted,
        "hidden_tests": _tests_hold(state),
    }


def _is_read(path: str) -> bool:
    return path in KEPT or path.startswith("refs/") or (path.startswith("objects/") and not path.startswith("objects/info/"))


def _tests_hold(state: State) -> bool:
    modules = {path: entry for path, entry in state.files.items() if path.startswith(f"{REPO}/shop/") and path.endswith(".py")}
    members = {pair.before.name: pair.merged.member for pair in state.pairs}
    calls = "".join(
        f"print(json.dumps([{name}.{name}(amount=a, count=c, {members[name]}=m) for a, c, m in {list(orders)}]))\n"
        for name, orders in state.orders.items()
    )
    script = f"import json, sys\nsys.path.insert(0, {REPO!r})\nfrom shop import {', '.join(state.orders)}\n{calls}"
    stdout = run_command(trees.tree(modules), f"python3 - <<'END'\n{script}END", CLOCK).stdout if modules else ""
    right = {
        pair.before.name: [shop_branches.price(pair.merged, *order) for order in state.orders[pair.before.name]] for pair in state.pairs
    }
    return stdout.splitlines() == [json.dumps(right[name]) for name in state.orders]


def plan(state: State, change: Mapping[str, Mapping[str, str]] | None = None) -> list[Step]:
    """The commands of the oracle; `change` holds other texts of files for some branches."""
    looks = Step(
        f"cd {REPO}; cat CONTRIBUTING.md; git log --all --graph --format='%h %d %s'; head -n 30 shop/*.py",
        "First read the rules and the history.",
    )
    steps = []
    for merge in state.merges:
        files = {**merge.files, **(change or {}).get(merge.branch, {})}
        written = "\n".join(f"cat > {path} <<'END'\n{text}END" for path, text in files.items())
        command = f"cd {REPO}; git merge --no-ff --no-commit {merge.branch}\n{written}\ngit add -A; git commit -qm 'Merge {merge.branch}'"
        steps.append(
            Step(command, f"{merge.branch} is merged: each file gets what both sides did, by the rules, also where git sees no conflict.")
        )
    return [looks, *steps]


def _with(state: State, kind: str, wrong: Callable[[Pair], shop_branches.Function]) -> Callable[[State], Calls]:
    """The oracle that merges the functions of a kind in another way."""
    texts = {f"shop/{pair.before.name}.py": shop_branches.render(wrong(pair)) for pair in state.pairs if pair.kind == kind}
    change = {merge.branch: {path: text for path, text in texts.items() if path in merge.files} for merge in state.merges}
    return make_policy(commands(plan(state, change)))


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    kinds, found = {pair.kind for pair in first.pairs}, dict[str, Callable[[State], Calls]]()
    if "steps" in kinds:
        found["order_of_steps"] = _with(first, "steps", lambda pair: pair.merged._replace(steps=(*pair.ours.steps, *pair.theirs.steps)))
    if "renamed" in kinds:
        found["names_on_main"] = _with(first, "renamed", lambda pair: pair.merged._replace(member=pair.before.member))
    files = first.merges[-1].files
    if "CHANGES.md" in files:
        title, *lines = files["CHANGES.md"].splitlines(keepends=True)
        found["order_of_changes"] = make_policy(
            commands(plan(first, {first.merges[-1].branch: {"CHANGES.md": title + "".join(lines[::-1])}}))
        )
    return found


def mistakes(state: State) -> list[Calls]:
    # Takes our side of each conflict, or theirs; writes the right files without merging; commits the markers of the conflicts.
    branches = [merge.branch for merge in state.merges]
    sides = [
        ["\n".join([f"cd {REPO}", *(f"git merge -q --no-edit -X {side} {branch}" for branch in branches)])] for side in ("ours", "theirs")
    ]
    unmerged = [Step(step.command.replace("git merge --no-ff --no-commit", "echo"), "") for step in plan(state)[1:]]
    markers = ["\n".join([f"cd {REPO}", *(f"git merge -q --no-edit {branch}; git add -A; git commit -qm merged" for branch in branches)])]
    return shortcuts(state, [*sides, commands(unmerged), markers])


def cost(state: State) -> float:
    return float(sum(len(merge.files) for merge in state.merges) * (1 + len({pair.kind for pair in state.pairs})))


def turns(state: State) -> int:
    """As in other terminal worlds, and two more for each function."""
    return world.turns(plan)(state) + 2 * len(state.pairs)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def _task(names: list[str], records: int) -> str:
    branches = f"the branch {names[0]}" if len(names) == 1 else f"the branches {', '.join(names[:-1])} and {names[-1]}"
    free = ["the merged functions", *["CHANGES.md", "VERSION"][:records]]
    differing = free[0] if len(free) == 1 else f"{', '.join(free[:-1])} and {free[-1]}"
    them = "those branches" if len(names) > 1 else "that branch"
    return (
        f"The folder /work/{REPO} is a git repository of a small Python shop. Merge {branches} into main, so that main contains every change that was "
        f"made on it and on {them} since they diverged, by the rules of CONTRIBUTING.md. The messages of the commits say what each of them is about; what they "
        "describe must hold for the merged functions, also where git finds no conflict.\n\n"
        "At the end main must be checked out, with all commits of main and of what was merged as its ancestors, no merge in progress, and every file as "
        f"committed. Nothing but {differing} may differ from "
        "main as it is now, and no file may be added. Hidden tests call the functions with the names of their "
        "parameters. git is installed, and knows your name. Of the folder .git only the commits, the branch main and the index count."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=turns, explain=world.explain(plan),
    concept="Read what each side meant, write what holds for both by the rules, and test also what git merged by itself.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, programs=("git",), planted=True,
    version=2,
)  # fmt: skip
