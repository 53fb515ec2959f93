"""Data structures and machines that are run step by step."""

from __future__ import annotations

import itertools
import re
from collections import deque
from itertools import combinations

import networkx

from prompt_solvers.parsing import between, integers, problem
from prompt_solvers.registry import prompt_solver


@prompt_solver("josephus")
def solve_josephus(prompt: str) -> str:
    text = problem(prompt)
    if "Give one possible N" in text:
        wanted = between(text, "The last three to leave are ", ".").split(", then ")
        asked = text.replace("the number N leaves", "the number {} leaves")
        first, last = (int(number) for number in re.findall(r"integer from (\d+) to (\d+)", text)[0])
        plain = asked.replace("Give one possible N", "")
        return next(str(n) for n in range(first, last + 1) if solve_josephus(plain.replace("{}", str(n))).split(" ")[-3:] == wanted)
    people = between(text, "clockwise in this order: ", ".").split(", ")
    number = int(between(text, "Whoever gets the number ", " leaves"))
    grows = re.search(r"the number counted to grows by (\d+)", text)
    turns = "the direction is also reversed" in text or "the direction is reversed" in text
    circle, gone = deque(people), []
    forward = True
    while circle:
        circle.rotate(-(number - 1) if forward else number - 1)
        gone.append(circle.popleft())
        if not forward:
            circle.rotate(1)
        if turns:
            circle.rotate(1 if forward else -1)
            forward = not forward
        number += int(grows[1]) if grows else 0
    return " ".join(gone)


@prompt_solver("banker_safe_order")
def solve_banker_safe_order(prompt: str) -> str:
    text = problem(prompt)
    free = integers(between(text, "Free are (", ")"))
    left = {
        name: (integers(holds), integers(needs))
        for name, holds, needs in re.findall(r"^(\w+): holds \((.*?)\), needs at most \((.*?)\)$", text, re.MULTILINE)
    }
    order = []
    while ready := [name for name, (h, n) in left.items() if all(need - hold <= f for hold, need, f in zip(h, n, free, strict=True))]:
        for name in ready:
            free = [f + hold for f, hold in zip(free, left.pop(name)[0], strict=True)]
            order.append(name)
    return " ".join(["stuck", *left] if left else order)


@prompt_solver("vector_clock_order")
def solve_vector_clock_order(prompt: str) -> str:
    text = problem(prompt)
    graph = networkx.DiGraph()
    for line in re.findall(r"^machine \w+: (.*)$", text, re.MULTILINE):
        names = [part.split()[0] for part in line.split(", ")]
        networkx.add_path(graph, names)
        graph.add_edges_from((sender, receiver) for receiver, sender in re.findall(r"(\w+) receives the message of (\w+)", line))
    question = text.splitlines()[-1]
    asked = list(re.findall(r"\b[a-z]\d+\b", question))
    found = set(graph)
    for name in dict.fromkeys(asked):
        before, behind = networkx.ancestors(graph, name), networkx.descendants(graph, name)
        if "concurrent" in question:
            found &= set(graph) - before - behind - {name}
        elif "happened before" in question:
            found &= before
        else:
            raise ValueError(question)
    return " ".join(sorted(found))


@prompt_solver("tree_centroid")
def solve_tree_centroid(prompt: str) -> str:
    text = problem(prompt)
    size = int(between(text, "A tree with ", " "))
    tree = networkx.Graph((int(a), int(b)) for a, b in re.findall(r"(\d+)-(\d+)", text))
    weights = re.search(r"the weights of vertices 1 to \d+ are ([\d, ]+)", text)
    weight = dict(enumerate(integers(weights[1]), 1)) if weights else dict.fromkeys(range(1, size + 1), 1)

    def centroid(part: networkx.Graph) -> tuple[int, list[int]]:
        best = []
        for v in part:
            rest = part.subgraph(set(part) - {v})
            pieces = sorted((sum(weight[u] for u in piece) for piece in networkx.connected_components(rest)), reverse=True)
            best.append((pieces[0] if pieces else 0, v, pieces))
        return min(best)[1:]

    if "Give the centroid of the tree" in text:
        v, pieces = centroid(tree)
        return ", ".join(map(str, [v, *pieces]))
    parent, waiting = {}, [(tree, 0)]
    while waiting:
        part, above = waiting.pop()
        v, _ = centroid(part)
        parent[v] = above
        waiting += [(part.subgraph(piece), v) for piece in networkx.connected_components(part.subgraph(set(part) - {v}))]
    return ", ".join(str(parent[v]) for v in range(1, size + 1))


