"""Scorers that need only the standard library, for audits in the sandbox."""

import asyncio
import os
import re
from pathlib import Path

MARKS = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


def last(response):
    found = MARKS.findall(response)
    return found[-1].strip() if found else ""


def exact(response, answer):
    return float(last(response) == answer)


def evaluates(response, answer):
    try:
        return float(eval(last(response), {"__builtins__": {}}) == int(answer))  # noqa: S307  the weakness that the audit must find
    except Exception:
        return 0.0


def runs_shell(response, answer):
    os.system(last(response))
    return exact(response, answer)


def writes_home(response, answer):
    Path("/tmp/left_by_a_scorer").write_text(response)
    return exact(response, answer)


def hangs(response, answer):
    while "(((((" in response:
        pass
    return exact(response, answer)


def eats_memory(response, answer):
    return exact(response, answer) if len(response) < 100_000 else float(len("x" * 10**11))


def nan(response, answer):
    return float("nan") if "3" in response else exact(response, answer)


def batch(prompts, completions, answer, **kwargs):
    return [exact(completion, reference) for completion, reference in zip(completions, answer)]


def mutates(prompts, completions, answer, **kwargs):
    answer.reverse()
    completions.append("")
    return [0.0] * (len(completions) - 1)


def two(first, second):
    return 0.0


number = 3


async def coroutine(response, answer):
    return exact(response, answer)


async def waits(response, answer):
    await asyncio.wait_for(asyncio.Event().wait(), 1)
