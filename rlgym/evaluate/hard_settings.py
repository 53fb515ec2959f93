"""Settings for tasks beyond level 1: an environment, and the knobs that go past it. The suite hard-v2 consists of such tasks.

Each keeps its prompt within 1,500 words and each answer within a few lines; what grows is the search, the number of steps that depend on one another, or
the number of tasks that must all be right. All other knobs are those of level 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import rlgym
from rlgym.core.config import Value
from rlgym.evaluate.readings import Reading, all_readings

Difficulty = Literal["insight", "search", "bookkeeping", "long text"]


@dataclass(frozen=True, slots=True)
class HardSetting:
    """name is one that `rlgym.make` takes, such as timeline_reconstruct:several; `knobs` are set by name at level 1."""

    name: str
    difficulty: Difficulty
    knobs: Mapping[str, Value] = field(default_factory=dict)

    @property
    def knobs_text(self) -> str:
        """The knobs as a reading states them, such as "corners=56"."""
        return ", ".join(f"{name}={value}" for name, value in self.knobs.items())


HARD_SETTINGS: tuple[HardSetting, ...] = (
    # puzzles
    HardSetting("binario", "search"),
    HardSetting("fifteen_puzzle", "search"),
    HardSetting("futoshiki", "search"),
    HardSetting("hidato", "search"),
    HardSetting("hitori", "search"),
    HardSetting("jigsaw_sudoku", "search"),
    HardSetting("kenken", "search", {"false": "none"}),
    HardSetting("killer_sudoku", "search", {"false": "none"}),
    HardSetting("klotski_small", "search", {"moves": 45}),
    HardSetting("nonogram", "search", {"false": "none"}),
    HardSetting("pentomino_packing", "search", {"pieces": 12}),
    HardSetting("rubiks_pocket", "search", {"turns": 13}),
    HardSetting("skyscrapers", "search", {"false": "none"}),
    HardSetting("star_battle", "search"),
    HardSetting("sudoku", "search"),
    HardSetting("survo", "search", {"rows": 5, "columns": 6}),
    HardSetting("tents", "search"),
    HardSetting("twiddle", "search"),
    HardSetting("water_jugs", "search"),
    HardSetting("word_search", "long text"),
    # planning
    HardSetting("elevator", "search", {"people": 12}),
    HardSetting("job_shop", "search", {"machines": 5, "positions": 2000}),
    HardSetting("knapsack", "search", {"things": 32, "nodes": 10000}),
    HardSetting("multi_agent_paths", "search", {"side": 8, "robots": 5}),
    HardSetting("nurse_roster", "search", {"nurses": 8, "days": 14, "positions": 2000}),
    HardSetting("pancake_sort", "search", {"pancakes": 13, "stacks": 6000}),
    HardSetting("sokoban", "search"),
    HardSetting("travelling_salesman_small", "search", {"places": 16}),
    # graphs
    HardSetting("chinese_postman_small", "search", {"corners": 26, "odd": 12}),
    HardSetting("dominating_set", "search", {"towns": 44, "nodes": 3000}),
    HardSetting("graph_colouring", "search", {"countries": 54, "nodes": 3000}),
    HardSetting("hamiltonian_path", "search", {"towns": 44, "nodes": 1000}),
    HardSetting("max_clique", "long text", {"people": 40, "nodes": 2000}),
    HardSetting("steiner_tree_small", "search", {"places": 28, "terminals": 9}),
    HardSetting("subgraph_isomorphism", "search", {"parts": 16, "towns": 36, "placements": 3000}),
    HardSetting("vertex_cover", "search", {"corners": 56}),
    # logic
    HardSetting("abduction_minimal", "search", {"assumptions": 16, "derived": 28, "observations": 5, "conflicts": 10}),
    HardSetting("boolean_function_synthesis", "insight", {"gates": 6}),
    HardSetting("fol_model_finding", "search", {"size": 5, "sentences": 16}),
    HardSetting("max_sat_small", "search", {"variables": 17, "constraints": 75, "broken": 12}),
    HardSetting("quantifier_game", "search", {"depth": 5}),
    HardSetting("sat_assignment", "search", {"variables": 50, "nodes": 2000}),
    HardSetting("unsat_core", "search", {"variables": 13, "nodes": 1500, "extra": 18}),
    HardSetting("zebra", "search", {"houses": 7, "traits": 4}),
    # mathematics
    HardSetting("chromatic_count", "bookkeeping", {"regions": 12, "extra": 9}),
    HardSetting("countdown", "search", {"numbers": 8}),
    HardSetting("egyptian_fraction", "insight", {"largest": 600}),
    HardSetting("missing_digits", "search", {"digits": 8}),
    HardSetting("missing_operators", "search", {"numbers": 11}),
    HardSetting("polynomial_factorization", "insight"),
    HardSetting("rectangle_count", "bookkeeping"),
    # algorithms, languages and ciphers
    HardSetting("elementary_ca_predecessor", "search", {"cells": 38, "rows": 200}),
    HardSetting("josephus", "bookkeeping", {"people": 60}),
    HardSetting("lfsr_predict", "search", {"length": 12}),
    HardSetting("optimal_bst", "bookkeeping", {"count": 22}),
    HardSetting("shortest_superstring", "search", {"pieces": 9}),
    # code, sql and reading
    HardSetting("bytecode_trace:several", "bookkeeping", {"task_count": 3}),
    HardSetting("type_infer:several", "bookkeeping", {"task_count": 2}),
    HardSetting("reach_line:several", "search", {"task_count": 3}),
    HardSetting("functional_dependencies", "search", {"attributes": 10, "dependencies": 16}),
    HardSetting("normal_form_decompose", "insight", {"attributes": 9, "dependencies": 12}),
    HardSetting("sql_index_choice", "search", {"queries": 12, "indexes": 5}),
    HardSetting("transaction_schedule_serialisable", "bookkeeping", {"transactions": 14, "steps": 40}),
    HardSetting("timeline_reconstruct", "search", {"events": 22}),
    HardSetting("contradiction_find", "long text"),
    HardSetting("event_order:several", "search", {"task_count": 3}),
    # several tasks of level 1 that must all be right
    HardSetting("absolute_value_equation:several", "insight", {"task_count": 4}),
    HardSetting("partial_fractions:several", "bookkeeping", {"task_count": 4}),
    HardSetting("longest_common_subsequence:several", "search", {"task_count": 4}),
    HardSetting("percentage_chain:several", "insight", {"task_count": 4}),
    HardSetting("ode_linear:several", "bookkeeping", {"task_count": 4}),
    HardSetting("definite_integral:several", "bookkeeping", {"task_count": 4}),
    HardSetting("affine_cipher:several", "insight", {"task_count": 4}),
    HardSetting("substitution_crack:several", "search", {"task_count": 3}),
    HardSetting("pigeonhole_subset:several", "insight", {"task_count": 4}),
    HardSetting("word_unrank:several", "bookkeeping", {"task_count": 4}),
    HardSetting("cfg_derive:several", "search", {"task_count": 4}),
    HardSetting("tag_system:several", "bookkeeping", {"task_count": 4}),
    HardSetting("closest_pair:several", "bookkeeping", {"task_count": 4}),
    HardSetting("triangle_solve:several", "insight", {"task_count": 4}),
    HardSetting("damaged_grid:several", "insight", {"task_count": 4}),
    HardSetting("list_function_induce:several", "insight", {"task_count": 4}),
    HardSetting("recipe_scaling:several", "bookkeeping", {"task_count": 4}),
    HardSetting("continued_fraction:several", "bookkeeping", {"task_count": 4}),
    HardSetting("sum_of_squares:several", "search", {"task_count": 4}),
    HardSetting("bayesian_network_query:several", "bookkeeping", {"task_count": 4}),
    HardSetting("optimal_stopping_small:several", "bookkeeping", {"task_count": 4}),
    HardSetting("report_wrong_word:several", "long text", {"task_count": 4}),
    HardSetting("abstain_when_unanswerable:several", "long text", {"task_count": 4}),
    HardSetting("balance_equation:several", "insight", {"task_count": 4}),
    HardSetting("titration:several", "bookkeeping", {"task_count": 4}),
    HardSetting("table_reconcile:several", "bookkeeping", {"task_count": 4}),
    HardSetting("sql_from_report:several", "insight", {"task_count": 4}),
    HardSetting("string_insertion_rules:several", "bookkeeping", {"task_count": 4}),
    HardSetting("chronicle_summary:several", "long text", {"task_count": 4}),
)

MOST_SOLVED = 0.2  # of the settings of a hard suite, those that readers solved


def mostly_unsolved(readings: Iterable[Reading] | None = None) -> list[HardSetting]:
    """The settings for a hard suite, by the readings of the present versions: all that readers failed on, and of those that they solved a few.

    So that the suite is known to be doable, solved ones belong to it as far as they are at most a fifth. A setting that nobody read counts as failed where
    its numbers are past those of level 1, which no reader solved; else it is left out.
    """
    solved, read = dict[str, int](), dict[str, int]()
    found = list(all_readings() if readings is None else readings)
    for setting in HARD_SETTINGS:
        at_1 = [
            each
            for each in found
            if (each.environment, each.level) == (setting.name, 1.0) and each.version == rlgym.environment(setting.name).version
        ]
        own = [each for each in at_1 if each.knobs == setting.knobs_text]
        if not own and not any(isinstance(value, str) for value in setting.knobs.values()):
            plain = [each for each in at_1 if not each.knobs]
            own = [] if any(each.solved for each in plain) else plain
        if own:
            solved[setting.name], read[setting.name] = sum(each.solved for each in own), sum(each.read for each in own)
    failed = [setting for setting in HARD_SETTINGS if setting.name in read and solved[setting.name] * 4 <= read[setting.name]]
    others = [setting for setting in HARD_SETTINGS if setting.name in read and setting not in failed]
    few = others[: int(len(failed) * MOST_SOLVED / (1 - MOST_SOLVED))]
    return [setting for setting in HARD_SETTINGS if setting in failed or setting in few]
