"""Choose versions of software packages so that everything an installed version needs is installed too.

Any consistent choice is accepted; the newest versions seldom are one.
"""

from collections.abc import Iterator, Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.text.words import THINGS
from rlgym.solutions import Checks, Derivation, Due, Solution, Step

Pairs = tuple[tuple[str, str], ...]
INSTALL = Step("{name} {version:int}, asked for by {askers}; it needs {needs}")
CLASH = Step("{a} {one:int} and {b} {two:int} would clash, but {which} is installed in another version")
NO_CLASH = Step("No clash concerns two installed packages")
Need = tuple[int, int, int]  # package, its lowest and its highest version
APP = 0
ANSWER = Mapping("one line `package: version` for each installed package", max_items=80)
CONCEPT = "Keep for each needed package the versions that all its askers allow, and choose first where fewest are left."


class Knobs(Config):
    packages: int = knob(6, easy=3, hard=20, doc="packages besides the program itself")
    versions: int = knob(3, easy=2, hard=6, doc="versions of each package")
    needs: int = knob(2, easy=1, hard=3, doc="other packages that a version needs")
    clashes: int = knob(2, easy=0, hard=25, doc="pairs of versions that cannot be installed together")


class Data(TaskData):
    names: tuple[str, ...]  # the program first
    needs: tuple[tuple[tuple[Need, ...], ...], ...]  # of each version of each package
    clashes: tuple[tuple[int, int, int, int], ...]  # package, version, package, version


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, reach=knobs.packages + 1)


