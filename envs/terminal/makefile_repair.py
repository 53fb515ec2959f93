"""Repair a Makefile in a shell so that make builds everything that a change concerns, and nothing else.

Most faults leave the first build right. Hidden checks change one file after the other, run make, and look at what it made anew.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import makefiles, trees, world
from rlgym.generators.terminal.makefiles import Fault
from rlgym.generators.terminal.world import CLOCK, LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry, file_bytes, run_command

MAKEFILE, NEW_PAGE = "Makefile", "zoology"
BUILT, CHANGED, REBUILT = CLOCK + 86_400, CLOCK + 90_000, CLOCK + 93_600
REASONS = {
    "tab": "A recipe must begin with a tab.",
    "part": "A page does not name a part that it includes, so a change of the part does not reach it.",
    "settings": "The pages do not name settings.env, which the tool reads.",
    "extra": "A page names a part that it does not include, and would be made anew for nothing.",
    "render": "The pages do not name the tool that makes them.",
    "phony": "A file called clean would keep `make clean` from running.",
    "whole": "`$?` holds only the pages that are newer than the index; the index is made from all of them.",
    "list": "The pages are listed by hand, so a new page would be left out.",
    "order": "A prerequisite after the bar `|` must exist, but its changes do not count.",
    "nested": "A page does not name a part that one of its parts includes.",
    "index": "The index does not name the tool that makes it.",
}


class Knobs(Config):
    pages: int = knob(4, easy=2, hard=8, doc="pages of the site")
    parts: int = knob(4, easy=3, hard=8, doc="parts that pages include")
    faults: int = knob(3, easy=1, hard=8, doc="faults of the Makefile")
    kinds: int = knob(7, easy=4, hard=11, doc="kinds of faults, plain ones first; with all kinds, parts may include parts")


class State(Terminal):
    site: dict[str, str]  # all files but the Makefile
    faults: tuple[Fault, ...]
    probes: tuple[str, ...]  # files that the hidden checks change


def start(rng: Rng, knobs: Knobs) -> State:
    site = makefiles.site(rng, knobs.pages, knobs.parts, knobs.kinds > 7)
    faults = makefiles.faults(rng, site, knobs.faults, knobs.kinds)
    before = trees.tree({**site, MAKEFILE: makefiles.makefile(site, faults)})
    wanted = [_probe(fault, site) for fault in faults]
    others = rng.sample([path for path in site if path not in wanted], 1)
    probes = tuple(sorted({*filter(None, wanted), *others}))
    return State(task=_task(site), before=before, files=before, site=site, faults=faults, probes=probes)


def outcome(state: State) -> Score | None:
    if not state.finished:
        return None
    without = state.model_copy(update={"before": _others(state.before), "files": _others(state.files)})
    return trees.score_of_state(without, **_checks(state))


def _checks(state: State) -> dict[str, bool]:
    """Whether the Makefile builds everything, makes anew just what a change concerns, takes in a new page, and cleans."""
    checks = dict.fromkeys(("first_build", "second_build", "after_changes", "new_page", "clean"), False)
    given = state.files.get(MAKEFILE)
    if given is None or file_bytes(state.files, MAKEFILE) is None:
        return checks
    sources = {**_others(state.before), MAKEFILE: Entry(given.kind, 0o644, CLOCK, given.content)}
    built = run_command(sources, "make", BUILT).tree
    if _others(built) != _others(sources) or _results(built) != makefiles.results(state.site):
        return checks
    checks["first_build"] = True
    checks["second_build"] = _is_updated(built, {}, state.site, set())
    changes = [(path, {path: _changed(path, state.site[path])}) for path in state.probes]
    checks["after_changes"] = all(_is_updated(built, new, state.site, makefiles.dependents(state.site, path)) for path, new in changes)
    page = {f"src/{NEW_PAGE}.page": "an added page\n"}
    checks["new_page"] = _is_updated(built, page, state.site, {f"out/{NEW_PAGE}.txt", "out/index.txt"})
    odd = {**built, "clean": trees.entry("")}
    checks["clean"] = run_command(odd, "make clean", REBUILT).tree == {path: odd[path] for path in odd if not _is_result(path)}
    return checks


def _is_updated(built: Mapping[str, Entry], new: Mapping[str, str], site: Mapping[str, str], expected: set[str]) -> bool:
    """Whether make, after these changes, leaves the right results and has made just the expected ones anew."""
    changed = {**built, **{path: trees.entry(text, seconds=CHANGED) for path, text in new.items()}}
    after = run_command(changed, "make", REBUILT).tree
    anew = {path for path, entry in after.items() if entry.kind != "folder" and entry.seconds == REBUILT}
    return anew == expected and _others(after) == _others(changed) and _results(after) == makefiles.results({**site, **new})


def _changed(path: str, text: str) -> str:
    return text.replace("owner=", "owner=new") if path == makefiles.SETTINGS else f"{text}# changed\n"


def _is_result(path: str) -> bool:
    return path == "out" or path.startswith("out/")


def _others(tree: Mapping[str, Entry]) -> dict[str, Entry]:
    """The tree without the results and the Makefile."""
    return {path: entry for path, entry in tree.items() if not _is_result(path) and path != MAKEFILE}


def _results(tree: Mapping[str, Entry]) -> dict[str, str]:
    return {path: trees.text(tree, path) for path, entry in tree.items() if path.startswith("out/")}


def _probe(fault: Fault, site: Mapping[str, str]) -> str:
    """The file whose change shows a fault; empty where another check shows it."""
    match fault.kind:
        case "part" | "nested" | "extra":
            return f"parts/{fault.part}.part"
        case "whole" | "order":
            return f"src/{makefiles.stems(site)[0]}.page"
    return {"settings": makefiles.SETTINGS, "render": makefiles.RENDER, "index": makefiles.INDEX}.get(fault.kind, "")


def plan(state: State, without: str = "") -> list[Step]:
    looks = Step("cat Makefile tools/*; head src/*.page parts/*.part; cat settings.env", "First read the Makefile and what the tools read.")
    left, steps = list(state.faults), []
    for fault in state.faults:
        if fault.kind != without:
            left.remove(fault)
            text = makefiles.makefile(state.site, left)
            steps.append(Step(f"cat > {MAKEFILE} <<'END'\n{text}END", REASONS[fault.kind]))
    return [looks, *steps, Step("make && make && ls -l out", "A second run of make must find nothing to do.")]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    return {fault.kind: make_policy(commands(plan(first, fault.kind))) for fault in first.faults}


def mistakes(state: State) -> list[Calls]:
    # Makes everything anew each time; writes down the results of the first build; lets every page depend on every part.
    text = makefiles.makefile(state.site)
    forced = [f"cat > {MAKEFILE} <<'END'\n{text}.PHONY: $(PAGES) out/index.txt\nEND\nmake"]
    fixed = [f"cat > {MAKEFILE} <<'END'\nall:\n\tmkdir -p out\n\tsh tools/render.sh src/{makefiles.stems(state.site)[0]}.page\nEND\nmake"]
    every = [f"cat > {MAKEFILE} <<'END'\n{text}$(PAGES): $(wildcard parts/*.part src/*.page)\nEND\nmake"]
    return shortcuts(state, [forced, fixed, every])


def cost(state: State) -> float:
    return float(len(state.site) * len(state.faults))


def _task(site: Mapping[str, str]) -> str:
    nested = " A part may include other parts." if any(makefiles.included(site, path) for path in site if path.startswith("parts/")) else ""
    return (
        "The Makefile in /work builds a site, and it has faults. Repair it; everything else is right and stays as it is. When you are done, "
        "the following must hold.\n"
        "- `make` makes out/NAME.txt from each page src/NAME.page with `sh tools/render.sh src/NAME.page`, and out/index.txt with "
        f"`sh tools/index.sh` and all pages in out, in alphabetical order.{nested}\n"
        "- After a change of a page, a part, a tool or settings.env, `make` rebuilds every result that depends on the changed file, and "
        "nothing else; the index depends on all pages in out. Without a change it makes nothing. It never makes anything but these results.\n"
        "- A page without includes that is added to src is built, and is in the index, without a change to the Makefile.\n"
        "- `make clean` removes the folder out and nothing else, even where a file called clean exists.\n\n"
        "GNU make is installed. Hidden checks build the site from its sources with your Makefile, change files and run make again. Files in "
        "/work/out are not compared."
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Name as prerequisites exactly what the recipe of a target reads, through all includes, and let make find the files itself.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS, programs=("make",), planted=True,
    version=2,
)  # fmt: skip
