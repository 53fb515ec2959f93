"""Measures how reliably equal and unequal answers are distinguished: ours and math-verify's, on generated pairs and on math-verify's own test cases.

    python benchmarks/equivalence.py [--count 3000] [--cases math_verify's source folder] [--json FILE]

math-verify is measured if it is installed next to rlgym. Its cases come with its source package: `pip download --no-deps --no-binary :all:
math-verify`, unpacked.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rlgym import answers
from rlgym.answers import maths, trees
from rlgym.answers.maths.found import final_answer
from rlgym.audit.spellings import MATHS, pairs

Judge = Callable[[str, str], bool]
NOT_EQUAL_ANSWERS = {
    ("$9$", "Answer $ \n 9 \n $"): "a rule about where a formula may stand, not about the answer, which is 9",
    ("$9$", "Answer \\( \n 9 \n \\)"): "the same",
    ("$x \\in [-2,7]$", "$-2 \\\\le x \\\\le 7$"): "an option by which two equal sets are not to be compared",
    ("$f(x)$", "$f(y)$"): "an option by which names do not matter; without it they do",
    ("$1 - \\frac{1}{\\mathrm{e}}$", "$1 + \\frac{1}{\\mathrm{e}}$"): "labelled equal, and is not",
}


def typed(kind: str) -> Judge:
    """The comparison with the answer format of a type, as an environment would ask for it."""
    functions = ("sin", "cos", "tan", "exp", "ln", "sqrt")
    generators = {
        "integers": lambda: (answers.Integer(), lambda a, b: a == b),
        "fractions": lambda: (answers.Expression((), ()), trees.same),
        "surds": lambda: (answers.Expression((), ("sqrt",)), trees.same),
        "intervals": lambda: (answers.Intervals(), maths.same_spans),
        "sets": lambda: (answers.Solutions(), maths.same_members),
        "tuples": None,
        "matrices": lambda: (answers.Matrix(), lambda a, b: a == b),
        "polynomials": lambda: (answers.Expression(("x",)), trees.same),
        "expressions": lambda: (answers.Expression(("x",), functions, ("e",)), trees.same),
        "antiderivatives": lambda: (
            answers.Expression(("x", "C"), functions, ("e",)),
            lambda a, b: maths.same_up_to_constant(a, b, "x") and "C" in trees.write(b),
        ),
        "percentages": lambda: (answers.Percent(), lambda a, b: a == b),
        "equations": lambda: (answers.Equation(), lambda a, b: maths.same_curve(a, b)),
    }

    def judge(expected: str, given: str) -> bool:
        given = given.removeprefix("\\boxed{").removesuffix("}") if given.startswith("\\boxed{") else given
        given = given.removeprefix("\\(").removesuffix("\\)") if given.startswith("\\(") else given
        if kind == "tuples":
            size = expected.count(",") + 1
            form, same = answers.Point(size), lambda a, b: all(map(trees.same, a, b))
            given = given.partition("= ")[2] or given
        elif kind == "units":
            form, same = answers.Quantity(expected.split(" ", 1)[1]), lambda a, b: a == b
        else:
            form, same = generators[kind]()
        try:
            return bool(same(form.parse(expected), form.parse(given)))
        except ValueError:
            return False

    return judge


def math_verify() -> Judge | None:
    if importlib.util.find_spec("math_verify") is None:
        return None
    import logging

    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

    logging.disable(logging.CRITICAL)
    targets = [LatexExtractionConfig(boxed_match_priority=0), ExprExtractionConfig()]

    def dressed(text: str) -> str:
        return text if "$" in text or "\\(" in text or not set(text) & set("\\{[(^=<>∪") else f"${text}$"

    return lambda expected, given: bool(verify(parse(dressed(expected), targets), parse(dressed(given), targets), float_rounding=6))


def measured(judge: Judge, triples: list[tuple[str, str, bool]]) -> dict[str, Any]:
    """Counts of right and wrong verdicts, precision, recall, and milliseconds for each pair."""
    begun = time.perf_counter()
    verdicts = [(judge(expected, given), equal) for expected, given, equal in triples]
    elapsed = time.perf_counter() - begun
    right = sum(accepts and equal for accepts, equal in verdicts)
    accepted, equal_ones = sum(accepts for accepts, _ in verdicts), sum(equal for _, equal in verdicts)
    return {
        "pairs": len(triples),
        "equal": equal_ones,
        "recall": round(right / max(equal_ones, 1), 4),
        "precision": round(right / max(accepted, 1), 4),
        "false_accepts": accepted - right,
        "missed": equal_ones - right,
        "ms": round(1000 * elapsed / max(len(triples), 1), 3),
    }


def cases(folder: Path) -> list[tuple[str, str, bool, int]]:
    """(expected, given, equal, digits) of math-verify's tests: what its test functions are parametrized with."""
    sys.path.insert(0, str(folder))
    out = []
    for file in sorted((folder / "tests").glob("test_*.py")):
        module = importlib.import_module(f"tests.{file.stem}")
        for name, function in list(vars(module).items()):
            for mark in getattr(function, "pytestmark", []) if name.startswith("test") else []:
                names = mark.args[0] if isinstance(mark.args[0], (list, tuple)) else [part.strip() for part in mark.args[0].split(",")]
                for row in mark.args[1]:
                    case = dict(zip(names, row if isinstance(row, (list, tuple)) else (row,)))
                    if "gold" in case:
                        out.append((case["gold"], case["pred"], bool(case.get("expected", case.get("result"))), case.get("precision") or 6))
    return out


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=3000)
    options.add_argument("--cases", type=Path)
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    warnings.simplefilter("ignore")
    theirs, results = math_verify(), {}
    for kind in MATHS:
        triples = list(pairs(kind, given.count))
        judges: dict[str, Judge] = {"format": typed(kind), "equivalent": maths.equivalent}
        if theirs:
            judges["math_verify"] = theirs
        results[kind] = {name: measured(judge, triples) for name, judge in judges.items()}
        print(kind, json.dumps(results[kind]), flush=True)
    if given.cases:
        kept = [case for case in cases(given.cases) if case[:2] not in NOT_EQUAL_ANSWERS]
        print(f"{len(kept)} of math-verify's cases, {len(NOT_EQUAL_ANSWERS)} left out")
        ours = {case[:2]: maths.equivalent(final_answer(case[0]), final_answer(case[1]), digits=case[3]) for case in kept}
        results["math-verify's cases"] = {"equivalent": measured(lambda a, b: ours[a, b], [case[:3] for case in kept])}
        if theirs:
            results["math-verify's cases"]["math_verify"] = measured(_suite_judge(), [case[:3] for case in kept])
        print(json.dumps(results["math-verify's cases"]))
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _suite_judge() -> Judge:
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

    targets = [LatexExtractionConfig(boxed_match_priority=0), ExprExtractionConfig()]
    return lambda expected, given: bool(verify(parse(expected, targets), parse(given, targets), float_rounding=6))


if __name__ == "__main__":
    main()
