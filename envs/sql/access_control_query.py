"""Say who may do something to a document, by roles that hold other roles, grants and bans on folders, and ownership.

In the shifted family bans stand on persons and roles alike, and the more particular rule wins instead of any ban.
"""

from functools import partial
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.text.names import PEOPLE
from rlgym.solutions import Checks, Derivation, Solution, Step

ROLES = ("auditor", "clerk", "editor", "guest", "intern", "lead", "manager", "partner", "planner", "reviewer", "steward", "trainee")
FOLDERS = ("archive", "budget", "contracts", "designs", "events", "forms", "grants", "history", "invoices", "journal")
HOLDS = Step("{person} has the roles {roles}")
MAY = Step("{person} may {action} {folder}: {why}")
NOT = Step("{person} may not {action} {folder}: {why}")


class Rule(NamedTuple):
    allows: bool
    whom: str  # a role, or a person
    action: str
    folder: str


class Knobs(Config):
    people: int = knob(7, easy=6, hard=14, beyond=20, doc="how many people there are")
    roles: int = knob(5, easy=2, hard=11, beyond=12, doc="how many roles there are")
    inherited: int = knob(60, easy=0, hard=90, doc="percent of roles that hold another role")
    rules: int = knob(9, easy=4, hard=26, beyond=44, doc="grants and bans")
    deep: int = knob(3, easy=1, hard=5, beyond=7, doc="how deep folders lie in one another")


class Data(TaskData):
    people: tuple[str, ...]
    given: tuple[tuple[str, str], ...]  # person, role
    holds: tuple[tuple[str, str], ...]  # role, role held by it
    inside: tuple[tuple[str, str], ...]  # folder, folder around it
    owners: tuple[tuple[str, str], ...]  # folder, person
    rules: tuple[Rule, ...]
    asked: tuple[str, str]  # action, folder
    nearest: bool  # the rule nearest to the folder wins, instead of any ban


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    return tuple(person.lower() for person in sorted(task.data.people) if _decide(task.data, person)[0])


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact(answer == solve(task), "these are not the people who may do it, in alphabetical order")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    everyone = tuple(person.lower() for person in sorted(data.people))
    without = data.model_copy(update={"holds": ()})
    flat = data.model_copy(update={"inside": ()})
    lenient = data.model_copy(update={"rules": tuple(rule for rule in data.rules if rule.allows)})
    others = [solve(Task(task.prompt, other)) for other in (without, flat, lenient)]
    return [*others, everyone, tuple(name for name in everyone if name not in right), right[:-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.people) * (1 + len(data.holds)) + len(data.people) * len(data.rules) * len(_around(data, data.asked[1])))


def derive(task: Task[Data]) -> Derivation:
    data, (action, folder) = task.data, task.data.asked
    for person in sorted(data.people):
        yield HOLDS(person=person, roles=_roles(data, person) or "none")
        may, why = _decide(data, person)
        yield (MAY if may else NOT)(person=person, action=action, folder=folder, why=why)


def checks(task: Task[Data]) -> Checks:
    data, known = task.data, set[str]()

    def holds(person: str, roles: str) -> bool:
        known.add(person)
        return person in data.people and roles == (", ".join(_roles(data, person)) or "none")

    def decided(may: bool, person: str, action: str, folder: str, why: str) -> bool:
        return (action, folder) == data.asked and person in known and (may, why) == _decide(data, person)

    return {HOLDS: holds, NOT: partial(decided, False), MAY: partial(decided, True)}


def _sample_task(rng: Rng, knobs: Knobs, nearest: bool) -> Task[Data]:
    while True:
        people, roles = rng.sample(PEOPLE, knobs.people), rng.sample(ROLES, knobs.roles)
        folders = rng.sample(FOLDERS, knobs.deep + 3)
        inside = [(folders[k], folders[k + 1]) for k in range(knobs.deep)] + [
            (other, rng.choice(folders[1 : knobs.deep + 1])) for other in folders[knobs.deep + 1 :]
        ]
        holds = [(roles[k], rng.choice(roles[k + 1 :])) for k in range(len(roles) - 1) if rng.chance(knobs.inherited / 100)]
        given = dict.fromkeys((person, rng.choice(roles)) for person in people for _ in range(rng.integer(1, 2)))
        action = rng.choice(("read", "change"))
        rules = dict[tuple[str, str, str], Rule]()
        for _ in range(8 * knobs.rules):
            whom = rng.choice(people) if rng.chance(0.35 if nearest else 0.15) else rng.choice(roles)
            where = rng.choice(folders[: knobs.deep + 1]) if rng.chance(0.75) else rng.choice(folders)
            does = action if rng.chance(0.8) else "read" if action == "change" else "change"
            rules.setdefault((whom, does, where), Rule(rng.chance(0.6), whom, does, where))
            if len(rules) == knobs.rules:
                break
        owners = [(folder, rng.choice(people)) for folder in folders if rng.chance(0.3)]
        data = Data(
            people=tuple(people),
            given=tuple(rng.shuffled(list(given))),
            holds=tuple(rng.shuffled(holds)),
            inside=tuple(rng.shuffled(inside)),
            owners=tuple(rng.shuffled(owners)),
            rules=tuple(rules.values()),
            asked=(action, folders[0]),
            nearest=nearest,
        )
        may = [_decide(data, person)[0] for person in people]
        if min(2, len(may) - 1) <= sum(may) < len(may):  # one name alone would be guessed too often
            return Task(_render_prompt(data), data)


