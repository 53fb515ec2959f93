"""Questions whose answers lie several pages away."""

from __future__ import annotations

from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.corpus.index import rank_pages
from rlgym.generators.corpus.library import SHOWN, Log, Open, Search, lookups_missing, page_with_code, unread
from rlgym.generators.corpus.relations import KINDS, RELATIONS
from rlgym.generators.corpus.world import Corpus, about, decisive, place, silence, state, thing_name, truth


class Hop(NamedTuple):
    relation: str
    back: bool = False  # to the one thing whose value this is


class Question(NamedTuple):
    start: int
    hops: tuple[Hop, ...]


class Step(NamedTuple):
    """One fact on the way: of a thing, the value that counts, and the page that proves it; both are empty where the library is silent."""

    thing: int
    relation: str
    value: str
    page: str
    found: str  # what the step leads to


def write_question(library: Corpus, question: Question) -> str:
    """What is asked for, in words."""
    text = thing_name(library.things[question.start])
    for hop in question.hops:
        facts = RELATIONS[hop.relation]
        text = (facts.back if hop.back else facts.ask).format(x=text)
    return text


def trail(library: Corpus, question: Question) -> tuple[Step, ...]:
    """The steps from the start; the last one is silent where the question has no answer."""
    value, steps = library.things[question.start].name, list[Step]()
    for hop in question.hops:
        thing = owner(library, hop.relation, value) if hop.back else place(library, value)
        stated = truth(library, thing, hop.relation)
        if stated is None:
            return (*steps, Step(thing, hop.relation, "", "", ""))
        value = library.things[thing].name if hop.back else stated[0]
        steps.append(Step(thing, hop.relation, stated[0], stated[1].code, value))
    return tuple(steps)


def sample(rng: Rng, library: Corpus, hops: int, back: int = 0) -> Question:
    """A question with an answer, never twice at the same thing, decided by the rules about which page counts; `back` hops go backwards."""
    best, marks = None, (-1, -1)
    for _ in range(60):
        question = _walk(rng, library, hops, back)
        if question is None:
            continue
        steps = trail(library, question)
        decided, rules = decisive(library, [(step.thing, step.relation) for step in steps])
        mark = (sum(hop.back for hop in question.hops), decided)
        if mark > marks:
            best, marks = question, mark
        if mark >= (back, rules):
            break
    return best or sample(rng, library, max(1, hops - (not back)), 0)


def make_unanswerable(rng: Rng, library: Corpus, question: Question) -> Corpus:
    """The library made silent about one step of the question, its last one most often, unless all go backwards."""
    steps = trail(library, question)
    forward = [step for step, hop in zip(steps, question.hops) if not hop.back]
    if not forward:
        return library
    step = forward[-1] if rng.chance(0.6) or len(forward) < 2 else rng.choice(forward[:-1])
    rumour = silence(library, step.thing, step.relation, rumour=True)
    silent = (*steps[: steps.index(step)], Step(step.thing, step.relation, "", "", ""))
    return rumour if trail(rumour, question) == silent else silence(library, step.thing, step.relation)


def evidence(library: Corpus, steps: tuple[Step, ...]) -> frozenset[str]:
    """The pages that prove the steps; of a silent one, every page about its thing."""
    last = steps[-1]
    silent = {page.code for page in about(library, last.thing)} if not last.page else set()
    return frozenset({step.page for step in steps if step.page} | silent)


def read(library: Corpus, opened: frozenset[tuple[str, int]], steps: tuple[Step, ...]) -> bool:
    """Whether every sentence that the steps rest on was shown, and of a silent step every section of every page."""
    for step in steps:
        for page in about(library, step.thing):
            stated = state(page, step.relation)
            if page.code == step.page and stated and (page.code, stated[1]) not in opened:
                return False
            if not step.page and any((page.code, k) not in opened for k in range(1, len(page.sections) + 1)):
                return False
    return True


def look_ups(library: Corpus, log: Log, question: Question) -> list[Search | Open]:
    """What is to be looked up next by one who knows only what the log has shown; empty where the question is settled."""
    steps = trail(library, question)
    value = library.things[question.start].name
    for step, hop in zip(steps, question.hops):
        if hop.back:
            if calls := candidates(library, log, hop.relation, value):
                return calls
        elif calls := lookups_missing(library, log, step.thing, step.relation):
            return calls
        value = step.found
    return []


def plan(library: Corpus, question: Question) -> list[Search | Open]:
    """All look-ups that are needed, one after the other."""
    log, done = Log(), []
    while calls := look_ups(library, log, question):
        done += calls
        log = make(log, calls)
    return done


def agenda(rng: Rng, library: Corpus, count: int, hops: int, silent: float) -> tuple[Corpus, tuple[Question, ...]]:
    """Different questions, of which at least one has an answer, and the library made silent about some of the others."""
    found: dict[Question, None] = {}
    while len(found) < count:
        found[sample(rng, library, rng.integer(1, hops))] = None
    questions = tuple(found)
    for question in questions:
        if rng.chance(silent) and trail(library, question)[-1].page:
            muted = make_unanswerable(rng, library, question)
            library = muted if any(trail(muted, other)[-1].page for other in questions) else library
    return library, tuple(rng.shuffled(questions))


