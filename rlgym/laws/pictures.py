"""Pictures are safe SVG and show the task."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from rlgym.core.task import Task
from rlgym.episode.play import render_svg, start_episode
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.margins import exceeds
from rlgym.laws.subject import Subject

TASKS = Samples(least=3, standard=4, certificate=12, programs=3)
MOST_SAME = 0.2
"""The share of different tasks that may have the picture of another one, because a question alone does not change what is drawn. The
margin at 9 pictures is 6, at 60 pictures 22."""
ACTIVE = {"script", "foreignObject", "iframe", "image", "use", "a", "animate", "set", "style"}


def pictures(subject: Subject, effort: Effort) -> Finding:
    """A picture is well-formed SVG with a view box and no active content, the same each time, and another one for another task."""
    if subject.declared.picture is None:
        return Finding({"pictures": False})
    finding, images, largest = Finding(), {}, 0
    for seed, level in subject.sample(TASKS, effort):
        task, location = subject.task(seed, level), f"seed {seed} level {level}"
        svg = _draw(subject, task)
        finding.require(svg == _draw(subject, task), f"two pictures of the same task differ, {location}")
        images[task.prompt] = svg
        largest = max(largest, len(svg))
        _check_svg(svg, finding, location)
    same = len(images) - len(set(images.values()))
    finding.require(not exceeds(same, len(images), MOST_SAME), f"{same} of {len(images)} different tasks have the picture of another one")
    finding.measured = {"pictures": True, "drawn": len(images), "largest_kB": round(largest / 1000, 1)}
    return finding


def _draw(subject: Subject, task: Task[Any]) -> str:
    return render_svg(subject.declared, start_episode(subject.declared, task, "tag"))


def _check_svg(svg: str, finding: Finding, location: str) -> None:
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        finding.require(False, f"the picture is not well-formed, {location}: {error}")
        return
    finding.require(root.tag == "{http://www.w3.org/2000/svg}svg" and "viewBox" in root.attrib, f"the picture is not SVG, {location}")
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        active = tag in ACTIVE or any(key.lower().startswith("on") or key.endswith("href") for key in element.attrib)
        finding.require(not active, f"the picture contains <{tag}>, which is active or loads something, {location}")
