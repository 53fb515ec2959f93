"""Find the commit that brought a fault, with few runs: some commits do not start, others show faults that have nothing to do with it.

At high levels the same fault was there before and was fixed, so that not every wrong report lies after the commit that is wanted.
"""

import math
from dataclasses import replace

from pydantic import Field

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls, Tool, ToolCalls
from rlgym.generators.repository import tasks, world
from rlgym.generators.repository.commits import files_at
from rlgym.generators.repository.history import Event, stages_of
from rlgym.generators.repository.package import Package, faults_of, sample_package
from rlgym.generators.repository.tools import Log, ShowCommit
from rlgym.generators.repository.traces import Cases, results
from rlgym.generators.repository.world import LIMITS, Repository
from rlgym.sandbox import Runner


class RunAt(Tool):
    """Runs the package as it was after this commit on these lines, and shows the report."""

    commit: str = Field(max_length=40)
    lines: list[str] = Field(max_length=40)


class Blame(Tool):
    """Names the commit that brought the fault, and ends the work."""

    commit: str = Field(max_length=40)


FEW = 12  # commits that the prompt lists
TOOLS = ToolCalls((Log, ShowCommit, RunAt, Blame), max_calls=1)


class Knobs(Config):
    commits: int = knob(40, easy=8, hard=120, doc="commits")
    rules: int = knob(9, easy=4, hard=14, doc="rules of the package at the end")
    layout: str = knob("deep", easy="few", hard="deep", order=("few", "deep"), doc="how the code is split into files")
    unrelated: int = knob(2, easy=0, hard=5, doc="other faults that come and go")
    broken: int = knob(2, easy=0, hard=8, doc="commits that do not start")
    earlier: int = knob(1, easy=0, hard=1, doc="1 where the fault was there before and was fixed")


class State(Repository):
    lines: list[str]
    culprit: str
    runs: tuple[int, ...] = ()  # the commits that were run on the lines of the question


