"""Reports with one wrong word: every type of error occurs, each change but one leaves the report false, and parts name the type."""

from itertools import product

import pytest
import z3

import rlgym
from rlgym.generators.facts import reports

DECLARED = rlgym.environment("report_wrong_word")


@pytest.mark.parametrize(("errors", "gaps"), [(kind, set(gaps)) for kind, gaps in reports.ERRORS.items()])
def test_the_knob_chooses_the_type_of_the_error_and_the_part_names_it(errors, gaps):
    for seed in range(6):
        for name in ("report_wrong_word", "report_wrong_word:shift"):
            task = rlgym.task(name, seed, level=0.5, errors=errors)
            assert task.data.gap in gaps
            right = DECLARED.solve(task)
            assert DECLARED.verify(task, right).parts == {f"wrong_{errors}": 1.0}
            assert DECLARED.verify(task, (right[0], right[2], right[1])).parts == {f"wrong_{errors}": 0.0}


def test_the_sentence_may_be_named_by_its_label():
    task = rlgym.task("report_wrong_word", 1, level=0.5)
    at, wrong, right = DECLARED.solve(task)
    for label in (f"[{at}]", f"({at})", f"{at}.", f"{at}:", at):
        assert DECLARED.verify(task, DECLARED.answer.parse(f"{label} {wrong} {right}")).value == 1
    assert f"[{at}] " in task.prompt


def test_all_types_occur_at_the_top():
    types = {
        next(kind for kind, gaps in reports.ERRORS.items() if rlgym.task("report_wrong_word", seed, level=1.0).data.gap in gaps)
        for seed in range(20)
    }
    assert types == set(reports.ERRORS)


@pytest.mark.parametrize(("seed", "name"), [*product(range(3), ("report_wrong_word", "report_wrong_word:shift"))])
@pytest.mark.parametrize("level", [0.5, 1.0])
def test_z3_finds_no_other_change_that_makes_the_report_true(seed, name, level):
    """Amounts are unknown numbers, and a wrong number may be any; no other sentence, word or name can have been replaced."""
    task = rlgym.task(name, seed, level=level)
    data = task.data
    amounts = {amount: z3.Real(amount) for amount in data.amounts}
    shown = [amounts[amount] == number for amount, number in data.shown.items()]

    def says(statement, number=None):
        *row, said = reports.equation(statement, data.amounts)
        right = z3.Real("number") * (-1 if statement.gaps.get("cmp") == "fewer" else 1) if number else said
        return z3.Sum([factor * amount for factor, amount in zip(row, amounts.values(), strict=True)]) == right

    told = [says(statement) for statement in data.statements]
    possible = set()
    for at, statement in enumerate(data.statements):
        for gap, word in statement.gaps.items():
            words = {"cmp": reports.COMPARISONS, "times": reports.MULTIPLES, "number": [word]}.get(gap)
            for option in words or (reports.SEASONS if gap.startswith("s") else data.people):
                changed = reports.Statement(kind=statement.kind, gaps=statement.gaps | {gap: option})
                spoken_of = [reports.amount(changed.gaps, part) for part in reports.TERMS[changed.kind]]
                if len(set(spoken_of)) < len(spoken_of) or (option == word and gap != "number"):
                    continue
                solver = z3.Solver()
                solver.add(*shown, *told[:at], *told[at + 1 :], says(changed, number=gap == "number"), z3.Real("number") >= 1)
                if solver.check() == z3.sat:
                    possible.add((at, gap, str(solver.model()[z3.Real("number")]) if gap == "number" else option))
    assert possible == {(data.at, data.gap, data.right)}


def test_few_other_sentences_never_contradict_the_wrong_one_at_the_top():
    for seed in range(4):
        data = rlgym.task("report_wrong_word", seed, level=1.0).data
        rows = [reports.equation(statement, data.amounts) for statement in data.statements]
        assert reports.is_found(data.at, rows, [], 2)


@pytest.mark.parametrize("form", ["({}, {}, {})", "Sentence {}: {} {}", "- {} {} {}", "[{}] {} {}"])
def test_the_answer_is_read_as_one_writes_it(form):
    task = rlgym.task("report_wrong_word", 4, level=0.5)
    assert DECLARED.verify(task, DECLARED.answer.parse(form.format(*DECLARED.solve(task)))).value == 1.0
