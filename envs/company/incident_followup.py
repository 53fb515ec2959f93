"""Follow up an incident: turn what was agreed in the chat into tickets for the right owners, and write the postmortem page.

Judged by the state of all systems at the end. What was withdrawn or corrected later in the chat does not count as it was first said.
"""

from rlgym import Game, Rng, knob
from rlgym.answers import ToolCalls
from rlgym.generators.company.chat import CHAT, CHAT_WRITE, ReadChannel, SearchChannels
from rlgym.generators.company.company import Company, CompanyKnobs
from rlgym.generators.company.directory import PEOPLE_READ, GetPerson, SearchPeople
from rlgym.generators.company.eyes import Eyes
from rlgym.generators.company.operations import Finish, Write
from rlgym.generators.company.rulebook import Rulebook, Rules
from rlgym.generators.company.schedule import clock, minutes
from rlgym.generators.company.second_versions import versioned
from rlgym.generators.company.tickets import TICKETS, TICKETS_WRITE, CreateTicket, GetTicket, LinkTicket, SearchTickets, SetTicketStatus
from rlgym.generators.company.wiki import WIKI, WIKI_WRITE, CreatePage, ReadPage, SearchWiki
from rlgym.generators.company.work import Work, Workflow
from rlgym.generators.company.world import Row

COMPONENTS = ("Billing", "Search", "Login", "Storage", "Checkout")
BOOK = Rulebook(
    "Incident follow-up",
    {
        "actions": "Each message that begins with the words Action for and a component becomes an open ticket. Its title is the text after the colon, without "
        "the full stop, its queue is named as the component, it is assigned to the owner of the component, and its text names the code of the incident.",
        "priority": "The priority of these tickets is high if the outage lasted {minutes} minutes or more.",
        "normal": "Unless a rule says otherwise, the priority of these tickets is normal.",
        "corrected": "The outage began and ended at the times of the messages that say so, unless a later message corrects the time.",
        "withdrawn": "An action that a later message withdraws is left out.",
        "existing": "If an open ticket has the title of an action already, no ticket is created; the incident is linked to that one.",
        "absent": "If the status of the owner is leaving, the direct manager of the owner is assigned.",
        "page": "A page titled Postmortem and the code of the incident, in the space Incidents, names the times at which the outage began and ended, and "
        "the code of the change that caused it.",
        "waiting": "The status of the incident is set to waiting.",
    },
    basic=("actions", "normal"),
    needs={"corrected": "priority"},
)
TOOLS = ToolCalls(versioned(*TICKETS, *TICKETS_WRITE, *CHAT, *CHAT_WRITE, *PEOPLE_READ, *WIKI, *WIKI_WRITE, Finish), limit_in_prompt=True)
RIGHTS = ("tickets.write", "wiki.write")
VERBS, THINGS = (
    ("Add", "Review", "Replace", "Document", "Test"),
    ("the alert for queue length", "the retry limit", "the backup job", "the cache settings"),
)


class Knobs(CompanyKnobs):
    cases: int = knob(3, easy=1, hard=6, doc="actions that the chat agrees on")


