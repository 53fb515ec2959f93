"""No routine that reads the prompt and does not solve, and no lazy player of many turns, earns a reward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from rlgym.core.answer import wrap
from rlgym.core.declare import Game, Match
from rlgym.core.task import Task
from rlgym.laws.blind_players import best_players, judge_players, levels_played, means_by_level
from rlgym.laws.copying_routines import copied_answers
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.lazy_players import lazy_players
from rlgym.laws.subject import Policy, Subject

CHOSEN_ON = Samples(least=3, quick=5, standard=12, certificate=40, programs=1)
MEASURED_ON = Samples(least=30, standard=80, certificate=250, programs=6)
"""How many further tasks measure the chosen routines. At the least effort and a limit of 0.05 a routine that earns 0.3 on average passes with a
probability of 0.0003, and one that earns 0.2 with 0.011."""
ROUTINES_IF_SLOW = Samples(least=8, standard=120, certificate=400)
"""How many different answers are tried for a task where every verdict runs a program."""


def prompt_copying(subject: Subject, effort: Effort) -> Finding:
    """The best copying routine earns at most 0.05 on average (0.10 at level 0), or at most 0.3 where the environment declares why.

    The routines are those of `copying_routines`, in environments of many turns those of `lazy_players`. Matches are measured by `random_policy`.
    """
    finding, levels = Finding(), levels_played(subject, effort)
    if isinstance(subject.declared, Match):
        return finding
    first, count = CHOSEN_ON.at(effort, subject.runs_programs), MEASURED_ON.at(effort, subject.runs_programs)
    most = ROUTINES_IF_SLOW.at(effort) if subject.runs_programs else None
    texts: dict[tuple[int, tuple[str, ...] | None], Mapping[str, str | Policy]] = {}

    def answers(task: Task[Any], only: Sequence[str] | None = None) -> Mapping[str, str | Policy]:
        if isinstance(subject.declared, Game):
            return texts.setdefault((id(task), None), lazy_players(subject.declared, task))
        chosen = None if only is None or most else tuple(only)  # which answers are the first ones is known only after all are built
        if (id(task), chosen) not in texts:
            copied = islice(copied_answers(task.prompt, subject.declared.answer, chosen), most)
            texts[id(task), chosen] = {routine: wrap(text, "tag") for routine, text in copied}
        return texts[id(task), chosen]

    best = [each for level in levels for each in best_players(subject, level, answers, first, count)]
    judge_players(subject, best, finding, "the routine")
    finding.measured = {
        "prompt_copying": max((round(each.mean, 4) for each in best), default=0.0),
        "routine": max(best, key=lambda each: each.mean).player if best else "",
        "by_level": means_by_level(best, levels),
        "guessable": subject.declared.guessable,
    }
    return finding
