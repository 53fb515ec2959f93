"""Counts the environments of other gyms that show the faults which our laws exclude, through their own interface and at their default settings.

    python benchmarks/peer_faults.py reasoning_gym --python VENV/bin/python --out docs/peers/reasoning_gym.json
    python benchmarks/peer_faults.py rlve --source CHECKOUT --python VENV/bin/python --out docs/peers/rlve.json

VENV holds the other gym's requirements. Each environment runs in a process of its own, with a time limit; one that cannot be measured is counted as such.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TASKS = 100  # whose own answers, non-answers and constant answers are scored
SEEDS = 1000  # looked at for repeated tasks
CONSTANTS = 20  # most frequent own answers that are tried as a constant answer, on the other half of the tasks
NON_ANSWERS = ("", " ", "?", "...", "I am sure that I am right.", "answer", "\\boxed{}", "{question}")
EVALUATES = ("eval", "exec", "sympify", "parse_expr")
UPDATES = 5  # of RLVE's difficulty
SECONDS = 240  # of CPU time, for one environment
WALL_SECONDS = 4 * SECONDS


def reasoning_gym_tasks(name: str) -> tuple[Callable[[int], tuple[str, str | None, Any]], Callable[[str, Any], float], str]:
    """(task of a seed: question, own answer, entry), the score of an answer, and the file with the source."""
    import inspect

    import reasoning_gym
    from reasoning_gym.factory import DATASETS

    dataset = reasoning_gym.create_dataset(name, size=10**6, seed=1)

    def task(seed: int) -> tuple[str, str | None, Any]:
        entry = dataset[seed]
        return entry["question"], entry["answer"], entry

    return task, lambda answer, entry: float(dataset.score_answer(answer, entry)), inspect.getsourcefile(DATASETS[name][0]) or ""


def rlve_tasks(name: str) -> tuple[Callable[[int], tuple[str, str | None, Any]], Callable[[str, Any], float], str]:
    """The same for RLVE, after `UPDATES` steps of each environment's own parameter controller."""
    import copy
    import inspect

    _without_torch()
    from Gym.environments import identifier2environment
    from Gym.parameter_controllers import identifier2controller

    rlve_environment = identifier2environment[name]
    controller = identifier2controller[name]()
    for _ in range(UPDATES):
        controller.update()
    parameters = controller.get_parameter_list()

    def task(seed: int) -> tuple[str, str | None, Any]:
        environment = rlve_environment()
        if not environment.generator(seed, copy.deepcopy(parameters[seed % len(parameters)])):
            raise RuntimeError(f"no task for seed {seed}")
        answer = environment.parameter.get("reference_answer")
        return environment.prompt_generator(), None if answer is None else str(answer), environment

    return (
        task,
        lambda answer, environment: float(environment.scorer(f"<answer>{answer}</answer>")),
        inspect.getsourcefile(rlve_environment) or "",
    )


def _without_torch() -> None:
    """RLVE seeds torch, from which none of its environments draws; importing it would take most of the time."""
    import types

    torch, cuda = types.ModuleType("torch"), types.ModuleType("torch.cuda")
    torch.manual_seed = cuda.manual_seed_all = lambda seed: None  # type: ignore[attr-defined]
    torch.cuda = cuda  # type: ignore[attr-defined]
    sys.modules.update({"torch": torch, "torch.cuda": cuda})


MARK = "result: "  # before what a measuring process prints; environments may print other lines
KINDS = {"reasoning_gym": reasoning_gym_tasks, "rlve": rlve_tasks}


def names(kind: str) -> list[str]:
    if kind == "reasoning_gym":
        from reasoning_gym.factory import DATASETS

        return sorted(set(DATASETS) - {"composite"})
    _without_torch()
    from Gym.environments import identifier2environment

    return sorted(identifier2environment)


def evaluates_text(file: str) -> bool:
    """Whether the environment's own file calls one of `EVALUATES`."""
    import ast

    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if called in EVALUATES:
                return True
    return False


