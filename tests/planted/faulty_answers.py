"""Environments that violate the laws on answers and verdicts, one each: spellings, layouts, precision and hidden tests."""

from dataclasses import dataclass, replace
from fractions import Fraction

from planted.faulty import Data, Knobs, generate, sound

from rlgym import Audit, Limits, Rng, Score, Task
from rlgym.answers import Code, Grid, Integer, Lines, Rational, Words
from rlgym.core.answer import Style, Unreadable, wrap
from rlgym.core.layout import WRAPPERS, Layer
from rlgym.sandbox.grading import score_program


# --- equivalent_spellings
@dataclass(frozen=True)
class Narrow(Integer):
    def parse(self, text: str) -> int:
        if text.startswith("+"):
            raise Unreadable("no plus sign, please")
        return super().parse(text)


refuses_a_spelling = replace(sound, answer=Narrow())


# --- oracle_accuracy
@dataclass(frozen=True)
class InLowerCase(Words):
    def render_response(self, value: tuple[str, ...], style: Style, prompt: str = "") -> str:
        return wrap(self.render(value), style)


def _named(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"Olga adds up. {task.prompt} Give the name and the sum.", task.data)


writes_names_in_lower_case = replace(
    sound,
    answer=InLowerCase("the name and the sum", ignore_case=True),
    generate=_named,
    solve=lambda task: ("olga", str(task.data.total)),
    verify=lambda task, answer: Score.exact(answer == ("olga", str(task.data.total))),
    mistakes=lambda task, right: [(*right, "0")],
)


def _halved(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"{task.prompt} Each number weighs 0.5 kg: give the weight of the sum in kg.", task.data)


writes_fractions_beside_decimals = replace(
    sound,
    answer=Rational("the weight, as an integer, a fraction or a decimal"),
    generate=_halved,
    solve=lambda task: Fraction(task.data.total, 2),
    verify=lambda task, answer: Score.exact(answer == Fraction(task.data.total, 2)),
    mistakes=lambda task, right: [right + 1],
)


# --- answer_layout
@dataclass(frozen=True)
class Bare(Integer):
    layers = frozenset()


@dataclass(frozen=True)
class WithoutUnits(Integer):
    layers = WRAPPERS


@dataclass(frozen=True)
class Careless(Integer):
    def parse(self, text: str) -> int:
        bold = text.startswith("**-")
        return super().parse(text.strip("*-") if bold else text)


@dataclass(frozen=True)
class Anything(Words):
    def unknown_layout(self, response: str, style: str) -> str:
        return ""


@dataclass(frozen=True)
class WithoutEqualsSigns(Integer):
    layers = WRAPPERS | {Layer.EQUALS}

    def read(self, text: str, prompt: str = "") -> list[int]:
        return [self.parse(text)] if text.startswith("=") else super().read(text, prompt)


@dataclass(frozen=True)
class TakesTheApproximation(Rational):
    def parse(self, text: str) -> Fraction:
        return super().parse(text.partition("≈")[2] or text)


@dataclass(frozen=True)
class RefusesApproximations(Rational):
    def read(self, text: str, prompt: str = "") -> list[Fraction]:
        if "≈" in text:
            raise Unreadable("no approximations, please")
        return super().read(text, prompt)


@dataclass(frozen=True)
class ListsAsTheyAre(Lines):
    def read(self, text: str, prompt: str = "") -> list[tuple[str, ...]]:
        return [self.parse(text)]


@dataclass(frozen=True)
class TablesAsTheyAre(Grid):
    def read(self, text: str, prompt: str = "") -> list[tuple[tuple[str, ...], ...]]:
        return super().read(text.replace("|---", "|0-0"), prompt)


def _in_minutes(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"How many minutes are these together? {task.prompt}", task.data)


