"""Find in a long chronicle who held a post in a year, and the sentences that say so.

Posts are held until somebody else takes them. Other posts, other towns, other years and takings that came to nothing stand all around. At the hard
end nothing says who took the post when: the years in which it changed hands and remarks that compare its holders leave a single order of them.
"""

from itertools import pairwise

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators import stories
from rlgym.generators.facts import Bank, passage, read_statements, sample_filler, score_parts, successions
from rlgym.generators.facts.post_banks import BANK, FLOOD
from rlgym.solutions import Derivation, Solution, Step, any_order

SAID = Step("Sentence {at}: {remark}")
ORDER = Step("The post changed hands in the years {years}; of all orders of its holders only this one fits all remarks: {names}")
SEEN = Step("Sentence {at}: {who} took the post in the year {year}.")
TOWN = Step("Sentence {at}: the {colour} {sight} is in {town}.")
HELD = Step("The last of them to take the post no later than the year {year} is {who}, in the year {since}.")
POSTS = "warden miller tollkeeper archivist beekeeper lamplighter gatekeeper judge physician treasurer cartographer astronomer".split()
RANKS = "captain helmsman cook purser boatswain surgeon gunner carpenter lookout navigator".split()
SHIPS = "Albatross Bramble Cormorant Dauntless Ember Falcon Gannet Harrier Icebird Juniper Kestrel Lantern Marigold Nightjar Osprey Petrel".split()
HOLDERS = 9  # of a post whose order is asked for
COLOURS = "red white green black golden silver blue grey".split()
SIGHTS = "tower bell fountain clock statue gate organ sundial".split()


class Knobs(Config):
    sentences: int = knob(40, easy=8, hard=120, doc="sentences of the chronicle", scale="log")
    rivals: int = knob(10, easy=2, hard=40, doc="sentences that look like the one requested")
    question: str = knob(
        "dated",
        easy="named",
        hard="ordered",
        order=("named", "dated", "described", "ordered"),
        doc="whether the post was taken once, or again and again, whether the town is named, and whether the order of its holders must be inferred",
    )


class Taken(TaskData):
    at: int
    who: str
    year: int


