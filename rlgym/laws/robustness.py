"""Any text is scored without an exception, in bounded time, and identically across threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from rlgym.core.answer import wrap
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Task
from rlgym.episode.play import advance, start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.junk import JUNK
from rlgym.laws.reference import cpu_seconds, reference_seconds
from rlgym.laws.subject import Subject, short

MANGLED = Samples(least=12, standard=100, certificate=300, programs=3)
HUGE = Samples(least=20_000, quick=250_000, standard=1_000_000, certificate=1_000_000)
"""Characters of the longest texts."""
THREADED_TASKS = 3
MOST_UNITS = 2000.0
"""For one verdict on any text, in reference loops of about a millisecond: far above what any sound verifier takes on a megabyte."""
SURELY_FAST = 0.1
"""Seconds of a verdict that are within the limit on any machine: nowhere does the reference loop take less than 0.05 ms."""
_INSERTED = "0123456789-+*/^()[]{}<>,.;:|&!~=_ \n\t\\'\"aZ\u00e9\u221a\u0661\x00"


def robustness(subject: Subject, effort: Effort) -> Finding:
    """Texts of up to a megabyte, mangled right answers and junk are scored without an exception and in bounded time."""
    finding, rng = Finding(), Rng("robustness", subject.name)
    tasks = [subject.task(seed, level) for seed, level in [(1, 0.5), *((1, level) for level in subject.levels(effort) if level != 0.5)]]
    texts = [*_huge(HUGE.at(effort))]
    if not effort.is_small or not subject.runs_programs:  # there no_free_reward runs the junk, which takes long
        texts += [wrap(text, "tag") for text in JUNK]
    slowest = 0.0
    mangled = MANGLED.at(effort, subject.runs_programs)
    for i in range(len(texts) + mangled):
        task = tasks[i % len(tasks)]
        text = texts[i] if i < len(texts) else _mangle(rng, subject.write(subject.right(task)))
        seconds, score = _timed_turn(subject, task, text)
        slowest = max(slowest, seconds)
        crashed = score is not None and score.outcome is Outcome.ERROR
        finding.require(not crashed, f"the verifier raises on {short(text)}: {score.reason if score else ''}")
    crashes = finding.broken
    if slowest > SURELY_FAST:
        unit = reference_seconds()
        finding.require(slowest <= MOST_UNITS * unit, f"a verdict took {slowest:.2f} s of CPU time, {slowest / unit:.0f} reference units")
    _require_same_in_threads(subject, tasks[:THREADED_TASKS], finding)
    finding.measured = {"texts": len(texts) + mangled, "crashes": crashes, "slowest_ms": round(slowest * 1000, 2)}
    return finding


def _timed_turn(subject: Subject, task: Task[Any], text: str) -> tuple[float, Score | None]:
    """CPU seconds of this process for one turn, and its score. The sandbox limits the time of programs itself."""
    scores: list[Score | None] = []
    return cpu_seconds(lambda: scores.append(_turn(subject, task, text))), scores[0]


def _turn(subject: Subject, task: Task[Any], text: str) -> Score | None:
    return advance(subject.declared, start_episode(subject.declared, task, "tag"), text, "tag").score


def _require_same_in_threads(subject: Subject, tasks: list[Task[Any]], finding: Finding) -> None:
    with ThreadPoolExecutor(2) as pool:
        for task in tasks:
            response = subject.write(subject.right(task))
            expected, actual = _turn(subject, task, response), pool.submit(_turn, subject, task, response).result()
            finding.require(expected == actual, f"a verdict differs in a worker thread, seed {task.origin.seed if task.origin else None}")


@cache
def _huge(length: int) -> tuple[str, ...]:
    """Texts of about this many characters, each a trap for a parser that is not linear."""
    inside = ("9", "(", "1 ", "a: b\n", "[", "1,", "\n", "x+", "\u00e9", " ", '{"a":', "-", "x^")
    around = ("<answer>", "<answer>x</answer>", "\\boxed{", "```answer\n", '{"name": ', "<tool_call>")
    return (*(wrap(text * (length // len(text)), "tag") for text in inside), *(text * (length // len(text)) for text in around))


def _mangle(rng: Rng, text: str) -> str:
    """A right response with a few characters deleted, doubled, inserted or swapped."""
    letters = list(text)
    for _ in range(rng.integer(1, 6)):
        if not letters:
            break
        at = rng.integer(0, len(letters) - 1)
        match rng.integer(0, 3):
            case 0:
                del letters[at]
            case 1:
                letters.insert(at, letters[at])
            case 2:
                letters.insert(at, rng.choice(_INSERTED))
            case _:
                other = rng.integer(0, len(letters) - 1)
                letters[at], letters[other] = letters[other], letters[at]
    return "".join(letters)
