"""Makes the files of the pinned suites from the rules below: `pin_suites.py [NAME ...]`, all of version 1 without a name.

A suite that is pinned already is never written again: where an environment has a new version, or the rules change, `pin_suites.py core-v2`
makes another one beside it. `hard-domains-v1` stands for the hard suites of all domains that can have one by the readings. `--check` says instead whether the
rules still make the files that are there; `--force` overwrites, which is only for suites that were never published. With `--reuse`, environments
whose tasks are as they were pinned keep their seeds, and the others alone are drawn.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import rlgym
from rlgym.derived.table import LANGUAGES
from rlgym.evaluate.hard_settings import FEWEST, mostly_unsolved, undone, unsolved_by_domain
from rlgym.evaluate.pinning import Part, draft, drawn, text_of, with_hashes
from rlgym.evaluate.suites import FOLDER, Pinned

ALL_LEVELS, THREE_LEVELS, HARD_LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.5, 1.0), (0.75, 1.0)

CORE = """
linear_system polynomial_factorization recurrence_solve vieta_sums | banker_safe_order edit_distance_script heap_operations subset_sum
chain_sum countdown timezone_meeting word_problem_chain | definite_integral derivative partial_derivatives taylor_series
columnar_transposition rsa_toy vigenere_known_words xor_repeating_key | function_from_tests predict_output repair_bug type_infer
balls_in_boxes domino_tilings grid_paths word_unrank | cfg_derive dfa_minimise moore_mealy_output pda_run
mastermind maze_walk minesweeper_play wordle_like | angle_chase closest_pair rotation_composition triangle_solve
bipartite_matching graph_colouring hamiltonian_path shortest_path | arc_like_grids list_function_induce number_sequence_rule paper_folding
constraint_stack exact_edit extract_to_schema structured_output_schema | horn_forward_chain knights_and_knaves natural_deduction sat_assignment
chomp goofspiel kuhn_poker othello_small | chinese_remainder discrete_log modular_power prime_factorization
blocksworld knapsack meeting_scheduler sokoban | bayes_update dice_sum_exact markov_absorption urn_draws
kakurasu lights_out sudoku word_search | kinship_stories legal_clause_apply multi_hop_facts variable_tracking
balance_equation circuit_resistance genetics_cross kinematics | json_transform sql_predict_result sql_query table_question
diff_apply post_correspondence string_insertion_rules string_rewriting | airline_rebooking file_system_tasks network_diagnosis web_shop
access_offboarding data_subject_requests invoice_disputes payroll_corrections | broken_build config_migration log_rotation mode_audit
contract_clause metrical_verse policy_letter table_report | bisect_history issue_fix missing_tests pull_request_review
backdoor_adjustment dictionary_cleaning multiple_tests notebook_reproduction
"""
SHIFTED = """
determinant recurrence_solve fraction_sum timezone_meeting chain_rule_numeric taylor_series balls_in_boxes word_unrank dfa_minimise closest_pair
triangle_solve bipartite_matching shortest_path arc_like_grids list_function_induce exact_edit structured_output_schema boolean_function_synthesis
truth_table_query discrete_log meeting_scheduler bayes_update markov_absorption sudoku lights_out kinship_stories variable_tracking kinematics
json_transform network_diagnosis
"""
SURE = """
chain_sum prime_factorization bayes_update linear_system definite_integral shortest_path variable_tracking number_sequence_rule table_question
horn_forward_chain
"""
SMOKE = """
chain_sum linear_system derivative prime_factorization grid_paths urn_draws triangle_solve kinematics shortest_path knights_and_knaves blocksworld
heap_operations vigenere_known_words sudoku list_function_induce string_rewriting kinship_stories exact_edit json_transform moore_mealy_output
mastermind file_system_tasks nim predict_output access_offboarding
policy_letter
"""
JUDGED = """
chain_sum linear_system derivative prime_factorization grid_paths urn_draws triangle_solve kinematics shortest_path knights_and_knaves blocksworld
heap_operations vigenere_known_words sudoku list_function_induce string_rewriting kinship_stories exact_edit json_transform moore_mealy_output
predict_output
"""
JUDGED_IN_LANGUAGES = "chain_sum grid_paths knights_and_knaves kinship_stories"
JUDGE_KINDS = ("grade_solution", "pairwise", "best_of", "first_error")
TRANSLATED_KINDS = ("grade_solution", "pairwise", "best_of")
# Too slow to be made again at every run.
SLOW = """
property_counterexample distinguishing_input klotski_small rush_hour hidato locate_bug_line state_at_line loop_bound chess_endgames arc_1d fifteen_puzzle
checkers_small
"""


def parts(suite: str) -> tuple[str, list[Part]]:
    """What a suite says of itself, and of what it is made."""
    stem = suite.rpartition("-v")[0]
    if stem == "core":
        plain = [Part(name, ALL_LEVELS, 2) for name in _words(CORE)]
        shifted = [Part(f"{name}:shift", (0.25, 0.75), 1) for name in _words(SHIFTED)]
        sure = [Part(f"{name}:with_confidence", ALL_LEVELS, 1) for name in _words(SURE)]
        description = (
            "Four environments of each domain at five levels, the other families of 30 environments, and 10 that ask for a confidence"
        )
        return description, plain + shifted + sure
    if suite == "hard-v2":
        if not (settings := mostly_unsolved()):
            raise SystemExit("nobody has read the settings beyond level 1: use scripts/hard_readings.py")
        return "Tasks at and beyond level 1, of settings that blind readers mostly fail", [
            Part(each.name, (1.0,), max(2, math.ceil(60 / len(settings))), each.knobs) for each in settings
        ]
    if (domain := stem.removeprefix("hard-")) != stem and domain in rlgym.domains():
        if not (settings := unsolved_by_domain().get(domain, [])):
            raise SystemExit(
                f"readers mostly fail fewer than {FEWEST} settings of {domain}, so that it has no hard suite: see rlgym/evaluate/hard_settings.py"
            )
        return f"Tasks of {domain} at and beyond level 1, of settings that blind readers mostly fail", [
            Part(each.name, (1.0,), max(3, math.ceil(24 / len(settings))), each.knobs) for each in settings
        ]
    if stem == "hard":
        description = "The five environments of each domain that ask for the most work, at levels 0.75 and 1, without those that a constant answer may win"
        return description, [Part(name, HARD_LEVELS, 2) for domain in rlgym.domains() for name in _hardest(domain, 5)]
    if stem == "smoke":
        return (
            "A light environment of each domain but notebooks, repositories and terminal at levels 0 and 0.5, none with a sandbox, to try a setup with",
            [Part(name, (0.0, 0.5), 1) for name in _words(SMOKE)],
        )
    if stem == "judge":
        return (
            "Solutions to judge, of an environment of each domain that has one turn: graded, compared, chosen from six, and searched for the first error",
            [Part(f"{name}:{kind}", (0.25, 0.75), 1) for name in _words(JUDGED) for kind in JUDGE_KINDS],
        )
    if stem == "judge-languages":
        kinds = [f"{name}:{kind}" for name in _words(JUDGED_IN_LANGUAGES) for kind in TRANSLATED_KINDS]
        return "The same solutions to judge in English and in seven other languages: graded, compared, and chosen from six", [
            Part(f"{kind}{language}", (0.5,), 1) for kind in kinds for language in ("", *(f":{code}" for code in LANGUAGES))
        ]
    if stem == "judge-hard":
        hardest = [name for domain in rlgym.domains() for name in _hardest(domain, 3, JUDGE_KINDS)]
        return "Solutions to judge at level 1, of the three environments of each domain that ask for the most work", [
            Part(f"{name}:{kind}", (1.0,), 1) for name in hardest for kind in JUDGE_KINDS
        ]
    chosen = rlgym.names(stem)
    if stem == "tools":
        plain = [Part(name, THREE_LEVELS, 2) for name in chosen]
        shifted = [Part(f"{name}:shift", (0.5,), 1) for name in chosen if f"{name}:shift" in rlgym.spec(name)["derived"]]
        return "All worlds of tools at three levels, and the other families of those that have one", plain + shifted
    if stem == "matches":
        return "All matches against the opponents built in, at five levels", [Part(name, ALL_LEVELS, 2) for name in chosen]
    seeds = max(2, math.ceil(80 / (3 * len(chosen))))
    return f"All environments of {stem} at three levels", [Part(name, THREE_LEVELS, seeds) for name in chosen]


def stems() -> list[str]:
    """What suites that there are rules for are called, without their number."""
    return ["core", "hard", "smoke", "judge", "judge-hard", "judge-languages", *rlgym.domains()]


def named(name: str) -> list[str]:
    """The suites that a name on the command line means: itself, or `hard-domains-vN` for the hard suites of all domains that can have one."""
    number = name.removeprefix("hard-domains-v")
    return [name] if number == name else [f"hard-{domain}-v{number}" for domain in unsolved_by_domain()]


def check_doable(made: Pinned) -> None:
    """SystemExit if the oracle fails on a task, or its derivation does not replay."""
    for name, pinned_environment in made.environments.items():
        for seed in (seed for seeds in pinned_environment.seeds.values() for seed in seeds):
            if why := undone(name, seed, pinned_environment.knobs):
                raise SystemExit(f"{made.name}: the task of {name} with seed {seed} is not known to be doable: {why}")


def pin(suite: str, pool: Any, earlier: Pinned | None = None) -> Pinned:
    """A suite from its rules; what is as in an earlier file of the suite keeps its seeds."""
    description, pinned_parts = parts(suite)
    kept = {part.name for part in pinned_parts if earlier and _is_as_pinned(part, earlier)}
    while True:
        left = [part for part in pinned_parts if part.name not in kept]
        seeds = {name: earlier.environments[name].seeds for name in kept} if earlier else {}
        seeds |= dict(zip((part.name for part in left), pool.map(drawn, [suite] * len(left), left)))
        knobs = {part.name: part.knobs for part in pinned_parts}
        made = with_hashes(*draft(suite, description, {part.name: seeds[part.name] for part in pinned_parts}, knobs))
        changed = {name for name in kept if earlier and made.environments[name].hash != earlier.environments[name].hash}
        if not changed:
            return made
        kept -= changed  # the same version with other prompts, which may not be held out


def _is_as_pinned(part: Part, earlier: Pinned) -> bool:
    """Whether an earlier file has as many tasks of this version at the same levels."""
    known = earlier.environments.get(part.name)
    if known is None or known.version != rlgym.environment(part.name).version:
        return False
    seeds_by_level = {level: len(seeds) for level, seeds in known.seeds.items()}
    return seeds_by_level == dict.fromkeys(part.levels, part.seeds) and known.knobs == dict(part.knobs)


def _hardest(domain: str, count: int, kinds: tuple[str, ...] = ()) -> list[str]:
    """Of a domain the environments whose hardest tasks cost an ideal solver the most, and that no constant answer may win.

    kinds: derived environments that each of them must have. An environment that has no certificate yet is left out.
    """
    laws = {
        certificate["name"]: certificate["laws"] for certificate in json.loads(Path("docs/certificates.json").read_text())["certificates"]
    }
    fit = [
        name
        for name in rlgym.names(domain)
        if name in laws
        and {f"{name}:{kind}" for kind in kinds} <= set(rlgym.spec(name)["derived"])
        and _constant_answer(laws[name]) <= 0.01
        and not rlgym.spec(name)["guessable"]
        and not getattr(rlgym.environment(name), "needs", ())
        and name not in _words(SLOW)
    ]
    return sorted(sorted(fit, key=lambda name: -laws[name]["monotonic_difficulty"]["measured"]["cost"][-1])[:count])


def _constant_answer(laws: dict[str, Any]) -> float:
    """What the best constant answer earned; certificates from before that law of its own hold it under `no_free_reward`."""
    law = laws.get("constant_answer") or laws["no_free_reward"]
    return float(law["measured"].get("constant_answer", 0))


def _words(text: str) -> list[str]:
    return [word for word in text.split() if word != "|"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true", help="compare with what is there, and write nothing")
    parser.add_argument("--force", action="store_true", help="overwrite what is there")
    parser.add_argument("--reuse", action="store_true", help="keep the seeds of environments whose tasks are as they were pinned")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    chosen = [suite for name in given.names for suite in named(name)] or [f"{stem}-v1" for stem in stems()]
    known = re.compile(rf"({'|'.join([*stems(), *(f'hard-{domain}' for domain in rlgym.domains())])})-v[1-9][0-9]*")
    if unknown := [name for name in chosen if not known.fullmatch(name)]:
        raise SystemExit(f"there are no rules for {unknown[0]!r}; there are for {', '.join(stems())}, each with a number such as -v1")
    for name in list(chosen):
        if (FOLDER / f"{name}.json").exists() and not (given.check or given.force):
            if given.names:
                raise SystemExit(f"{name} is pinned already, and a suite never changes: make one of a higher number (or --force)")
            chosen.remove(name)
    changed = 0
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        for name in chosen:
            file = FOLDER / f"{name}.json"
            earlier = Pinned.model_validate_json(file.read_text()) if given.reuse and file.exists() else None
            made = pin(name, pool, earlier)
            if name.startswith("hard-") and name != "hard-v1":
                check_doable(made)
            text = text_of(made)
            if not given.check:
                file.write_text(text)
                print(f"{name}: {json.loads(text)['tasks']} tasks of {len(json.loads(text)['environments'])} environments", flush=True)
            elif not file.exists() or file.read_text() != text:
                changed += 1
                print(f"{name} is not what its rules make")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
