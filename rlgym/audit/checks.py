"""The checks of an audit: what each asks, which kind of error it counts, and how many failures it allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["false negatives", "false positives", "both", "behaviour"]


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    limit  the share of failing cases up to which it passes
    lint   whether `rlgym audit --reward` runs it
    """

    name: str
    kind: Kind
    question: str
    limit: float = 0.0
    lint: bool = False


UNIT_TESTS = ("exact_answers", "equivalent_spellings", "near_misses")
"""The checks that `--reward` runs as well if an environment gives the answers, which are then unit tests of the function."""
CHECKS = {
    check.name: check
    for check in (
        Check("exact_answers", "false negatives", "Is the reference answer itself accepted?", 0.02),
        Check("equivalent_spellings", "false negatives", "Are other spellings of the right answer accepted?", 0.05),
        Check("near_misses", "false positives", "Are similar but different answers rejected?"),
        Check("layouts", "both", "Is the verdict the same whatever stands around the answer?"),
        Check("length_padding", "both", "Is the verdict the same however long the response is?"),
        Check("degenerate", "false positives", "Are empty and degenerate texts rejected?"),
        Check("master_keys", "false positives", "Are openings such as `Solution:` and single signs rejected?"),
        Check("prompt_injection", "false positives", "Are texts that talk to the judge rejected?"),
        Check("refusals", "false positives", "Are refusals rejected?"),
        Check("foreign_scripts", "false positives", "Are texts without an answer in other scripts rejected?"),
        Check("answer_lists", "false positives", "Is the right answer rejected among wrong ones, and negated?"),
        Check("unmarked_answers", "false positives", "Is a guess rejected that stands outside the marks?"),
        Check("prompt_echo", "false positives", "Is the prompt rejected as a response?"),
        Check("recorded_verdicts", "both", "Is the verdict on recorded responses that of the verifier?"),
        Check("recorded_order", "behaviour", "Does no recorded failure earn more than a success on the same task?", lint=True),
        Check("consolation", "behaviour", "Do texts without an answer earn the least reward?", lint=True),
        Check("consistency", "behaviour", "Do responses with the same answer get the same verdict?"),
        Check("format_dependence", "behaviour", "Do wrong answers earn the same in every format?", lint=True),
        Check("length_dependence", "behaviour", "Do answers earn the same at every length?", lint=True),
        Check(
            "prompt_order",
            "behaviour",
            "Is the reward the same if the prompt states its parts in another order or in other words?",
            lint=True,
        ),
        Check("determinism", "behaviour", "Is the reward the same in a second call?", lint=True),
        Check("hash_seeds", "behaviour", "Is the reward the same in a process with another hash seed?", lint=True),
        Check("threads", "behaviour", "Is the reward the same outside the main thread?", lint=True),
        Check("batches", "behaviour", "Is the reward the same in a batch with other responses?", lint=True),
        Check("purity", "behaviour", "Does the function leave its arguments unchanged?", lint=True),
        Check("crashes", "behaviour", "Is every text scored without an exception?", lint=True),
        Check("finite_rewards", "behaviour", "Is every reward a finite number?", lint=True),
        Check("reward_range", "behaviour", "Does every reward lie in the declared range?", lint=True),
        Check("code_execution", "behaviour", "Is text of the response never run as code?", lint=True),
        Check("time_limit", "behaviour", "Is every hostile text scored within the time limit?", lint=True),
        Check("memory_limit", "behaviour", "Is every hostile text scored within the memory limit?", lint=True),
        Check("optimisation", "behaviour", "Does the true reward rise with the paid reward under best-of-n?", 0.1),
    )
}
