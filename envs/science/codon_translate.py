"""Read the protein that a mutated gene codes for.

The sequence is changed first, then read from the first start codon to a stop, where it may be the other strand that is read. The shift has
another genetic code with shorter or longer codons over other letters.
"""

from itertools import product

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Words
from rlgym.generators.science import codons
from rlgym.generators.science.codons import ASKED
from rlgym.generators.stories import phrase
from rlgym.solutions import Derivation, Solution, Step

CHANGED = Step("After change {k} the strand is {strand}")
OTHER = Step("The other strand is {strand}")
START = Step("The first {start} begins at place {place}")
CODON = Step("Codon {k}, at place {place}, is {codon}: {amino}")
END = "Protein: {answer}"


class Knobs(Config):
    length: int = knob(10, easy=3, hard=24, doc="amino acids of the protein, at least")
    changes: int = knob(2, easy=0, hard=8, doc="changes of the sequence")
    strands: int = knob(40, easy=0, hard=80, doc="percent of tasks in which the other strand is read")


class Data(TaskData):
    strand: str
    changes: tuple[tuple[str, str, str], ...]
    pairs: tuple[str, ...]  # two letters that stand opposite each other; nothing where the strand itself is read
    start: str
    codes: tuple[tuple[str, str], ...]
    answer: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    return _sample_task(rng, knobs, "TCAG", ("AT", "CG"), "ATG", codons.STANDARD)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A made-up code: two letters to a codon, or three or four of fewer letters."""
    letters, size = rng.choice((("KLMNOP", 2), ("XYZ", 3), ("UVWQ", 2), ("01", 4)))
    words = ["".join(word) for word in product(letters, repeat=size)]
    stops = max(1, len(words) // 12)
    amino = [*"*" * stops, *(rng.choice("ACDEFGHIKLMNPQRSTVWY") for _ in words[stops:])]
    table = dict(zip(words, rng.shuffled(amino)))
    start = rng.choice([word for word in words if table[word] != "*"])
    mixed = rng.shuffled(letters)
    pairs = tuple(a + b for a, b in zip(mixed[::2], mixed[1::2])) if len(mixed) % 2 == 0 else (mixed[0] * 2, mixed[1] + mixed[2])
    return _sample_task(rng, knobs, letters, pairs, start, table)


def solve(task: Task[Data]) -> tuple[str, ...]:
    # Backwards from the stops: what each place reads on to; `generate` reads forwards.
    data = task.data
    strand, table, size = _read(data), dict(data.codes), len(data.start)
    reads: dict[int, str] = {}
    for at in range(len(strand) - size, -1, -1):
        amino = table[strand[at : at + size]]
        if amino == "*":
            reads[at] = ""
        elif at + size in reads:
            reads[at] = amino + reads[at + size]
    return (reads[min(at for at in range(len(strand)) if strand.startswith(data.start, at))],)


def verify(task: Task[Data], answer: tuple[str, ...]) -> Score:
    return Score.exact("".join(answer).upper() == task.data.answer, "that is not the protein")


def mistakes(task: Task[Data], right: tuple[str, ...]) -> list[tuple[str, ...]]:
    data = task.data
    word, table, size = right[0], dict(data.codes), len(data.start)
    plain = "".join(table[data.strand[k : k + size]] for k in range(0, len(data.strand) - size + 1, size)).replace("*", "")
    unchanged = codons.protein(data.strand, table, data.start) or "M"
    return [(word[::-1],), (word[1:] or "X",), (word + "*",), (plain or "X",), (unchanged or "X",), (word[:-1] or "X",)]


def cost(task: Task[Data]) -> float:
    data = task.data
    return float(len(data.strand) * (1 + len(data.changes) + bool(data.pairs)))


def derive(task: Task[Data]) -> Derivation:
    data, strand = task.data, task.data.strand
    for k, change in enumerate(data.changes, 1):
        strand = codons.mutate(strand, change)
        yield CHANGED(k=k, strand=strand)
    if data.pairs:
        strand = codons.complement(strand, codons.opposite(data.pairs))
        yield OTHER(strand=strand)
    start, size, table = strand.index(data.start), len(data.start), dict(data.codes)
    yield START(start=data.start, place=start + 1)
    for k in range(len(data.answer) + 1):
        place = start + k * size
        codon = strand[place : place + size]
        yield CODON(k=k + 1, place=place + 1, codon=codon, amino=table[codon].replace("*", "stop"))


def _sample_task(rng: Rng, knobs: Knobs, letters: str, pairs: tuple[str, ...], start: str, table: dict[str, str]) -> Task[Data]:
    pairs = pairs if rng.chance(knobs.strands / 100) else ()
    going, stops = ([word for word in sorted(table) if (table[word] == "*") == ends] for ends in (False, True))
    while True:
        inner = "".join(rng.choice(going) for _ in range(knobs.length + rng.integer(0, 3)))
        lead, tail = ("".join(rng.choice(letters) for _ in range(rng.integer(low, 9))) for low in (1, 6))
        strand, changes = lead + start + inner + rng.choice(stops) + tail, list[tuple[str, str, str]]()
        strand = codons.complement(strand, codons.opposite(pairs)) if pairs else strand
        first = strand
        for _ in range(knobs.changes):
            kind, a = rng.choice(("swap", "insert", "delete", "turn")), rng.integer(2, len(strand) - 8)
            piece = rng.choice([letter for letter in letters if letter != strand[a - 1]])
            offset = str(a + rng.integer(1, 3) + 2 * (kind == "turn"))
            changes.append((kind, str(a), {"swap": piece, "insert": piece + rng.choice(("", letters[0], letters[-1]))}.get(kind, offset)))
            strand = codons.mutate(strand, changes[-1])
        protein = codons.protein(codons.complement(strand, codons.opposite(pairs)) if pairs else strand, table, start)
        if protein and len(protein) >= 2 + knobs.length // 2:
            break
    prompt = f"A gene is written {first}\n{codons.describe_of(rng, changes, pairs, start, table)}\n{phrase(rng, ASKED)}"
    return Task(
        prompt, Data(strand=first, changes=tuple(changes), pairs=pairs, start=start, codes=tuple(sorted(table.items())), answer=protein)
    )


def _read(data: Data) -> str:
    """The strand that is read."""
    strand = data.strand
    for change in data.changes:
        strand = codons.mutate(strand, change)
    return codons.complement(strand, codons.opposite(data.pairs)) if data.pairs else strand


environment = Environment(
    Knobs, Words("the protein as one word, in one-letter names of amino acids", max_items=200), generate, solve, verify, mistakes, cost,
    solution=Solution(derive, END, whole=True), shift=shift,
    concept="Make every change in its turn, find the first start codon, and read codon by codon in its frame.",
    version=3,
)  # fmt: skip
