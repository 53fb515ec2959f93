"""Circuits of gates: sampled at random or built of cells, and evaluated for many inputs at once, with a faulty gate or without."""

from collections.abc import Mapping, Sequence

from rlgym.core.rng import Rng

Gate = tuple[str, str, tuple[str, ...]]  # name, kind, what goes in
KINDS = ("and", "or", "xor", "nand", "nor")


def sample(rng: Rng, inputs: Sequence[str], gates: int, shared: float) -> list[Gate]:
    """Gates over earlier wires; `shared` is the chance that a wire which is in use already is taken once more."""
    out: list[Gate] = []
    fresh = rng.shuffled(inputs)
    used: list[str] = []
    for k in range(1, gates + 1):
        if len(used) + len(fresh) > 1 and not rng.chance(0.12):
            ins: list[str] = []
            while len(ins) < 2:
                old = [wire for wire in used if wire not in ins]
                ins.append(rng.choice(old) if old and (not fresh or rng.chance(shared)) else fresh.pop(rng.integer(0, len(fresh) - 1)))
            gate = (f"g{k}", rng.choice(KINDS), tuple(ins))
        else:
            gate = (f"g{k}", "not", ((fresh.pop(rng.integer(0, len(fresh) - 1)) if fresh else rng.choice(used)),))
        used += [wire for wire in gate[2] if wire not in used]
        fresh.append(gate[0])
        out.append(gate)
    return out


def cells(rng: Rng, inputs: Sequence[str], gates: int) -> list[Gate]:
    """A chain of cells that each pass one wire on: adders, choices between two wires, and comparisons."""
    out: list[Gate] = []
    carry, pending = inputs[0], list(inputs[1:])

    def put(kind: str, *ins: str) -> str:
        out.append((f"g{len(out) + 1}", kind, ins))
        return out[-1][0]

    while len(out) < gates:
        a = pending.pop(0) if pending else rng.choice(inputs)
        b = pending.pop(0) if pending else rng.choice([wire for wire in inputs if wire != a])
        match rng.integer(0, 2) if gates - len(out) >= 4 else 3:
            case 0:
                half = put("xor", a, b)
                put("xor", half, carry)
                carry = put("or", put("and", a, b), put("and", half, carry)) if half != carry else half
            case 1:
                carry = put("or", put("and", a, carry), put("and", b, put("not", a)))
            case 2:
                same = put("not", put("xor", a, b))
                carry = put("or", put("and", same, carry), put("nor", a, same))
            case _:
                carry = put(rng.choice(KINDS), a if a != carry else b, carry)
    return out


def tables(circuit: Sequence[Gate], given: Mapping[str, int], every: int, fault: tuple[str, str] = ("", "")) -> dict[str, int]:
    """The value of each wire for many inputs at once, a bit for each; the faulty gate gives 0, 1 or the inverted value."""
    wires = dict(given)
    for name, kind, ins in circuit:
        a, two = wires[ins[0]], wires[ins[-1]]
        match kind:
            case "not":
                value = ~a
            case "and":
                value = a & two
            case "or":
                value = a | two
            case "xor":
                value = a ^ two
            case "nand":
                value = ~(a & two)
            case _:
                value = ~(a | two)
        if name == fault[0]:
            value = 0 if fault[1] == "0" else every if fault[1] == "1" else ~value
        wires[name] = value & every
    return wires