def start(rng: Rng, knobs: Knobs, migrated: bool = False) -> Work:
    company = Company(rng, 8 + knobs.records // 4, migrated=migrated)
    several = knobs.cases > 1
    limit = 15 * rng.integer(3, 6)
    old = [{"minutes": limit + rng.integer(20, 40)} for _ in range(knobs.outdated_pages if several else 0)]
    rules = BOOK.draw(rng, knobs.clauses, ["priority"] if old else [])
    said, facts, skipped = BOOK.install(company, rules, {"minutes": limit}, old)
    channel = company.add("channels", "CH", name=f"incident-{rng.integer(100, 999)}", topic="Outage", members=company.staff)
    component = rng.choice(COMPONENTS)
    row: Row = {
        "title": f"Outage of {component}",
        "queue": "Incidents",
        "status": "open",
        "priority": "high",
        "assignee": company.actor,
        "links": [],
    }
    text = f"The talk about it is in the channel {company.row('channels', channel)['name']}."
    incident = company.add("tickets", "T", **row, reporter=rng.choice(company.staff), opened=company.today, text=text)
    owners = {name: company.hire(status="active") for name in COMPONENTS}
    titles = rng.sample([f"{verb} {thing}" for verb in VERBS for thing in THINGS], knobs.cases + 3)
    used = rng.sample(COMPONENTS, min(len(COMPONENTS), knobs.cases))
    places = [used[place % len(used)] for place in range(knobs.cases)]
    if "absent" in rules:
        company.row("people", owners[places[0]])["status"] = "leaving"
    bodies = _sample_messages(company, rules, list(zip(places, titles)), titles[-1])
    last = bodies.pop() if knobs.arrivals and several else ""
    # Long enough for the limit of the current page, too short for that of an outdated page, and too short by what was said first.
    end = _talk(company, channel, bodies, limit + 10, max(5, limit - 80) if "corrected" in rules else 0, knobs.records // 2)
    for title in titles[knobs.cases :] if several else []:
        _ticket(company, title, rng.choice(("open", "closed")))
    for _ in range(knobs.records // 2 if several else 0):
        _ticket(company, f"{rng.choice(VERBS)} item {rng.integer(100, 999)}", rng.choice(("open", "closed")))
    if "existing" in rules:
        _ticket(company, titles[0], "open")
    facts = {**facts, "incident": incident}
    if not several:
        owner = owners[places[0]]
        briefing = f"Follow up the incident {incident} of {company.name}, whose messages are in the channel {channel}. "
        briefing += f"The owner of {places[0]} is {owner}.\n{said}"
        state = company.work(knobs, briefing, {**facts, "channel": channel, "owner": owner}, skipped, RIGHTS)
        return desk.ready(state, knobs)
    lines = [f"{name}: owner {company.full(person)}." for name, person in owners.items()]
    company.page("Components", "\n".join(rng.shuffled(lines)))
    briefing = f"Follow up the incident {incident} of {company.name}. The ticket names the channel of the chat, and the page Components of the wiki names "
    briefing += f"the owners.\n{said}"
    late = [company.arrival("chat", "messages", company.code("N"), _message(company, channel, end + 90, last))] if last else []
    return desk.ready(company.disturbed(company.work(knobs, briefing, facts, skipped, RIGHTS), TOOLS.tools, knobs, *late), knobs)


def shift(rng: Rng, knobs: Knobs) -> Work:
    """The same work with the second versions of all tools, and with rules that are amended by further pages."""
    return start(rng, knobs, migrated=True)


def plan(eyes: Eyes, slip: str = "") -> list[Write]:
    incident = eyes.facts["incident"]
    rules, channel, owners = eyes.together([lambda: BOOK.look_up(eyes, slip), lambda: _channel(eyes), lambda: _owners(eyes)])
    talk = eyes.all(ReadChannel(channel=channel))[::-1]
    began, ended, cause = _outage(talk, rules)
    actions = [
        row["body"].removeprefix("Action for ").removesuffix(".").split(": ") for row in talk if row["body"].startswith("Action for ")
    ]
    withdrawn = [row["body"].removeprefix("Withdrawn: ").removesuffix(".") for row in talk if row["body"].startswith("Withdrawn: ")]
    actions = [action for action in actions if action[1] not in withdrawn or "withdrawn" not in rules]
    long = "priority" in rules and minutes(ended) - minutes(began) >= rules.number("minutes")
    deeds: list[Write] = eyes.for_each(actions, lambda action: _make_ticket(eyes, rules, action, owners, "high" if long else "normal"))
    if "page" in rules:
        text = f"The outage began at {began} and ended at {ended}. Cause: {cause}."
        deeds.append(CreatePage(title=f"Postmortem {incident}", space="Incidents", text=text))
    return [*deeds, SetTicketStatus(ticket=incident, status="waiting")] if "waiting" in rules else deeds


def _channel(eyes: Eyes) -> str:
    if "channel" in eyes.facts:
        return eyes.facts["channel"]
    name = eyes.ask(GetTicket(ticket=eyes.facts["incident"]))["text"].removesuffix(".").split()[-1]
    return str(eyes.all(SearchChannels(words=name))[0]["id"])


def _owners(eyes: Eyes) -> dict[str, str]:
    """The name of the owner of each component."""
    if "owner" in eyes.facts:
        return {}
    page = eyes.ask(ReadPage(code=next(row["id"] for row in eyes.all(SearchWiki(words="Components")) if row["title"] == "Components")))
    return dict(line.removesuffix(".").split(": owner ") for line in page["text"].split("\n"))


def _outage(talk: list[Row], rules: Rules) -> tuple[str, str, str]:
    """When the outage began and ended, and the change that caused it."""
    times = {
        name: next((row["time"][11:16] for row in talk if name in row["body"]), "00:00")
        for name in ("The outage begins", "The outage is over")
    }
    corrections = [row["body"].removesuffix(".").split()[-1] for row in talk if row["body"].startswith("Correction: the outage began at")]
    cause = next((row["body"].removesuffix(".").split()[-1] for row in talk if row["body"].startswith("The cause is")), "")
    began = corrections[-1] if corrections and "corrected" in rules else times["The outage begins"]
    return began, times["The outage is over"], cause


def _make_ticket(eyes: Eyes, rules: Rules, action: list[str], owners: dict[str, str], priority: str) -> Write:
    component, title = action
    found = eyes.all(SearchTickets(words=title)) if "existing" in rules else []
    same = [row for row in found if row["title"] == title and row["status"] == "open"]
    if same:
        return LinkTicket(ticket=eyes.facts["incident"], to=same[0]["id"])
    owner = eyes.facts.get("owner") or _owner(eyes, rules, owners[component])
    text = f"From the incident {eyes.facts['incident']}."
    return CreateTicket.model_validate({"title": title, "queue": component, "priority": priority, "assignee": owner, "text": text})


def _owner(eyes: Eyes, rules: Rules, name: str) -> str:
    code = next(row["id"] for row in eyes.all(SearchPeople(words=name)) if row["name"] == name)
    if "absent" not in rules:
        return str(code)
    person = eyes.ask(GetPerson(person=code))
    return str(person["manager"] if person["status"] == "leaving" else code)


def _sample_messages(company: Company, rules: list[str], actions: list[tuple[str, str]], spare: str) -> list[str]:
    """The messages about what is to be done, in order."""
    rng = company.rng
    bodies = [f"Action for {component}: {title}." for component, title in actions]
    if "withdrawn" in rules:
        bodies[1:1] = [f"Action for {rng.choice(COMPONENTS)}: {spare}.", f"Withdrawn: {spare}."]
    return [f"The cause is the change {company.code('CG')}.", *bodies] if "page" in rules else bodies


def _talk(company: Company, channel: str, bodies: list[str], length: int, first_said: int, chatter: int) -> int:
    """Writes the messages of the channel; returns the minute at which the outage was over."""
    rng = company.rng
    end = rng.integer(680, 760)
    begin = end - (first_said or length)
    said = {begin: "The outage begins.", end: "The outage is over."}
    if first_said:
        said[end + 4] = f"Correction: the outage began at {clock(end - length)}."
    said |= {end + 7 + 5 * place: body for place, body in enumerate(bodies)}
    idle = [minute for minute in range(begin - 30, end + 60) if minute not in said]
    talk = (
        "Looking into it.",
        "Any news?",
        "Customers write to us.",
        "Restarted one node.",
        "Thanks.",
        "I see errors too.",
        "On a call.",
        "Graphs look odd.",
    )
    said |= {minute: rng.choice(talk) for minute in rng.sample(idle, chatter)}
    for minute, body in said.items():
        company.add("messages", "N", **_message(company, channel, minute, body))
    return end


def _message(company: Company, channel: str, minute: int, body: str) -> Row:
    return {"channel": channel, "author": company.rng.choice(company.staff), "time": f"{company.today} {clock(minute)}", "body": body}


def _ticket(company: Company, title: str, status: str) -> None:
    row: Row = {
        "title": title,
        "queue": "Backlog",
        "status": status,
        "priority": "low",
        "assignee": company.rng.choice(company.staff),
        "reporter": company.actor,
    }
    company.add("tickets", "T", **row, opened=company.day(-40, -5), links=[], text="From an earlier review.")


desk = Workflow(TOOLS, plan)

environment = Game(
    Knobs, TOOLS, start, desk.show, desk.act, desk.outcome, desk.best, desk.mistakes, desk.cost, desk.turns, desk.explain,
    concept="Read the whole chat before you act: what was agreed, withdrawn and corrected; then look up who owns what, and what exists already.",
    shift=shift,
    rules=desk.rules,
    milestones=desk.milestones,
    version=6,
)  # fmt: skip
