"""Verify answers that were given from retrieved excerpts: right, spoiled by what was retrieved, or not grounded in it.

The error type says what to do next: after an error of retrieval search again, after an error of grounding answer again. These are the verdict classes of
KALMV (Knowledge-Augmented Language Model Verification), known by construction. How often the attempts hold an excerpt or give an answer tells nothing
about the verdicts: other excerpts are held together as often as the needed ones, and answers do not depend on excerpts.
"""

from collections.abc import Sequence

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.corpus.excerpts import counting, gather, introduce, read, read_question, read_rule, stating
from rlgym.generators.corpus.questions import Step, sample, trail, write_question
from rlgym.generators.corpus.relations import KINDS, RELATIONS
from rlgym.generators.corpus.world import Corpus, corpus, state

VERDICTS = ("right", "retrieval", "grounding")


class Knobs(Config):
    attempts: int = knob(7, easy=5, hard=9, doc="answers to verify")
    hops: int = knob(2, easy=1, hard=4, doc="facts between the question and its answer")
    pages: int = knob(40, easy=30, hard=60, doc="pages of the library that the excerpts come from")
    disputes: str = knob(
        "latest", easy="none", hard="rank", order=("none", "latest", "rank"), doc="how the prompt states which page counts"
    )
    extra: int = knob(5, easy=4, hard=10, doc="excerpts that state none of the facts")


class Attempt(TaskData):
    excerpts: tuple[int, ...]  # numbers of those retrieved
    answer: str


