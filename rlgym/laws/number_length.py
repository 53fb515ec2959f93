"""Numbers in answers stay short, since writing out long ones tests patience and not the idea."""

from __future__ import annotations

import re

from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.subject import Subject, short

TASKS = Samples(least=2, standard=10, certificate=60)
MOST_DIGITS = 12
NUMERIC = frozenset(
    {
        "arithmetic",
        "assignment",
        "equation",
        "expression",
        "expressions",
        "integer",
        "intervals",
        "matrix",
        "numbers",
        "percent",
        "point",
        "quantity",
        "rational",
        "rationals",
        "solutions",
        "words",
    }
)
_DIGITS = re.compile(r"\d+")


def number_length(subject: Subject, effort: Effort) -> Finding:
    """No number in an oracle's answer has more than 12 digits, unless the environment says in `long_numbers` why it has.

    The integer and decimal parts of a number, and the parts of a fraction, are counted each for itself. Strings of bits are not numbers.
    """
    single = subject.single
    if single is None or single.answer.format not in NUMERIC:
        return Finding({"most_digits": "not measured"})
    finding, most, where = Finding(), 0, ""
    for seed, level in subject.sample(TASKS, effort):
        text = single.answer.render(subject.right(subject.task(seed, level)))
        for number in _DIGITS.findall(text):
            digits = len(number.lstrip("0"))
            if digits > most and set(number) - set("01"):
                most, where = digits, f"{short(text)}, seed {seed} level {level}"
    finding.measured = {"most_digits": most, "reason": single.long_numbers}
    finding.require(most <= MOST_DIGITS or bool(single.long_numbers), f"a number of the answer has {most} digits: {where}")
    return finding
