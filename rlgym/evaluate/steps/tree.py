"""Trees of steps, grown by UCT with verified leaves, and what is learned from them: success rates of steps, right responses, preferences, critiques.

A node is a text so far, or in a task of many turns a state of the episode. A new node is played on to the end, and the score of that end counts for it
and for all nodes above it, so that the value of a node is the success rate of the ends below it. From "MedS3: Towards Medical Slow Thinking with
Self-Evolved Soft Dual-sided Process Supervision" and "Advancing Process Verification for Large Language Models via Tree-Based Preference Learning".
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from rlgym.dataset import Session
from rlgym.evaluate.models.base import Message
from rlgym.evaluate.step_texts import step_ends
from rlgym.evaluate.steps.records import StepRecord, StepsError
from rlgym.evaluate.strategies.problem import CONTINUE, Problem, digest
from rlgym.evaluate.strategies.tree_search import Node, next_node, played_on, root_node


@dataclass(frozen=True)
class TreeOptions:
    """How a tree grows.

    nodes        no further node is expanded from so many nodes on
    right_leaves or from so many ended nodes with the full score on
    children     steps sampled in a node
    max_depth    steps after which a text is only played on
    exploration  weight of rarely visited nodes
    margin       difference of values from which on one of two siblings is preferred
    separator    what ends a step of a text
    """

    nodes: int = 60
    right_leaves: int = 4
    children: int = 3
    max_depth: int = 6
    exploration: float = 1.0
    margin: float = 0.25
    separator: str = "\n\n"

    def __post_init__(self) -> None:
        for name in ("nodes", "right_leaves", "children", "max_depth"):
            if getattr(self, name) < 1:
                raise StepsError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not 0 < self.margin <= 1:
            raise StepsError(f"margin must be above 0 and at most 1, got {self.margin}")


@dataclass
class TreeNode:
    """A node: the conversation that it follows, its own text of the assistant, and the ends below it.

    prompt    the conversation before the text
    score     of a node that has ended; None before
    ending    the whole text of the end that was reached from here; empty in a task of many turns
    feedback  what the environment says about the last response of a task of many turns
    state     the state from which a task of many turns is played on
    """

    prompt: tuple[Message, ...]
    text: str
    depth: int = 0
    score: float | None = None
    ending: str = ""
    end_score: float = 0.0
    feedback: str = ""
    state: Node | None = None
    visits: int = 0
    total: float = 0.0
    children: list[TreeNode] = field(default_factory=list)

    @property
    def value(self) -> float:
        """The mean score of the ends below it; 0 without any."""
        return self.total / self.visits if self.visits else 0.0

    def walk(self) -> Iterator[TreeNode]:
        """This node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def paths(self, before: tuple[TreeNode, ...] = ()) -> Iterator[tuple[TreeNode, ...]]:
        """The nodes from here to each node below, this one included."""
        path = (*before, self)
        yield path
        for child in self.children:
            yield from child.paths(path)

    @property
    def solved(self) -> bool:
        """Whether it, or the end that was reached from it, has the full score."""
        return (self.end_score if self.score is None else self.score) == 1.0


class Growth(Protocol):
    """How nodes of a kind of task follow each other."""

    def root(self) -> TreeNode: ...

    async def expand(self, node: TreeNode, number: int) -> TreeNode:
        """The node after a sampled step; `number` tells the steps from one node apart."""
        ...

    async def play_on(self, node: TreeNode) -> tuple[float, str]:
        """The score of the end that is reached from a node, and its whole text."""
        ...


@dataclass(frozen=True)
class TextGrowth:
    """The steps of a text. The endpoint must continue an assistant message and honour `stop`."""

    problem: Problem
    separator: str

    def root(self) -> TreeNode:
        return TreeNode(self.problem.prompt, "")

    async def expand(self, node: TreeNode, number: int) -> TreeNode:
        text, candidate = await self.problem.step(node.text, number, self.separator)
        return TreeNode(node.prompt, text, node.depth + 1, None if candidate is None else candidate.score.value)

    async def play_on(self, node: TreeNode) -> tuple[float, str]:
        messages: list[Message] = [*node.prompt, {"role": "assistant", "content": node.text}]
        candidate = await self.problem.attempt(f"play on {digest(node.text)}", messages, CONTINUE, node.text)
        return candidate.score.value, candidate.text


@dataclass(frozen=True)
class TurnGrowth:
    """The turns of an episode, whose states the environment itself gives."""

    problem: Problem

    def root(self) -> TreeNode:
        start = root_node(self.problem)
        return TreeNode(start.messages, "", state=start)

    async def expand(self, node: TreeNode, number: int) -> TreeNode:
        assert node.state is not None
        after = await next_node(self.problem, node.state, number)
        own = after.messages[len(node.state.messages)]
        score = after.session.score
        return TreeNode(
            node.state.messages,
            str(own["content"]),
            node.depth + 1,
            None if score is None else score.value,
            feedback=after.session.feedback,
            state=after,
        )

    async def play_on(self, node: TreeNode) -> tuple[float, str]:
        assert node.state is not None
        return (await played_on(self.problem, node.state, 0)).score.value, ""


