"""Prove or refute a claim by natural logic: find the sentence to start from, and change it into the claim word by word.

Each step replaces a noun, a verb or the first quantifier and has a relation, which depends on where in the sentence the word stands: what is
said of all dogs holds of all spaniels, what is said of some spaniels holds of some dogs. An automaton of three states turns the relations
into a verdict. Many sentences lead to the claim in as few changes, but not as a proof. In the shifted family the sentences are passive.
"""

from collections.abc import Iterator, Sequence
from itertools import count as count_from
from itertools import islice, product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.logic.natural_logic import (
    AUTOMATON,
    QUANTIFIERS,
    REFUTED,
    RELATIONS,
    SUPPORTED,
    VERDICTS,
    Fact,
    Move,
    Sentence,
    all_proofs,
    as_turned,
    change_counts,
    fewest_changes,
    moves,
    positional_claims,
    proof_lengths,
    shortest_proof,
    write_active,
    write_passive,
)
from rlgym.generators.logic.natural_worlds import World, sample_world
from rlgym.generators.text.names import invent
from rlgym.solutions import Derivation, Solution, Step

PARTICIPLES = {
    "feed": "fed",
    "paint": "painted",
    "guard": "guarded",
    "visit": "visited",
    "praise": "praised",
    "follow": "followed",
    "draw": "drawn",
}
START = Step("Start from sentence {number:int}: {sentence}")
WORD = Step("By sentence {number:int}: {sentence} Relation: {relation}. So far: {state}")
FIRST = Step("Another first word: {sentence} Relation: {relation}. So far: {state}")
ANSWER = Words(
    "the number of the sentence to start from; then for each step the number of the sentence used or the new first word, and the relation; "
    "then supported or refuted; all separated by commas, as in 3, 7, weaker, no, exclusive, refuted",
    max_items=60,
    ignore_case=True,
)
MISREAD = 4  # decoys that prove the claim in as few steps if every noun is taken to be after "no", where that proves it from the right sentence too
SLACK = 4  # a decoy has no proof with so many steps more than the proof needs


class Knobs(Config):
    steps: int = knob(5, easy=3, hard=7, beyond=10, doc="steps of the shortest proof")
    kinds: int = knob(6, easy=4, hard=9, beyond=13, doc="kinds of subjects, and as many of objects")
    verbs: int = knob(3, easy=2, hard=5, beyond=7, doc="verbs")
    decoys: int = knob(7, easy=5, hard=10, beyond=18, doc="sentences that lead to the claim by changes that are no proof")


