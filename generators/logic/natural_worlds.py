"""Small worlds of kinds and of who does what to what, with the facts on words that hold in them and the sentences that are true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from rlgym.core.rng import Rng
from rlgym.generators.logic.natural_logic import QUANTIFIERS, Fact, Sentence

MEMBERS = 10  # on each side
EVERYTHING = (1 << MEMBERS) - 1


class World(NamedTuple):
    """The members of each kind, as bits, the objects of each verb for every subject, and the facts on words that the prompt states."""

    firsts: Mapping[str, int]
    seconds: Mapping[str, int]
    verbs: Mapping[str, tuple[int, ...]]
    facts: tuple[Fact, ...]

    def true_sentences(self) -> Iterator[Sentence]:
        """Every sentence of the form that is true."""
        for verb, inner in product(self.verbs, ("all", "some")):
            for second, objects in self.seconds.items():
                who = sum(
                    1 << at for at, done in enumerate(self.verbs[verb]) if (objects & done == objects if inner == "all" else objects & done)
                )
                for first, subjects in self.firsts.items():
                    both = subjects & who
                    truth = {"all": both == subjects, "some": both != 0, "no": both == 0}
                    yield from (Sentence(outer, first, verb, inner, second) for outer in QUANTIFIERS if truth[outer])


def sample_world(rng: Rng, firsts: Sequence[str], seconds: Sequence[str], verbs: Sequence[str]) -> World:
    """A world with these kinds and verbs."""
    kinds, facts = list[dict[str, int]](), list[Fact]()
    for names in (firsts, seconds):
        members, stated = _sample_kinds(rng, names)
        kinds.append(members)
        facts += stated
    done, stated = _sample_verbs(rng, verbs, *kinds)
    return World(kinds[0], kinds[1], done, tuple(rng.shuffled([*facts, *stated])))


def _sample_kinds(rng: Rng, names: Sequence[str]) -> tuple[dict[str, int], list[Fact]]:
    """Kinds within kinds, some with two names, and one statement in three of two kinds that have nothing in common."""
    members, facts = dict[str, int](), list[Fact]()
    for at, name in enumerate(names):
        above = [kind for kind, bits in members.items() if bits.bit_count() > 2]
        if at < 1 or not above:
            members[name] = _some_of(rng, EVERYTHING, 8)
        elif at > 2 and rng.chance(0.2):
            other = rng.choice(list(members))
            members[name] = members[other]
            facts.append(Fact("same", name, other))
        else:
            # The latest kinds are often the ones divided further, so that chains grow.
            parent = above[-1] if rng.chance(0.5) else rng.choice(above)
            members[name] = _some_of(rng, members[parent], members[parent].bit_count() - rng.integer(1, 2))
            facts.append(Fact("within", name, parent))
    apart = [(one, other) for one, other in combinations(names, 2) if not members[one] & members[other]]
    return members, facts + [Fact("apart", *pair) for pair in rng.sample(apart, len(apart) // 3)]


def _sample_verbs(
    rng: Rng, verbs: Sequence[str], firsts: Mapping[str, int], seconds: Mapping[str, int]
) -> tuple[dict[str, tuple[int, ...]], list[Fact]]:
    """Verbs of which each is done by a whole kind to a whole kind and by others now and then, within an earlier verb or apart from one."""
    done, facts = dict[str, tuple[int, ...]](), list[Fact]()
    for verb in verbs:
        who, what = rng.choice(list(firsts.values())), rng.choice(list(seconds.values()))
        block = [what if who >> at & 1 else 0 for at in range(MEMBERS)]
        objects = tuple(row | (_some_of(rng, EVERYTHING, 3) if rng.chance(0.4) else 0) for row in block)
        if done:
            other = rng.choice(list(done))
            if rng.chance(0.6):
                facts.append(Fact("within", verb, other))
                done = {
                    name: tuple(a | b for a, b in zip(rows, objects)) if _above(facts, verb, name) else rows for name, rows in done.items()
                }
            elif not any(fact.relation == "within" and other in (fact.a, fact.b) for fact in facts):
                facts.append(Fact("apart", verb, other))
                objects = tuple(mine & ~theirs for mine, theirs in zip(objects, done[other]))
        done[verb] = objects
    # Later verbs may have grown into what an earlier one excludes.
    kept = [fact for fact in facts if fact.relation != "apart" or not any(a & b for a, b in zip(done[fact.a], done[fact.b]))]
    return done, kept


def _above(facts: Sequence[Fact], verb: str, other: str) -> bool:
    """Whether a verb is within another by a chain of facts."""
    return verb == other or any(_above(facts, fact.b, other) for fact in facts if fact.relation == "within" and fact.a == verb)


def _some_of(rng: Rng, bits: int, count: int) -> int:
    """At least one and about `count` of these bits."""
    chosen = rng.sample([at for at in range(MEMBERS) if bits >> at & 1], max(1, min(count, bits.bit_count())))
    return sum(1 << at for at in chosen)
