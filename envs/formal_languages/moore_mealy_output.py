"""Say what a machine with states writes while it reads a word: on each arrow, in each state, or through two machines in a row.

On the upper levels what the second machine writes is given and where both machines stop, and a word is asked for that leads to this: most beginnings that
fit lead elsewhere.
"""

from collections import Counter
from collections.abc import Iterator

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.draws import draw_against
from rlgym.solutions import Derivation, Solution, Step

ANSWER = Text("the letters asked for, without anything between them", ignore_case=True, ignore_spaces=True)
CONCEPT = "Keep the state in mind, letter by letter: where the arrow leads, and what is written on the way."
Rows = tuple[tuple[tuple[int, str], ...], ...]  # of each state and letter: the next state, and what is written
READS = Step("In {before} it reads {letter}: to {after}, writing {wrote}")


class Knobs(Config):
    states: int = knob(4, easy=3, hard=14, doc="states of each machine")
    letters: int = knob(2, easy=2, hard=4, doc="letters that are read")
    length: int = knob(12, easy=7, hard=60, doc="letters of the word that is read")
    machines: str = knob(
        "mealy", easy="moore", hard="row", order=("moore", "mealy", "row"), doc="what writes: states, arrows, or two machines in series"
    )
    question: str = knob(
        "output",
        easy="output",
        hard="input",
        order=("output", "input"),
        doc="what is written, or what must be read (two thirds of the states, a quarter of the letters)",
    )


class Data(TaskData):
    alphabet: str
    first: Rows
    second: Rows  # reads what the first writes; none if there is one machine
    moore: bool
    word: str
    written: str
    inverse: bool = False
    """Whether the word is asked for, and what is written is given."""
    stops: tuple[int, int] = (0, 0)
    """The states of both machines at the end, where the word is asked for."""

    @property
    def lead(self) -> str:
        return "So this is the word:" if self.inverse else "Together that is"


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    if knobs.question == "input":
        return _sample_inverse(rng, knobs, knobs.length)
    return _sample_task(rng, knobs, knobs.length)


