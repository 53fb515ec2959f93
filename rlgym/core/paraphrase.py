"""Prompts in other words: another frame around the task, and other verbs."""

from __future__ import annotations

import re

from rlgym.core.rng import Rng

_FRAMES = (
    "{task}",
    "Here is a problem for you.\n\n{task}",
    "Please work on the following.\n\n{task}",
    "A colleague needs the answer to this:\n\n{task}\n\nTake the time that you need.",
    "Read all of this before you begin.\n\n{task}",
    "TASK\n====\n{task}",
    "### Problem\n\n{task}\n\n### What to do\n\nSolve it.",
    "> The text below is the whole problem; nothing is missing.\n\n{task}",
    "You are asked to solve one problem. It is this:\n\n{task}\n\nThat is all.",
    "[exercise]\n{task}\n[/exercise]",
    "I have been stuck on this for a while, can you help?\n\n{task}",
    "Question from a quiz:\n\n{task}",
    "The following was set as homework.\n\n{task}\n\nShow your reasoning if it helps you.",
    "Consider this carefully, step by step.\n\n{task}",
    "Solve:\n\n{task}",
    "Your next problem:\n\n{task}\n\n(There are no tricks in the wording.)",
)
_WORDS = {
    "Find": ("Determine", "Work out"), "Give": ("State", "Write down"), "Compute": ("Calculate", "Work out"), "Determine": ("Find", "Work out"),
    "Write": ("Put down",), "Fill": ("Complete",), "Decode": ("Decipher",), "Calculate": ("Compute", "Work out"),
}  # fmt: skip
_VERB = re.compile(rf"(?:(?<=\n)|(?<=[.?] )|^)({'|'.join(_WORDS)})(?= (?:the|a|an|all|its|their|each|one|any)\b)")


def paraphrase(rng: Rng, prompt: str) -> str:
    """A prompt in another frame and with other verbs."""
    text = _VERB.sub(lambda match: rng.choice((*_WORDS[match[1]], match[1])), prompt)
    return rng.choice(_FRAMES[1:]).format(task=text)
