"""Rows of made-up runs, for tests."""

import json

import numpy as np

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
DOMAINS = {"sums": "arithmetic", "roads": "graphs", "maze": "graphs", "chess": "games", "guess:with_confidence": "logic"}


def row(task="sums-v1-0-00000000", sample=0, right=True, **given):
    """One row with everything in it."""
    env = given.get("env", task.split("-")[0])
    created = {
        "id": task,
        "env": env,
        "version": 1,
        "domain": DOMAINS.get(env.removesuffix(":shift"), "arithmetic"),
        "kind": "game" if env == "chess" else "environment",
        "split": "main",
        "level": 0.0,
        "seed": 0,
        "sample": sample,
        "value": 1.0 if right else 0.0,
        "outcome": "right" if right else "wrong",
        "reason": "" if right else f"the sum is not {sample + 7}",
        "parts": "{}",
        "right": right,
        "masked": False,
        "answer": "42" if right else str(sample),
        "confidence": None,
        "turns": 1,
        "requests": 1,
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "seconds": 0.5,
        "cost": None,
        "finish_reason": "stop",
        "error": None,
        "messages": json.dumps([{"role": "user", "content": "6 x 7?"}, {"role": "assistant", "content": "<answer>42</answer>"}]),
        "difficulty": 1.0,
    }
    return created | given


def run(rows, samples=None, label="made", tasks=None, finished="2026-01-02T00:00:00Z", suite="made", digest="0" * 64):
    """The run.json that goes with rows."""
    ids = {row["id"] for row in rows}
    return {
        "format": 1,
        "label": label,
        "suite": {"name": suite, "hash": digest, "tasks": len(ids) if tasks is None else tasks},
        "model": {"kind": "oracle", "name": f"{label} model"},
        "sampling": {
            "samples": samples or 1 + max(row["sample"] for row in rows),
            "temperature": 1.0,
            "top_p": 1.0,
            "max_tokens": 512,
            "seed": 0,
        },
        "tools": "text",
        "prices": {"prompt": None, "completion": None},
        "rlgym": "0.1.0",
        "started": "2026-01-01T00:00:00Z",
        "finished": finished,
    }


def many(seed=0, tasks=8, samples=4, skill=0.0, levels=LEVELS, envs=tuple(DOMAINS), shift=("sums",), masked=0.02):
    """A run whose tasks get harder with level, and in which a task's own difficulty spreads."""
    rng, rows = np.random.default_rng(seed), []
    hard = np.random.default_rng(99)
    for split, names in (("main", envs), ("shift", shift)):
        for place, env in enumerate(names):
            for level in levels:
                for number in range(tasks):
                    own = 1.5 - 3 * level - 0.3 * place - (0.8 if split == "shift" else 0) + hard.normal(0, 1.5)
                    rate = 1 / (1 + np.exp(-(own + skill)))
                    name = f"{env}:shift" if split == "shift" else env
                    rows += _samples(rng, name, env, split, level, number, samples, rate, masked)
    return rows


def _samples(rng, name, env, split, level, number, samples, rate, masked):
    rows = []
    for sample in range(samples):
        right, out = bool(rng.random() < rate), bool(rng.random() < masked)
        tokens = int(rng.lognormal(5 + level, 0.5))
        rows.append(
            row(
                f"{name}-v1-{number}-{int(100 * level):08d}",
                sample,
                right and not out,
                env=name,
                domain=DOMAINS[env],
                kind="game" if env == "chess" else "environment",
                split=split,
                level=level,
                masked=out,
                outcome="error" if out else "right" if right else str(rng.choice(["wrong", "unreadable"])),
                error="the sandbox could not start" if out else None,
                answer=None if env == "chess" else "42" if right else str(rng.integers(3)),
                confidence=float(np.clip(rng.normal(0.55 + 0.25 * right, 0.2), 0, 1)) if "confidence" in env else None,
                turns=int(rng.integers(2, 9)) if env == "chess" else 1,
                completion_tokens=tokens,
                cost=tokens * 2e-6,
            )
        )
    return rows
