"""Writes the depth-first search that ends at the oracle's solution, with the dead ends that are asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rlgym.core.answer import Style
from rlgym.core.declare import Environment
from rlgym.core.errors import RecipeError
from rlgym.core.rng import Rng
from rlgym.core.task import Task
from rlgym.dataset.traces.options import TraceOptions
from rlgym.dataset.traces.searches import SEARCHES
from rlgym.dataset.traces.tree import Branch, Node, Option, Refutation, Work, refute

NODES_EACH, NODES_ALL = 40, 600
"""How many nodes are looked at to follow one wrong choice, and all of a task."""

LAST_CHECK = "Final check: all that the task asks for holds."


def search_trace(declared: Environment[Any, Any, Any], task: Task[Any], right: Any, options: TraceOptions, rng: Rng) -> list[str] | None:
    """The lines of a search for the answer `right`; None for a task that is not solved by a search, or of an environment without one.

    The search is depth-first. It tries a wrong choice before the right one wherever a dead end is shown, and follows it until all of it has
    failed. Dead ends are chosen at random among those that can be shown within the number asked for, deep ones first.
    """
    assert task.origin is not None
    found = SEARCHES.get(task.origin.name)
    node = found(task.data, right) if found else None
    if node is None:
        return None
    path = list(_path(node))
    shown = _choose_dead_ends(path, options.dead_ends if "backtracking" in options.behaviours else 0, rng)
    lines: list[str] = []
    for place, (branch, choice) in enumerate(path):
        if "subgoals" in options.behaviours:
            lines.append(branch.subgoal)
        for refuted in shown.get(place, ()):
            lines += _refuted_lines(refuted, options)
        lines += _option_lines(choice, options)
    if "checking" in options.behaviours:
        lines.append(LAST_CHECK)
    return rng.shuffled(lines) if options.shuffled else lines


def trace_of_oracle(declared: Environment[Any, Any, Any], task: Task[Any], options: TraceOptions) -> list[str] | None:
    """The search for the oracle's own answer. The task decides which dead ends are shown."""
    origin = task.origin
    assert origin is not None
    rng = Rng("search_trace", origin.name, origin.seed, json.dumps(dict(origin.knobs), sort_keys=True))
    return search_trace(declared, task, declared.solve(task), options, rng)


def final_response(declared: Environment[Any, Any, Any], task: Task[Any], style: Style, options: TraceOptions) -> str | None:
    """A response with a mistake of the environment that scores 0, where wrong answers are asked for; else None."""
    if options.answers == "right":
        return None
    mistakes = declared.mistakes(task, declared.solve(task))
    wrong = next((mistake for mistake in mistakes if declared.verify(task, mistake).value == 0), None)
    if wrong is None:
        raise RecipeError(
            f"a task of {task.origin.name if task.origin else 'an environment'} has no wrong answer to show: leave answers='right'"
        )
    return declared.answer.render_response(wrong, style)


def _path(node: Node) -> Iterator[tuple[Branch, Option]]:
    """The branches from the first node to the solution, each with the choice of the oracle."""
    while not node.solved:
        branch = node.branch()
        choice = next(option for option in branch.options if option.solution)
        yield branch, choice
        assert choice.open is not None
        node = choice.open()


def _choose_dead_ends(path: list[tuple[Branch, Option]], count: int, rng: Rng) -> dict[int, list[Refutation]]:
    """Wrong choices by the place of the path at which they are tried, with at most `count` dead ends in all."""
    if not count:
        return {}
    wrong = rng.shuffled([(place, option) for place, (branch, _) in enumerate(path) for option in branch.options if not option.solution])
    shown: dict[int, list[Refutation]] = {}
    left = NODES_ALL
    for place, option in sorted(wrong, key=lambda item: item[1].open is None):
        work = Work(min(NODES_EACH, left))
        refuted = refute(option, count, work)
        left -= min(NODES_EACH, left) - max(0, work.left)
        if refuted is not None:
            count -= refuted.dead_ends
            shown.setdefault(place, []).append(refuted)
        if not count:
            break
    return shown


def _refuted_lines(refuted: Refutation, options: TraceOptions) -> list[str]:
    if refuted.branch is None:
        return [refuted.option.text, f"Dead end: {refuted.option.dead}", refuted.option.undo]
    lines = _option_lines(refuted.option, options)
    if refuted.tried and "subgoals" in options.behaviours:
        lines.append(refuted.branch.subgoal)
    for each in refuted.tried:
        lines += _refuted_lines(each, options)
    end = f"So {refuted.branch.failed}" if refuted.tried else f"Dead end: {refuted.branch.exhausted}"
    return [*lines, end, refuted.option.undo]


def _option_lines(option: Option, options: TraceOptions) -> list[str]:
    return [option.text, option.check] if "checking" in options.behaviours else [option.text]
