"""Several numbers: intervals, sets, tuples, matrices."""

from __future__ import annotations

from fractions import Fraction

from rlgym import Rng
from rlgym.audit.spellings.notation import Pairs, latex, marked, rational, small_fraction


def intervals(rng: Rng) -> Pairs:
    ends = sorted({small_fraction(rng, 30) for _ in range(6)})[: 2 * rng.integer(1, 2)]
    ends = ends if len(ends) % 2 == 0 else ends[:-1]
    spans = [(ends[i], ends[i + 1], rng.chance(0.5), rng.chance(0.5)) for i in range(0, len(ends), 2)]
    left, right = rng.chance(0.25), rng.chance(0.25)

    def write_interval(form: str, changed: int = -1, how: str = "") -> str:
        out = []
        for i, (low, high, low_in, high_in) in enumerate(spans):
            if i == changed:
                low_in, high_in = low_in != (how == "low"), high_in != (how == "high")
                low, high = (low - 1, high) if how == "end" else (low, high)
            begins = "-oo" if left and i == 0 else rational(low)
            ends_at = "oo" if right and i == len(spans) - 1 else rational(high)
            low_in, high_in = low_in and begins != "-oo", high_in and ends_at != "oo"
            if form == "inequality":
                before = "" if begins == "-oo" else f"{begins} {'<=' if low_in else '<'} "
                after = "" if ends_at == "oo" else f" {'<=' if high_in else '<'} {ends_at}"
                out.append(f"{before}x{after}" if before or after else "(-oo, oo)")
                continue
            if form == "latex":
                begins = "-\\infty" if begins == "-oo" else latex(low)
                ends_at = "\\infty" if ends_at == "oo" else latex(high)
            out.append(f"{'[' if low_in else '('}{begins}, {ends_at}{']' if high_in else ')'}")
        joint = {"latex": " \\cup ", "inequality": " or "}.get(form, " U ")
        return joint.join(out)

    good = [
        f"${write_interval('latex')}$",
        f"x \\in {write_interval('latex')}",
        write_interval("plain").replace("oo", "∞").replace(" U ", " ∪ "),
        write_interval("plain").replace(", ", ","),
    ]
    good += [write_interval("inequality")] * (len(spans) == 1 and not (left and right))
    bad = []
    for i in range(len(spans)):
        bad += [write_interval("latex", i, "low")] * (not (left and i == 0)) + [write_interval("latex", i, "high")] * (
            not (right and i == len(spans) - 1)
        )
        bad += [write_interval("latex", i, "end")] * (not (left and i == 0))
    return write_interval("plain").replace(" U ", " ∪ "), marked(good, bad or ["(0, 1)"])


def sets(rng: Rng) -> Pairs:
    values = rng.sample(sorted({small_fraction(rng) for _ in range(9)}), rng.integer(2, 5))
    plain, other = ", ".join(map(rational, values)), ", ".join(map(rational, values[::-1]))
    good = [
        f"{{{other}}}",
        "$\\{" + ", ".join(map(latex, values)) + "\\}$",
        other,
        " or ".join(f"x = {rational(value)}" for value in values),
    ]
    good += [", ".join(f"{3 * value.numerator}/{3 * value.denominator}" for value in values), " and ".join(map(rational, values))]
    bad = [
        ", ".join(map(rational, values[1:])),
        ", ".join(map(rational, [*values, values[0] + 41])),
        ", ".join(map(rational, [values[0] + 41, *values[1:]])),
    ]
    bad += [", ".join(rational(-value) for value in values)] * ({-value for value in values} != set(values))
    return f"{{{plain}}}", marked(good, bad)


def tuples(rng: Rng) -> Pairs:
    values = [small_fraction(rng) for _ in range(rng.integer(2, 4))]
    plain = f"({', '.join(map(rational, values))})"
    good = ["$\\left(" + ", ".join(map(latex, values)) + "\\right)$", plain.replace(" ", ""), f"\\boxed{{{plain}}}"]
    good += [
        f"({', '.join(f'{2 * value.numerator}/{2 * value.denominator}' for value in values)})",
        f"(x, y) = {plain}" if len(values) == 2 else plain,
    ]
    bad = [f"({', '.join(map(rational, values[1:]))})", f"({', '.join(map(rational, [values[0] + 1, *values[1:]]))})"]
    bad += [f"({', '.join(map(rational, values[::-1]))})"] * (values != values[::-1])
    bad += [f"({', '.join(map(rational, [*values, values[0]]))})"]
    return plain, marked(good, bad)


def matrices(rng: Rng) -> Pairs:
    rows, columns = rng.integer(1, 3), rng.integer(2, 3)
    values = [[small_fraction(rng, 9) for _ in range(columns)] for _ in range(rows)]

    def write_matrix(name: str, entries: list[list[Fraction]]) -> str:
        body = " \\\\ ".join(" & ".join(map(latex, row)) for row in entries)
        return f"$\\begin{{{name}}} {body} \\end{{{name}}}$"

    changed = [row[:] for row in values]
    changed[rng.integer(0, rows - 1)][rng.integer(0, columns - 1)] += 1
    scaled = [[entry * 2 for entry in row] for row in values]
    good = [
        write_matrix("bmatrix", values),
        write_matrix("pmatrix", values).replace("\\frac", "\\dfrac"),
        write_matrix("pmatrix", values).replace(" & ", "&"),
    ]
    good.append(
        f"$\\left[\\begin{{array}}{{{'c' * columns}}}"
        + write_matrix("pmatrix", values).partition("matrix}")[2].rpartition("\\end")[0]
        + "\\end{array}\\right]$"
    )
    bad = [
        write_matrix("pmatrix", changed),
        write_matrix("pmatrix", scaled),
        write_matrix("pmatrix", [list(row) for row in zip(*values)])
        if rows != columns or values != [list(row) for row in zip(*values)]
        else write_matrix("pmatrix", scaled),
    ]
    bad.append(write_matrix("pmatrix", values[::-1]) if values != values[::-1] else write_matrix("pmatrix", changed))
    return write_matrix("pmatrix", values), marked(good, bad)
