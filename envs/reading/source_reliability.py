"""Decide between reports that disagree, by stated rules about whom and what to believe, and when.

Reports differ in kind, source and day; some are taken back, and some witnesses are not believed for a time.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, score_parts
from rlgym.generators.text import english
from rlgym.solutions import Derivation, Due, OneOf, Solution, Step

VOID = Step("Sentence {at} is void because of sentence {by}.")
STANDS = Step("Of what is left about the {thing}, sentence {at} counts most: {colour}.")
BANK = Bank("""
swore: On day {day}, {who} swore that the {thing} was {colour}. | {who} took an oath on day {day} that the {thing} was {colour}.
swore: Under oath, {who} said on day {day} that the {thing} was {colour}. | That the {thing} was {colour} is what {who} swore on day {day}.
wrote: In a letter of day {day}, {who} wrote that the {thing} was {colour}. | {who} put on paper on day {day} that the {thing} was {colour}.
wrote: On day {day}, {who} wrote down that the {thing} was {colour}. | A note by {who} from day {day} says that the {thing} was {colour}.
said: On day {day}, {who} remarked that the {thing} was {colour}. | {who} said in passing on day {day} that the {thing} was {colour}.
said: Without being asked, {who} mentioned on day {day} that the {thing} was {colour}.
said: By word of mouth, {who} said on day {day} that the {thing} was {colour}.
heard: On day {day}, {who} heard from {other} that the {thing} was {colour}.
heard: {who} had it from {other} on day {day} that the {thing} was {colour}.
heard: {who} only repeats what {other} said on day {day}, that the {thing} was {colour}.
heard: From {other}, {who} learned on day {day} that the {thing} was {colour}.
back: On day {day}, {who} took back all that {who} had reported about the {thing} before.
back: {who} no longer stood, from day {day} on, by anything reported earlier about the {thing}.
back: Day {day} saw {who} withdraw every earlier report about the {thing}.
back: All earlier reports of {who} about the {thing} were withdrawn by {who} on day {day}.
liar: From day {since} to day {until}, {who} was not to be believed.
liar: {who} told tales from day {since} to day {until}, and deserves no belief for that time.
liar: Nothing that {who} reported from day {since} to day {until} can be trusted.
liar: On all days from {since} to {until}, {who} was bribed to report falsely or at random.
""")
REPORTS = ("swore", "wrote", "said", "heard")
CALLED = {
    "swore": "what was sworn",
    "wrote": "what was written",
    "said": "what was said without an oath",
    "heard": "what was heard from somebody else",
}
THINGS = "lantern wagon door flag coat mask banner cart ribbon seal ladder kite".split()
COLOURS = "red white green black yellow blue grey brown".split()


class Knobs(Config):
    reports: int = knob(14, easy=5, hard=60, doc="reports", scale="log")
    things: int = knob(2, easy=2, hard=4, doc="things in question")
    rules: str = knob(
        "ranked", easy="latest", hard="void", order=("latest", "ranked", "void"), doc="the criterion that weighs reports besides their day"
    )


class Report(TaskData):
    at: int
    kind: str
    who: str
    thing: str = ""
    colour: str = ""
    other: str = ""
    day: int = 0
    since: int = 0
    until: int = 0


class Data(TaskData):
    reports: tuple[Report, ...]
    rank: tuple[str, ...]
    latest: bool
    asked: tuple[str, ...]
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, by_person=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Reports are weighed by who made them, and the earlier one counts more."""
    return _sample_task(rng, knobs, by_person=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads rules and sentences; the reports are sorted from the weightiest down, and the first one that nothing makes void is taken.
    rules = task.prompt.partition("\n\n")[0]
    statements = list(read_statements(task.prompt, BANK))
    ranked = rules.partition("in this order: ")[2].partition(".")[0].replace(" counts most", "")
    order = ranked.replace(" and last ", ", ").replace(", then ", ", ").split(", ")
    sign = -1 if "the later one counts more" in rules else 1
    queried = task.prompt.rpartition("What colours were ")[2].partition("?")[0].replace(" and ", ", ").replace("the ", "").split(", ")

    def weight(gaps: dict[str, str], kind: str) -> tuple[int, int]:
        known = [k for k, name in enumerate(order) if name in (CALLED[kind], gaps["who"], f"what {gaps['who']} reported")]
        return (known[0] if known else 0), sign * int(gaps["day"])

    def void(gaps: dict[str, str]) -> bool:
        for _, (kind, other) in statements:
            if kind == "back" and (other["who"], other["thing"]) == (gaps["who"], gaps["thing"]) and int(gaps["day"]) < int(other["day"]):
                return True
            if (
                kind == "liar"
                and other["who"] in (gaps["who"], gaps.get("other"))
                and int(other["since"]) <= int(gaps["day"]) <= int(other["until"])
            ):
                return True
        return False

    out = []
    for thing in queried:
        about = [(weight(gaps, kind), at, gaps) for at, (kind, gaps) in statements if kind in REPORTS and gaps["thing"] == thing]
        _, at, gaps = next(report for report in sorted(about, key=lambda report: report[:2]) if not void(report[2]))
        out += [gaps["colour"], str(at)]
    return tuple(out)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    about = [[report for report in task.data.reports if report.thing == thing and report.kind in REPORTS] for thing in task.data.asked]
    newest = [max(ones, key=lambda report: report.day) for ones in about]
    picked = ([ones[-1] for ones in about], [ones[0] for ones in about], newest)
    wrong = [tuple(word for chosen in ones for word in (chosen.colour, str(chosen.at))) for ones in picked]
    return [*wrong, right[::2], right[2:] + right[:2], (*right[:-1], str(int(right[-1]) + 1))]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(
        len(data.reports) * (2 + 2 * bool(data.rank))
        + 12 * sum(report.kind not in REPORTS for report in data.reports)
        + 3 * len(data.asked)
    )


def derive(task: Task[Data]) -> Derivation:
    data, pending = task.data, list[list[Due]]()
    for thing in data.asked:
        reports = [report for report in data.reports if report.thing == thing and report.kind in REPORTS]
        void = {report.at: by for report in reports if (by := _void(data, report))}
        best = min((report for report in reports if report.at not in void), key=lambda report: _weight(data, report))
        pending.append([*(VOID(at=at, by=by) for at, by in void.items()), STANDS(thing=thing, at=best.at, colour=best.colour)])
    while pending := [steps for steps in pending if steps]:
        # What is void comes in any order before what stands; the things come in any order.
        taken = yield OneOf(tuple(due for steps in pending for due in steps[:-1] or steps))
        pending = [[due for due in steps if due is not taken.due] for steps in pending]


def _weight(data: Data, report: Report) -> tuple[int, int]:
    known = [k for k, name in enumerate(data.rank) if name in (report.kind, report.who)]
    return (known[0] if known else 0), -report.day if data.latest else report.day


def _void(data: Data, report: Report) -> int:
    """The first sentence that makes a report void; 0 for none, or for what is no report."""
    if report.kind not in REPORTS:
        return 0
    for other in data.reports:
        if other.kind == "back" and (other.who, other.thing) == (report.who, report.thing) and report.day < other.day:
            return other.at
        if other.kind == "liar" and other.who in (report.who, report.other) and other.since <= report.day <= other.until:
            return other.at
    return 0


def _sample_task(rng: Rng, knobs: Knobs, by_person: bool) -> Task[Data]:
    people = stories.people(rng, 4 + knobs.reports // 12)
    queried = rng.sample(THINGS, knobs.things)
    things = [*queried, *rng.sample([thing for thing in THINGS if thing not in queried], 1 + knobs.reports // 20)]
    kinds = ("said",) if knobs.rules == "latest" else REPORTS
    rank = () if knobs.rules == "latest" else tuple(rng.shuffled(people if by_person else REPORTS))
    latest = not by_person
    plain = Data(reports=(), rank=rank, latest=latest, asked=tuple(queried), answer=())
    while True:
        days = rng.sample(range(1, 4 * knobs.reports), knobs.reports)
        drawn = list[Report]()
        for k, day in enumerate(days):
            who, other = rng.sample(people, 2)
            kind = rng.choice(kinds)
            thing = queried[k] if k < len(queried) else queried[0] if k == len(queried) else rng.choice(things)
            drawn.append(
                Report(at=0, kind=kind, who=who, other=other if kind == "heard" else "", thing=thing, colour=rng.choice(COLOURS), day=day)
            )
        if knobs.rules == "void":
            for _ in range(2 + knobs.reports // 8):  # mostly against what would count most
                thing = rng.choice(queried)
                about = [report for report in drawn if report.thing == thing and report.kind in REPORTS]
                best = min(about, key=lambda report: _weight(plain, report)) if rng.chance(0.6) else rng.choice(about)
                if rng.chance(0.5):
                    drawn.append(Report(at=0, kind="back", who=best.who, thing=best.thing, day=best.day + rng.integer(1, 3)))
                else:
                    who = best.other or best.who
                    drawn.append(
                        Report(at=0, kind="liar", who=who, since=max(1, best.day - rng.integer(0, 4)), until=best.day + rng.integer(1, 4))
                    )
        order = rng.shuffled(drawn)
        reports = tuple(report.model_copy(update={"at": at}) for at, report in enumerate(order, 1))
        data = plain.model_copy(update={"reports": reports})
        words = list[str]()
        for thing in queried:
            valid = [report for report in reports if report.kind in REPORTS and report.thing == thing and not _void(data, report)]
            if valid:
                best = min(valid, key=lambda report: _weight(data, report))
                words += [best.colour, str(best.at)]
        if len(words) == 2 * len(queried):
            break
    sentence_list = [BANK.say(rng, report.kind, **report.model_dump(exclude={"kind"})) for report in reports]
    named = [f"what {name} reported" if by_person else CALLED[name] for name in rank]
    ranking = (
        f"Reports are believed in this order: {named[0]} counts most, then {', then '.join(named[1:-1])} and last {named[-1]}. "
        if rank
        else ""
    )
    if by_person and rank:
        ranking += "What somebody heard from somebody else is a report of the one who heard it. "
    weightier = "later" if latest else "earlier"
    even = "Of reports that are equal in this respect, " if rank else "Of two reports about the same thing, "
    voids = ""
    if knobs.rules == "void":
        voids = (
            " A report is void if its source took it back on a later day (also on a day on which the source was not to be believed), or if it was made on a "
            "day on which its source, or the person from whom the source heard it, was not to be believed. The source of what was heard is the one who heard "
            "it, and the day that its sentence names is the day of the report. Void reports do not count."
        )
    prompt = (
        f"Reports about the colours of things disagree. {ranking}{even}the {weightier} one counts more.{voids}\n\n{passage(rng, sentence_list)}\n\n"
        f"What colours were {english.join_words([f'the {thing}' for thing in queried])}? Give for each of them, in this order, the colour to be believed and "
        "the number of the sentence with the report that counts most."
    )
    return Task(prompt, data.model_copy(update={"answer": tuple(words)}))


environment = Environment(
    Knobs, Words("a colour and a number for each thing, all separated by spaces", max_items=40, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Strike out first what is void, then weigh what is left about each thing by the order of belief, and by the day only at the end.",
    version=5,
)  # fmt: skip
