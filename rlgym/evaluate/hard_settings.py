"""Settings for tasks beyond level 1: an environment, and the knobs that go past it. The suite hard-v2 and those of single domains consist of such tasks.

Each keeps its prompt within 1,500 words and each answer within 1,000 characters; what grows is the search, the number of steps that depend on one another,
the state to be kept over many turns, or the number of tasks that must all be right. All other knobs are those of level 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import rlgym
from rlgym.core.config import Value
from rlgym.core.declare import Environment
from rlgym.evaluate.readings import Reading, all_readings
from rlgym.evaluate.suites import base

Difficulty = Literal["insight", "search", "bookkeeping", "long text", "interaction"]


@dataclass(frozen=True, slots=True, eq=False)
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
    HardSetting("normal_form_decompose", "insight", {"attributes": 10, "dependencies": 14}),
    HardSetting("sql_index_choice", "search", {"queries": 14, "indexes": 5}),
    HardSetting("transaction_schedule_serialisable", "bookkeeping", {"transactions": 14, "steps": 40}),
    HardSetting("timeline_reconstruct", "search", {"events": 28}),
    HardSetting("contradiction_find", "long text"),
    HardSetting("event_order:several", "search", {"task_count": 3}),
    # games
    HardSetting("automaton_identification", "interaction", {"states": 9}),
    HardSetting("frozen_lake_text", "search", {"size": 13, "moves": 22}),
    HardSetting("guess_the_rule", "interaction", {"length": 6}),
    HardSetting("minesweeper_play", "interaction", {"width": 14, "height": 14}),
    HardSetting("taxi_text", "search", {"size": 9, "passengers": 6, "rules": 7}),
    # tools
    HardSetting("delegation_two_agents", "interaction", {"goals": 7, "rooms": 12, "chests": 12}),
    HardSetting("inventory_procurement", "interaction", {"products": 16, "suppliers": 8}),
    HardSetting("long_horizon_errands", "search", {"places": 11, "errands": 5, "urgent": 3}),
    HardSetting("power_grid", "interaction", {"hours": 9, "plants": 5, "nodes": 8}),
    HardSetting("smart_home", "search", {"devices": 10, "rules": 26, "moves": 14, "indirect": 5}),
    HardSetting("tool_budget", "search", {"kinds": 16, "bundles": 7, "tools_per_kind": 5, "passes": 4}),
    HardSetting("tool_from_docs", "search", {"levers": 11, "pulls": 11, "top": 500, "misprints": 6}),
    # terminal
    HardSetting("dependency_pins", "interaction", {"packages": 12, "versions": 6, "withdrawn": 5}),
    HardSetting("jobs_schedule", "search", {"jobs": 20, "moved": 9, "ordered": 8}),
    # sql
    HardSetting("access_control_query", "bookkeeping", {"people": 20, "roles": 12, "rules": 44, "deep": 7}),
    HardSetting("datalog_query", "bookkeeping", {"people": 12, "facts": 34}),
    HardSetting("entity_resolution", "bookkeeping", {"records": 40, "rules": 6}),
    # reading
    HardSetting("belief_tracking", "long text", {"events": 110, "order": 6}),
    HardSetting("event_order", "search", {"events": 20, "people": 4}),
    HardSetting("natural_logic_proof", "search", {"steps": 10, "kinds": 13, "verbs": 7, "decoys": 18}),
    HardSetting("report_wrong_word", "insight", {"people": 14, "sentences": 30}),
    HardSetting("rule_book_apply", "long text", {"rules": 60, "pieces": 14}),
    HardSetting("variable_tracking", "bookkeeping", {"lines": 90, "names": 12}),
    # code
    HardSetting("exception_predict", "bookkeeping", {"blocks": 10, "steps": 300}),
    HardSetting("induce_program", "insight"),
    HardSetting("minimal_failing_input", "search", {"longest": 6}),
    HardSetting("program_equivalence", "bookkeeping", {"blocks": 5, "rare": 2}),
    HardSetting("write_unit_tests", "insight"),
    # writing and instruction following
    HardSetting("chronicle_summary", "search", {"events": 24, "links": 12, "room": 0.35}),
    HardSetting("constraint_stack", "search", {"constraints": 20, "lines": 10}),
    HardSetting("selective_disclosure", "search", {"people": 28, "readers": 5}),
    HardSetting("separating_questions", "search", {"suspects": 14}),
    HardSetting("shared_argument", "search", {"statements": 24, "rules": 32, "exclusions": 11, "steps": 6}),
    HardSetting("style_card_check", "long text", {"lines": 50, "rules": 20, "breaches": 10}),
    HardSetting("taboo_rewrite", "search", {"statements": 9, "pairs": 4, "clauses": 9}),
    HardSetting("unique_descriptions", "search", {"objects": 24, "targets": 8}),
    # induction
    HardSetting("analogical_mapping", "search", {"people": 18, "facts": 44, "more": 12}),
    HardSetting("boolean_function_learn", "search", {"variables": 12, "terms": 6, "rows": 64}),
    HardSetting("causal_effect_query", "insight", {"nodes": 9, "parts": 20}),
    HardSetting("decision_tree_fit", "search", {"depth": 5, "rows": 60}),
    HardSetting("symbolic_regression", "insight", {"leaves": 12}),
    # science
    HardSetting("balance_equation", "search", {"elements": 9}),
    HardSetting("pedigree_inference", "search", {"size": 20}),
    HardSetting("quantum_circuit_output", "bookkeeping", {"qubits": 7, "gates": 44, "halves": 14}),
    HardSetting("reaction_network_path", "search", {"steps": 14}),
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
FEWEST = 2  # settings of a hard suite of one domain


def read_settings(readings: Iterable[Reading] | None = None) -> dict[HardSetting, tuple[int, int]]:
    """How many tasks readers solved, of how many read, of each setting that was read in the present version.

    A setting that nobody read counts as read where its numbers are past those of level 1, and no reader solved level 1.
    """
    found = list(all_readings() if readings is None else readings)
    counts = dict[HardSetting, tuple[int, int]]()
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
            counts[setting] = sum(each.solved for each in own), sum(each.read for each in own)
    return counts


def mostly_unsolved(readings: Iterable[Reading] | None = None) -> list[HardSetting]:
    """The settings for a hard suite, by the readings of the present versions: all that readers failed on, and of those that they solved a few.

    So that the suite is known to be doable, solved ones belong to it as far as they are at most a fifth. What nobody read is left out, see `read_settings`.
    """
    counts = read_settings(readings)
    failed = [setting for setting, (solved, read) in counts.items() if solved * 4 <= read]
    others = [setting for setting in counts if setting not in failed]
    few = others[: int(len(failed) * MOST_SOLVED / (1 - MOST_SOLVED))]
    return [setting for setting in counts if setting in failed or setting in few]


@cache
def domain_of(setting: HardSetting) -> str:
    return next(domain for domain in rlgym.domains() if base(setting.name) in rlgym.names(domain))


def unsolved_by_domain(readings: Iterable[Reading] | None = None) -> dict[str, list[HardSetting]]:
    """Of each domain the settings for its hard suite: those of which readers solved at most one task in four.

    A domain with fewer than two such settings has none. That their tasks can be done is checked when they are pinned, see `undone`.
    """
    by_domain: dict[str, list[HardSetting]] = {}
    for setting, (solved, read) in read_settings(readings).items():
        if solved * 4 <= read:
            by_domain.setdefault(domain_of(setting), []).append(setting)
    return {domain: by_domain[domain] for domain in sorted(by_domain) if len(by_domain[domain]) >= FEWEST}


def undone(name: str, seed: int, knobs: Mapping[str, Value]) -> str | None:
    """Why a task at level 1 with these knobs is not known to be doable: the oracle does not solve it, or its derivation does not replay; else None."""
    env = rlgym.make(name, level=1.0, **dict[str, Any](knobs))
    env.reset(seed=seed)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step(env.oracle())
        over = terminated or truncated
    if info["score"].value != 1.0:
        return f"the oracle does not solve it: {info['score'].reason}"
    declared = rlgym.environment(name)
    if not isinstance(declared, Environment) or declared.explain is None or declared.replay is None:
        return None
    task = rlgym.task(name, seed, level=1.0, **dict[str, Any](knobs))
    refused = declared.replay(task, declared.explain(task))
    return None if refused is None else f"its derivation does not replay: {refused}"
