"""Programs of rules, circuits and games on formulas, evaluated as the prompts say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from prompt_solvers.formulas import read, true_in
from prompt_solvers.parsing import between
from prompt_solvers.registry import prompt_solver

Rule = tuple[str, list[str]]


def rules_if(text: str) -> list[Rule]:
    """The rules written as `3. head if one and not another`."""
    return [(head, body.split(" and ")) for head, body in re.findall(r"^\d+\. (\w+) if (.*)$", text, re.MULTILINE)]


def closure(facts: Iterable[str], rules: Iterable[Rule]) -> set[str]:
    """All that follows from facts by rules without negation."""
    known, rules = set(facts), list(rules)
    while new := {head for head, body in rules if head not in known and known.issuperset(body)}:
        known |= new
    return known


@prompt_solver("horn_forward_chain")
def solve_horn(prompt: str) -> str:
    facts, rules = between(prompt, "These facts hold: ", ".").split(", "), rules_if(prompt)
    known: dict[str, bool] = {}

    def holds(fact: str) -> bool:
        # All that the fact depends on through a not is settled first, then what depends on nothing open follows.
        if fact not in known:
            reached, open_facts = {fact}, [fact]
            while open_facts:
                here = open_facts.pop()
                bodies = [part for head, body in rules if head == here for part in body if not part.startswith("not ")]
                open_facts += [part for part in bodies if part not in reached]
                reached.update(bodies)
            usable = []
            for head, body in rules:
                if head in reached and not any(part.startswith("not ") and holds(part[4:]) for part in body):
                    usable.append((head, [part for part in body if not part.startswith("not ")]))
            found = closure(facts, usable)
            known.update({name: name in found for name in reached})
        return known[fact]

    derived = {head for head, _ in rules if holds(head)} - set(facts)
    return " ".join(sorted(derived))


@prompt_solver("abduction_minimal")
def solve_abduction(prompt: str) -> str:
    rules = rules_if(prompt)
    assumptions = between(prompt, "may be assumed: ", ".").split(", ")
    observed = set(re.findall(r"(?:is|are) observed: (.*?)\.", prompt)[0].split(", "))
    forbidden = [set(pair) for pair in re.findall(r"^(\w+) and (\w+) may not be assumed together", prompt, re.MULTILINE)]
    # Each fact keeps the least sets of assumptions that it follows from, as in de Kleer's truth maintenance.
    least: dict[str, set[frozenset[str]]] = {name: {frozenset([name])} for name in assumptions}

    def joined(facts: Iterable[str]) -> set[frozenset[str]]:
        """The least allowed sets of assumptions from which all the facts follow."""
        found = {frozenset[str]()}
        for fact in facts:
            found = {one | other for one in found for other in least.get(fact, ())}
            found = {one for one in found if not any(pair <= one for pair in forbidden)}
        return {one for one in found if not any(other < one for other in found)}

    changed = True
    while changed:
        changed = False
        for head, body in rules:
            sets = least.get(head, set()) | joined(body)
            sets = {one for one in sets if not any(other < one for other in sets)}
            changed |= sets != least.get(head, set())
            least[head] = sets
    found = joined(observed)
    return "\n".join(" ".join(sorted(one)) for one in found if len(one) == min(map(len, found)))


@prompt_solver("answer_set_small")
def solve_answer_sets(prompt: str) -> str:
    lines = re.findall(r"^(\w*) ?(?::- (.*))?\.$", prompt.split('\n\n"', 1)[0], re.MULTILINE)
    rules = [(head, body.split(", ") if body else []) for head, body in lines]
    atoms = sorted({part.removeprefix("not ") for head, body in rules for part in [head, *body]} - {""})
    models = []
    for chosen in product((False, True), repeat=len(atoms)):
        model = {name for name, member in zip(atoms, chosen, strict=True) if member}
        kept = [(head, body) for head, body in rules if not any(part.startswith("not ") and part[4:] in model for part in body)]
        reduct = [(head, [part for part in body if not part.startswith("not ")]) for head, body in kept]
        broken = any(not head and model.issuperset(body) for head, body in reduct)
        if not broken and closure((), [rule for rule in reduct if rule[0]]) == model:
            models.append(" ".join(sorted(model)) or "empty")
    return "\n".join(models)


@prompt_solver("defeasible_rules")
def solve_defeasible_rules(prompt: str) -> str:
    certain = between(prompt, "These things are certain: ", ".").split(", ")
    settled = {name.removeprefix("not "): not name.startswith("not ") for name in certain}
    rules = []
    pattern = r"^(\d+)\. (not )?(\w+) if (.*?)(?:, unless (.*?))?(?: \(strength (\d+)\))?$"
    for number, negation, head, body, unless, strength in re.findall(pattern, prompt, re.MULTILINE):
        rules.append((int(number), not negation, head, body.split(" and "), unless.split(" and ") if unless else [], int(strength or 0)))
    listed = {(int(one), int(other)) for one, other in re.findall(r"^(\d+) beats (\d+)$", prompt, re.MULTILINE)}

    def beats(one: tuple, other: tuple) -> bool:
        if "its strength is larger" in prompt:
            return one[5] > other[5]
        if "only where that is listed" in prompt:
            return (one[0], other[0]) in listed
        assert "the one with the larger number beats the other" in prompt
        return one[0] > other[0]

    values: dict[str, bool | None] = dict(settled)

    def holds(literal: str) -> bool:
        return value(literal.removeprefix("not ")) is (not literal.startswith("not "))

    def value(name: str) -> bool | None:
        if name not in values:
            here = [rule for rule in rules if rule[2] == name]
            applying = [rule for rule in here if all(map(holds, rule[3])) and not any(map(holds, rule[4]))]
            sides = {side: [rule for rule in applying if rule[1] is side] for side in (True, False)}
            winners = [side for side in sides if any(all(beats(rule, rival) for rival in sides[not side]) for rule in sides[side])]
            assert len(winners) < 2
            values[name] = winners[0] if winners else None
        return values[name]

    words = {True: "true", False: "false", None: "open"}
    return "\n".join(f"{name}: {words[value(name)]}" for name in dict.fromkeys(rule[2] for rule in rules))


GATES = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "nand": lambda a, b: 1 - (a & b),
    "nor": lambda a, b: 1 - (a | b),
}
Gates = dict[str, list[str]]


def gates_of(prompt: str) -> Gates:
    """The words that define each gate."""
    return {name: words.split() for name, words in re.findall(r"^(\w+) = (.*)$", prompt, re.MULTILINE)}


def signals(
    gates: Gates, inputs: dict[str, int], before: dict[str, int] | None = None, faults: dict[str, str] | None = None
) -> dict[str, int]:
    """What all gates give; `before` is what they gave in the row before, `faults` replaces a gate's signal."""
    found = dict(inputs)

    def signal(name: str) -> int:
        if name not in found:
            words = gates[name]
            if words[1:] == ["of", "the", "row", "before"]:
                right = before[words[0]] if before else 0
            else:
                right = 1 - signal(words[1]) if words[0] == "not" else GATES[words[1]](signal(words[0]), signal(words[2]))
            found[name] = {"0": 0, "1": 1, "inverted": 1 - right}.get((faults or {}).get(name, ""), right)
        return found[name]

    for name in gates:
        signal(name)
    return found


