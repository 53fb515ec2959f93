"""Find the sound changes, in order, that made younger words out of older ones, and say what became of one more word."""

from rlgym import Config, Environment, Rng, Score, Task, knob
from rlgym.answers import Text
from rlgym.generators.rules import chains
from rlgym.generators.rules.sounds import CONSONANTS, NOTES, VOWELS

FAMILY = chains.Family({"consonants": CONSONANTS, "vowels": VOWELS}, str, "words", NOTES)
ANSWER = Text("the word", ignore_case=True, max_characters=100)
CONCEPT = "Line the words up sound by sound; a change may make or take away the place of a later one, so their order matters."


class Knobs(Config):
    operations: int = knob(10, easy=6, hard=20, doc="how many operations the list holds")
    depth: int = knob(2, easy=1, hard=3, doc="how many of them make the rule")
    examples: int = knob(5, easy=6, hard=4, doc="examples at least")
    syllables: int = knob(3, easy=2, hard=4, doc="syllables of the words, about")


class Data(chains.Texts):
    """Words."""


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Changes of consonants."""
    return _sample_task(rng, knobs, "consonants")


def shift(rng: Rng, knobs: Knobs) -> Task[Data]:
    """Changes of vowels."""
    return _sample_task(rng, knobs, "vowels")


def _sample_task(rng: Rng, knobs: Knobs, table: str) -> Task[Data]:
    def draw() -> str:
        word: str = rng.choice(("", "", *"aeiou", "s", "r", "p"))
        for _ in range(rng.integer(max(2, knobs.syllables - 1), knobs.syllables + 1)):
            word += rng.choice("ptkbdgsszlrnmh") + rng.choice("aeiouaeiou") + rng.choice(("", "", "", *"aienlst"))
        return word

    size = (knobs.operations, knobs.depth, knobs.examples)
    prompt, fields = FAMILY.sample(rng, table, *size, draw, lambda word: len(word) > 2)
    return Task(prompt, Data(**fields))


def solve(task: Task[Data]) -> str:
    return FAMILY.solve(task.data)


def verify(task: Task[Data], answer: str) -> Score:
    return Score.exact(answer == task.data.right, "rules that fit the examples make another word")


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [task.data.new, right[::-1], right[:-1], right + "a", right[1:], task.data.examples[0][1]]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.numbers) ** task.data.depth * len(task.data.examples))


environment = Environment(
    Knobs, ANSWER, generate, solve, verify, mistakes, cost, solution=FAMILY.solution(), shift=shift, concept=CONCEPT, version=3
)
