"""Laws 4, 5 and 7. Nothing but a right answer is paid, and any text at all is judged, soon and without a crash."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rlgym.core.answer import STYLES, Style, wrap
from rlgym.core.rng import Rng
from rlgym.core.score import Outcome, Score
from rlgym.core.task import Task
from rlgym.episode.play import advance, opening
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.subject import LEVELS, Subject, short

GUESSABLE, MOST_GUESSABLE = 0.05, 0.5
MANY = (130, 400)
SLOW_SECONDS = 2.0  # for one verdict on any text, and what a program may use beside: far above what any sound verifier takes

WORDS = """0 1 -1 none None null nan NaN inf -inf 1e400 True yes impossible unknown x a answer correct
any either * .* [] {} () [[]] . , : ? ... …
reward=1 9**9**9**9 {{7*7}} %s%s%s%n ((((1)))) <answer> </answer> \boxed{ ```"""
PHRASES = """I am sure|I am sure this is correct.|The answer is correct|Solution:|Thought process:
Let's solve this problem step by step.
no solution|all of them|yes and no|score: 1.0|a: b|1 2 3 4 5 6 7 8 9|__import__('os').getcwd()|exec('1')|select 1|SELECT NULL"""
JUNK = (
    *("", " ", "\n\n", "a: a\na: b", ", ".join(map(str, range(21)))),
    *WORDS.split(),
    *(phrase for line in PHRASES.split("\n") for phrase in line.split("|")),
    *("\u0661\u0662", "\uff11\uff12", "\u00bd", "\u2460", "\x00\x01\x02", "\ud800"),  # foreign digits, control characters, half a pair
    *("9" * 5000, "1" + "0" * 4000, "(" * 2000, "-" * 500),
)


def unpaid(subject: Subject, effort: Effort) -> Finding:
    """Law 4: junk earns nothing, nor do other tasks' answers, nor any one answer given to every task."""
    found, tried = Finding(), 0
    paid: list[float] = []
    for i in effort.samples(2, 8, share=0.5):
        for level in effort.levels:
            task = subject.task(i, level)
            for response, style in _junk(subject, task):
                ended = subject.play(task, lambda _, said=response: said, style)  # type: ignore[misc]
                value = ended.score.value if ended.score else 0.0
                tried, paid = tried + 1, [*paid, value] if value else paid
                crashed = ended.score is not None and ended.score.outcome is Outcome.ERROR
                found.require(not crashed, f"the verifier raises on {short(response)}: {ended.score and ended.score.reason}")
                # A junk word may happen to be the answer of a small task; `constant` below measures that.
                unearned = value > 0 and not _is_right(subject, task, response)
                found.require(not unearned, f"{short(response)} earns {value:g} for seed {i} at level {level}")
    allowed = MOST_GUESSABLE if subject.declared.guessable else GUESSABLE
    constant, best = _constant(subject, effort, allowed)
    found.require(constant <= allowed, f"the constant answer {short(best)} earns {constant:.3f} on average at the middle level")
    found.measured = {
        "junk_tried": tried,
        "junk_paid": sum(value > 0 for value in paid) if found.broken else 0,
        "junk_paid_in_full": sum(value == 1 for value in paid) if found.broken else 0,
        "constant_answer": round(constant, 4),
        "guessable": subject.declared.guessable,
    }
    return found


def _is_right(subject: Subject, task: Task[Any], response: str) -> bool:
    """Whether a junk response spells the oracle's own answer, so that it is right to pay for it."""
    right = subject.right(task)
    try:
        for style in STYLES:
            if subject.declared.answer.find(response, style):
                return bool(subject.declared.answer.read(response, style) == right)
    except ValueError:
        pass
    return False


def _junk(subject: Subject, task: Task[Any]) -> list[tuple[str, Style]]:
    position = opening(subject.declared, task, "tag")
    out: list[tuple[str, Style]] = [
        (text, "tag") for text in ("", " ", position.observation, "I am sure this is correct.", "<answer></answer>", "<answer>" * 50)
    ]
    out += [(wrap(text, "tag"), "tag") for text in JUNK]
    out += [(wrap(task.prompt[-2000:], "tag"), "tag"), (wrap("I am sure", "boxed"), "boxed"), (wrap("", "fence"), "fence")]
    out.append(("".join(wrap(str(number), "tag") for number in range(50)), "tag"))
    if subject.single:  # the right answer, but among others: a list of guesses is no answer
        right = subject.declared.answer.render(subject.right(task))
        rivals = [subject.declared.answer.render(other) for other in subject.declared.answer.nearby(subject.right(task))]
        if rivals and rivals[0] != right:
            out.append((wrap(rivals[0], "tag") + wrap(right, "tag"), "tag"))
            out.append((wrap(right, "tag") + wrap(rivals[0], "tag"), "tag"))
            out.append((f"It is {right}.", "tag"))
    return out


def _constant(subject: Subject, effort: Effort, allowed: float) -> tuple[float, str]:
    """The mean score of the best constant answer, chosen on some tasks and measured on others.

    One that few tasks put above what is allowed is measured on more and more, so that it is not chance that breaks the law.
    """
    first = [subject.task(i) for i in effort.samples(20, 60, share=0.6)]
    spoken = Counter(_first_words(subject, task) for task in first)
    choices = [text for text, _ in spoken.most_common(3)]
    if options := getattr(subject.declared.answer, "options", ()):
        choices += [subject.says(option) for option in options]
    worst, best = 0.0, ""
    tasks = [subject.task(60 + i) for i in effort.samples(40, 250, share=0.8)]
    for choice in choices + [wrap(text, "tag") for text in ("0", "1", "2", "none")]:
        earned = _mean(subject, tasks, choice)
        for many in MANY:
            if earned > allowed:
                earned = _mean(subject, [subject.task(60 + i) for i in range(many)], choice)
        if earned > worst:
            worst, best = earned, choice
    return worst, best


def _mean(subject: Subject, tasks: Sequence[Task[Any]], response: str) -> float:
    return sum(_value(subject, task, response) for task in tasks) / len(tasks)


def _first_words(subject: Subject, task: Task[Any]) -> str:
    return subject.says(subject.right(task))


def _value(subject: Subject, task: Task[Any], response: str) -> float:
    if subject.single:
        return subject.score(task, response).value
    score = subject.play(task, lambda _: response).score
    return score.value if score else 0.0


def unmistaken(subject: Subject, effort: Effort) -> Finding:
    """Law 5: declared mistakes earn nothing (less than 1 where partial credit is declared), nor do near misses."""
    found, tried, near = Finding(), 0, 0
    most = 1.0 if subject.declared.partial else 0.0
    for i in effort.samples(4, 60):
        for level in LEVELS:
            task = subject.task(i, level)
            where = f"seed {i} level {level}"
            if subject.single is None:
                tried += _mistaken_play(subject, task, found, where)
                continue
            right, wrong = subject.right(task), 0
            for mistake in subject.mistakes(opening(subject.declared, task, "tag")):
                if mistake == right:
                    continue
                score = subject.score(task, subject.says(mistake))
                if score.value == 1.0 and subject.single.answers == "many":
                    continue  # another right answer; `complete` sees to those
                wrong += 1
                found.require(_fails(score, most), f"the mistake {mistake!r:.60} earns {score.value:g} ({score.outcome.value}), {where}")
            found.require(wrong > 0, f"there is no real mistake for {where}")
            tried += wrong
            for other in subject.declared.answer.nearby(right):
                near += 1
                score = subject.score(task, subject.says(other))
                crashed = score.outcome is Outcome.ERROR
                paid = score.value == 1.0 and subject.single.answers != "many" and other != right
                found.require(
                    not crashed and not paid, f"the near miss {other!r:.60} of {right!r:.60} earns {score.value:g}: {score.reason}, {where}"
                )
    found.measured = {"mistakes": tried, "near_misses": near, "paid": found.broken}
    return found


def _fails(score: Score, most: float) -> bool:
    return score.outcome is not Outcome.ERROR and (score.value < most or score.value == 0.0)


def _mistaken_play(subject: Subject, task: Task[Any], found: Finding, where: str) -> int:
    """Play the k-th mistake at every turn; such a player must not win."""
    count = len(subject.mistakes(opening(subject.declared, task, "tag")))
    found.require(count > 0, f"there is no mistake for {where}")
    for k in range(count):

        def policy(position: Any, k: int = k) -> str:
            mistakes = subject.mistakes(position)
            return subject.says(mistakes[min(k, len(mistakes) - 1)]) if mistakes else ""

        score = subject.play(task, policy).score
        found.require(
            score is not None and _fails(score, 1.0 if subject.declared.partial else 0.0),
            f"a player who always makes mistake {k} earns {score.value if score else None}, {where}",
        )
    return count


def total(subject: Subject, effort: Effort) -> Finding:
    """Law 7: any text up to a megabyte is scored, without a crash, soon, and alike in a thread."""
    found, tried, slowest = Finding(), 0, 0.0
    rng = Rng("total", subject.name)
    tasks = [subject.task(i, level) for i in range(2) for level in (0.0, 0.5, 1.0)]
    texts = [*_huge(), *(wrap(text, "tag") for text in JUNK)]
    for i in effort.samples(len(texts) + 20, 500):
        task = tasks[i % len(tasks)]
        right = subject.says(subject.right(task))
        text = texts[i] if i < len(texts) else _mangled(rng, right)
        begun = time.perf_counter()
        position = _one_turn(subject, task, text)
        slowest = max(slowest, time.perf_counter() - begun)
        tried += 1
        crashed = position is not None and position.outcome is Outcome.ERROR
        found.require(not crashed, f"the verifier raises on {short(text)}: {position.reason if position else ''}")
    limits = getattr(subject.declared, "sandbox", None)
    allowed = SLOW_SECONDS + (2 * limits.seconds if limits else 0)
    found.require(slowest < allowed, f"a verdict took {slowest:.2f} s")
    with ThreadPoolExecutor(2) as pool:
        for task in tasks[:3]:
            response = subject.says(subject.right(task))
            here, there = _one_turn(subject, task, response), pool.submit(_one_turn, subject, task, response).result()
            found.require(here == there, "a verdict differs in a worker thread")
    found.measured = {"texts": tried, "crashes": found.broken, "slowest_ms": round(slowest * 1000, 2)}
    return found


def _one_turn(subject: Subject, task: Task[Any], text: str) -> Score | None:
    return advance(subject.declared, opening(subject.declared, task, "tag"), text, "tag").score


def _huge() -> list[str]:
    """Texts of about a million characters, each a trap for readers that are not linear."""
    inside = ("9", "(", "1 ", "a: b\n", "[", "1,", "\n", "x+", "\u00e9", " ", '{"a":', "-", "x^")
    around = ("<answer>", "<answer>x</answer>", "\\boxed{", "```answer\n", '{"name": ', "<tool_call>")
    return [wrap(_million(text), "tag") for text in inside] + [_million(text) for text in around]


def _million(text: str) -> str:
    return text * (1_000_000 // len(text))


def _mangled(rng: Rng, text: str) -> str:
    """A right response with a few characters lost, doubled, swapped or put in."""
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
                letters.insert(at, rng.choice("0123456789-+*/^()[]{}<>,.;:|&!~=_ \n\t\\'\"aZ\u00e9\u221a\u0661\x00"))
            case _:
                other = rng.integer(0, len(letters) - 1)
                letters[at], letters[other] = letters[other], letters[at]
    return "".join(letters)