async def grow_tree(growth: Growth, options: TreeOptions) -> TreeNode:
    """The tree of a task. It stops at the limit of nodes or of right ends, or when nothing is left to expand."""
    root, count = growth.root(), 1
    finished: set[int] = set()  # nodes below which nothing is left to expand
    right = 0
    while count < options.nodes and right < options.right_leaves and id(root) not in finished:
        path = [root]
        while path[-1].children:
            open_children = [child for child in path[-1].children if id(child) not in finished]
            visits = path[-1].visits
            path.append(max(open_children, key=lambda child: uct(child, visits, options.exploration)))
        leaf = path[-1]
        found = await asyncio.gather(*(growth.expand(leaf, number) for number in range(options.children)))
        leaf.children = list({child.text: child for child in reversed(found)}.values())[::-1]
        played = [child for child in leaf.children if child.score is None]
        for child, end in zip(played, await asyncio.gather(*(growth.play_on(child) for child in played)), strict=True):
            child.end_score, child.ending = end
        for child in leaf.children:
            outcome = child.end_score if child.score is None else child.score
            for node in (*path, child):
                node.visits += 1
                node.total += outcome
            right += child.score == 1.0
            if child.score is not None or child.depth >= options.max_depth:
                finished.add(id(child))
        count += len(leaf.children)
        for node in reversed(path):
            if all(id(child) in finished for child in node.children):
                finished.add(id(node))
    return root


def uct(child: TreeNode, visits: int, exploration: float) -> float:
    """value + exploration sqrt(ln(visits of the parent) / visits of the child)."""
    return child.value + exploration * math.sqrt(math.log(visits) / child.visits)


def tree_records(row: dict[str, Any], root: TreeNode, separator: str, generator: str = "") -> list[StepRecord]:
    """The ended texts of a tree as labelled steps: the source `rates` has the value of each node, None for steps that are no nodes, and the score last."""
    plain = {name: row[name] for name in ("id", "env", "version", "level", "seed", "knobs")}
    plain |= {"answer_style": json.loads(row["answer_format"])["style"], "generator": generator}
    prompt = Session(row).observation
    records: list[StepRecord] = []
    known: set[str] = set()
    for path in root.paths():
        *_, last = path
        text = (last.ending if last.score is None else last.text).rstrip()
        ends, values = step_ends(text, separator), [node.value for node in path[1:]]
        # A node may have added nothing to its text.
        if text in known or len(values) > len(ends) or not values:
            continue
        known.add(text)
        labels = [*values, *[None] * (len(ends) - len(values))]
        labels[-1] = float(last.solved)
        record = StepRecord(**plain, sample=len(records), prompt=prompt, response=text, right=last.solved, ends=ends, separator=separator)
        records.append(record.with_labels("rates", labels))
    return records


def node_rows(row: dict[str, Any], root: TreeNode) -> list[dict[str, Any]]:
    """Every node with its success rate."""
    return [
        {"id": row["id"], "depth": node.depth, "prompt": list(node.prompt), "text": node.text, "value": node.value, "visits": node.visits}
        for node in root.walk()
        if node.depth
    ]


def preference_rows(row: dict[str, Any], root: TreeNode, margin: float) -> list[dict[str, Any]]:
    """A preference for each pair of siblings whose values differ by the margin, with a critique of the rejected step.

    From "Advancing Process Verification for Large Language Models via Tree-Based Preference Learning" (pairs) and "ReARTeR: Retrieval-Augmented
    Reasoning with Trustworthy Process Rewarding" (critiques, in the words of a template).
    """
    return [
        {
            "id": row["id"],
            "depth": better.depth,
            "prompt": list(better.prompt),
            "chosen": [{"role": "assistant", "content": better.text}],
            "rejected": [{"role": "assistant", "content": worse.text}],
            "chosen_value": better.value,
            "rejected_value": worse.value,
            "critique": critique(better, worse),
        }
        for node in root.walk()
        for better in node.children
        for worse in node.children
        if better.value - worse.value >= margin
    ]


def critique(better: TreeNode, worse: TreeNode) -> str:
    """What is wrong with a step, in words: its success rate beside that of its sibling, and what the environment says."""
    found = f"Of {worse.visits} ways to go on from this step, {worse.total:g} reach the goal"
    beside = f"; of {better.visits} ways to go on from another step at this place, {better.total:g} do."
    said = f" The environment replies: {worse.feedback}" if worse.feedback else ""
    return f"{found}{beside}{said}"


def refinement_row(preference: dict[str, Any]) -> dict[str, Any]:
    """A preference as messages for SFT: the rejected step, its critique, and the chosen step as the refinement."""
    asked: Message = {"role": "user", "content": f"{preference['critique']}\n\nWrite a better step in its place."}
    return {"messages": [*preference["prompt"], *preference["rejected"], asked, *preference["chosen"]]}