@prompt_solver("circuit_output")
def solve_circuit_output(prompt: str) -> str:
    gates = gates_of(prompt)
    names = between(prompt, "has the inputs ", " and these").split(", ")
    asked = between(prompt, "What do the gates ", " give").split(", ")
    before, words = None, []
    for row in re.findall(r"^[01]+$", prompt, re.MULTILINE):
        before = signals(gates, dict(zip(names, map(int, row), strict=True)), before)
        words.append("".join(str(before[name]) for name in asked))
    return " ".join(words)


@prompt_solver("circuit_fault_find")
def solve_circuit_fault(prompt: str) -> str:
    gates = gates_of(prompt.split("Exactly one gate", 1)[0])
    tests = []
    for given, seen in re.findall(r"^test \d+: (.*) gave (.*)$", prompt, re.MULTILINE):
        tests.append([{name: int(value) for name, value in re.findall(r"(\w+)=([01])", part)} for part in (given, seen)])
    kinds = ["0", "1", "inverted"] if "written inverted" in prompt else ["0", "1"]
    found = []
    for gate, kind in product(gates, kinds):
        results = [(signals(gates, given, None, {gate: kind}), seen) for given, seen in tests]
        if all(result[name] == value for result, seen in results for name, value in seen.items()):
            found.append(f"{gate}: {kind}")
    assert len(found) == 1, found
    return found[0]


@prompt_solver("quantifier_game")
def solve_quantifier_game(prompt: str) -> str:
    things = range(1, int(between(prompt, "the numbers 1 to ", ".")) + 1)
    arrows = set(re.findall(r"\d+-\d+", between(prompt, "between them: ", "(")))
    sentence = between(prompt, "about them: ", "\n")
    variables = re.findall(r"for (some|every) (\w), ", sentence.replace(":", ",", 1) + " ")
    formula = read(sentence.split(": ", 1)[1])
    letters = re.findall(r"^(\w): an arrow goes from (\w) to (\w)$", prompt, re.MULTILINE)

    def wins(values: dict[str, int]) -> bool:
        """The side for the sentence wins from here on."""
        if len(values) == len(variables):
            return true_in(formula, {letter: f"{values[one]}-{values[other]}" in arrows for letter, one, other in letters})
        quantifier, variable = variables[len(values)]
        results = (wins({**values, variable: thing}) for thing in things)
        return any(results) if quantifier == "some" else all(results)

    truth = wins({})
    lines = [f"sentence: {'true' if truth else 'false'}"]

    def play(values: dict[str, int], replies: list[int]) -> None:
        if len(values) == len(variables):
            return
        quantifier, variable = variables[len(values)]
        if (quantifier == "some") == truth:
            thing = next(thing for thing in things if wins({**values, variable: thing}) == truth)
            lines.append(f"{variable}({' '.join(map(str, replies))}): {thing}")
            play({**values, variable: thing}, replies)
        else:
            for thing in things:
                play({**values, variable: thing}, [*replies, thing])

    play({}, [])
    return "\n".join(lines)
