"""Laws on what goes beside a task: explanations are replayed step by step, and pictures are whole and show the task."""

from __future__ import annotations

from itertools import chain, islice
from types import CodeType
from typing import Any
from xml.etree import ElementTree

from rlgym.core.rng import Rng
from rlgym.core.slips import slipped
from rlgym.core.task import Task
from rlgym.episode.play import opening, picture
from rlgym.laws.finding import Effort, Finding
from rlgym.laws.subject import Subject

LEAST_CAUGHT = 0.7
MOST_SEEDS = 52  # where few slips look too little, more are tried
SLIPS = 6  # for each explanation
ACTIVE = {"script", "foreignObject", "iframe", "image", "use", "a", "animate", "set", "style"}


def replayed(subject: Subject, effort: Effort) -> Finding:
    """A replay finds every step of the explanation right, and one with an exchanged number or word wrong, at its place."""
    found = Finding()
    if subject.single is None or subject.single.replay is None:
        return Finding({"replays": False})
    if not found.require(subject.single.explain is not None, "there is a `replay` and no `explain`"):
        return found
    assert subject.single.explain is not None
    found.require(not _asks_explain(subject.single.replay.__code__), "`replay` asks `explain` instead of reading the steps")
    tried, caught, steps_seen = 0, 0, 0
    for i in chain(effort.samples(4, 40), range(40, MOST_SEEDS)):
        if i >= 40 and caught >= LEAST_CAUGHT * tried:
            break
        for level in effort.levels if i < 40 else (0.0, 0.5, 1.0):
            task = subject.task(i, level)
            steps = subject.single.explain(task)
            wrong = subject.single.replay(task, steps)
            where = f"seed {i} level {level}"
            steps_seen += len(steps)
            if not found.require(wrong is None, f"the replay of {where} refuses step {wrong}: {steps[wrong or 0]!r:.90}"):
                continue
            for at, slip in islice(slipped(Rng("slips", subject.name, i, int(level * 100)), steps), SLIPS):
                judged = subject.single.replay(task, slip)
                tried, caught = tried + 1, caught + (judged == at)
                found.require(judged is None or judged >= at, f"the replay of {where} blames step {judged} for a slip in step {at}")
    share = caught / max(tried, 1)
    found.require(tried > 0, "no step holds a number or a word to exchange")
    found.require(
        tried == 0 or share >= LEAST_CAUGHT,
        f"the replay finds {share:.0%} of {tried} exchanged numbers and words, below {LEAST_CAUGHT:.0%}",
    )
    found.measured = {"replays": True, "steps": steps_seen, "slips": tried, "caught": round(share, 3)}
    return found


def _asks_explain(code: CodeType) -> bool:
    return any(name.startswith("explain") for name in code.co_names) or any(
        isinstance(inner, CodeType) and _asks_explain(inner) for inner in code.co_consts
    )


def drawn(subject: Subject, effort: Effort) -> Finding:
    """A picture is well-formed SVG with a view box and nothing active in it, the same each time, and another one for another task."""
    found = Finding()
    if subject.declared.picture is None:
        return Finding({"pictures": False})
    pictures, least = [], 0
    for i in effort.samples(4, 20):
        for level in effort.levels:
            task = subject.task(i, level)
            made = _picture(subject, task)
            where = f"seed {i} level {level}"
            found.require(made == _picture(subject, task), f"two pictures of {where} differ")
            pictures.append((task.prompt, made))
            least = max(least, len(made))
            try:
                root = ElementTree.fromstring(made)
            except ElementTree.ParseError as error:
                found.require(False, f"the picture of {where} is not well-formed: {error}")
                continue
            found.require(root.tag == "{http://www.w3.org/2000/svg}svg" and "viewBox" in root.attrib, f"the picture of {where} is no SVG")
            for element in root.iter():
                tag = element.tag.rpartition("}")[2]
                active = tag in ACTIVE or any(key.lower().startswith("on") or key.endswith("href") for key in element.attrib)
                found.require(not active, f"the picture of {where} holds <{tag}>, which is active or loads something")
    apart = len({made for _, made in pictures}) / len({prompt for prompt, _ in pictures})
    found.require(apart > 0.9, f"only {apart:.0%} of different tasks have different pictures")
    found.measured = {"pictures": True, "drawn": len(pictures), "largest_kB": round(least / 1000, 1)}
    return found


def _picture(subject: Subject, task: Task[Any]) -> str:
    return picture(subject.declared, opening(subject.declared, task, "tag"))
