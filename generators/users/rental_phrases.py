"""What people say who want to rent a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rlgym.core.rng import Rng


class Job(NamedTuple):
    """What somebody wants to do: the words for it, what its size is called, its unit, and the sizes that occur."""

    words: Sequence[str]
    noun: str
    unit: str
    sizes: tuple[int, int]


JOBS: Mapping[str, Job] = {
    "digging": Job(("I want to dig a trench.", "I have to lay a pipe in my garden.", "A pond is to be dug."), "A depth", "cm", (60, 240)),
    "lifting": Job(("I must get up to my roof gutter.", "I want to paint the front of my house.", "I must clean high windows."), "A height", "metres", (4, 16)),
    "cutting": Job(("I want to saw up a tree.", "There are logs to be cut.", "I have to cut thick beams."), "A thickness", "cm", (10, 70)),
}  # fmt: skip


def opening(rng: Rng, name: str, job: str) -> str:
    return f"{rng.choice((f'This is {name}.', f'{name} here.'))} {rng.choice(JOBS[job].words)}"


def brief(rng: Rng, words: str) -> str:
    said = rng.choice(("{}.", "I would say {}.", "It is {}.")).format(words)
    return said[:1].upper() + said[1:]


def answer(rng: Rng, pays: bool) -> str:
    if pays:
        return rng.choice(("All right, it is a deal.", "Yes, that is fine.", "Agreed."))
    return rng.choice(("No, that is too dear.", "Too much. Can you do better?", "I will not pay that."))
