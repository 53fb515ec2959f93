"""Pairs of logic, induction, code and text."""

from __future__ import annotations

from rlgym.cli.reasoning_gym_pairs.pair import Pair

LOGIC = (
    Pair("knights_and_knaves", {"people": 5, "statements": "joined"}, "knights_knaves", {"n_people": 5}),
    Pair("knights_and_knaves", {"people": 2, "statements": "joined"}, "knights_knaves", {"n_people": 2}),
    Pair("zebra", {"houses": 4, "traits": 4, "spare": 0, "clues": "mixed"}, "zebra_puzzles", {"num_people": 4, "num_characteristics": 4}),
    Pair("zebra", {"houses": 3, "traits": 3, "spare": 0, "clues": "mixed"}, "zebra_puzzles", {"num_people": 3, "num_characteristics": 3}),
    Pair(
        "syllogism",
        {"classes": 3, "premises": 2, "conclusions": 5},
        "syllogism",
        {},
        difference="ours has several conclusions to judge, theirs one",
        reason="ours decides eight kinds of statement by all models and balances what follows and what does not; theirs fills one of the valid moods",
    ),
    Pair("circuit_output", {"gates": 12, "rows": 2, "memory": 0}, "circuit_logic", {}),
    Pair(
        "kinship_stories",
        {"people": 6, "relations": "close"},
        "family_relationships",
        {"min_family_size": 6, "max_family_size": 6},
        reason="ours derives the relations of all pairs and asks for three of different kinds",
    ),
    Pair(
        "needle_in_haystack",
        {"sentences": 50, "rivals": 2, "question": "named"},
        "needle_haystack",
        {"min_num_statements": 50, "max_num_statements": 50},
        difference="sentences of ours are about three times as long",
        reason="ours writes each sentence with a name, year and town and adds near copies of the one asked for; theirs joins three words",
    ),
    Pair(
        "arc_1d",
        {"operations": 16, "depth": 1, "examples": 3, "cells": 20},
        "arc_1d",
        {},
        reason="ours shows a list of 16 operations, and proves that the examples leave one answer",
    ),
    Pair("arc_like_grids", {"operations": 8, "depth": 2, "examples": 3, "size": 10}, "rearc", {"max_examples": 3}),
    Pair(
        "list_function_induce",
        {"operations": 10, "depth": 2, "examples": 4, "length": 8},
        "list_functions",
        {},
        difference="rules of ours are chains of two operations",
        reason="ours shows a list of operations, and proves that the examples leave one answer",
    ),
    Pair(
        "rectangle_count",
        {"rows": 8, "columns": 11, "gaps": 30, "stars": 0},
        "rectangle_count",
        {},
        difference="ours is a drawing on a grid of lines, theirs rectangles on 80 x 80 characters",
    ),
    Pair(
        "cube_net_fold",
        {"turns": 2},
        "color_cube_rotation",
        {"min_rotations": 2, "max_rotations": 2},
        difference="ours folds a net first, theirs names the faces",
        reason="ours folds a net as well",
    ),
    Pair(
        "ascii_shapes_count",
        {"size": 8, "signs": 1, "shapes": "blots"},
        "largest_island",
        {"min_rows": 8, "max_rows": 8, "min_cols": 8, "max_cols": 8},
        difference="ours counts the patches as well",
    ),
)

CODE_AND_TEXT = (
    Pair("brainfuck_output", {"blocks": 4, "depth": 1}, "bf", {"difficulty": 1}),
    Pair("brainfuck_output", {"blocks": 8, "depth": 2}, "bf", {"difficulty": 2}),
    Pair(
        "predict_output",
        {},
        "codeio",
        {"input_prediction_probability": 0.0},
        difference="theirs has longer programs, from a stored set",
        reason="ours composes a new program for each task and runs it on many inputs; theirs reads a stored program",
    ),
    Pair(
        "predict_input",
        {},
        "codeio",
        {"input_prediction_probability": 1.0},
        difference="theirs has longer programs, from a stored set",
        reason="ours composes a new program for each task and runs it on many inputs; theirs reads a stored program",
    ),
    Pair(
        "string_rewriting",
        {"length": 10, "rules": 4, "steps": 4, "order": "place"},
        "ab",
        {"length": 10},
        reason="ours draws the rules too, and draws again until the run ends after enough steps",
    ),
    Pair(
        "string_rewriting",
        {"length": 12, "rules": 5, "steps": 1, "order": "rule"},
        "string_manipulation",
        {},
        reason="ours draws the rules too, and draws again until the run ends",
    ),
    Pair(
        "string_insertion_rules",
        {"length": 12, "rules": 5, "way": "skip"},
        "string_insertion",
        {},
        reason="ours draws again until the rules apply often; a third of their strings stay as they are",
    ),
    Pair(
        "caesar_crack",
        {"words": 12, "family": "shift"},
        "caesar_cipher",
        {},
        difference="ours gives one plain word as a clue",
        reason="ours draws again until one key alone fits the clue",
    ),
    Pair(
        "alphabetise_nested",
        {"items": 10, "depth": 2, "rules": "one"},
        "word_sorting",
        {"min_words": 10, "max_words": 10},
        difference="ours is nested on two levels",
        reason="ours sorts a nested list by drawn rules",
    ),
)
