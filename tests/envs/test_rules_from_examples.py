"""Within the language that a task declares, every rule that fits says the same."""

import pytest

from rlgym.core.rng import Rng
from rlgym.envs.induction import (
    analogy_matrices,
    arc_1d,
    concept_learning_small,
    list_function_induce,
    number_sequence_rule,
    sound_change_rules,
)
from rlgym.generators.rules import chains


@pytest.mark.parametrize("module", [list_function_induce, arc_1d, sound_change_rules])
@pytest.mark.parametrize("created", ["generate", "shift"])
def test_all_chains_that_fit_make_the_same(module, created):
    for seed in range(12):
        task = getattr(module, created)(Rng("fit", seed), module.Knobs.at(0.5))
        operations = module.FAMILY.operations(task.data)
        found = chains.fitting_chains(operations, task.data.depth, task.data.examples)
        assert {chains.run(operations, chain, task.data.new) for chain in found} == {task.data.right}


def test_a_chain_that_changes_no_example_is_found_too():
    turn, add = chains.Operation("turn", lambda v: v[::-1]), chains.Operation("add", lambda v: (*v, 0))
    assert set(chains.outcomes([turn, add], 2, [((1, 1), (1, 1))], (1, 2))) == {(1, 2), (2, 1)}


def test_all_kinds_that_fit_agree_on_new_things():
    for seed in range(12):
        data = concept_learning_small.generate(Rng("kinds", seed), concept_learning_small.Knobs.at(0.5)).data
        assert len({concept_learning_small._verdicts(rule, data.new) for rule in concept_learning_small._fitting_rules(data)}) == 1


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_all_sequence_rules_that_fit_go_on_alike(level):
    for seed in range(6):
        data = number_sequence_rule.shift(Rng("rules", seed), number_sequence_rule.Knobs.at(level)).data
        assert number_sequence_rule._agreed_terms(data, len(data.right)) == data.right


def test_all_matrix_rules_that_fit_ask_for_one_picture():
    for seed in range(12):
        data = analogy_matrices.shift(Rng("matrix", seed), analogy_matrices.Knobs.at(1.0)).data
        assert all(len({value for _, value in analogy_matrices._fitting_rules(data, rows)}) == 1 for rows in data.rows)