class Data(TaskData):
    taken: tuple[Taken, ...]
    year: int
    flood: bool = False
    town: str
    landmark: tuple[str, str] = ("", "")
    landmark_at: int = 0
    remarks: tuple[tuple[int, str], ...] = ()  # sentences that the order of the holders follows from
    years: tuple[int, ...] = ()  # in which the post changed hands
    answer: tuple[str, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, flood=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Crews of ships, with years counted down to a flood, so that the later year is the smaller number."""
    return _sample_task(rng, knobs, flood=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Reads the whole text; a later taking displaces the one before.
    question = task.prompt.rpartition("\n\n")[2]
    latest: tuple[int, str, int] = (-(10**6), "", 0)
    statements = list(read_statements(task.prompt, FLOOD if task.data.flood else BANK))
    marks = [(at, gaps) for at, (kind, gaps) in statements if kind == "sight" and f"the {gaps['colour']} {gaps['sight']}" in question]
    sign = -1 if task.data.flood else 1
    town = marks[0][1]["town"] if marks else ""
    if task.data.remarks:
        ours = [
            (kind, gaps) for _, (kind, gaps) in statements if gaps.get("town") == town and f"the post of {gaps.get('post')} " in question
        ]
        return tuple(name.lower() for name in _solve_order(ours, -1 if task.data.flood else 1))
    year = int("".join(filter(str.isdigit, question.partition("?")[0])) or 0) or sign * 10**6
    towns = [town] if town else question.replace("?", " ").split()
    for at, (kind, gaps) in statements:
        fits = kind == "took" and f"the {gaps['post']} " in question and gaps["town"] in towns
        if fits and sign * int(gaps["year"]) <= sign * year:
            latest = max(latest, (sign * int(gaps["year"]), gaps["who"], at))
    return (latest[1].lower(), *map(str, sorted([latest[2], *(at for at, _ in marks)])))


def _solve_order(statements: list[tuple[str, dict[str, str]]], sign: int) -> tuple[str, ...]:
    """The only order of the holders for which every remark is true."""
    names = sorted({gaps["who"] for kind, gaps in statements if kind == "held"})
    years = sorted(sign * int(gaps["year"]) for kind, gaps in statements if kind in ("years", "changed", "ended"))
    spans = list(pairwise(years))
    remarks = [
        (kind, gaps["who"], gaps.get("other", gaps["who"]), gaps.get("third", gaps["who"]), sign * int(gaps.get("year", 0)))
        for kind, gaps in statements
        if kind in successions.KINDS
    ]
    unfinished: list[tuple[str, ...]] = [()]
    while unfinished:
        order = unfinished.pop()
        times = dict(zip(order, spans, strict=False))
        for kind, who, other, third, year in remarks:
            if not {who, other, third} <= times.keys() or order[-1] not in (who, other, third):
                continue
            (begin, end), (other_begin, other_end) = times[who], times[other]
            if kind in ("between", "outside"):
                fits = ((begin > other_begin) != (begin > times[third][0])) == (kind == "between")
            elif kind == "longer":
                fits = end - begin > other_end - other_begin
            elif kind == "apart":
                fits = begin != other_end and end != other_begin
            else:
                fits = begin > year if kind == "later" else end <= year
            if not fits:
                break
        else:
            if len(order) == len(names):
                return order
            unfinished += [(*order, name) for name in names if name not in order]
    raise ValueError("no order fits the remarks")


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return score_parts(answer, task.data.answer)


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    if task.data.remarks:
        return [right[::-1], (right[1], right[0], *right[2:]), (*right[1:], right[0]), right[:-1], tuple(sorted(right, reverse=True))]
    others = [(sighting.who.lower(), str(sighting.at)) for sighting in task.data.taken]
    return [*others[:2], (right[0],), right[:1] + right[:0:-1], (right[0], str(int(right[1]) + 1), *right[2:]), (*right, "1")]


def cost(task: Task[Data]) -> float:
    return len(task.prompt) / 10 + 20 * len(task.data.taken) + 60 * bool(task.data.landmark_at) + 150 * len(task.data.remarks)


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    steps = [SEEN(at=holder.at, who=holder.who, year=abs(holder.year)) for holder in data.taken]
    if data.landmark_at:
        steps.insert(0, TOWN(at=data.landmark_at, colour=data.landmark[0], sight=data.landmark[1], town=data.town))
    steps += [SAID(at=at, remark=remark) for at, remark in data.remarks]
    yield from any_order(steps)
    if data.remarks:
        yield ORDER(years=", ".join(str(abs(year)) for year in data.years), names=", ".join(data.answer))
        return
    last = max((holder for holder in data.taken if holder.year <= data.year), key=lambda holder: holder.year)
    yield HELD(year=abs(data.year), who=last.who, since=abs(last.year))


def _sample_task(rng: Rng, knobs: Knobs, flood: bool) -> Task[Data]:
    bank, posts, sign = (FLOOD, RANKS, -1) if flood else (BANK, POSTS, 1)
    places = rng.sample(SHIPS, 8) if flood else stories.places(rng, 8)
    people = stories.people(rng, 30)
    town, post = places[0], posts[rng.integer(0, len(posts) - 1)]
    landmarks = dict(zip(rng.sample([(colour, sight) for colour in COLOURS for sight in SIGHTS], 6), places))
    landmark = next(iter(landmarks))
    turns = 1 if knobs.question == "named" else min(3 + knobs.rivals // 8, 6)
    years = [sign * year for year in sorted(rng.sample(range(20, 400, 2), turns), reverse=flood)]
    holders = rng.sample(people, turns)
    chosen = rng.integer(0, turns - 1)
    high = years[chosen + 1] - 1 if chosen + 1 < turns else years[chosen] + 15
    year = years[0] if knobs.question == "named" else rng.integer(years[chosen] + 1, high)

    ordered, held = knobs.question == "ordered", rng.sample(people, HOLDERS)
    bounds = sorted(sign * year for year in rng.sample(range(20, 400, 4), HOLDERS + 1)) if ordered else []
    statements = [
        (("took", name, when), bank.say(rng, "took", year=abs(when), who=name, post=post, town=town))
        for name, when in zip(holders, [] if ordered else years)
    ]
    if ordered:
        statements += _order_statements(rng, bank, held, bounds, post, town)
    for k in range(knobs.rivals):
        where, what, when = rng.choice(places), rng.choice(posts), rng.integer(20, 400)
        kind = "nearly" if k % 3 == 0 else "took"
        if k % 3 == 1 or ((where, what) == (town, post) and kind == "took"):
            where, what = rng.choice(places[1:]), post
        elif kind == "nearly":
            where, what = town, post
        if ordered and k % 3 == 2:
            first, second, last = rng.sample(held, 3)
            form = rng.choice(("held", "changed", *successions.KINDS))
            statements.append(
                (
                    ("", "", 0),
                    bank.say(
                        rng,
                        form,
                        year=when,
                        who=first,
                        other=second,
                        third=last,
                        post=rng.choice((post, what)),
                        town=rng.choice(places[1:]),
                    ),
                )
            )
            continue
        statements.append((("", "", 0), bank.say(rng, kind, year=when, who=rng.choice(people), post=what, town=where)))
    if knobs.question in ("described", "ordered"):
        for (colour, sight), place in landmarks.items():
            own = "sight" if place == town else ""
            statements.append(((own, "", 0), bank.say(rng, "sight", colour=colour, sight=sight, town=place)))
    towns = stories.places(rng, 8) if flood else places
    statements += [(("", "", 0), sentence) for sentence in sample_filler(rng, max(2, knobs.sentences - len(statements)), towns, people)]
    statements = rng.shuffled(statements)
    taken = [Taken(at=at, who=name, year=when) for at, ((kind, name, when), _) in enumerate(statements, 1) if kind == "took"]
    landmark_at = next((at for at, ((kind, _, _), _) in enumerate(statements, 1) if kind == "sight"), 0)
    place = ("the ship with " if flood else "the town with ") + f"the {landmark[0]} {landmark[1]}" if landmark_at else town
    if place == town and flood:
        place = f"the {town}"
    when_asked = "" if knobs.question == "named" else f" {abs(year)} years before the flood" if flood else f" in the year {year}"
    verb = "became" if knobs.question == "named" else "was"
    kind = "ship" if flood else "town"
    needed = "the number of the sentence that says when this person took the post"
    if landmark_at:
        needed += f" and the number of the sentence that says which {kind} is meant, the smaller number first"
    succession = (
        f" Whoever takes a post holds it until somebody else takes the same post {'on' if flood else 'in'} the same {kind}."
        if knobs.question != "named"
        else ""
    )
    question = f"Who {verb} the {post} of {place}{when_asked}? Give the name, then {needed}."
    if ordered:
        succession += " Offers, requests and plans that came to nothing say nothing about who held a post."
        question = (
            f"Who held the post of {post} of {place}, one after the other? Each of the {HOLDERS} holders took it once, and only one order fits. Give all "
            "names in order of time, the first holder first."
        )
    prompt = (
        f"Read this chronicle. Its sentences are numbered and are not in chronological order.{succession}\n\n"
        f"{passage(rng, [sentence for _, sentence in statements])}\n\n"
        f"{question}"
    )
    if ordered:
        return Task(
            prompt,
            Data(
                taken=(),
                year=0,
                flood=flood,
                town=town,
                landmark=landmark,
                landmark_at=landmark_at,
                years=tuple(bounds),
                remarks=tuple((at, sentence) for at, ((kind, _, _), sentence) in enumerate(statements, 1) if kind == "remark"),
                answer=tuple(name.lower() for name in held),
            ),
        )
    who = next(sighting for sighting in taken if sighting.year == years[chosen])
    ats = sorted([who.at, *([landmark_at] if landmark_at else [])])
    data = Data(
        taken=tuple(taken),
        year=year,
        flood=flood,
        town=town,
        landmark=landmark if landmark_at else ("", ""),
        landmark_at=landmark_at,
        answer=(who.who.lower(), *map(str, ats)),
    )
    return Task(prompt, data)


def _order_statements(
    rng: Rng, bank: Bank, held: list[str], years: list[int], post: str, town: str
) -> list[tuple[tuple[str, str, int], str]]:
    """That each of them held the post, the years in which it changed hands, and remarks that leave this order alone."""
    named = {"post": post, "town": town}
    statements = [(("", "", 0), bank.say(rng, "held", who=name, **named)) for name in held]
    kinds = ["years", *["changed"] * (len(years) - 2), "ended"]
    statements += [(("", "", 0), bank.say(rng, kind, year=abs(year), **named)) for kind, year in zip(kinds, years, strict=True)]
    for remark in successions.sample(rng, held, years):
        gaps = {"who": remark.who, "other": remark.other, "third": remark.third, "year": abs(remark.year), **named}
        statements.append((("remark", "", 0), bank.say(rng, remark.kind, **gaps)))
    return statements


environment = Environment(
    Knobs, Words("what the question asks for, in this order, separated by spaces", max_items=40, ignore_case=True),
    generate, solve, verify, mistakes, cost,
    shift=shift, solution=Solution(derive, "Answer: {answer}"),
    concept="Go through the text for the post and the town together, and of what fits take the last before the year that is asked for; or rule out orders.",
    version=4,
)  # fmt: skip
