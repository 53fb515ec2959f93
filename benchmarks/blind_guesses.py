"""What the best guess earns in many environments: constants, fixed plans and copying routines, on far more tasks than the laws draw.

    python benchmarks/blind_guesses.py [--levels 0 0.15 0.5] [--tasks 250] [--seconds 20] [--above 0] [NAME ...]

Guesses are chosen on 60 tasks of a level in two rounds, the best three are measured on the next 250, and one line states the best. A guess that lies
plainly below the limit on 60 tasks, and one that takes longer than `--seconds` of processor time, is measured on fewer, which the line states.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import rlgym
from rlgym import Environment, Game, Match
from rlgym.core.answer import wrap
from rlgym.core.task import Task
from rlgym.laws.blind_players import allowed_mean
from rlgym.laws.constant_answer import fixed_plans
from rlgym.laws.copying_routines import copied_answers
from rlgym.laws.lazy_players import lazy_players
from rlgym.laws.margins import exceeds
from rlgym.laws.natural_guesses import natural_guesses
from rlgym.laws.subject import Policy, Subject

FIRST_ROUND, SECOND_ROUND, KEPT = 20, 40, 24
FINALISTS = 3
GLANCE, PLAINLY_BELOW = 60, 0.6
"""A guess that earns less than this share of the limit on so many tasks is not measured further."""
Players = Mapping[str, str | Policy]


class Guesser:
    """Plays guesses on the tasks of one environment at one level, within a limit of processor time."""

    def __init__(self, subject: Subject, level: float, seconds: float) -> None:
        self.subject, self.level, self.seconds, self.ends = subject, level, seconds, time.process_time() + seconds
        self.copies: dict[int, Players] = {}

    def out_of_time(self) -> bool:
        return time.process_time() > self.ends

    def earned(self, task: Task[Any], response: str | Policy) -> float:
        if isinstance(response, str) and self.subject.single is not None:
            return self.subject.score_again(task, response).value
        score = self.subject.play(task, response if callable(response) else lambda _: response).score
        return score.value if score else 0.0

    def constants(self) -> Players:
        """Answers of other tasks, natural guesses and fixed plans: the same for every task."""
        seeds = range(10_001, 10_001 + (40 if self.subject.single is not None and not self.subject.runs_programs else 12))
        answers = Counter(self.subject.write(self.subject.right(self.subject.task(seed, self.level))) for seed in seeds)
        guesses = natural_guesses(self.subject.declared.answer)
        texts = [text for text, _ in answers.most_common()] + [wrap(text, "tag") for text in guesses]
        return {text: text for text in texts} | fixed_plans(self.subject, self.level, 12)

    def copied(self, task: Task[Any]) -> Players:
        """What copying routines and lazy players answer to one task."""
        if id(task) not in self.copies:
            declared = self.subject.declared
            if isinstance(declared, Environment):
                self.copies[id(task)] = {name: wrap(text, "tag") for name, text in copied_answers(task.prompt, declared.answer)}
            else:
                self.copies[id(task)] = lazy_players(declared, task) if isinstance(declared, Game) else {}
        return self.copies[id(task)]

    def best(self, tasks: int) -> tuple[float, int, str]:
        """(mean, tasks, player) of the best guess, chosen on the first tasks and measured on later ones."""
        constants = self.constants()
        totals: Counter[str] = Counter()
        for seed in range(1, FIRST_ROUND + 1):
            self._play(seed, constants, None, totals)
            if self.out_of_time():
                break
        for seed in range(FIRST_ROUND + 1, FIRST_ROUND + SECOND_ROUND + 1):
            if self.out_of_time():
                break
            self._play(seed, constants, [name for name, total in totals.most_common(KEPT) if total > 0], totals)
        found = [self._measure(constants, name, tasks) for name, total in totals.most_common(FINALISTS) if total > 0]
        return max(found, default=(0.0, tasks, "nothing"))

    def _play(self, seed: int, constants: Players, names: list[str] | None, totals: Counter[str]) -> None:
        task, values = self.subject.task(seed, self.level), dict[str | Policy, float]()
        players = {**constants, **self.copied(task)}
        for name in players if names is None else names:
            if (response := players.get(name)) is None:
                continue
            if response not in values:
                values[response] = self.earned(task, response)
            totals[name] += values[response]  # type: ignore[assignment]

    def _measure(self, constants: Players, name: str, tasks: int) -> tuple[float, int, str]:
        after, total, count, begun = FIRST_ROUND + SECOND_ROUND, 0.0, 0, time.process_time()
        for seed in range(after + 1, after + tasks + 1):
            task = self.subject.task(seed, self.level)
            response = constants.get(name) or self.copied(task).get(name)
            total, count = total + (self.earned(task, response) if response is not None else 0.0), count + 1
            plainly_below = count >= GLANCE and total < PLAINLY_BELOW * count * allowed_mean(self.subject, self.level)
            if plainly_below or (count >= GLANCE and time.process_time() - begun > self.seconds):
                break
        return total / count, count, name


def report(name: str, level: float, tasks: int, seconds: float) -> tuple[float, bool, str]:
    """(mean, whether it is above what the laws allow, one line) of the best guess."""
    declared = rlgym.environment(name)
    subject = Subject(name, declared, "")
    mean, count, player = Guesser(subject, level, seconds).best(tasks)
    limit = allowed_mean(subject, level)
    broken = exceeds(mean * count, count, limit)
    mark = "ABOVE" if broken else "above" if mean > limit else "below"
    kind = "match" if isinstance(declared, Match) else "game" if isinstance(declared, Game) else "task"
    return mean, broken, f"{name} {level:g} {mean:.3f} of {count} {mark} {limit:g} {kind} {player[:90]!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="environments; all of them by default")
    parser.add_argument("--levels", type=float, nargs="+", default=[0.0, 0.15, 0.5])
    parser.add_argument("--tasks", type=int, default=250, help="tasks on which a chosen guess is measured")
    parser.add_argument("--seconds", type=float, default=20.0, help="processor time to choose guesses at one level")
    parser.add_argument("--above", type=float, default=0.0, help="print only guesses that earn more than this on average")
    given = parser.parse_args()
    for name in given.names or rlgym.names():
        for level in given.levels:
            mean, broken, line = report(name, level, given.tasks, given.seconds)
            if mean > given.above or broken:
                print(line, flush=True)


if __name__ == "__main__":
    main()
