"""Searches that give values to names, one after the other, under rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rlgym.dataset.traces.tree import Branch, Option

Values = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about some names, decided once all of them have a value.

    holds  whether it holds, given the values of its names in their order
    text   the rule in words
    """

    names: tuple[str, ...]
    holds: Callable[[Sequence[str]], bool]
    text: str

    def broken(self, values: Values) -> bool:
        """Whether all names have values, and these break the rule."""
        return all(name in values for name in self.names) and not self.holds([values[name] for name in self.names])


class Assignment:
    """A task of giving each name one of its values.

    choices   the values of each name, in the order in which they are tried
    solution  the oracle's values
    """

    def __init__(self, choices: Mapping[str, Sequence[str]], given: Values, rules: Sequence[Rule], solution: Values, ordered: bool = False):
        self.choices, self.rules, self.solution, self.ordered = choices, rules, solution, ordered
        self.rules_of: dict[str, list[Rule]] = {name: [] for name in choices}
        for rule in rules:
            for name in rule.names:
                self.rules_of[name].append(rule)
        self.start = AssignmentNode(self, dict(given), {name: tuple(choices[name]) for name in choices if name not in given})
        for name in list(self.start.candidates):
            self.start.narrow(name)

    def reason(self, values: Values, name: str) -> str:
        """Why the value of a name is out of the question, in words; empty if it breaks no rule."""
        rule = next((rule for rule in self.rules_of[name] if rule.broken(values)), None)
        if rule is None:
            return ""
        others = ", ".join(f"{other} = {values[other]}" for other in rule.names if other != name)
        return f"{name} = {values[name]}{f' with {others}' if others else ''} is against a rule: {rule.text}"


@dataclass(slots=True)
class AssignmentNode:
    """The values given so far, and for each open name those that break no rule with them."""

    problem: Assignment
    values: dict[str, str]
    candidates: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def solved(self) -> bool:
        """Whether every name has a value."""
        return not self.candidates

    def narrow(self, name: str, changed: str = "") -> None:
        """Strike out the values of an open name that break a rule; only rules about `changed` as well, where it is given."""
        rules = [rule for rule in self.problem.rules_of[name] if (not changed or changed in rule.names) and self._is_decided(rule, name)]
        for rule in rules:
            kept = [value for value in self.candidates[name] if rule.holds([self.values.get(each, value) for each in rule.names])]
            self.candidates[name] = tuple(kept)

    def _is_decided(self, rule: Rule, name: str) -> bool:
        return all(each == name or each in self.values for each in rule.names)

    def with_value(self, name: str, value: str) -> AssignmentNode:
        """The node after one more name has a value."""
        rest = {other: values for other, values in self.candidates.items() if other != name}
        node = AssignmentNode(self.problem, self.values | {name: value}, rest)
        for other in dict.fromkeys(other for rule in self.problem.rules_of[name] for other in rule.names if other in rest):
            node.narrow(other, name)
        return node

    def branch(self) -> Branch:
        """What can be tried for the open name with the fewest values, or for the next one where the order is part of the task."""
        ordered = self.problem.ordered
        name = next(iter(self.candidates)) if ordered else min(self.candidates, key=lambda each: len(self.candidates[each]))
        left = self.candidates[name]
        options = [self._option(name, value) for value in self.problem.choices[name]]
        dead = "; ".join(option.dead.rstrip(".") for option in options)
        subgoal = f"Next: {name}." if ordered else f"Next: {name}, for which the fewest values are left."
        failed = f"nothing is left for {name}: {_join_words([f'{name} = {value}' for value in left])} failed." if left else ""
        return Branch(subgoal, options, f"nothing is left for {name}: {dead}.", failed)

    def _option(self, name: str, value: str) -> Option:
        text, undo = f"Try {name} = {value}.", f"Back: {name} is open again."
        if value not in self.candidates[name]:
            reason = self.problem.reason(self.values | {name: value}, name)
            return Option(text, undo, dead=f"{reason}.")
        check = f"Check: {name} = {value} breaks no rule with what is set so far."
        return Option(text, undo, check=check, open=partial(self.with_value, name, value), solution=self.problem.solution[name] == value)


def _join_words(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
