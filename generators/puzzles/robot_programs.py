"""Programs of a robot on a grid: steps, turns and repeats; reading, running and shortening them."""

from __future__ import annotations

Cell = tuple[int, int]
MOST_STEPS = 4000
AHEAD: dict[str, Cell] = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
WINDS = ("north", "east", "south", "west")


def expand(text: str) -> tuple[str, int]:
    """The single moves (f, l, r) of a program such as `2(ff3(lf))r`, and how many instructions it has; ValueError if it is none.

    Each letter and each repeat is one instruction. More than MOST_STEPS moves are refused.
    """
    stack: list[tuple[int, str]] = []
    moves, size, number = "", 0, ""
    for sign in text:
        if sign.isascii() and sign.isdigit() and len(number) < 4:
            number += sign
        elif sign == "(" and number and int(number) > 0:
            stack.append((int(number), moves))
            moves, number, size = "", "", size + 1
        elif sign == ")" and stack and moves and not number:
            times, before = stack.pop()
            if times * len(moves) + len(before) > MOST_STEPS:
                raise ValueError(f"the program makes more than {MOST_STEPS} moves")
            moves = before + times * moves
        elif sign in "flr" and not number:
            moves, size = moves + sign, size + 1
        else:
            raise ValueError(f"there is something wrong at {sign!r}: expected f, l, r or a number and a bracket, as in 3(fl)")
    if stack or number:
        raise ValueError("a bracket is not closed, or a number stands at the end")
    return moves, size


def facing_after(wind: str, move: str) -> str:
    """Where a robot faces after a turn."""
    return WINDS[(WINDS.index(wind) + {"l": 3, "r": 1}.get(move, 0)) % 4]


def run(moves: str, cell: Cell, wind: str) -> list[tuple[Cell, str]]:
    """Where the robot is and where it faces, at first and after each move; nothing is in its way."""
    out = [(cell, wind)]
    for move in moves:
        if move == "f":
            cell = (cell[0] + AHEAD[wind][0], cell[1] + AHEAD[wind][1])
        else:
            wind = facing_after(wind, move)
        out.append((cell, wind))
    return out


def shorten(moves: str, *, late: bool = False) -> str:
    """A program of fewest instructions for these moves, by the best way to split or to repeat each stretch of them."""
    best: dict[str, tuple[int, str]] = {}

    def least(part: str) -> tuple[int, str]:
        if len(part) < 2:
            return len(part), part
        if part not in best:
            best[part] = (len(part), part)
            for period in range(1, len(part) // 2 + 1):
                if len(part) % period == 0 and part == part[:period] * (len(part) // period):
                    size, inside = least(part[:period])
                    best[part] = min(best[part], (size + 1, f"{len(part) // period}({inside})"), key=lambda program: program[0])
                    break
            cuts = range(1, len(part))
            for cut in reversed(cuts) if late else cuts:
                first_half, two = least(part[:cut]), least(part[cut:])
                if first_half[0] + two[0] < best[part][0]:
                    best[part] = (first_half[0] + two[0], first_half[1] + two[1])
        return best[part]

    return least(moves)[1]


def repeats(program: str) -> list[tuple[int, str]]:
    """The repeats of a program, inner ones first."""
    found, open_ = [], list[int]()
    for at, sign in enumerate(program):
        if sign == "(":
            open_.append(at)
        elif sign == ")":
            begin = open_.pop()
            digits = program[:begin][len(program[:begin].rstrip("0123456789")) :]
            found.append((int(digits), program[begin + 1 : at]))
    return found
