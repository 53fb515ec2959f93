"""Pairs of puzzles and graphs."""

from __future__ import annotations

from rlgym.cli.reasoning_gym_pairs.pair import Pair

PUZZLES = (
    Pair("sudoku", {"boxes": "3x3", "empty": 50, "reasoning": "singles"}, "sudoku", {}),
    Pair("sudoku", {"boxes": "2x2", "empty": 62, "reasoning": "singles"}, "mini_sudoku", {}),
    Pair("futoshiki", {"size": 5}, "futoshiki", {"min_board_size": 5, "max_board_size": 5}),
    Pair("futoshiki", {"size": 4}, "futoshiki", {"min_board_size": 4, "max_board_size": 4}),
    Pair(
        "kakurasu",
        {"size": 4, "weights": "places", "numbers": 100, "reasoning": "trying"},
        "kakurasu",
        {"max_rows": 4, "max_cols": 4, "min_rows": 4, "min_cols": 4},
    ),
    Pair(
        "kakurasu",
        {"size": 5, "weights": "places", "numbers": 100, "reasoning": "trying"},
        "kakurasu",
        {"max_rows": 5, "max_cols": 5, "min_rows": 5, "min_cols": 5},
    ),
    Pair(
        "survo",
        {"rows": 3, "columns": 3, "given_numbers": 50, "reasoning": "trying"},
        "survo",
        {"max_board_size": 4},
        difference="theirs names the numbers that are missing",
        reason="ours proves that the solution is unique; theirs does not",
    ),
    Pair(
        "survo",
        {"rows": 4, "columns": 4, "given_numbers": 50, "reasoning": "trying"},
        "survo",
        {"min_board_size": 5},
        difference="theirs names the numbers that are missing",
        reason="ours proves that the solution is unique; theirs does not",
    ),
    Pair(
        "hanoi_variants",
        {"disks": 3, "moves": 7, "pegs": "free"},
        "tower_of_hanoi",
        {"min_disks": 3, "max_disks": 3, "max_pegs": 3},
        difference="ours starts and ends at any positions",
        reason="ours starts and ends anywhere and searches for the shortest plan; theirs writes the plan of the textbook",
    ),
    Pair(
        "hanoi_variants",
        {"disks": 5, "moves": 31, "pegs": "free"},
        "tower_of_hanoi",
        {"min_disks": 5, "max_disks": 5, "max_pegs": 3},
        difference="ours starts and ends at any positions",
        reason="ours starts and ends anywhere and searches for the shortest plan; theirs writes the plan of the textbook",
    ),
    Pair("quantum_lock", {"presses": 8, "buttons": 3, "limit": 100, "colours": "2"}, "quantum_lock", {}),
    Pair(
        "water_jugs",
        {"jugs": 3, "largest": 13, "steps": 10, "goal": "any"},
        "jugs",
        {},
        reason="ours chooses among all goals one that takes the stated number of steps, and limits the steps",
    ),
    Pair(
        "rubiks_pocket",
        {"turns": 6, "kind": "any"},
        "rubiks_cube",
        {"cube_size": 2, "min_scramble_steps": 6, "max_scramble_steps": 6},
        reason="ours proves by search that no fewer turns suffice and limits the answer; theirs applies random turns",
    ),
    Pair(
        "rush_hour",
        {"size": 6, "cars": 11, "moves": 10},
        "rush_hour",
        {},
        reason="ours draws a board and searches it; theirs reads one of a stored table",
    ),
    Pair(
        "sokoban",
        {"width": 6, "height": 6, "boxes": 3, "walls": 15, "pushes": 8},
        "sokoban",
        {"max_w": 8, "max_h": 8, "min_boxes": 3, "max_boxes": 3},
        difference="theirs is from 6 x 6 to 8 x 8",
        reason="ours searches each room for a plan with the fewest pushes; theirs plays backwards",
    ),
)

GRAPHS = (
    Pair(
        "graph_colouring",
        {"countries": 10, "colours": 3, "degree": 28, "fixed": 0},
        "graph_color",
        {},
        reason="ours lists the possible borders of a planted colouring and draws 14 of them",
    ),
    Pair(
        "graph_colouring",
        {"countries": 20, "colours": 3, "degree": 28, "fixed": 0},
        "graph_color",
        {"min_num_vertices": 20, "max_num_vertices": 20},
    ),
    Pair(
        "topological_order",
        {"tasks": 8, "rules": 120, "deadlines": 0, "circles": 25},
        "course_schedule",
        {"min_num_courses": 8, "max_num_courses": 8},
        difference="theirs asks only whether an order exists",
    ),
    Pair(
        "shortest_path",
        {"towns": 10, "detours": 1},
        "path_star",
        {"degree": 3, "min_path_length": 4, "max_path_length": 4},
        difference="ours has one further road and lengths of roads",
    ),
)