def start(rng: Rng, knobs: Knobs) -> State:
    while True:
        right = sample_package(rng, knobs.rules, knobs.rules // 2, 4, knobs.layout)
        found = tasks.cases(rng.child("inputs"), right, 16, 5)
        drawn = _sample_fault(rng, right, found)
        if drawn is None or (made := _sample_events(rng, right, knobs, *drawn, found)) is None:
            continue
        place, events, culprit = made
        commits = tasks.commits_of(stages_of(right, events), rng.integer(0, 2**30))
        if len(commits) == len(events):
            break
    party, expected, got = drawn[2], drawn[3], drawn[4]
    lines, package = found.inputs[place], right.theme.package
    calls = len(commits).bit_length() + 5 + knobs.broken // 4
    listed = f" These are the commits, the newest first:\n\n{world.log_text(commits)}" if len(commits) <= FEW else ""
    aside = ", leaving out commits at which the package does not start" if knobs.broken else ""
    text = (
        f"The Python package {package} reports a wrong amount. For these lines\n\n{tasks.indented(lines)}\n\nthe report says `{got}`, and it should "
        f"say `{expected}`. Only the line of {party} matters; others may have changed for other reasons. Find the first commit of the last "
        f"unbroken run of commits at which the line of {party} is wrong{aside}, and name it with `blame`. There are {len(commits)} commits, the first of "
        f"which is right in this respect.{listed}\n\n{world.manual(TOOLS, calls, last='blame')}"
    )
    return State(
        task=text,
        package=package,
        files=files_at(commits, len(commits)),
        commits=commits,
        calls=calls,
        lines=lines,
        culprit=commits[culprit].id,
    )


def _sample_fault(rng: Rng, right: Package, found: Cases) -> tuple[int, Package, str, str, str] | None:
    """An input, the package with a fault, and a party whose line the fault changes from one amount to another."""
    for fault in rng.shuffled(faults_of(right)):
        wrong = right.with_fault(*fault)
        for place in found.failing(wrong):
            rows, spoiled = ({row.partition(":")[0]: row for row in each[place]} for each in (found.right, found.results(wrong)))
            for party in right.theme.people:
                if party in rows and party in spoiled and rows[party] != spoiled[party]:
                    return place, wrong, party, rows[party], spoiled[party]
    return None


def _sample_events(
    rng: Rng, right: Package, knobs: Knobs, place: int, wrong: Package, party: str, expected: str, got: str, found: Cases
) -> tuple[int, list[Event], int] | None:
    """The input, the events of the history, and the place of the one that brings the fault; None where another event changes the party's line."""
    lines = found.inputs[place]

    def row(package: Package) -> str:
        return next((row for row in results(package, [lines])[0] if row.startswith(f"{party}:")), "")

    ((site, option),) = (pair for pair in wrong.chosen.items() if pair not in right.chosen.items())
    late = [
        component.key
        for component in rng.shuffled(right.layer("rules"))
        if component.key != site.component and row(right.without([component.key])) == expected
    ]
    late = late[: max(1, min(len(late) // 2, knobs.commits // 4))]
    if not late or row(right.without(late)) != expected:
        return None
    count = knobs.commits
    culprit = rng.integer(count // 2 if knobs.earlier else 2, count - 2)
    kinds: dict[int, Event] = {culprit: Event("fault", site.component, site, option)}
    free = [at for at in rng.shuffled(list(range(2, count - 1))) if abs(at - culprit) > 1]
    for key in late:
        kinds[free.pop()] = Event("add", key)
    before = [at for at in free if at < culprit - 2]
    if knobs.earlier and len(before) > 1:
        first, last = sorted(rng.sample(before, 2))
        kinds[first], kinds[last] = Event("fault", site.component, site, option), Event("mend", site.component, site)
        free = [at for at in free if at not in (first, last)]
    others = [
        fault for fault in rng.shuffled(faults_of(right))
        if fault[0].component not in (site.component, *late) and row(right.with_fault(*fault)) == expected and row(wrong.with_fault(*fault)) == got
    ]  # fmt: skip
    for fault, option_ in others[: knobs.unrelated]:
        if len(free) < 4:
            break
        first, last = sorted((free.pop(), free.pop()))
        kinds[first], kinds[last] = Event("fault", fault.component, fault, option_), Event("mend", fault.component, fault)
    for _ in range(min(knobs.broken, len(free) // 3)):
        kinds[free.pop()] = Event("break", rng.choice([rule.key for rule in right.layer("rules") if rule.key not in late]))
    late_or_gone = {*late, *(each.key for each in right.components if each.layer == "book")}
    names = [component.key for component in right.components if component.code and component.key not in late_or_gone]
    # Commits that only describe go over the components with faults most often, so that no message gives the fault away.
    often = [site.component, *dict.fromkeys(fault.component for fault, _ in others[: knobs.unrelated]), rng.choice(names)]
    events = [Event("start", "", missing=tuple(late))] + [
        kinds.get(at) or Event("document", rng.choice(often if rng.chance(0.6) else names), number=at) for at in range(1, count)
    ]  # fmt: skip
    return (place, events, culprit) if _is_consistent(right, events, culprit, row, expected, got) else None


def _is_consistent(right: Package, events: list[Event], culprit: int, row: object, expected: str, got: str) -> bool:
    """Whether the line is wrong from the fault on, and was right just before it."""
    assert callable(row)
    package, missing = right, list(events[0].missing)
    for at, event in enumerate(events):
        if event.kind == "add":
            missing.remove(event.key)
        if event.site and event.kind == "fault":
            package = package.with_fault(event.site, event.option)
        if event.site and event.kind == "mend":
            package = replace(package, chosen={site: option for site, option in package.chosen.items() if site != event.site})
        changes = event.kind in ("fault", "mend", "add")
        if (at == culprit - 1 or (at >= culprit and changes)) and row(package.without(missing)) != (got if at >= culprit else expected):
            return False
    return True


def handle(state: State, call: Tool, runner: Runner) -> tuple[State, str] | None:
    match call:
        case RunAt(commit=name, lines=lines):
            found = [at for at, commit in enumerate(state.commits) if commit.id == name]
            if not found:
                raise ValueError(f"there is no commit {name!r:.40}")
            old = state.model_copy(update={"files": files_at(state.commits, found[0] + 1)})
            runs = (*state.runs, found[0]) if lines == state.lines else state.runs
            return state.model_copy(update={"runs": runs}), world.run_lines(old, lines, runner)
        case Blame(commit=name):
            score = Score.exact(name == state.culprit, "it was another commit")
            return state.model_copy(update={"score": score}), "named"
    return None


def judge(state: State, runner: Runner) -> Score:
    return Score.wrong("no commit was named")


def milestones(state: State) -> dict[str, float]:
    """How far the runs have narrowed the commits down, as a share of the halvings that a search needs."""
    culprit = _culprit(state)
    before, after = (
        max(place for place in (0, *state.runs) if place < culprit),
        min(p for p in (len(state.commits), *state.runs) if p >= culprit),
    )
    return {"narrowed": 1 - math.log(after - before) / math.log(len(state.commits))}


def _culprit(state: State) -> int:
    return next(place for place, commit in enumerate(state.commits) if commit.id == state.culprit)


def best(state: State) -> Calls:
    """Runs the commit before the one that is wanted, and this one, to be sure of both."""
    places = [place for place in (_culprit(state) - 1, _culprit(state)) if place not in state.runs]
    return (RunAt(commit=state.commits[places[0]].id, lines=state.lines) if places else Blame(commit=state.culprit),)


def mistakes(state: State) -> list[Calls]:
    at = _culprit(state)
    others = (state.commits[0], state.commits[-1], state.commits[at - 1], state.commits[min(at + 1, len(state.commits) - 1)])
    return [(Log(),), *((Blame(commit=commit.id),) for commit in others if commit.id != state.culprit)]


def cost(state: State) -> float:
    return float(len(state.commits) * len(state.files))


def explain(state: State) -> list[str]:
    return ["Halving the commits in which the line can have become wrong leads to one commit.", TOOLS.render(best(state))]


environment = Game(
    Knobs, TOOLS, start, world.show, world.make_act(judge, handle), world.outcome, best, mistakes, cost, world.turns,
    explain=explain, milestones=milestones, planted=True, sandbox=LIMITS, version=3,
    no_rules="The question is all that is stated.",
    concept="Halve the range of commits with each run, look at the line in question alone, and learn from the messages which faults were fixed before.",
)  # fmt: skip