refuses_a_fence = replace(sound, answer=Bare())
refuses_a_unit = replace(sound, answer=WithoutUnits(), generate=_in_minutes, solve=lambda task: task.data.total)
reads_another_number_in_bold = replace(sound, answer=Careless(), mistakes=lambda task, right: [-right])
takes_layout_for_content = replace(
    sound,
    answer=Anything(),
    solve=lambda task: (str(task.data.total),),
    verify=lambda task, answer: Score.exact(answer == (str(task.data.total),)),
    mistakes=lambda task, right: [(*right, "0")],
)
refuses_an_equals_sign = replace(sound, answer=WithoutEqualsSigns())
refuses_lists_on_lines = replace(
    sound,
    answer=ListsAsTheyAre("two lines, each the sum and 1, separated by spaces"),
    solve=lambda task: (f"{task.data.total} 1", f"{task.data.total} 1"),
    verify=lambda task, answer: Score.exact(answer == (f"{task.data.total} 1",) * 2),
    mistakes=lambda task, right: [(right[0], "0 1")],
)
takes_a_table_for_a_grid = replace(
    sound,
    answer=TablesAsTheyAre(),
    solve=lambda task: ((str(task.data.total), "1"), ("1", "1")),
    verify=lambda task, answer: Score.exact(answer == ((str(task.data.total), "1"), ("1", "1"))),
    mistakes=lambda task, right: [(right[0], ("1", "0"))],
)


# --- stated_precision
def _mean(task: Task[Data]) -> Fraction:
    return Fraction(6 * task.data.total + 1, 7)


def _mean_task(rng: Rng, knobs: Knobs) -> Task[Data]:
    task = generate(rng, knobs)
    return Task(f"{task.prompt} Multiply by 6, add 1 and divide by 7.", task.data)


precise = replace(
    sound,
    generate=_mean_task,
    answer=Rational("a number, exact or rounded to 4 significant digits", digits=4),
    solve=_mean,
    verify=lambda task, answer: Score.exact(answer == _mean(task)),
    mistakes=lambda task, right: [right + 1],
    explain=None,
    replay=None,
    shift=None,
)
refuses_an_approximation = replace(precise, answer=RefusesApproximations(precise.answer.instructions, digits=4))
rewards_an_approximation = replace(
    precise,
    answer=TakesTheApproximation(precise.answer.instructions, digits=4),
    mistakes=lambda task, right: [right + Fraction(1, 100_000)],
    verify=lambda task, answer: Score.exact(answer == _mean(task)),
)
keeps_its_precision_quiet = replace(precise, answer=Rational("a number"))
refuses_rounded_decimals = replace(precise, verify=lambda task, answer: Score.exact(answer - _mean(task) == 0))
rounds_too_much = replace(precise, verify=lambda task, answer: Score.exact(abs(answer - _mean(task)) < 1 + abs(answer) / 100))


# --- number_length
def _many_digits(task: Task[Data]) -> Task[Data]:
    return Task(f"{task.prompt} Multiply by ten trillion and add 7.", task.data)


asks_for_many_digits = replace(
    sound,
    generate=lambda rng, knobs: _many_digits(generate(rng, knobs)),
    solve=lambda task: task.data.total * 10**13 + 7,
    verify=lambda task, answer: Score.exact(answer == task.data.total * 10**13 + 7),
    mistakes=lambda task, right: [right + 1],
    explain=None,
    replay=None,
    shift=None,
)


# --- mutation_score
programs = replace(
    sound,
    answer=Code(),
    solve=lambda task: "def solve(a, b):\n    return a + b",
    verify=lambda task, answer, runner: score_program(runner, answer, [("(2, 2)", "4"), ("(0, 0)", "0"), ("(1, 3)", "4")]),
    mistakes=lambda task, right: ["def solve(a, b):\n    return a - b"],
    sandbox=Limits(seconds=1),
    audit=lambda task, runner: Audit(("def solve(a, b):\n    return a - b", "def solve(a, b):\n    return a * 2"), (solve_in_words,)),
)
solve_in_words = "def solve(a, b):\n    return sum([a, b])"
tests_that_miss = replace(programs, verify=lambda task, answer, runner: score_program(runner, answer, [("(2, 2)", "4"), ("(0, 0)", "0")]))
contracts = replace(sound, audit=lambda task: Audit((task.data.total + 1, task.data.total - 7, -task.data.total - 1), (task.data.total,)))
tests_without_programs_that_miss = replace(contracts, verify=lambda task, answer: Score.exact((answer - task.data.total) % 7 == 0))
refuses_another_program = replace(
    programs,
    verify=lambda task, answer, runner: Score.exact(score_program(runner, answer, [("(1, 3)", "4")]).value == 1 and "a + b" in answer),
)