def _sample_task(rng: Rng, knobs: Knobs, reach: int) -> Task[Data]:
    count = knobs.packages + 1
    while True:
        data = _sample_packages(rng, knobs, count, reach)
        install = next(_installs(data, True, 1500), None)
        if install and len(install) >= min(3, count):
            break
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Packages in a chain, each needing only some of the next ones."""
    return _sample_task(rng, knobs, reach=3)


def solve(task: Task[Data]) -> Pairs:
    return _to_pairs(task.data, next(install for install in _installs(task.data, True, None) if install))


def verify(task: Task[Data], answer: Pairs) -> Score:
    data = task.data
    place = {name: i for i, name in enumerate(data.names)}
    chosen: dict[int, int] = {}
    for name, version in answer:
        word = version.removeprefix("version ")
        if name not in place or not (
            word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= len(data.needs[place[name]])
        ):
            return Score.wrong(f"there is no version {version[:20]} of {name[:20]}")
        chosen[place[name]] = int(word)
    if APP not in chosen:
        return Score.wrong(f"{data.names[APP]} is not installed")
    required = {APP}
    for package, number in chosen.items():
        for other, low, high in data.needs[package][number - 1]:
            if not low <= chosen.get(other, 0) <= high:
                return Score.wrong(f"{data.names[package]} {number} does not have what it needs of {data.names[other]}")
            required.add(other)
    for a, version_a, b, two in data.clashes:
        if chosen.get(a) == version_a and chosen.get(b) == two:
            return Score.wrong(f"{data.names[a]} {version_a} and {data.names[b]} {two} are installed together")
    return Score.exact(required == set(chosen), "something is installed that nothing needs")


def mistakes(task: Task[Data], right: Pairs) -> list[Pairs]:
    data = task.data
    newest = tuple(sorted((name, str(len(needs))) for name, needs in zip(data.names, data.needs, strict=True)))
    used = tuple((name, str(len(data.needs[data.names.index(name)]))) for name, _ in right)
    oldest = tuple((name, "1") for name, _ in right)
    return [newest, used, oldest, right[1:], right[:-1], tuple((name, "0") for name, _ in right)]


def cost(task: Task[Data]) -> float:
    data = task.data
    rows = sum(1 + len(needs) for versions in data.needs for needs in versions)
    return rows + 3 * len(data.clashes)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    chosen = next(install for install in _installs(data, True, None) if install)
    installed = [APP]
    for place, package in enumerate(installed):
        needs = data.needs[package][chosen[package] - 1]
        installed += [other for other, _, _ in needs if other not in installed]
        yield _installation(data, chosen, package, installed[:place])
    clashes = [(a, version_a, b, two) for a, version_a, b, two in data.clashes if a in chosen and b in chosen]
    for a, version_a, b, two in clashes:
        yield CLASH(a=data.names[a], one=version_a, b=data.names[b], two=two, which=data.names[a if chosen[a] != version_a else b])
    if not clashes:
        yield NO_CLASH()


def checks(task: Task[Data]) -> Checks:
    data = task.data
    number = {name: i for i, name in enumerate(data.names)}
    chosen: dict[int, int] = {}

    def install(name: str, version: int, askers: str, needs: str) -> bool:
        package = number[name]
        after = chosen | {package: version}
        if package in chosen or not 0 < version <= len(data.needs[package]):
            return False
        fits = all(low <= after[other] <= high for p, v in after.items() for other, low, high in data.needs[p][v - 1] if other in after)
        due = _installation(data, after, package, list(chosen)).fields
        if not fits or (askers, needs) != (due["askers"], due["needs"]) or (package != APP and askers == "you"):
            return False
        chosen[package] = version
        return True

    def clash(a: str, one: int, b: str, two: int, which: str) -> bool:
        known = (number[a], one, number[b], two) in data.clashes
        return known and which in (a, b) and chosen[number[which]] != (one if which == a else two)

    return {INSTALL: install, CLASH: clash, NO_CLASH: lambda: not any(a in chosen and b in chosen for a, _, b, _ in data.clashes)}


def _installation(data: Data, chosen: dict[int, int], package: int, before: Sequence[int]) -> Due:
    """The step that installs a package, with those before it that asked for it."""
    askers = [data.names[p] for p in before if any(other == package for other, _, _ in data.needs[p][chosen[p] - 1])]
    needs = _needs(data, data.needs[package][chosen[package] - 1])
    return INSTALL(name=data.names[package], version=chosen[package], askers=", ".join(askers) or "you", needs=needs)


def _sample_packages(rng: Rng, knobs: Knobs, count: int, reach: int) -> Data:
    """Packages with a secret choice of versions that fits; versions other than those need what they need at random."""
    names = tuple(rng.sample(THINGS, count))
    secret = [1, *(rng.integer(1, knobs.versions) for _ in range(count - 1))]
    needs = []
    for package in range(count):
        versions = []
        for version in range(1, 2 if package == APP else knobs.versions + 1):
            # Mostly what comes later, so that chains grow long; sometimes anything, so that needs run in circles.
            later = [other for other in range(1, count) if other > package or (knobs.needs > 1 and other != package and rng.chance(0.15))]
            later = [other for other in later if package < other <= package + reach] if reach < count else later
            others = rng.sample(later, min(len(later), knobs.needs + (package == APP)))
            versions.append(tuple(_need(rng, other, secret, secret[package] == version, knobs.versions) for other in sorted(others)))
        needs.append(tuple(versions))
    pairs = []
    for _ in range(knobs.clashes):
        a, b = sorted(rng.sample(range(1, count), 2))
        first, two = rng.integer(1, knobs.versions), rng.integer(1, knobs.versions)
        if (secret[a], secret[b]) != (first, two):
            pairs.append((a, first, b, two))
    return Data(names=names, needs=tuple(needs), clashes=tuple(dict.fromkeys(pairs)))


def _need(rng: Rng, other: int, secret: list[int], planted: bool, versions: int) -> Need:
    if planted:
        return other, rng.integer(max(1, secret[other] - 2), secret[other]), rng.integer(secret[other], min(versions, secret[other] + 1))
    low = rng.integer(1, versions)
    return other, low, min(versions, low + rng.integer(0, 1))


def _needs(data: Data, needs: tuple[Need, ...]) -> str:
    return ", ".join(f"{data.names[other]} in {_range(low, high)}" for other, low, high in needs) or "nothing"


def _range(low: int, high: int) -> str:
    return f"version {low}" if low == high else f"a version from {low} to {high}"


def _render_prompt(data: Data) -> str:
    lines = []
    for name, versions in zip(data.names, data.needs, strict=True):
        for version, needs in enumerate(versions, 1):
            requirements = ", ".join(f"{data.names[other]} in {_range(low, high)}" for other, low, high in needs)
            lines.append(f"{name} {version} needs {requirements or 'nothing'}")
    listing = "\n".join(lines)
    clashes = "".join(
        f"\n{data.names[a]} {version_a} cannot be installed together with {data.names[b]} {two}." for a, version_a, b, two in data.clashes
    )
    ranges = any(low < high for versions in data.needs for needs in versions for _, low, high in needs)
    ends = " (ranges include both ends)" if ranges else ""
    return (
        f"These are all versions of some software packages, each with what must be installed beside it{ends}:\n{listing}{clashes}\n\n"
        f"Install {data.names[APP]} 1 together with a set of other packages. At most one version of each package may be installed, each installed "
        f"version must have all it needs, and every installed package except {data.names[APP]} must be needed by some installed version. Give one such "
        "set, with the version of each package. If there are several such sets, any one will do."
    )


def _to_pairs(data: Data, chosen: dict[int, int]) -> Pairs:
    return tuple(sorted((data.names[package], str(version)) for package, version in chosen.items()))


def _installs(data: Data, newest: bool, budget: int | None) -> Iterator[dict[int, int] | None]:
    """Every consistent choice: next the needed package with fewest versions left; None when the budget of choices is spent."""
    every = [(1 << len(versions)) - 1 for versions in data.needs]
    stack: list[tuple[dict[int, int], list[int], tuple[int, ...]]] = [({}, every, (APP,))]
    while stack:
        chosen, undecided, waiting = stack.pop()
        if budget is not None:
            budget -= 1
            if budget < 0:
                yield None
                return
        if not waiting:
            if _all_required(data, chosen):
                yield chosen
            continue
        package = min(waiting, key=lambda i: (undecided[i].bit_count(), i))
        versions = [version for version in range(1, len(data.needs[package]) + 1) if undecided[package] >> (version - 1) & 1]
        for version in versions if newest else reversed(versions):
            after = undecided.copy()
            after[package] = 1 << (version - 1)
            for other, low, high in data.needs[package][version - 1]:
                after[other] &= (1 << high) - (1 << (low - 1))
            for a, version_a, b, two in data.clashes:
                if (a, version_a) == (package, version):
                    after[b] &= ~(1 << (two - 1))
                elif (b, two) == (package, version):
                    after[a] &= ~(1 << (version_a - 1))
            fresh = [
                other
                for other, _, _ in data.needs[package][version - 1]
                if other not in chosen and other not in waiting and other != package
            ]
            now = chosen | {package: version}
            waits = tuple(i for i in waiting if i != package) + tuple(fresh)
            if all(after[i] for i in (*now, *waits)):
                stack.append((now, after, waits))


def _all_required(data: Data, chosen: dict[int, int]) -> bool:
    required = {other for package, version in chosen.items() for other, _, _ in data.needs[package][version - 1]}
    return set(chosen) == required | {APP}


def solutions(task: Task[Data]) -> Iterator[Pairs]:
    yield from (_to_pairs(task.data, install) for install in _installs(task.data, False, None) if install)


SOLUTION = Solution(derive, "Install:\n{answer}", checks)
environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=SOLUTION,
    shift=shift,
    answers="many",
    solutions=solutions,
    concept=CONCEPT,
    version=4,
)