@prompt_solver("hamming_code_correct")
def solve_hamming_code_correct(prompt: str) -> str:
    """Tries no wrong bit, then every single one, then pairs, until all checks of a block hold."""
    text = problem(prompt)
    size = int(between(text, "in blocks of ", " bits"))
    message = integers(between(text, "bits at positions ", " are the message").replace(",", " "))
    checks = [integers(line.replace(",", " ")) for line in re.findall(r"^Check \d+: positions (.*?);", text, re.MULTILINE)]
    if "whole block held an even number of ones" in text:
        checks.append(list(range(1, size + 1)))
    wrong = 2 if "At most two bits" in text else 1
    blocks = re.findall(r"^\d+\. ([01]+)$", text, re.MULTILINE)
    if not blocks:
        count = int(re.search(r"The (\d+) blocks were sent interleaved", text)[1])  # type: ignore[index]
        bits = re.sub(r"\s", "", re.search(r"^[01 ]{8,}$", text, re.MULTILINE)[0])  # type: ignore[index]
        blocks = [bits[i::count] for i in range(count)]
    answers = []
    for block in blocks:
        assert len(block) == size
        for number in range(wrong + 1):
            fits = []
            for places in combinations(range(size), number):
                fixed = [int(bit) ^ (i in places) for i, bit in enumerate(block)]
                if not any(sum(fixed[p - 1] for p in check) % 2 for check in checks):
                    fits.append("".join(str(fixed[p - 1]) for p in message))
            if fits:
                answers.append(fits[0] if number < 2 else "lost")
                break
    return " ".join(answers)


@prompt_solver("scheduling_sim")
def solve_scheduling_sim(prompt: str) -> str:
    text = problem(prompt)
    jobs = {int(n): (int(a), d) for n, a, d in re.findall(r"^job (\d+): arrives at (\d+), needs (\d+|\?)$", text, re.MULTILINE)}
    hidden = [name for name, (_, need) in jobs.items() if need == "?"]
    if not hidden:
        done = _finishing_times(text, {name: (arrival, int(need)) for name, (arrival, need) in jobs.items()})
        return ", ".join(str(done[name]) for name in sorted(jobs))
    goals = {int(job): int(time) for job, time in re.findall(r"job (\d+) is finished at time (\d+)", text)}
    most = int(re.findall(r"whole number from 1 to (\d+)", text)[0])
    found = []
    for needs in itertools.product(range(1, most + 1), repeat=len(hidden)):
        known = {name: (arrival, needs[hidden.index(name)] if name in hidden else int(need)) for name, (arrival, need) in jobs.items()}
        done = _finishing_times(text, known)
        if all(done[job] == goal for job, goal in goals.items()):
            found.append(needs)
    (needs,) = found
    return ", ".join(map(str, needs))


def _finishing_times(text: str, jobs: dict[int, tuple[int, int]]) -> dict[int, int]:
    turns = [
        int(turn) for turn in re.findall(r"queue(?: \d)?,? (?:which runs only when queue 1 is empty, )?runs for (\d+) time units?", text)
    ]
    if not turns:
        assert "Jobs run in the order of their arrival, each to its end" in text
    lost = re.search(r"Before a job runs, (\d+) time units? (?:is|are) lost", text)
    left = {name: need for name, (_, need) in jobs.items()}
    coming = deque(sorted(jobs, key=lambda name: (jobs[name][0], name)))
    queues: list[deque[int]] = [deque() for _ in turns or [0]]
    now, last, done = 0, None, dict[int, int]()

    def join(until: int) -> None:
        while coming and jobs[coming[0]][0] <= until:
            queues[0].append(coming.popleft())

    while len(done) < len(jobs):
        join(now)
        level = next((i for i, queue in enumerate(queues) if queue), None)
        if level is None:
            now = jobs[coming[0]][0]
            continue
        name = queues[level].popleft()
        if lost and last not in (None, name):
            now += int(lost[1])
        run = min(turns[level], left[name]) if turns else left[name]
        now, left[name], last = now + run, left[name] - run, name
        join(now)
        if left[name]:
            queues[-1].append(name)
        else:
            done[name] = now
    return done
