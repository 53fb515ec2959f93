"""Reads a million mutated answers with the answer formats of all environments: no crash, and no time that grows faster than the text.

    python benchmarks/fuzz_answers.py [--texts 1000000] [--seed 1] [--long 20000] [--json FILE]

Each text starts as an oracle's answer (or that of another environment) and goes through one to six mutations: layout signs inserted, parts
deleted, doubled, swapped or replaced, digits and letters of other scripts, several answers joined. A format must return readings or raise
Unreadable. Then fragments of mutated texts are repeated to `--long` characters and to eight times as many, and the times are compared.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rlgym
from rlgym.core.answer import Answer, Unreadable, wrap
from rlgym.core.rng import Rng
from rlgym.laws.subject import Subject

SIGNS = (
    "```",
    "```python\n",
    "**",
    "`",
    "$",
    "$$",
    "\\boxed{",
    "\\text{",
    "\\(",
    "\\)",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "x = ",
    "answer: ",
    " and ",
)
SIGNS += (
    ", ",
    ";",
    "\n",
    "\n\n",
    ".",
    "- ",
    "1. ",
    "\u2212",
    "\u00d7",
    " minutes",
    "7",
    "a",
    "%",
    "/",
    "^",
    "e9",
    "0" * 40,
    "|",
    "---",
    "<b>",
    "</answer>",
)
SIGNS += (
    "<answer>",
    "\ud800",
    "\u0000",
    "\u200b",
    "\u202e",
    "\uff17",
    "\u0661",
    "\u00b2",
    "\u00bd",
    "'",
    '"',
    "\\",
    "\t",
    "~",
    "!",
    "->",
    "not ",
    "-",
    "= ",
    " ≈ ",
    "\\approx",
    "[2, 3]",
    "|---|",
)
GROWTH = 8
MOST_GROWTH = 30.0
"""How many times as long an eight times longer text may take: linear time gives 8 and noise, quadratic time 64."""


@dataclass
class Format:
    """The answer format of an environment, with what its oracle answers."""

    name: str
    answer: Answer[Any]
    prompts: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


@dataclass
class Report:
    """What a run found."""

    texts: int = 0
    read: int = 0
    crashes: list[dict[str, str]] = field(default_factory=list)
    slow: list[dict[str, Any]] = field(default_factory=list)


def formats(names: list[str]) -> Iterator[Format]:
    """The formats of the single-turn environments, with a few oracle answers of three levels."""
    for name in names:
        subject = Subject(name, rlgym.environment(name), "")
        if subject.single is None:
            continue
        found = Format(name, subject.single.answer)
        for seed, level in ((1, 0.0), (2, 0.5), (3, 0.5)):
            task = subject.task(seed, level)
            found.prompts.append(task.prompt)
            found.texts.append(subject.single.answer.render(subject.right(task)))
        yield found


def mutated(text: str, others: list[str], rng: Rng) -> str:
    """A text after one to six random changes."""
    for _ in range(rng.integer(1, 6)):
        start, end = sorted((rng.integer(0, len(text)), rng.integer(0, len(text))))
        part = text[start : min(end, start + 200)]
        change = rng.integer(0, 6)
        if change == 0:
            text = text[:start] + rng.choice(SIGNS) + text[start:]
        elif change == 1:
            text = text[:start] + text[start + len(part) :]
        elif change == 2:
            text = text[:start] + part * rng.integer(2, 4) + text[start:]
        elif change == 3:
            sign = rng.choice(SIGNS)
            text = text[:start] + sign + part + sign[::-1] + text[start + len(part) :]
        elif change == 4:
            text = text[:start] + "".join(chr(rng.choice((rng.integer(32, 126), rng.integer(0, 0x2FFE)))) for _ in part[:20]) + text[end:]
        elif change == 5:
            text = text + rng.choice((", ", "\n", " ", " = ", " or ")) + rng.choice(others)[:2000]
        else:
            text = text[end:] + text[start:end] + text[:start]
    return text[:20_000]


def crash(answer: Answer[Any], text: str, prompt: str) -> str | None:
    """The name of an error other than Unreadable, an empty text where the text was refused, None where it was read."""
    try:
        answer.readings(wrap(text, "tag"), "tag", prompt)
    except Unreadable:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def seconds(answer: Answer[Any], text: str, prompt: str, times: int) -> float:
    """The least processor time of several readings."""
    found = []
    for _ in range(times):
        begun = time.process_time()
        crash(answer, text, prompt)
        found.append(time.process_time() - begun)
    return min(found)


def fuzz(names: list[str], texts: int, seed: int, long: int) -> Report:
    """Reads `texts` mutated answers, and two long texts for each fragment of a sample."""
    rng, report = Rng(seed), Report()
    found = list(formats(names))
    others = [text for each in found for text in each.texts]
    share = -(-texts // len(found))
    for each in found:
        for number in range(share):
            text = mutated(rng.choice(each.texts) if number % 8 else rng.choice(others), others, rng)
            why = crash(each.answer, text, rng.choice(each.prompts))
            report.texts += 1
            report.read += why is None
            if why:
                report.crashes.append({"name": each.name, "error": why, "text": text})
        if long:
            report.slow += list(growing(each, others, rng, long))
    return report


def growing(found: Format, others: list[str], rng: Rng, long: int) -> Iterator[dict[str, Any]]:
    """Fragments for which an eight times longer text takes far more than eight times as long."""
    for number in range(12):
        fragment = rng.choice(SIGNS) if number % 3 == 0 else mutated(rng.choice(found.texts), others, rng)[:300] or "a"
        texts = [(fragment * (length // len(fragment) + 1))[:length] for length in (long, GROWTH * long)]
        prompt = found.prompts[0]
        gc.disable()
        try:
            short, longer = seconds(found.answer, texts[0], prompt, 2), seconds(found.answer, texts[1], prompt, 1)
            if longer > MOST_GROWTH * max(short, 0.002):
                longer = seconds(found.answer, texts[1], prompt, 2)
                short = seconds(found.answer, texts[0], prompt, 3)
        finally:
            gc.enable()
        if longer > MOST_GROWTH * max(short, 0.002):
            yield {"name": found.name, "fragment": fragment, "short": round(short, 4), "long": round(longer, 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long", type=int, default=20_000, help="length of the shorter of two long texts, 0 for none")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    names = [name for name in rlgym.names() if rlgym.environment(name).kind == "environment"]
    begun = time.process_time()
    report = fuzz(names, arguments.texts, arguments.seed, arguments.long)
    print(f"{report.texts} texts, {report.read} read, {len(report.crashes)} crashes, {len(report.slow)} slow fragments")
    print(f"{time.process_time() - begun:.0f} s of processor time")
    for row in [*report.crashes, *report.slow][:60]:
        print(json.dumps(row)[:400])
    if arguments.json:
        arguments.json.write_text(json.dumps({"texts": report.texts, "read": report.read, "crashes": report.crashes, "slow": report.slow}))


if __name__ == "__main__":
    main()
