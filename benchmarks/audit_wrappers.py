"""The subjects of benchmarks/audit_subjects.py as reward functions. Nothing is copied: each calls its package, where it is installed."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import importlib.util
import io
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any


def regular_expression(response: str, answer: str) -> float:
    """Seven lines as found in many tutorials: the last number of the response."""
    numbers = re.findall(r"-?\d+\.?\d*", response)
    return 1.0 if numbers and numbers[-1] == answer else 0.0


def exact_match(response: str, answer: str) -> float:
    """The rule of the `Match` class of OpenAI's evals: the sampled text starts with the reference answer."""
    return float(response.strip().startswith(answer))


def math_verify(response: str, answer: str) -> float:
    """math-verify with its default extraction, the reference answer in a box."""
    from math_verify import parse, verify

    return float(verify(parse(f"\\boxed{{{answer}}}"), parse(response)))


def reasoning_gym(response: str, answer: str) -> float:
    """The default `score_answer` of reasoning-gym's data sets, after its own `extract_answer`."""
    from reasoning_gym.utils import extract_answer

    return float(_dataset().score_answer(extract_answer(response), {"answer": answer, "metadata": {}}))


@functools.cache
def _dataset() -> Any:
    import reasoning_gym

    return reasoning_gym.create_dataset("gcd", size=1, seed=0)  # which inherits the default scorer


def verl_gsm8k(solution_str: str, ground_truth: str) -> float:
    """verl's scorer of GSM8K."""
    return float(_verl("gsm8k").compute_score(solution_str, ground_truth))


def verl_math(solution_str: str, ground_truth: str) -> float:
    """verl's scorer of MATH."""
    return float(_verl("math_reward").compute_score(solution_str, ground_truth))


def verl_dapo(solution_str: str, ground_truth: str) -> Any:
    """verl's scorer of the DAPO recipe; rewards are -1 and 1."""
    return _verl("math_dapo").compute_score(solution_str, ground_truth)


def verl_geo3k(predict_str: str, ground_truth: str) -> float:
    """verl's scorer of Geometry3K, which needs mathruler."""
    return float(_verl("geo3k").compute_score(predict_str, ground_truth))


def verl_search_r1(solution_str: str, ground_truth: str) -> float:
    """verl's exact match of Search-R1. It prints some of its calls."""
    with contextlib.redirect_stdout(io.StringIO()):
        return float(_verl("search_r1_like_qa_em").compute_score(solution_str, {"target": [ground_truth]}))


def verl_search_r1_substring(solution_str: str, ground_truth: str) -> float:
    """verl's exact match of substrings of Search-R1."""
    with contextlib.redirect_stdout(io.StringIO()):
        return float(_verl("search_r1_like_qa_em").compute_score_subem(solution_str, {"target": [ground_truth]}))


@functools.cache
def _verl(name: str) -> ModuleType:
    """A module of verl's reward scores, loaded from its file, since importing the package needs Ray and torch."""
    file = importlib.metadata.distribution("verl").locate_file(f"verl/utils/reward_score/{name}.py")
    spec = importlib.util.spec_from_file_location(f"verl_{name}", str(file))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ours(response: str, answer: str) -> float:
    """One `<answer>` tag, or several that agree, compared by `rlgym.answers.maths.equivalent`."""
    from rlgym.answers.maths import equivalent

    texts = dict.fromkeys(text.strip() for text in re.findall(r"<answer>(.*?)</answer>", response, re.DOTALL))
    return float(len(texts) == 1 and equivalent(answer, next(iter(texts))))


SUBJECTS: dict[str, tuple[Callable[..., Any], str, tuple[float, float]]] = {
    "math-verify": (math_verify, "math-verify", (0.0, 1.0)),
    "verl, gsm8k": (verl_gsm8k, "verl", (0.0, 1.0)),
    "verl, math_reward": (verl_math, "verl", (0.0, 1.0)),
    "verl, math_dapo": (verl_dapo, "verl", (-1.0, 1.0)),
    "verl, geo3k": (verl_geo3k, "verl", (0.0, 1.0)),
    "verl, search_r1_like_qa_em": (verl_search_r1, "verl", (0.0, 1.0)),
    "verl, search_r1_like_qa_em, substrings": (verl_search_r1_substring, "verl", (0.0, 1.0)),
    "reasoning-gym, default score_answer": (reasoning_gym, "reasoning-gym", (0.0, 1.0)),
    "exact match as in OpenAI's evals": (exact_match, "", (0.0, 1.0)),
    "last number by a regular expression": (regular_expression, "", (0.0, 1.0)),
    "rlgym.answers.maths.equivalent": (ours, "rlvrgym", (0.0, 1.0)),
}
"""The function, the distribution that it needs, and its range of rewards, by name."""
