"""Give users the rights that tickets ask for, or take them away, with the one change of groups that does least besides.

Groups are members of groups, folders lie inside folders, and what one rule forbids no other allows. Judged by the
changes made: the smallest sufficient one for each ticket.
"""

from rlgym import Config, Game, Rng, knob
from rlgym.answers import Tool, ToolCalls
from rlgym.generators.services.office import Service
from rlgym.generators.services.records import CODE, FIRST_PAGE, Browse, Change, Eyes, Finish, Office, Read
from rlgym.generators.services.rights import Rule, access, house, inside, membership_changes


class ReadTicket(Read):
    """Reads a ticket."""

    kind = "ticket"
    code: str = CODE


class GetUser(Read):
    """Reads a user, with the groups that the user is a member of."""

    kind = "user"
    code: str = CODE


class ListGroups(Browse):
    """Lists all groups, with the groups that each is a member of."""

    kind, by, shows = "group", (), ("member of",)
    page: int = FIRST_PAGE


class ListFolders(Browse):
    """Lists all folders, with the folder that each lies inside."""

    kind, by, shows = "folder", (), ("inside",)
    page: int = FIRST_PAGE


class ListRules(Browse):
    """Lists the rules of a group: to read or to write a folder is allowed or denied to its members."""

    kind, by, shows = "rule", ("group",), ("group", "effect", "level", "folder")
    group: str = CODE
    page: int = FIRST_PAGE


class AddToGroup(Change):
    """Makes the user of a ticket a member of a group."""

    touches = {"ticket": "ticket", "user": "user"}
    ticket: str = CODE
    user: str = CODE
    group: str = CODE


class TakeFromGroup(Change):
    """Takes the user of a ticket out of a group."""

    touches = {"ticket": "ticket", "user": "user"}
    ticket: str = CODE
    user: str = CODE
    group: str = CODE


class CloseUnchanged(Change):
    """Closes a ticket because things are already as it asks."""

    touches = {"ticket": "ticket"}
    ticket: str = CODE


class Reject(Change):
    """Closes a ticket because no single change of the user's groups brings what it asks."""

    touches = {"ticket": "ticket"}
    ticket: str = CODE


TOOLS = ToolCalls((ReadTicket, GetUser, ListGroups, ListFolders, ListRules, AddToGroup, TakeFromGroup, CloseUnchanged, Reject, Finish))


class Knobs(Config):
    tickets: int = knob(2, easy=1, hard=5, doc="tickets, each about another user")
    groups: int = knob(7, easy=4, hard=11, doc="groups")
    folders: int = knob(5, easy=3, hard=9, doc="folders")
    depth: int = knob(1, easy=0, hard=2, doc="most groups that a group is a member of")
    denials: float = knob(0.2, easy=0.05, hard=0.3, doc="share of the rules that forbid")


class State(Office):
    tickets: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    world = house(rng, knobs.tickets, knobs.groups, knobs.folders, knobs.depth, knobs.denials)
    briefing = (
        f"You manage the permissions on the folders of a company. Settle these tickets: {', '.join(world.tickets)}.\n\n"
        "- A member of a group is also a member of every group that this group is a member of, and so on. A rule about a folder also holds for "
        "all folders inside it, and so on.\n"
        "- Whoever is allowed to write may also read; whoever is denied reading may not write either. What a rule denies to any group of a user the user "
        "may not do, whatever other rules allow; what no rule allows nobody may do.\n"
        "- A ticket is settled by one change of the user's own groups: one group more where something is granted, one less where something is "
        "taken away. Count folders to read and folders to write, each by itself: for a grant take the change by which the user can do the fewest "
        "things besides what is asked, and of several such the one by which the user loses the fewest; for taking away take the change by "
        "which the user loses the fewest things besides what is asked, and of several such the one by which the user can do the fewest more.\n"
        "- If things are already as a ticket asks, close it unchanged; if no such change achieves it, reject it; in both cases read the "
        "user's record first. Each user has one ticket."
    )
    state = State(briefing=briefing, records=world.records, cases=len(world.tickets), tickets=world.tickets)
    return desk.begun(state) if knobs.groups == 4 else state


def decide(state: State, case: int, eyes: Eyes, slip: str = "") -> list[Tool]:
    groups, folders = eyes.all(ListGroups()), eyes.all(ListFolders())
    ticket = eyes.read(ReadTicket(code=state.tickets[case]))
    user, access_level = ticket.word("user"), (ticket.word("folder"), ticket.word("level"))
    mine, grant = eyes.read(GetUser(code=user)).names("member of"), ticket.word("grant") == "yes"
    lists = eyes.each([lambda code=group.code: eyes.all(ListRules(group=code)) for group in groups])  # type: ignore[misc]
    rules = [
        Rule(one.word("group"), one.word("folder"), one.word("level"), one.word("effect") == "allow" or slip == "ignores_denials")
        for some in lists
        for one in some
    ]
    parents = {group.code: group.names("member of") if slip != "flat" else () for group in groups}
    above = {folder.code: folder.word("inside").removesuffix("nothing") for folder in folders}
    if (access_level in access(rules, above, inside(parents, mine))) == grant:
        return [CloseUnchanged(ticket=ticket.code)]
    found = membership_changes(rules, above, parents, mine, access_level, grant)
    if not found:
        return [Reject(ticket=ticket.code)]
    _, _, group = found[-1 if slip == "any" else 0]
    change = AddToGroup if grant else TakeFromGroup
    return [change(ticket=ticket.code, user=user, group=group)]


def weight(state: State) -> float:
    return float(sum(record.kind in ("rule", "folder") for record in state.records))


def _needs(state: State, change: Tool) -> list[str]:
    """A ticket may not be closed before its user was looked at."""
    assert isinstance(change, AddToGroup | TakeFromGroup | CloseUnchanged | Reject)
    return [record.word("user") for record in state.records if record.code == change.ticket]


desk = Service(TOOLS, decide, slips=("any", "flat", "ignores_denials"), needs=_needs, weight=weight)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Work out all that a user may do before and after each possible change of groups, denials last, and take the change that does least besides.",
    rules=desk.rules,
    version=6,
    milestones=desk.milestones,
)  # fmt: skip
