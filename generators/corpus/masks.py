"""Texts with masked names, which a library lets one find again, starting from a number that is not masked."""

from __future__ import annotations

from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.corpus.library import Log, Open, Search, lookups_missing
from rlgym.generators.corpus.questions import Step, candidates, owner
from rlgym.generators.corpus.relations import KINDS, NAMED, RELATIONS
from rlgym.generators.corpus.world import Corpus, decisive, place, truth


class Fact(NamedTuple):
    """A sentence, in the order of finding out: a relation between masks, or (`value` -1) of a mask and a number.

    With `back` the subject is the mask that it lets one find, else the value is.
    """

    relation: str
    subject: int
    value: int
    number: str
    back: bool
    said: int


class Text(NamedTuple):
    facts: tuple[Fact, ...]
    order: tuple[int, ...]  # in which the sentences are shown
    letters: str  # of the masks


def sample_masked_text(rng: Rng, library: Corpus, masks: int, deep: bool) -> Text:
    """A text with so many masks, or as many as can be had; with `deep` each hangs on the one before."""
    best: tuple[Fact, ...] = ()
    marks = -1
    for _ in range(30):
        facts = _grow(rng, library, masks, deep)
        steps = solve(library, facts)
        decided, rules = decisive(library, [(step.thing, step.relation) for step in steps])
        mark = 3 * len(facts) + decided
        if mark > marks:
            best, marks = facts, mark
        if mark >= 3 * masks + rules:
            break
    letters = "".join(rng.sample("ABCDEFGHJKLM", len(best)))
    return Text(best, tuple(rng.shuffled(range(len(best)))), letters)


def solve(library: Corpus, facts: tuple[Fact, ...]) -> tuple[Step, ...]:
    """For each sentence the fact behind it with the page that counts; what it leads to is the word of its mask."""
    words: list[str] = []
    steps = []
    for fact in facts:
        if fact.back:
            value = fact.number or words[fact.value]
            thing = owner(library, fact.relation, value)
        else:
            thing = place(library, words[fact.subject])
        stated = truth(library, thing, fact.relation)
        assert stated is not None
        words.append(library.things[thing].name if fact.back else stated[0])
        steps.append(Step(thing, fact.relation, stated[0], stated[1].code, words[-1]))
    return tuple(steps)


def render_sentences(text: Text) -> str:
    """The sentences."""
    out = []
    for k in text.order:
        fact = text.facts[k]
        facts = RELATIONS[fact.relation]
        value = fact.number or f"[{text.letters[fact.value]}]"
        sentence = facts.says[fact.said].format(
            x=NAMED[facts.subject].format(f"[{text.letters[fact.subject]}]"), y=NAMED.get(facts.value, "{}").format(value)
        )
        out.append(sentence[:1].upper() + sentence[1:])
    return " ".join(out)


def words_for(library: Corpus, text: Text) -> list[str]:
    """The words of the masks, in the order of their letters."""
    steps = solve(library, text.facts)
    return [step.found for _, step in sorted(zip(text.letters, steps))]


def next_lookups(library: Corpus, log: Log, text: Text) -> list[Search | Open]:
    """What is to be looked up next by one who knows only what the log has shown."""
    steps = solve(library, text.facts)
    settled: list[bool] = []
    out: list[Search | Open] = []
    for fact, step in zip(text.facts, steps):
        known = fact.value if fact.back else fact.subject
        if known >= 0 and not settled[known]:
            settled.append(False)
            continue
        value = fact.number or (steps[fact.value].found if fact.back else "")
        calls = candidates(library, log, fact.relation, value) if fact.back else lookups_missing(library, log, step.thing, fact.relation)
        settled.append(not calls)
        out += calls
    return list(dict.fromkeys(out))


def _grow(rng: Rng, library: Corpus, masks: int, deep: bool) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    chain: list[str] = []
    for _ in range(40):
        name = rng.choice([name for name, relation in RELATIONS.items() if relation.value not in KINDS])
        thing = rng.choice(library.things)
        value = truth(library, place(library, thing.name), name) if thing.kind == RELATIONS[name].subject else None
        if value and owner(library, name, value[0]) >= 0:
            facts.append(Fact(name, 0, -1, value[0], True, _phrase(rng, name)))
            chain.append(thing.name)
            break
    for _ in range(12 * masks):
        if not facts or len(facts) >= masks:
            break
        at = len(chain) - 1 if deep else rng.integer(0, len(chain) - 1)
        position = next((i for i, thing in enumerate(library.things) if thing.name == chain[at]), -1)
        fresh = _next(rng, library, position, at, len(chain)) if position >= 0 else None
        if (
            fresh
            and fresh[1] not in chain
            and all((fact.relation, fact.subject) != (fresh[0].relation, fresh[0].subject) for fact in facts)
        ):
            facts.append(fresh[0])
            chain.append(fresh[1])
    return tuple(facts)


def _next(rng: Rng, library: Corpus, position: int, at: int, mask: int) -> tuple[Fact, str] | None:
    """A sentence that leads from a known mask to a new one, and the new one's word."""
    kind = library.things[position].kind
    ways = [(name, False) for name, relation in RELATIONS.items() if relation.subject == kind]
    ways += [(name, True) for name, relation in RELATIONS.items() if relation.back and relation.value == kind]
    name, back = rng.choice(ways)
    if not back:
        value = truth(library, position, name)
        return (Fact(name, at, mask, "", False, _phrase(rng, name)), value[0]) if value and RELATIONS[name].value in KINDS else None
    other = owner(library, name, library.things[position].name)
    return (Fact(name, mask, at, "", True, _phrase(rng, name)), library.things[other].name) if other >= 0 else None


def _phrase(rng: Rng, relation: str) -> int:
    return rng.integer(0, len(RELATIONS[relation].says) - 1)
