"""Natural logic over sentences such as "All X feed some Y": steps that change a word, how the sentences relate, and proofs.

Relations and their projection through quantifiers follow MacCartney and Manning, "An extended model of natural logic" (2009); the automaton that
turns the relations of a proof into a verdict is that of "ProoFVer: Natural Logic Theorem Proving for Fact Verification" (2022).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

QUANTIFIERS = ("all", "some", "no")
SAME, WEAKER, STRONGER, EXCLUSIVE, CONTRADICTORY = RELATIONS = ("same", "weaker", "stronger", "exclusive", "contradictory")
SUPPORTED, REFUTED = VERDICTS = ("supported", "refuted")

_UP = {SAME: SAME, WEAKER: WEAKER, STRONGER: STRONGER}
_DOWN = {SAME: SAME, WEAKER: STRONGER, STRONGER: WEAKER}
_FIRST = {"some": _UP, "all": _DOWN, "no": _DOWN}
"""How a quantifier projects a relation of the nouns it stands before."""
_SECOND = {"some": _UP, "all": _UP | {EXCLUSIVE: EXCLUSIVE}, "no": _DOWN}
"""How a quantifier projects a relation of what is said; there is one of every kind, so that all X cannot do two things that exclude each other."""
_CONVERSE = {SAME: SAME, WEAKER: STRONGER, STRONGER: WEAKER, EXCLUSIVE: EXCLUSIVE}
_QUANTIFIERS = {
    ("all", "some"): WEAKER,
    ("some", "all"): STRONGER,
    ("some", "no"): CONTRADICTORY,
    ("no", "some"): CONTRADICTORY,
    ("all", "no"): EXCLUSIVE,
    ("no", "all"): EXCLUSIVE,
}
AUTOMATON: Mapping[tuple[str, str], str] = {
    (SUPPORTED, SAME): SUPPORTED,
    (SUPPORTED, WEAKER): SUPPORTED,
    (SUPPORTED, EXCLUSIVE): REFUTED,
    (SUPPORTED, CONTRADICTORY): REFUTED,
    (REFUTED, SAME): REFUTED,
    (REFUTED, STRONGER): REFUTED,
    (REFUTED, CONTRADICTORY): SUPPORTED,
}
"""State and relation of a step -> next state; any other step ends a proof without a verdict."""


class Sentence(NamedTuple):
    """Outer quantifier, first noun, verb, inner quantifier (all or some) and second noun; the outer quantifier has the wider scope."""

    outer: str
    first: str
    verb: str
    inner: str
    second: str


class Fact(NamedTuple):
    """What is known of two nouns or verbs: a is `within` b (entails it), is the `same`, or they are `apart` (exclude each other)."""

    relation: str
    a: str
    b: str


class Move(NamedTuple):
    """A step of a proof: by the fact of this number, or, where that is -1, by another outer quantifier; and its relation, "" for none.

    `of_words` is the relation of the words alone, as it would be after "some"; "" for quantifiers.
    """

    fact: int
    sentence: Sentence
    relation: str
    of_words: str = ""


def projected(sentence: Sentence, slot: str, relation: str) -> str:
    """How a sentence relates to the one in which the word of a slot is another, to which that word has a relation; "" for no relation."""
    if slot != "first":
        relation = (_SECOND if slot == "verb" else _FIRST)[sentence.inner].get(relation, "")
    return (_FIRST if slot == "first" else _SECOND)[sentence.outer].get(relation, "")


@lru_cache(maxsize=64)
def _by_word(facts: tuple[Fact, ...]) -> Mapping[str, Sequence[tuple[int, str, str]]]:
    """For each word the facts about it by number, the other word of each, and how this word relates to it."""
    found: dict[str, list[tuple[int, str, str]]] = {}
    for number, (relation, a, b) in enumerate(facts):
        forward = {"within": WEAKER, "same": SAME, "apart": EXCLUSIVE}[relation]
        found.setdefault(a, []).append((number, b, forward))
        found.setdefault(b, []).append((number, a, _CONVERSE[forward]))
    return found


@lru_cache(maxsize=1 << 14)
def moves(sentence: Sentence, facts: tuple[Fact, ...]) -> tuple[Move, ...]:
    """All steps from a sentence."""
    outer, first, verb, inner, second = sentence
    known = _by_word(facts)
    found = [Move(-1, Sentence(other, *sentence[1:]), _QUANTIFIERS[outer, other]) for other in QUANTIFIERS if other != outer]
    for number, other, relation in known.get(first, ()):
        found.append(Move(number, Sentence(outer, other, verb, inner, second), projected(sentence, "first", relation), relation))
    for number, other, relation in known.get(verb, ()):
        found.append(Move(number, Sentence(outer, first, other, inner, second), projected(sentence, "verb", relation), relation))
    for number, other, relation in known.get(second, ()):
        found.append(Move(number, Sentence(outer, first, verb, inner, other), projected(sentence, "second", relation), relation))
    return tuple(found)


def reachable(
    start: Sentence, facts: tuple[Fact, ...], most: int, allowed: Callable[[Move], bool] = lambda move: True
) -> dict[tuple[Sentence, str], list[Move]]:
    """The shortest proofs by allowed steps, `most` at most, from a sentence to others, each with the state it ends in."""
    reached = {(start, SUPPORTED): list[Move]()}
    waiting = deque(reached)
    while waiting:
        node = waiting.popleft()
        sentence, state = node
        if len(reached[node]) < most:
            for move in moves(sentence, facts):
                after = (move.sentence, AUTOMATON.get((state, move.relation), ""))
                if after[1] and after not in reached and allowed(move):
                    reached[after] = [*reached[node], move]
                    waiting.append(after)
    return reached


def shortest_proof(start: Sentence, claim: Sentence, facts: tuple[Fact, ...], most: int) -> tuple[list[Move], str] | None:
    """The shortest proof of or against a claim from a sentence, and its verdict; None if none has at most `most` steps."""
    reached = reachable(start, facts, most)
    found = [(reached[claim, state], state) for state in VERDICTS if (claim, state) in reached]
    return min(found, key=lambda proof: len(proof[0])) if found else None


def all_proofs(start: Sentence, claim: Sentence, facts: tuple[Fact, ...], most: int) -> Iterator[tuple[list[Move], str]]:
    """All proofs of at most `most` steps from a sentence, with their verdicts, depth first."""
    counts = change_counts(claim, facts)

    def search(sentence: Sentence, state: str, left: int) -> Iterator[tuple[list[Move], str]]:
        if sentence == claim:
            yield [], state
        for move in moves(sentence, facts) if left else ():
            if counts.get(move.sentence, left) < left and (after := AUTOMATON.get((state, move.relation))):
                yield from (([move, *rest], verdict) for rest, verdict in search(move.sentence, after, left - 1))

    if counts.get(start, most + 1) <= most:
        yield from search(start, SUPPORTED, most)


def fewest_changes(start: Sentence, claim: Sentence, facts: tuple[Fact, ...]) -> list[Move]:
    """The fewest changes from a sentence to a claim, whatever their relations; none where there are no such changes."""
    counts, path = change_counts(claim, facts), list[Move]()
    while start != claim and start in counts:
        path.append(min(moves(start, facts), key=lambda move: counts.get(move.sentence, len(counts))))
        start = path[-1].sentence
    return path


def positional_claims(start: Sentence, facts: tuple[Fact, ...], steps: int, verdict: str) -> list[Sentence]:
    """The claims with this verdict whose shortest proof has so many steps, and that nobody proves in two more who takes each noun to be after "some".

    Supported claims need words of both kinds: those whose position turns their relation around and others. (A refuted claim can always be
    proved by "no" and words that are turned around by it.)
    """
    reached = reachable(start, facts, steps)
    found = [sentence for (sentence, state), proof in reached.items() if state == verdict and len(proof) == steps]
    if not found:
        return []
    simple = {sentence for (sentence, _), proof in reached.items() if len(proof) < steps}
    simple |= {sentence for sentence, _ in reachable(start, facts, steps + 2, lambda move: move.of_words in ("", move.relation))}
    if verdict == SUPPORTED and not simple.issuperset(found):
        turned = reachable(start, facts, steps + 2, lambda move: not move.of_words or move.relation == _DOWN.get(move.of_words))
        simple |= {sentence for sentence, _ in turned}
    return [claim for claim in found if claim not in simple]


def as_stated(move: Move) -> str:
    """The relation of a step."""
    return move.relation


def as_turned(move: Move) -> str:
    """The relation that a step would have if every position turned the relation of words around."""
    return _DOWN.get(move.of_words, move.of_words) or move.relation


def proof_lengths(
    claim: Sentence, facts: tuple[Fact, ...], relation_of: Callable[[Move], str] = as_stated
) -> dict[Sentence, tuple[int, str]]:
    """Backwards from a claim: the number of steps and the verdict of the shortest proof from each sentence that has one."""
    proofs = {(claim, state): (0, state) for state in VERDICTS}
    waiting = deque(proofs)
    while waiting:
        node = waiting.popleft()
        sentence, state = node
        steps, verdict = proofs[node]
        for back in moves(sentence, facts):
            # The step from that sentence to this one has the converse relation; to contradict and to exclude are their own.
            relation = _CONVERSE.get(relation_of(back), relation_of(back))
            for before in VERDICTS:
                if AUTOMATON.get((before, relation)) == state and (back.sentence, before) not in proofs:
                    proofs[back.sentence, before] = (steps + 1, verdict)
                    waiting.append((back.sentence, before))
    return {sentence: found for (sentence, state), found in proofs.items() if state == SUPPORTED}


def change_counts(claim: Sentence, facts: tuple[Fact, ...]) -> dict[Sentence, int]:
    """How many changes lead from each sentence to a claim, whatever their relations."""
    found, waiting = {claim: 0}, deque([claim])
    while waiting:
        sentence = waiting.popleft()
        for move in moves(sentence, facts):
            if move.sentence not in found:
                found[move.sentence] = found[sentence] + 1
                waiting.append(move.sentence)
    return found


def write_active(sentence: Sentence) -> str:
    """Such as "No dags feed any pimos."."""
    outer, first, verb, inner, second = sentence
    return f"{outer.capitalize()} {first} {verb} {_inner(outer, inner)} {second}."


def write_passive(sentence: Sentence, participles: Mapping[str, str]) -> str:
    """Such as "No pimos are fed by any dags."."""
    outer, first, verb, inner, second = sentence
    return f"{outer.capitalize()} {first} are {participles[verb]} by {_inner(outer, inner)} {second}."


def _inner(outer: str, inner: str) -> str:
    return "any" if outer == "no" and inner == "some" else inner