def rumoured_answer(rng: Rng, library: Corpus, question: Question) -> str:
    """A wrong answer: what a page that does not count says about the last fact, or else what pages say of other things."""
    step, relation = trail(library, question)[-1], question.hops[-1].relation
    claims = [stated[0] for page in library.pages if (stated := state(page, relation)) and stated[0] != step.found]
    near = [stated[0] for page in about(library, step.thing) if (stated := state(page, relation)) and stated[0] != step.found]
    kind = RELATIONS[relation].value
    others = [thing.name for thing in library.things if thing.kind == kind and thing.name != step.found] or [str(rng.integer(1650, 1899))]
    return rng.choice((near if step.relation == relation else []) or claims or others)


def next_look_ups(library: Corpus, log: Log, questions: tuple[Question, ...]) -> list[Search | Open]:
    """What is to be looked up next for any of the questions."""
    return list(dict.fromkeys(call for question in questions for call in look_ups(library, log, question)))


def read_on(library: Corpus, log: Log, calls: list[Search | Open]) -> list[Search | Open]:
    """Look-ups in which a page whose first section was read is read to its end at once."""
    begun = {code for code, section in log.opened if section == 1}
    return list(
        dict.fromkeys(
            more
            for call in calls
            for more in (read_whole(library, log, [call]) if isinstance(call, Open) and call.page in begun else [call])
        )
    )


def read_whole(library: Corpus, log: Log, calls: list[Search | Open]) -> list[Search | Open]:
    """Look-ups in which each page that is opened is read to its end at once."""
    pages = [page_with_code(library, call.page) if isinstance(call, Open) else None for call in calls]
    return list(dict.fromkeys(more for call, page in zip(calls, pages) for more in (unread(page, log.opened) if page else [call])))


def full_plan(library: Corpus, questions: tuple[Question, ...]) -> list[Search | Open]:
    """All look-ups that are needed for all questions."""
    return list(dict.fromkeys(call for question in questions for call in plan(library, question)))


def make(log: Log, calls: list[Search | Open]) -> Log:
    """The log once the look-ups were made."""
    return Log(
        (*log.searched, *((call.query, call.page) for call in calls if isinstance(call, Search))),
        (*log.opened, *((call.page, call.section) for call in calls if isinstance(call, Open))),
    )


def reasons(library: Corpus, log: Log, question: Question) -> list[str]:
    """What is settled so far, fact by fact."""
    notes: list[str] = []
    for number, step in enumerate(trail(library, question), 1):
        if not read(library, frozenset(log.opened), (step,)):
            return [*notes, f"Fact {number} on the way is yet to be found, with every page that may speak of it."]
        pages = [f"{page.code} ({page.source} of {page.year})" for page in about(library, step.thing)]
        verdict = f"{step.page} counts" if step.page else "none of them tells it that counts"
        notes.append(f"Fact {number}, {step.relation} of {thing_name(library.things[step.thing])}: of {', '.join(pages)}, {verdict}.")
    return notes


def candidates(library: Corpus, log: Log, relation: str, value: str) -> list[Search | Open]:
    """Look-ups to find the one thing with this value: all pages that name the value, then all that is said of those that have it somewhere."""
    hits = rank_pages(library, value.split()[-1])
    pages = -(-len(hits) // SHOWN)
    query = value.split()[-1]
    if searches := [Search(query=query, page=k) for k in range(1, pages + 1) if (query, k) not in log.searched]:
        return list(searches[:1] if (query, 1) not in log.searched else searches)
    kind = RELATIONS[relation].subject
    near = [library.pages[i] for i in hits if library.things[library.pages[i].thing].kind == kind]
    if opens := [call for page in near for call in unread(page, log.opened, relation)[:1]]:
        return list(opens)
    out: list[Search | Open] = []
    for page in near:
        if (stated := state(page, relation)) and stated[0] == value:
            out += lookups_missing(library, log, page.thing, relation)
    return list(dict.fromkeys(out))


def owner(library: Corpus, relation: str, value: str) -> int:
    """The one thing whose relation counts as having this value, or -1."""
    kind = RELATIONS[relation].subject
    have = [
        i for i, thing in enumerate(library.things) if thing.kind == kind and (stated := truth(library, i, relation)) and stated[0] == value
    ]
    return have[0] if len(have) == 1 else -1


def _walk(rng: Rng, library: Corpus, hops: int, back: int) -> Question | None:
    start = rng.integer(0, len(library.things) - 1)
    position, seen, taken = start, {start}, list[Hop]()
    for k in range(hops):
        kind, last = library.things[position].kind, k == hops - 1
        ways = [Hop(name) for name, facts in RELATIONS.items() if facts.subject == kind and (last or facts.value in KINDS)]
        if back and sum(hop.back for hop in taken) < back:
            ways = [Hop(name, True) for name, facts in RELATIONS.items() if facts.back and facts.value == kind] or ways
        if not ways:
            return None
        hop = rng.choice(ways)
        if hop.back:
            position = owner(library, hop.relation, library.things[position].name)
        else:
            stated = truth(library, position, hop.relation)
            if stated is None:
                return None
            if RELATIONS[hop.relation].value not in KINDS:
                return Question(start, (*taken, hop))
            position = place(library, stated[0])
        if position < 0 or position in seen:
            return None
        seen.add(position)
        taken.append(hop)
    return Question(start, tuple(taken))
