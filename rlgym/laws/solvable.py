"""Laws 2, 3 and 6. The oracle is right; every right answer is accepted, in every spelling; a claimed uniqueness holds."""

from __future__ import annotations

from itertools import islice, product

from rlgym.core.answer import STYLES, Answer, Unreadable, wrap
from rlgym.core.config import Config
from rlgym.core.score import Outcome
from rlgym.episode.draw import draw
from rlgym.episode.play import opening, oracle_answer
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.subject import LEVELS, Subject, short


def solvable(subject: Subject, effort: Effort) -> Finding:
    """Law 2: the oracle scores 1 at every level, for every corner of the knobs, in every answer style."""
    found, played, right = Finding(), 0, 0
    for i in effort.samples(4, 60, share=0.6):
        for level in LEVELS:
            style = STYLES[i % 3]
            ended = subject.play(subject.task(i, level), subject.oracle(style), style)
            won = ended.score is not None and ended.score.outcome is Outcome.RIGHT
            played, right = played + 1, right + won
            found.require(won, f"the oracle fails seed {i} at level {level} (style {style}): {ended.score and ended.score.reason}")
    corners = _corners(subject.declared.config)
    for i in effort.samples(1, 3):
        for corner in corners:
            task = draw(subject.name, subject.declared, 100 + i, corner)
            ended = subject.play(task, subject.oracle())
            won = ended.score is not None and ended.score.outcome is Outcome.RIGHT
            played, right = played + 1, right + won
            found.require(won, f"the oracle fails seed {100 + i} with knobs {dict(corner)}: {ended.score and ended.score.reason}")
    found.measured = {"episodes": played, "oracle_accuracy": right / played}
    return found


def _corners(config: type[Config]) -> list[Config]:
    """The defaults, and each knob at one end while the others are at the other."""
    facts = config.knobs()
    easy, hard = {name: fact["easy"] for name, fact in facts.items()}, {name: fact["hard"] for name, fact in facts.items()}
    corners = [{}, *({**easy, name: hard[name]} for name in facts), *({**hard, name: easy[name]} for name in facts)]
    return [config.of(corner) for corner in corners]


def complete(subject: Subject, effort: Effort) -> Finding:
    """Law 3: of a unique solution there is exactly one; of many, all that another search finds are accepted."""
    found = Finding()
    if subject.single is None:
        return Finding({"answers": "played"})
    kind, solutions = subject.single.answers, subject.single.solutions
    if kind == "computed":
        return Finding({"answers": kind})
    if not found.require(solutions is not None, f"answers={kind!r} needs `solutions`, a search by another route"):
        return found
    assert solutions is not None
    counted, several, tasks = 0, 0, 0
    for i in effort.samples(2, 20):
        for level in LEVELS:
            task = subject.task(i, level)
            others = list(islice(solutions(task), 2 if kind == "unique" else 6))
            tasks, counted, several = tasks + 1, counted + len(others), several + (len(others) > 1)
            found.require(bool(others), f"`solutions` finds none for seed {i} at level {level}")
            if kind == "unique":
                found.require(len(others) < 2, f"seed {i} at level {level} has a second solution: {others[-1]!r:.80}")
            for other in others:
                score = subject.score(task, subject.says(other))
                found.require(score.value == 1.0, f"a right answer is refused, seed {i} level {level}: {other!r:.80}: {score.reason}")
    if kind == "many":
        # Tasks with a second right answer may be rare: look further until one is seen.
        for i, level in product(range(60), reversed(LEVELS)):
            if several:
                break
            several += len(list(islice(solutions(subject.task(i, level)), 2))) > 1
        found.require(several > 0, "no task was seen to have two right answers, though answers='many'")
    found.measured = {"answers": kind, "tasks": tasks, "solutions_tried": counted}
    return found


def spelled(subject: Subject, effort: Effort) -> Finding:
    """Law 6: every equivalent spelling of a right answer is read as that answer, and scores 1."""
    found, tried, answer = Finding(), 0, subject.declared.answer
    for i in effort.samples(3, 30):
        for level in LEVELS:
            task = subject.task(i, level)
            right = oracle_answer(subject.declared, opening(subject.declared, task, "tag"))
            for text in answer.variants(right):
                tried += 1
                response = text if type(answer).find is not Answer.find else wrap(text, "tag")
                if subject.single:
                    score = subject.score(task, response)
                    found.require(score.value == 1.0, f"the spelling {short(text)} of {right!r:.60} is refused: {score.reason}")
                    continue
                try:
                    read = answer.read(response, "tag")
                    found.require(read == right, f"the spelling {short(text)} of {right!r:.60} is read as {read!r:.60}")
                except Unreadable as why:
                    found.require(False, f"the spelling {short(text)} of {right!r:.60} is not read: {why}")
    found.measured = {"spellings": tried, "accepted": 1 - found.broken / max(tried, 1)}
    return found
