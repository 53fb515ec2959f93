"""Check every sentence of an answer that cites excerpts: is it faithful to them, does its conclusion follow, and is it true?

The three questions are independent: what is quoted faithfully may stand on a page that does not count, and a true conclusion may be drawn from
misquoted facts. This is the sentence-by-sentence check of TRM (thinking-supervised reward models), with labels known by construction.
"""

import re
from typing import NamedTuple

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Mapping
from rlgym.generators.corpus.excerpts import Excerpt, counting, gather, introduce, read, read_question, read_rule, stating
from rlgym.generators.corpus.relations import KINDS, RELATIONS
from rlgym.generators.corpus.world import Corpus, corpus, place, state, thing_name, truth

LABELS = ("faithful", "valid", "true")
NO_LABELS = {"none", "no", "label", "labels", "and"}
TRIES = 60  # sentences drawn for one with the wished labels


class Knobs(Config):
    sentences: int = knob(4, easy=3, hard=7, doc="sentences of the answer")
    pages: int = knob(40, easy=30, hard=60, doc="pages of the library that the excerpts come from")
    disputes: str = knob(
        "latest", easy="none", hard="rank", order=("none", "latest", "rank"), doc="how the prompt states which page counts"
    )
    extra: int = knob(4, easy=0, hard=10, doc="excerpts that state none of the facts")


class Claim(TaskData):
    """Two facts that a sentence takes from excerpts, and its conclusion.

    facts     name of the thing and relation, for each of the two
    cited     the numbers of the excerpts
    quoted    the values that the sentence gives
    found     the values in the excerpts that it cites
    concluded its conclusion
    implied   the conclusion that follows from what it quotes; empty where none does
    true      the conclusion that the facts that count give
    """

    facts: tuple[tuple[str, str], tuple[str, str]]
    cited: tuple[int, int]
    quoted: tuple[str, str]
    found: tuple[str, str]
    concluded: str
    implied: str
    true: str

    @property
    def labels(self) -> tuple[str, ...]:
        holds = (self.quoted == self.found, self.concluded == self.implied, self.concluded == self.true)
        return tuple(label for label, held in zip(LABELS, holds) if held)


class Data(TaskData):
    claims: tuple[Claim, ...]