class Data(TaskData):
    facts: tuple[Fact, ...]
    sentences: tuple[Sentence, ...]
    order: tuple[int, ...]  # the number that each fact, then each sentence, has in the prompt
    claim: Sentence
    passive: bool
    steps: int


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, passive=False)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Passive sentences: the quantifier of what is done to has the wider scope."""
    return _sample_task(rng, knobs, passive=True)


def solve(task: Task[Data]) -> tuple[str, ...]:
    at, proof, verdict = _best_proof(task.data)
    return _answer(task.data, at, [(move, move.relation) for move in proof], verdict)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    data = task.data
    starts = {str(data.order[len(data.facts) + at]): sentence for at, sentence in enumerate(data.sentences)}
    if len(answer) < 2 or len(answer) % 2 or answer[-1] not in VERDICTS:
        return Score.wrong("the answer needs a number, two words for each step, and supported or refuted")
    if answer[0] not in starts:
        return Score.wrong(f"sentence {answer[0][:9]} is none to start from")
    sentence, state = starts[answer[0]], SUPPORTED
    for number, (by, relation) in enumerate(zip(answer[1:-1:2], answer[2:-1:2]), 1):
        move = next((move for move in moves(sentence, data.facts) if _by(data, move) == by), None)
        if move is None:
            return Score.wrong(f"step {number} cannot be made with {by[:9]!r}")
        if relation != move.relation or (state, relation) not in AUTOMATON:
            return Score.wrong(f"step {number} has another relation, or one that ends the proof")
        sentence, state = move.sentence, AUTOMATON[state, relation]
    if sentence != data.claim:
        return Score.wrong("the last sentence of the proof is not the claim")
    return Score.exact(state == answer[-1], "the relations lead to the other verdict")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    other = VERDICTS[right[-1] == SUPPORTED]
    decoys = [at for at in range(len(data.sentences)) if str(data.order[len(data.facts) + at]) != right[0]]
    paths = [(at, path) for at in decoys if (path := fewest_changes(data.sentences[at], data.claim, data.facts))]
    wrong = [(*right[:-1], other), (*right[:-3], right[-1]), (right[0], right[-1]), right[:-1]]
    wrong += [(*right[:2], relation, *right[3:]) for relation in RELATIONS if relation != right[2]][:2]
    for at, path in paths[:2]:
        wrong += [_answer(data, at, [(move, move.relation or "weaker") for move in path], verdict) for verdict in VERDICTS]
    return wrong


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(data.steps**2 * (len(data.facts) + len(data.sentences)))


def derive(task: Task[Data]) -> Derivation:
    data = task.data
    at, proof, _ = _best_proof(data)
    yield START(number=data.order[len(data.facts) + at], sentence=_written(data, data.sentences[at]))
    state = SUPPORTED
    for move in proof:
        state = AUTOMATON[state, move.relation]
        facts = {"sentence": _written(data, move.sentence), "relation": move.relation, "state": state}
        yield WORD(number=data.order[move.fact], **facts) if move.fact >= 0 else FIRST(**facts)


def _sample_task(rng: Rng, knobs: Knobs, passive: bool) -> Task[Data]:
    # Refuted claims can be proved with one kind of position, so that they are the fewer.
    verdict = rng.choice((SUPPORTED, SUPPORTED, SUPPORTED, REFUTED))
    for attempt in count_from():
        # Few kinds have no long proofs.
        steps = max(2, min(knobs.steps, knobs.kinds - 1) - attempt // 15)
        nouns, verbs = invent(rng, 2 * knobs.kinds), rng.sample(list(PARTICIPLES), knobs.verbs)
        world = sample_world(rng, nouns[: knobs.kinds], nouns[knobs.kinds :], verbs)
        true = list(world.true_sentences())
        by_form = [[sentence for sentence in true if _form(sentence) == form] for form in product(QUANTIFIERS, ("all", "some"))]
        for start in (rng.choice(starts) for starts in rng.shuffled([*by_form, *by_form]) if starts):
            claims = positional_claims(start, world.facts, steps, verdict)
            if claims and (
                sentences := _add_decoys(rng, max(2, knobs.decoys - attempt // 15), world, true, start, claim := rng.choice(claims))
            ):
                order = tuple(1 + at for at in rng.shuffled(range(len(world.facts) + len(sentences))))
                data = Data(facts=world.facts, sentences=sentences, order=order, claim=claim, passive=passive, steps=steps)
                return Task(_render_prompt(data), data)
    raise AssertionError("unreachable")


def _add_decoys(rng: Rng, count: int, world: World, true: Sequence[Sentence], start: Sentence, claim: Sentence) -> tuple[Sentence, ...]:
    """The sentence that a proof starts from among others that are true and cannot; none where the world has too few of them."""
    provable, changes = proof_lengths(claim, world.facts), change_counts(claim, world.facts)
    near = [
        sentence
        for sentence in true
        if sentence != claim
        and abs(changes.get(sentence, 99) - changes[start]) <= 2
        and provable.get(sentence, (99, ""))[0] > provable[start][0] + SLACK
    ]
    # Neither the form of a sentence nor its distance from the claim may give the right one away, nor may "no" before every noun.
    turned = proof_lengths(claim, world.facts, as_turned)
    alike, misread = (
        [sentence for sentence in near if _form(sentence) == _form(start)],
        [sentence for sentence in near if sentence in turned],
    )
    # Where "no" before every noun proves the claim from the right sentence, it does so as soon from several others.
    if start in turned:
        misread = [sentence for sentence in misread if turned[sentence][0] <= turned[start][0]]
    if len(alike) < 2 or len(misread) < (MISREAD if start in turned else 2) or len(near) < count:
        return ()
    share = count // 2
    wrong = max(share, MISREAD) if start in turned else share
    first = list(dict.fromkeys(rng.sample(misread, min(len(misread), wrong)) + rng.sample(alike, min(len(alike), share))))
    rest = [sentence for sentence in near if sentence not in first]
    decoys = [*first, *rng.sample(rest, min(len(rest), count))][:count]
    return tuple(rng.shuffled([start, *decoys]))


def _form(sentence: Sentence) -> tuple[str, str]:
    return sentence.outer, sentence.inner


def _render_prompt(data: Data) -> str:
    texts = [*map(_fact_text, data.facts), *(_written(data, sentence) for sentence in data.sentences)]
    listed = "\n".join(f"{number}. {text}" for number, text in sorted(zip(data.order, texts)))
    verb = data.claim.verb
    does, done = (f"are {PARTICIPLES[verb]} by", f"is {PARTICIPLES[verb]} by") if data.passive else (verb, f"{verb}s")
    quantifiers = {sentence.inner for sentence in (*data.sentences, data.claim)}  # that of the second kind, which no step changes
    some = f'"All X {does} some Y" says that each X {done} at least one Y, not always the same one; "No X {does} any Y" says that no X {done} even one Y. '
    every = f'"No X {does} all Y" says that no X {done} every Y. '
    forms = f'{some * ("some" in quantifiers)}{every * ("all" in quantifiers)}"Some" means at least one, and there is at least one of every kind.'
    before = "any " * ("some" in quantifiers)
    written = " (a second some is written any after no)" if "some" in quantifiers else ""
    return (
        f"All of these sentences are true:\n\n{listed}\n\n{forms}\n\nClaim: {_written(data, data.claim)}\n\nProve or refute the claim. Start from a listed "
        f"sentence built like the claim, with all, some, {before}or no before each of its two kinds, and change it into the claim step by step. A step "
        "replaces one kind or the verb by another with the help of a "
        f"listed sentence about the two, or replaces the first word (all, some, no) by another of these{written}. Each step has a relation between the "
        "sentence before and the sentence after it, which must follow from the words replaced, whatever else is true:\n"
        "- same: both are true or both are false\n- weaker: if the one before is true, so is the one after, but not always the other way round\n"
        "- stronger: if the one after is true, so is the one before, but not always the other way round\n"
        "- exclusive: they cannot both be true, but can both be false\n"
        "- contradictory: exactly one of them is true\n"
        "A proof begins in the state supported. There, same and weaker leave the state as it is, and exclusive and contradictory lead to refuted. In the state "
        "refuted, same and stronger leave it as it is, and contradictory leads back to supported. Any other step is not allowed, nor is a step without one of "
        "these relations. The state at the claim is the verdict."
    )


def _fact_text(fact: Fact) -> str:
    a, b = fact.a, fact.b
    if a in PARTICIPLES:
        return f"Those who {a} something also {b} it." if fact.relation == "within" else f"Those who {a} something never {b} it."
    return {"within": f"All {a} are {b}.", "same": f"{a.capitalize()} are also called {b}.", "apart": f"No {a} are {b}."}[fact.relation]


def _written(data: Data, sentence: Sentence) -> str:
    return write_passive(sentence, PARTICIPLES) if data.passive else write_active(sentence)


def _by(data: Data, move: Move) -> str:
    """How an answer names a step: the number of its sentence, or the new first word."""
    return str(data.order[move.fact]) if move.fact >= 0 else move.sentence.outer


def _answer(data: Data, at: int, steps: Sequence[tuple[Move, str]], verdict: str) -> tuple[str, ...]:
    words = [word for move, relation in steps for word in (_by(data, move), relation)]
    return (str(data.order[len(data.facts) + at]), *words, verdict)


def _best_proof(data: Data) -> tuple[int, list[Move], str]:
    """The first sentence that has a proof with so many steps, and its shortest proof."""
    for at, sentence in enumerate(data.sentences):
        if found := shortest_proof(sentence, data.claim, data.facts, data.steps):
            return at, *found
    raise ValueError("no sentence proves or refutes the claim")


def _solutions(task: Task[Data]) -> Iterator[tuple[str, ...]]:
    """Proofs found depth first, where `solve` goes breadth first."""
    data = task.data
    for at, sentence in enumerate(data.sentences):
        for proof, verdict in islice(all_proofs(sentence, data.claim, data.facts, data.steps), 10):
            yield _answer(data, at, [(move, move.relation) for move in proof], verdict)


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, shift=shift, solution=Solution(derive, "The proof: {answer}"),
    answers="many", solutions=_solutions,
    shared_helpers="The helper lists the steps that a listed sentence or another first word allows, with their relations; z3 checks the verdicts in a test.",
    concept="After all and no, the noun that follows may be replaced by one for fewer things; after some by one for more; no turns around what follows.",
    version=5,
)  # fmt: skip