def _sample_task(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    alphabet, moore = "abcd"[: knobs.letters], knobs.machines == "moore"
    while True:
        first = _sample_machine(rng, knobs.states, alphabet, moore)
        second = _sample_machine(rng, knobs.states, alphabet, False) if knobs.machines == "row" else ()
        word = ("".join(rng.choice(alphabet) for _ in range(period)) * knobs.length)[: knobs.length]
        written = _run(first, alphabet, word)
        if second:
            written = _run(second, alphabet, written)
        if len(set(written)) > 1 and written != word:
            break
    data = Data(alphabet=alphabet, first=first, second=second, moore=moore, word=word, written=written)
    return Task(_render_prompt(data), data)


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """A word that repeats one short piece, stated as the piece and its number of repetitions; where it is asked for, this is not said."""
    period = rng.integer(3, 5)
    if knobs.question == "input":
        return _sample_inverse(rng, knobs, period)
    task = _sample_task(rng, knobs, period)
    word, piece = task.data.word, task.data.word[:period]
    times, rest = divmod(len(word), period)
    told = f"{piece} {'once' if times == 1 else f'{times} times in a row'}" + (f" and then {word[-rest:]}" if rest else "")
    return Task(task.prompt.replace(f"reads {word}.", f"reads {told}."), task.data)


def _sample_inverse(rng: Rng, knobs: Knobs, period: int) -> Task[Data]:
    """Two machines, and an output that few words lead to, with many beginnings that fit and lead nowhere."""
    alphabet, states, length = "abcd"[: knobs.letters], max(3, knobs.states * 2 // 3), max(6, knobs.length // 4)

    def draw() -> Data:
        first, second = _sample_machine(rng, states, alphabet, False), _sample_machine(rng, states, alphabet, False)
        word = ("".join(rng.choice(alphabet) for _ in range(period)) * length)[:length]
        written = _run(second, alphabet, _run(first, alphabet, word))
        return Data(
            alphabet=alphabet,
            first=first,
            second=second,
            moore=False,
            word=word,
            written=written,
            inverse=True,
            stops=_stops(first, second, alphabet, word),
        )

    def is_unfit(data: Data) -> bool:
        fitting, trials = _count_beginnings(data)
        return fitting > 6 or not length * length // 3 <= trials <= 3 * length * length or len(set(data.written)) < 2

    data = draw_against(draw, is_unfit, 60)
    prompt = _render_prompt(data)
    asked = (
        f"The first machine reads a word of {length} letters, the second machine writes {data.written}, and at the end the first machine is in the state "
        f"s{data.stops[0]} and the second in the state t{data.stops[1]}. Which word does the first machine read? If "
        "several words lead to this, give any one of them."
    )
    return Task(prompt[: prompt.index("The first machine reads ")] + asked, data)


def _count_beginnings(data: Data) -> tuple[int, int]:
    """How many words lead to the output, and how many different pairs of states are met on the way, each counted where it is met."""
    reached, met = Counter({(0, 0): 1}), 0
    for wanted in data.written:
        following = Counter[tuple[int, int]]()
        for (one, two), count in reached.items():
            for target, between in data.first[one]:
                after, wrote = data.second[two][data.alphabet.index(between)]
                if wrote == wanted:
                    following[target, after] += count
        reached, met = following, met + len(following)
    return reached[data.stops], met


def _stops(first: Rows, second: Rows, alphabet: str, word: str) -> tuple[int, int]:
    one = two = 0
    for letter in word:
        one, between = first[one][alphabet.index(letter)]
        two, _ = second[two][alphabet.index(between)]
    return one, two


def _fitting_words(data: Data) -> Iterator[str]:
    """All words that lead to the output, by a search that never looks again at a state of both machines that led nowhere."""
    dead = set[tuple[int, int, int]]()

    def extend(word: str, one: int, two: int) -> Iterator[str]:
        place = len(word)
        if place == len(data.written):
            if (one, two) == data.stops:
                yield word
            return
        found = False
        for letter, (target, between) in zip(data.alphabet, data.first[one], strict=True) if (place, one, two) not in dead else ():
            after, wrote = data.second[two][data.alphabet.index(between)]
            if wrote == data.written[place]:
                for whole in extend(word + letter, target, after):
                    found = True
                    yield whole
        if not found:
            dead.add((place, one, two))

    yield from extend("", 0, 0)


def solve(task: Task[Data]) -> str:
    # Both machines at once, letter by letter.
    data, out = task.data, []
    if data.inverse:
        return next(_fitting_words(data))
    state_a, two = 0, 0
    for letter in data.word:
        state_a, letter = data.first[state_a][data.alphabet.index(letter)]
        if data.second:
            two, letter = data.second[two][data.alphabet.index(letter)]
        out.append(letter)
    return "".join(out)


def verify(task: Task[Data], answer: str) -> Score:
    data = task.data
    if data.inverse:
        if len(answer) != len(data.written) or not set(answer) <= set(data.alphabet):
            return Score.wrong(f"expected {len(data.written)} letters that the first machine can read")
        written = _run(data.second, data.alphabet, _run(data.first, data.alphabet, answer))
        if written != data.written:
            return Score.wrong("with this word the second machine writes something else")
        return Score.exact(_stops(data.first, data.second, data.alphabet, answer) == data.stops, "the machines end in other states")
    return Score.exact(answer == task.data.written, "the output is different")


def mistakes(task: Task[Data], right: str) -> list[str]:
    data = task.data
    if data.inverse:
        letters = data.alphabet
        changed = [right[:i] + letters[(letters.index(right[i]) + 1) % len(letters)] + right[i + 1 :] for i in range(len(right))]
        tempting = [data.written, right[::-1], right[:-1], right[1:] + right[0], *changed[-3:], letters[0] * len(right)]
        return [word for word in tempting if not verify(task, word).value]
    middle = _run(data.first, data.alphabet, data.word)
    swapped = _run(data.second, data.alphabet, data.word) if data.second else _run(data.first, data.alphabet, data.word[::-1])
    return [data.word, middle, swapped, right[1:] + right[0], right[:-1], right + right[-1], right[::-1]]


def cost(task: Task[Data]) -> float:
    data = task.data
    if data.inverse:
        return 15.0 * len(data.alphabet) * _count_beginnings(data)[1]
    return len(data.word) * (1 if data.moore else 3 if data.second else 1.5) * len(data.first)


def derive(task: Task[Data]) -> Derivation:
    data, word = task.data, solve(task) if task.data.inverse else task.data.word
    for name, rows in (("s", data.first), ("t", data.second)):
        state, out = 0, ""
        for letter in word if rows else "":
            before = state
            state, wrote = rows[state][data.alphabet.index(letter)]
            out += wrote
            yield READS(before=f"{name}{before}", letter=letter, after=f"{name}{state}", wrote=wrote)
        word = out or word


def _render_prompt(data: Data) -> str:
    machine_texts = []
    for name, rows in (("s", data.first), ("t", data.second)):
        lines = []
        for state, row in enumerate(rows):
            if data.moore:
                arrows = ", ".join(f"{letter} to {name}{target}" for letter, (target, _) in zip(data.alphabet, row, strict=True))
                lines.append(f"{name}{state} (writes {_state_output(rows, state)}): {arrows}")
            else:
                arrows = ", ".join(
                    f"{letter} to {name}{target} writing {wrote}" for letter, (target, wrote) in zip(data.alphabet, row, strict=True)
                )
                lines.append(f"{name}{state}: {arrows}")
        machine_texts.append("\n".join(lines))
    how = (
        "After each letter that it reads, it goes to the state that the letter leads to and writes the letter of that state. At the start it writes nothing."
        if data.moore
        else "With each letter that it reads, it moves to a state and writes one letter, as listed."
    )
    if data.second:
        return (
            f"A first machine starts in the state s0. {how}\n{machine_texts[0]}\n\n"
            "A second machine of the same kind starts in the state t0, and reads what the first "
            f"machine writes:\n{machine_texts[1]}\n\nThe first machine reads {data.word}. What does the second machine write?"
        )
    return f"A machine starts in the state s0. {how}\n{machine_texts[0]}\n\nIt reads {data.word}. What does it write?"


def _state_output(rows: Rows, state: int) -> str:
    """What a state writes, as every arrow into it says; states without one write the first letter."""
    return next((wrote for row in rows for target, wrote in row if target == state), "a")


def _sample_machine(rng: Rng, states: int, alphabet: str, moore: bool) -> Rows:
    """A random machine; the first letter never loops in the first state."""
    writes = [rng.choice(alphabet) for _ in range(states)]
    rows = []
    for state in range(states):
        row = []
        for letter in alphabet:
            target = rng.integer(1, states - 1) if letter == alphabet[0] and not state else rng.integer(0, states - 1)
            row.append((target, writes[target] if moore else rng.choice(alphabet)))
        rows.append(tuple(row))
    return tuple(rows)


def _run(rows: Rows, alphabet: str, word: str) -> str:
    state, out = 0, ""
    for letter in word:
        state, wrote = rows[state][alphabet.index(letter)]
        out += wrote
    return out


environment = Environment(
    Knobs,
    ANSWER,
    generate,
    solve,
    verify,
    mistakes,
    cost,
    solution=Solution(derive, "{lead} {answer}"),
    answers="many",
    solutions=lambda task: _fitting_words(task.data) if task.data.inverse else [task.data.written],
    shift=shift,
    concept=CONCEPT,
    version=5,
)