def _render_prompt(data: Data) -> str:
    action, folder = data.asked
    given = "\n".join(f"- {person}: {role}" for person, role in data.given)
    holds = "\n".join(f"- everyone who has the role {role} also has the role {other}" for role, other in data.holds)
    inside = "\n".join(f"- {first} lies directly in {second}" for first, second in data.inside)
    owners = "\n".join(f"- {person} owns {folder}" for folder, person in data.owners)
    rules = "\n".join(
        f"{at}. {rule.whom} {'may' if rule.allows else 'must not'} {rule.action} {rule.folder}" for at, rule in enumerate(data.rules, 1)
    )
    won = (
        "Of the rules that apply to a person, only those on the nearest folder decide (the folder itself is nearest, then the one it lies directly in, "
        "and so on); if there is a ban among these, it overrides the others."
        if data.nearest
        else "A ban that applies to a person overrides all grants, whatever folder it is on."
    )
    parts = {"Roles assigned to people": given, "Roles that include other roles (and whatever those include)": holds}
    parts |= {"Folders": inside, "Owners": owners, "Rules": rules}
    shown = "\n\n".join(f"{heading}:\n{lines}" for heading, lines in parts.items() if lines)
    may_change = (
        " Permission to change a folder does not include permission to read it." if {rule.action for rule in data.rules} > {action} else ""
    )
    owned = (
        "The owner of a folder may do everything with that folder itself, whatever the rules say, but this does not extend to its contents."
        if owners
        else ""
    )
    return (
        f"{shown}\n\n"
        "A rule that names a role applies to all who have that role, and one that names a person applies to that person. "
        f"A rule on a folder also applies to everything in it, at any depth. {won} Without a rule that applies to them, nobody may do anything.{may_change} "
        f"{owned}\n\nWhich of these people may {action} {folder}: {', '.join(data.people)}?"
    )


def _roles(data: Data, person: str) -> list[str]:
    """All roles of a person, those that others bring included, by alphabet."""
    roles = [role for holder, role in data.given if holder == person]
    for role in roles:
        roles += [second for first, second in data.holds if first == role and second not in roles]
    return sorted(set(roles))


def _around(data: Data, folder: str) -> list[str]:
    """A folder and those around it, outwards."""
    path, outer = [folder], dict(data.inside)
    while path[-1] in outer:
        path.append(outer[path[-1]])
    return path


def _decide(data: Data, person: str) -> tuple[bool, str]:
    """Whether a person may do what is asked about, and what decides it."""
    action, folder = data.asked
    if dict(data.owners).get(folder) == person:
        return True, f"{person} owns {folder}"
    names, path = {person, *_roles(data, person)}, _around(data, folder)
    counting = [(at, rule) for at, rule in enumerate(data.rules, 1) if rule.whom in names and rule.action == action and rule.folder in path]
    if data.nearest and counting:
        near = min(path.index(rule.folder) for _, rule in counting)
        counting = [(at, rule) for at, rule in counting if path.index(rule.folder) == near]
    if not counting:
        return False, "no rule counts"
    at, rule = next(((at, rule) for at, rule in counting if not rule.allows), counting[0])
    return rule.allows, f"rule {at} decides"


environment = Environment(
    Knobs, Words("the names in alphabetical order, separated by spaces", max_items=60, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    solution=Solution(derive, "The answer is {answer}", checks), shift=shift,
    shared_helpers="The helper applies the stated policy to one request.",
    concept="Collect each person's roles, then the rules that count for them on the folder and those around it, and let the ban rule decide.",
    version=5,
)  # fmt: skip