def measure(kind: str, name: str) -> dict[str, Any]:
    """What one environment does; runs in the other gym's environment."""
    import collections
    import hashlib

    task, score, file = KINDS[kind](name)

    def paid(answer: str, entry: Any) -> float:
        try:
            return score(answer, entry)
        except Exception:
            return 0.0

    sampled = [task(seed) for seed in range(TASKS)]
    known = [(question, answer, entry) for question, answer, entry in sampled if answer is not None]
    refused, crashes = 0, 0
    for _, answer, entry in known:
        try:
            refused += score(answer, entry) < 1
        except Exception:
            crashes += 1
    junk = [paid(text.replace("{question}", question), entry) for question, _, entry in sampled[:20] for text in NON_ANSWERS]
    frequent = [answer for answer, _ in collections.Counter(answer for _, answer, _ in known[: TASKS // 2]).most_common(CONSTANTS)]
    others = known[TASKS // 2 :]
    constant = (
        max((sum(paid(answer, entry) for _, _, entry in others) / len(others) for answer in frequent), default=0.0) if others else 0.0
    )
    seen = {hashlib.sha256(question.encode()).digest() for question, _, _ in sampled}
    for seed in range(TASKS, SEEDS):
        seen.add(hashlib.sha256(task(seed)[0].encode()).digest())
    return {
        "own_answers": len(known),
        "own_answer_refused": refused + crashes,
        "junk_paid": max(junk),
        "evaluates_text": evaluates_text(file),
        "repeats": 1 - len(seen) / SEEDS,
        "constant_answer": constant,
        "fingerprint": hashlib.sha256("".join(question for question, _, _ in sampled[:10]).encode()).hexdigest(),
    }


def table(measured: dict[str, dict[str, Any]]) -> dict[str, int]:
    """How many environments show each fault."""
    rows = list(measured.values())
    complete = [row for row in rows if "error" not in row]
    return {
        "environments": len(rows),
        "measured": len(complete),
        "do not give their own answer full reward": sum(row["own_answer_refused"] > 0 for row in complete),
        "pay something for a non-answer": sum(row["junk_paid"] > 0 for row in complete),
        "pay full reward for a non-answer": sum(row["junk_paid"] >= 1 for row in complete),
        "run text through eval or its like": sum(row["evaluates_text"] for row in complete),
        "repeat more than 5 % of tasks within 1,000 seeds": sum(row["repeats"] > 0.05 for row in complete),
        "pay one constant answer more than 0.2 on average": sum(row["constant_answer"] > 0.2 for row in complete),
        "change with the hash seed": sum(row["hash_seed_changes"] for row in complete),
    }


def one(arguments: argparse.Namespace, name: str) -> dict[str, Any]:
    """Measures an environment in two processes with different hash seeds."""
    results: list[dict[str, Any]] = []
    for hash_seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": arguments.source or ""}
        command = [arguments.python, __file__, arguments.kind, "--measure", name, *(["--quick"] if results else [])]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=WALL_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return {"error": f"took more than {WALL_SECONDS} s"}
        if done.returncode == -signal.SIGXCPU:
            return {"error": f"took more than {SECONDS} s of CPU time"}
        answers = [line.removeprefix(MARK) for line in done.stdout.splitlines() if line.startswith(MARK)]
        if done.returncode or not answers:
            return {"error": done.stderr.strip().splitlines()[-1][:200] if done.stderr.strip() else "no message"}
        results.append(json.loads(answers[-1]))
    return {**results[0], "hash_seed_changes": results[0]["fingerprint"] != results[1]["fingerprint"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--source", help="a checkout, for a gym that is not a package")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--names", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.names:
        print(MARK + json.dumps(names(arguments.kind)))
        return
    if arguments.measure:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 10))
        if arguments.quick:
            import hashlib

            task, _, _ = KINDS[arguments.kind](arguments.measure)
            print(MARK + json.dumps({"fingerprint": hashlib.sha256("".join(task(seed)[0] for seed in range(10)).encode()).hexdigest()}))
        else:
            print(MARK + json.dumps(measure(arguments.kind, arguments.measure)))
        return
    listed = subprocess.run(
        [arguments.python, __file__, arguments.kind, "--names"],
        env={**os.environ, "PYTHONPATH": arguments.source or ""}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    wanted = json.loads(listed.stdout.rpartition(MARK)[2])
    kept = arguments.out.with_suffix(".partial") if arguments.out else None  # a measurement that was interrupted resumes here
    measured: dict[str, dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8")) if kept and kept.exists() else {}
    todo = [name for name in wanted if name not in measured]
    with ThreadPoolExecutor(arguments.workers) as pool:
        for name, row in zip(todo, pool.map(lambda name: one(arguments, name), todo), strict=True):
            measured[name] = row
            if kept:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(measured), encoding="utf-8")
    measured = {name: measured[name] for name in wanted}
    if kept:
        kept.unlink(missing_ok=True)
    result = {"gym": arguments.kind, "table": table(measured), "environments": measured}
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result["table"], indent=1))


if __name__ == "__main__":
    main()