class Draft(NamedTuple):
    """A claim before the excerpts have numbers: the excerpts themselves, and all facts that decide it."""

    claim: Claim
    cited: tuple[Excerpt, Excerpt]
    facts: tuple[tuple[int, str], ...]


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, chains=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Every sentence goes from one fact to the next, where the main family compares two years in half of them."""
    return _sample_task(rng, knobs, chains=True)


def solve(task: Task[Data]) -> tuple[tuple[str, str], ...]:
    # Reads the excerpts, the rule and the sentences of the prompt.
    shown, rule = read(task.prompt), read_rule(task.prompt)
    lines = task.prompt.partition("\n\nThe answer:\n")[2].partition("\n\n")[0].split("\n")
    out = []
    for number, line in enumerate(lines, 1):
        left, _, conclusion = line.partition(". ")[2].removesuffix(".").partition("; so ")
        parts = [part.removeprefix("excerpt ") for part in left.removeprefix("Excerpt ").split(", and ")]
        cited = [int(part[1 : part.index("]")]) for part in parts]
        quoted = [part.partition(" gives ")[2].partition(" as ") for part in parts]
        facts = [read_question(what) for _, _, what in quoted]
        values = [value for value, _, _ in quoted]
        faithful = all(
            shown[at - 1].name == name and shown[at - 1].facts.get(relations[0]) == value
            for at, (name, relations), value in zip(cited, facts, values)
        )
        if conclusion.startswith("these two events were "):
            concluded = conclusion.split()[4]
            implied = str(abs(int(values[0]) - int(values[1])))
            known = [counting(shown, rule, name, relations[0]) for name, relations in facts]
            true = str(abs(int(known[0][0]) - int(known[1][0]))) if known[0] and known[1] else ""
        else:
            concluded, _, asked = conclusion.partition(" is ")
            implied = values[1] if facts[1][0] == values[0] else ""
            true, relations = read_question(asked)
            for relation in relations:
                stated = counting(shown, rule, true, relation)
                true = stated[0] if stated else ""
        holds = (faithful, concluded == implied, concluded == true)
        out.append((str(number), " ".join(label for label, held in zip(LABELS, holds) if held) or "none"))
    return tuple(sorted(out))


def verify(task: Task[Data], answer: tuple[tuple[str, str], ...]) -> Score:
    right = {str(number): set(claim.labels) for number, claim in enumerate(task.data.claims, 1)}
    given = {number: {*re.findall(r"\w+", words)} - NO_LABELS for number, words in answer}
    if given.keys() != right.keys():
        return Score.wrong("the answer must have one line for each sentence, and no other")
    if unknown := set().union(*given.values()) - set(LABELS):
        return Score.wrong(f"{min(unknown)[:20]!r} is no label")
    for number, labels in right.items():
        if wrong := labels ^ given[number]:
            return Score.wrong(f"sentence {number} is {'' if min(wrong) in labels else 'not '}{min(wrong)}")
    return Score.exact(True)


def mistakes(task: Task[Data], right: tuple[tuple[str, str], ...]) -> list[tuple[tuple[str, str], ...]]:
    # Faithful taken for true, true for valid, everything or nothing said; the last sentence forgotten.
    def said(*labels: str) -> str:
        return " ".join(label for label in LABELS if label in labels) or "none"

    words = {number: what.split() for number, what in right}
    return [
        tuple((number, said(*what, "true") if "faithful" in what else said(*(set(what) - {"true"}))) for number, what in words.items()),
        tuple((number, said(*what, "valid") if "true" in what else said(*(set(what) - {"valid"}))) for number, what in words.items()),
        tuple((number, said(*LABELS)) for number in words),
        tuple((number, "none") for number in words),
        right[:-1],
    ]


def cost(task: Task[Data]) -> float:
    return len(task.prompt) / 50 * len(task.data.claims)


def explain(task: Task[Data]) -> list[str]:
    steps = []
    for number, claim in enumerate(task.data.claims, 1):
        for at, quoted, found in zip(claim.cited, claim.quoted, claim.found):
            steps.append(
                f"Sentence {number} takes {quoted} from excerpt [{at}], which {'says so' if quoted == found else f'says {found}'}."
            )
        follows = (
            f"From what it quotes follows {claim.implied}" if claim.implied else "What it quotes has no common link, so nothing follows"
        )
        steps.append(f"{follows}; it concludes {claim.concluded}; the facts that count give {claim.true}.")
    return [*steps, f"Answer:\n{environment.answer.render(_lines(task.data.claims))}"]


def _lines(claims: tuple[Claim, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((str(number), " ".join(claim.labels) or "none") for number, claim in enumerate(claims, 1))


def _sample_task(rng: Rng, knobs: Knobs, chains: bool) -> Task[Data]:
    library = corpus(rng, knobs.pages, knobs.disputes)
    wished = rng.shuffled([tuple(label for k, label in enumerate(LABELS) if n >> k & 1) for n in range(8)])
    drafts: list[Draft] = []
    for number in range(knobs.sentences):
        drawn = [draft for _ in range(TRIES) if (draft := _sample_draft(rng, library, chains or number % 2 == 0))]
        fresh = [draft for draft in drawn if draft.claim.facts not in [other.claim.facts for other in drafts]] or drawn
        drafts.append(next((draft for draft in fresh if draft.claim.labels == wished[number % 8]), fresh[0]))
    drafts = rng.shuffled(drafts)
    excerpts = gather(rng, library, [fact for draft in drafts for fact in draft.facts], knobs.extra)
    claims = tuple(
        draft.claim.model_copy(update={"cited": tuple(excerpts.index(excerpt) + 1 for excerpt in draft.cited)}) for draft in drafts
    )
    answer = "\n".join(f"{number}. {_sentence(library, claim)}" for number, claim in enumerate(claims, 1))
    counts = "the pages that count" if len(library.things) < len(library.pages) else "the excerpts"
    page = ", even if its page does not count" if len(library.things) < len(library.pages) else ""
    prompt = (
        f"{introduce(library, excerpts)}\n\nThe answer:\n{answer}\n\n"
        'Check each sentence of the answer. Three labels may apply to it. It is "faithful" if each of the two values that it takes from an excerpt is what '
        f'that excerpt says{page}. It is "valid" if its conclusion follows from the two values as the sentence gives them, whether or not they are '
        f'faithful. It is "true" if its conclusion is true according to {counts}, whichever excerpts it cites. Give each sentence all of its labels, or '
        'the single word "none" if no label applies.'
    )
    return Task(prompt, Data(claims=claims))


def _sample_draft(rng: Rng, library: Corpus, chain: bool) -> Draft | None:
    """A sentence, or None where the facts that it would need are not stated."""
    known = [(i, name) for i, thing in enumerate(library.things) for name, relation in RELATIONS.items() if relation.subject == thing.kind]
    first = rng.choice([fact for fact in known if (RELATIONS[fact[1]].value in KINDS if chain else RELATIONS[fact[1]].value == "year")])
    true_first = truth(library, *first)
    if true_first is None:
        return None
    at_first, found_first = _cite(rng, library, first)
    quoted_first = _quote(rng, library, first, found_first)
    if chain:
        kind = RELATIONS[first[1]].value
        ways = [name for name, relation in RELATIONS.items() if relation.subject == kind]
        second = rng.choice(ways)
        subject = place(library, quoted_first)
        if rng.chance(0.35):
            subject = rng.choice([i for i, thing in enumerate(library.things) if thing.kind == kind])
        about_second, decides = (subject, second), (place(library, true_first[0]), second)
    else:
        about_second = decides = rng.choice([fact for fact in known if RELATIONS[fact[1]].value == "year" and fact != first])
    true_second = truth(library, *decides)
    if true_second is None or not stating(library, *about_second):
        return None
    at_second, found_second = _cite(rng, library, about_second)
    quoted_second = _quote(rng, library, about_second, found_second)
    names = (library.things[first[0]].name, library.things[about_second[0]].name)
    if chain:
        implied, true = (quoted_second if names[1] == quoted_first else ""), true_second[0]
        other = _other_value(rng, library, about_second, quoted_second)
    else:
        implied, true = (str(abs(int(a) - int(b))) for a, b in ((quoted_first, quoted_second), (true_first[0], true_second[0])))
        other = str(abs(int(true) + rng.choice((-10, -9, -1, 1, 9, 10))))
    concluded = rng.choice([one for one in (implied, true, other) if one])
    if concluded in ("0", "1"):  # one year would need words of its own
        return None
    claim = Claim(
        facts=((names[0], first[1]), (names[1], about_second[1])), cited=(0, 0), quoted=(quoted_first, quoted_second),
        found=(found_first, found_second), concluded=concluded, implied=implied, true=true,
    )  # fmt: skip
    return Draft(claim, (at_first, at_second), (first, about_second, decides))


def _cite(rng: Rng, library: Corpus, fact: tuple[int, str]) -> tuple[Excerpt, str]:
    """An excerpt that states a fact, and its value there."""
    excerpt = rng.choice(stating(library, *fact))
    stated = state(library.pages[excerpt.page], fact[1])
    assert stated
    return excerpt, stated[0]


def _quote(rng: Rng, library: Corpus, fact: tuple[int, str], found: str) -> str:
    return found if rng.chance(0.7) else _other_value(rng, library, fact, found)


def _other_value(rng: Rng, library: Corpus, fact: tuple[int, str], value: str) -> str:
    """Another value of the kind: of another page about the same fact, where one has it, or near it, or of another thing."""
    pages = [stated[0] for excerpt in stating(library, *fact) if (stated := state(library.pages[excerpt.page], fact[1]))]
    if rest := [other for other in dict.fromkeys(pages) if other != value]:
        return rng.choice(rest)
    if value.isdigit():
        return str(int(value) + rng.choice((-20, -10, -1, 1, 10, 20)))
    kind = RELATIONS[fact[1]].value
    return rng.choice([thing.name for thing in library.things if thing.kind == kind and thing.name != value])


def _sentence(library: Corpus, claim: Claim) -> str:
    asked = [RELATIONS[relation].ask.format(x=thing_name(library.things[place(library, name)])) for name, relation in claim.facts]
    taken = [f"xcerpt [{at}] gives {value} as {what}" for at, value, what in zip(claim.cited, claim.quoted, asked)]
    if RELATIONS[claim.facts[0][1]].value == "year":
        end = f"these two events were {claim.concluded} years apart"
    else:
        end = f"{claim.concluded} is {RELATIONS[claim.facts[1][1]].ask.format(x=asked[0])}"
    return f"E{taken[0]}, and e{taken[1]}; so {end}."


environment = Environment(
    Knobs,
    Mapping("one line for each sentence: its number, a colon, and its labels or none, separated by spaces", 20, several_words=True, item="sentence"),
    generate, solve, verify, mistakes, cost,
    explain=explain,
    shift=shift,
    version=4,
    concept="Ask three things apart: does the excerpt say so, does the conclusion follow from what is quoted, and do the facts that count agree with it.",
)  # fmt: skip
