"""Responses that deserve no reward: empty and constant texts, the prompt itself, lists of guesses, attempts at injection."""

from __future__ import annotations

from typing import Any

from rlgym.core.answer import Style, wrap
from rlgym.core.task import Task
from rlgym.episode.play import start_episode
from rlgym.laws.subject import Subject

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
"""Texts that no task has as its answer, except by chance a small number or a common word."""


def junk_responses(subject: Subject, task: Task[Any]) -> list[tuple[str, Style]]:
    """The junk responses to a task, each with the answer style in which it is read."""
    position = start_episode(subject.declared, task, "tag")
    bare = ("", " ", position.observation, "I am sure this is correct.", "<answer></answer>", "<answer>" * 50)
    responses: list[tuple[str, Style]] = [(text, "tag") for text in bare]
    responses += [(wrap(text, "tag"), "tag") for text in JUNK]
    responses += [(wrap(task.prompt[-2000:], "tag"), "tag"), (wrap("I am sure", "boxed"), "boxed"), (wrap("", "fence"), "fence")]
    responses.append(("".join(wrap(str(number), "tag") for number in range(50)), "tag"))
    return [*responses, *_hedged_responses(subject, task)]


def _hedged_responses(subject: Subject, task: Task[Any]) -> list[tuple[str, Style]]:
    """The right answer among others, or outside the marks: a list of guesses is not an answer."""
    if subject.single is None:
        return []
    right = subject.right(task)
    written = subject.declared.answer.render(right)
    rivals = [subject.declared.answer.render(other) for other in subject.declared.answer.near_misses(right)]
    if not rivals or rivals[0] == written:
        return []
    marked, rival = wrap(written, "tag"), wrap(rivals[0], "tag")
    return [(rival + marked, "tag"), (marked + rival, "tag"), (f"It is {written}.", "tag")]