class Data(TaskData):
    needed: tuple[int, ...]  # numbers of the excerpts that count for the facts on the way
    answer: str
    attempts: tuple[Attempt, ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, scattered=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """The facts about a thing lie on several pages, so that more excerpts are needed than things are met."""
    return _sample_task(rng, knobs, scattered=True)


def solve(task: Task[Data]) -> tuple[tuple[str, str], ...]:
    # Reads the excerpts and follows the question from fact to fact.
    shown, rule = read(task.prompt), read_rule(task.prompt)
    at, relations = read_question(task.prompt.partition("\n\nThe question asks for ")[2].partition(".\n")[0])
    needed = set[int]()
    for relation in relations:
        stated = counting(shown, rule, at, relation)
        assert stated, "every fact on the way is in an excerpt"
        at = stated[0]
        needed.add(stated[1])
    out = []
    for line in task.prompt.partition("\n\nThe attempts:\n")[2].partition("\n\n")[0].split("\n"):
        number, _, rest = line.partition(". From excerpt")
        retrieved, _, answer = rest.removeprefix("s").removesuffix(".").partition(": ")
        have = {int(one) for one in retrieved.replace(" and ", ", ").split(", ")}
        out.append((number, "retrieval" if not needed <= have else "right" if answer == at else "grounding"))
    return tuple(sorted(out))


def verify(task: Task[Data], answer: tuple[tuple[str, str], ...]) -> Score:
    right, given = dict(_lines(task.data)), dict(answer)
    if given.keys() != right.keys():
        return Score.wrong("the answer must have one line for each attempt, and no other")
    for number, verdict in right.items():
        if given[number] not in VERDICTS:
            return Score.wrong(f"{given[number][:20]!r} is no verdict")
        if given[number] != verdict:
            return Score.wrong(f"attempt {number} is not {given[number]}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[tuple[str, str], ...]) -> list[tuple[tuple[str, str], ...]]:
    # Looks at the answer alone; takes what is wrong for one kind of error; trusts all.
    said = {str(number): attempt.answer == task.data.answer for number, attempt in enumerate(task.data.attempts, 1)}
    return [
        *(tuple((number, "right" if said[number] else error) for number, _ in right) for error in VERDICTS[1:]),
        tuple((number, "right") for number, _ in right),
        tuple((number, "grounding" if verdict == "retrieval" else verdict) for number, verdict in right),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    return len(task.prompt) / 50 * (1 + len(task.data.needed))


def explain(task: Task[Data]) -> list[str]:
    data = task.data
    needed = ", ".join(f"[{number}]" for number in data.needed)
    steps = [f"The facts on the way are decided by {needed}, and lead to {data.answer}."]
    for number, attempt in enumerate(data.attempts, 1):
        missing = [f"[{one}]" for one in data.needed if one not in attempt.excerpts]
        if missing:
            steps.append(f"Attempt {number} was made without {', '.join(missing)}: an error of retrieval.")
        else:
            same = attempt.answer == data.answer
            steps.append(f"Attempt {number} has all of them, and {'gives' if same else 'does not give'} {data.answer}.")
    return [*steps, f"Answer:\n{environment.answer.render(_lines(data))}"]


def _lines(data: Data) -> tuple[tuple[str, str], ...]:
    def verdict(attempt: Attempt) -> str:
        if not set(data.needed) <= set(attempt.excerpts):
            return "retrieval"
        return "right" if attempt.answer == data.answer else "grounding"

    return tuple((str(number), verdict(attempt)) for number, attempt in enumerate(data.attempts, 1))


def _sample_task(rng: Rng, knobs: Knobs, scattered: bool) -> Task[Data]:
    library = corpus(rng, knobs.pages, knobs.disputes, scattered)
    question = sample(rng, library, knobs.hops)
    steps = trail(library, question)
    excerpts = gather(rng, library, [(step.thing, step.relation) for step in steps], knobs.extra)
    counts = [stating(library, step.thing, step.relation) for step in steps]
    codes = [step.page for step in steps]
    needed = sorted(
        {next(excerpts.index(one) + 1 for one in found if library.pages[one.page].code == code) for found, code in zip(counts, codes)}
    )
    attempts = _sample_attempts(rng, knobs.attempts, needed, len(excerpts), steps[-1].found, _wrong_answers(rng, library, steps))
    listed = "\n".join(f"{number}. From {_numbers(attempt.excerpts)}: {attempt.answer}." for number, attempt in enumerate(attempts, 1))
    which = "is the one that counts for" if len(library.things) < len(library.pages) else "states"
    prompt = (
        f"{introduce(library, excerpts)}\n\nThe question asks for {write_question(library, question)}.\n\n"
        "A system made several attempts to answer it. In each attempt it saw only the excerpts listed for that attempt.\n\n"
        f"The attempts:\n{listed}\n\n"
        f"Give a verdict on each attempt. An excerpt is needed if it {which} a fact in the chain from the question to its answer. The verdict is "
        '"retrieval" if the attempt did not see every needed excerpt, even if its answer is right. Otherwise the verdict is "right" if its answer is right, '
        'and "grounding" if its answer is wrong.'
    )
    return Task(prompt, Data(needed=tuple(needed), answer=steps[-1].found, attempts=attempts))


def _sample_attempts(rng: Rng, count: int, needed: Sequence[int], excerpts: int, right: str, wrong: Sequence[str]) -> tuple[Attempt, ...]:
    """Attempts whose excerpts and answers are drawn apart, and in which no number tells the needed excerpts and the right answer from others.

    The other excerpts form groups as large as that of the needed ones. Each group is complete in some attempts, drawn for this group alone.
    """
    others = rng.shuffled([number for number in range(1, excerpts + 1) if number not in needed])
    size = len(needed)
    retrieved: list[set[int]] = [set() for _ in range(count)]
    for group in (list(needed), *(others[at : at + size] for at in range(0, len(others), size))):
        complete = rng.sample(range(count), rng.integer((count + 1) // 3, count - 1))
        for attempt in range(count):
            missing = [] if attempt in complete else rng.sample(range(size), rng.integer(1, size))
            retrieved[attempt] |= {number for k, number in enumerate(group) if k not in missing}
    given = rng.shuffled([right, *rng.sample(wrong, min(len(wrong), rng.integer(1, 2)))])
    answers = [rng.weighted(given, (3, 3, 1)[: len(given)]) for _ in range(count)]
    return tuple(Attempt(excerpts=tuple(sorted(seen or {rng.choice(others)})), answer=answer) for seen, answer in zip(retrieved, answers))


def _wrong_answers(rng: Rng, library: Corpus, steps: Sequence[Step]) -> list[str]:
    """Answers of the right kind: what other pages say, what the same facts are of other things, and a number near one of all these."""
    last, kind = steps[-1], RELATIONS[steps[-1].relation].value
    said = [stated[0] for page in library.pages if (stated := state(page, last.relation)) and stated[0] != last.found]
    disputed = [stated[0] for page in library.pages if page.thing == last.thing and (stated := state(page, last.relation))]
    alike = [thing.name for thing in library.things if thing.kind == kind and thing.name != last.found] if kind in KINDS else []
    first = [value for value in disputed if value != last.found]
    rest = 1 if first else 3
    found = [*first, *rng.sample(said, min(rest, len(said))), *rng.sample(alike, min(rest, len(alike)))]
    if last.found.isdigit():
        # At most one value is near the right one, since it would stand in the middle of two.
        found.append(str(int(rng.choice([last.found, *found])) + rng.choice((-10, -1, 1, 10))))
    return list(dict.fromkeys(value for value in found if value != last.found))


def _numbers(numbers: Sequence[int]) -> str:
    words = [str(number) for number in numbers]
    return f"excerpt {words[0]}" if len(words) == 1 else f"excerpts {', '.join(words[:-1])} and {words[-1]}"


environment = Environment(
    Knobs,
    Mapping("one line for each attempt: its number, a colon, and the verdict", 20, item="attempt"),
    generate, solve, verify, mistakes, cost,
    explain=explain,
    shift=shift,
    version=3,
    concept="Find the excerpts that decide the facts on the way first; then an attempt is checked against them before its answer is looked at.",
)  # fmt: skip
