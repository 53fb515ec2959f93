"""No constant answer earns a reward without solving."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rlgym.core.answer import wrap
from rlgym.laws.blind_players import Earnings, best_players, judge_players, levels_played, means_by_level
from rlgym.laws.effort import Effort, Samples
from rlgym.laws.finding import Finding
from rlgym.laws.natural_guesses import natural_guesses
from rlgym.laws.repeated_moves import repeated_moves
from rlgym.laws.subject import Policy, Subject

CHOSEN_ON = Samples(least=6, quick=10, standard=16, certificate=40, programs=3)
MEASURED_ON = Samples(least=36, standard=80, certificate=250, programs=6)
"""How many further tasks measure the chosen answers; a mean above the limit is measured on more. At the least effort and a limit of 0.05 an
answer that earns 0.2 on average passes with a probability of 0.003, one that earns 0.15 with 0.023, and one that earns 0.05 fails with 0.0025."""
GUESSES = Samples(least=40, quick=60, standard=400, certificate=400)
GUESSES_IF_SLOW = Samples(least=2, standard=16, certificate=40)
"""How many natural guesses are tried where every verdict runs a program or plays an episode."""
CHOSEN_ON_EPISODES = 1
"""Of how many tasks answers are chosen at the small efforts where an episode runs a program at each turn: who repeats a command plays to the last turn."""
PLANS = Samples(least=4, standard=12, certificate=40)
REPEATED_ON = Samples(least=5, standard=16, certificate=40)
"""The first tasks of a level on which players who repeat themselves are chosen. They play to the end, so that each takes as long as the oracle."""
WON_ONCE = 1.0
"""At the small efforts, a player who wins only once of these is not measured: one who wins half of all matches is passed over with 0.19."""
REPEATED = Samples(least=3, standard=24, certificate=60)
"""How many moves are repeated."""


def constant_answer(subject: Subject, effort: Effort) -> Finding:
    """The best constant answer earns at most 0.05 on average (0.10 at level 0), or at most 0.3 where the environment declares why.

    Four pools are searched: the oracle's answers to other tasks of the level, natural guesses that the answer format can read, and, in episodes
    of many turns without tools, the oracle's moves in other tasks as fixed plans, and players who repeat one move or alternate two. At the small
    efforts, the last ones play at one level only.
    """
    finding, levels = Finding(), levels_played(subject, effort)
    slow = subject.runs_programs or subject.single is None
    guesses = natural_guesses(subject.declared.answer, (GUESSES_IF_SLOW if slow else GUESSES).at(effort))
    best = [each for level in levels for each in _best_at(subject, level, effort, guesses)]
    best += [each for level in (levels if not effort.is_small else levels[-1:]) for each in _best_repeated(subject, level, effort)]
    judge_players(subject, best, finding, "the constant answer")
    finding.measured = {
        "constant_answer": max((round(each.mean, 4) for each in best), default=0.0),
        "by_level": means_by_level(best, levels),
        "guessable": subject.declared.guessable,
    }
    return finding


def _best_at(subject: Subject, level: float, effort: Effort, guesses: Sequence[str]) -> list[Earnings]:
    first, count = CHOSEN_ON.at(effort, subject.runs_programs), MEASURED_ON.at(effort, subject.runs_programs)
    slow = subject.runs_programs or subject.single is None
    if subject.runs_programs and subject.single is None and effort.is_small:
        first = CHOSEN_ON_EPISODES
    answers = Counter(subject.write(subject.right(subject.task(seed, level))) for seed in range(1, first + 1))
    common = [text for text, _ in answers.most_common(GUESSES_IF_SLOW.at(effort) if slow else first)]
    # The oracle's answer earns 1 on its own task, so it must earn more to be measured.
    pools = ((common, 1.0), ([wrap(text, "tag") for text in guesses], 0.0))
    best = []
    for pool, more_than in pools:
        responses = {response: response for response in dict.fromkeys(pool)}
        best += best_players(subject, level, lambda *_, responses=responses: responses, first, count, more_than)
    plans = fixed_plans(subject, level, PLANS.at(effort, subject.runs_programs))
    return best + best_players(subject, level, lambda *_: plans, first, count, 1.0)


def _best_repeated(subject: Subject, level: float, effort: Effort) -> list[Earnings]:
    if subject.single is not None or subject.runs_programs:  # a program is no move; constant ones are tried above
        return []
    first, count = REPEATED_ON.at(effort, subject.runs_programs), MEASURED_ON.at(effort, subject.runs_programs)
    players = repeated_moves(subject, level, first, REPEATED.at(effort))
    return best_players(subject, level, lambda *_: players, first, count, WON_ONCE if effort.is_small else 0.0)


def fixed_plans(subject: Subject, level: float, count: int) -> dict[str, str | Policy]:
    """The oracle's moves in the first tasks of a level, given again in other tasks: the last one held, or the whole plan repeated."""
    plans: dict[str, str | Policy] = {}
    if subject.single is not None or hasattr(subject.declared.answer, "schemas"):
        return plans
    for seed in range(1, count + 1):
        moves = [text for role, text in subject.solved(seed, level).transcript if role == "assistant"]
        name = ", ".join(map(str, moves))
        if len(moves) > 1:
            plans[f"{name}, and the last one on"] = lambda position, moves=moves: moves[min(position.turn, len(moves) - 1)]  # type: ignore[misc]
            plans[f"{name}, over and over"] = lambda position, moves=moves: moves[position.turn % len(moves)]  # type: ignore[misc]
    return plans
