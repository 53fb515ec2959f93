"""Environments whose generator, oracle and verifier share a helper, and sound ones with a solver of their own."""

from dataclasses import replace

from planted.faulty import Data, Knobs, sound

from rlgym import Rng, Score, Task


# --- independent_solver
def _digit_sum(numbers: tuple[int, ...]) -> int:
    """Adds digit by digit, and loses the last carry."""
    total, carry, place = 0, 0, 1
    positive = [number for number in numbers if number > 0]
    while place <= max(positive, default=0):
        digits = sum(number // place % 10 for number in positive) + carry
        carry = digits // 10
        total += digits % 10 * place
        place *= 10
    return total


def _with_shared_helper(rng: Rng, knobs: Knobs) -> Task[Data]:
    numbers = tuple(rng.integer(1, knobs.bound) for _ in range(knobs.size))
    return Task(f"Add {numbers}.", Data(numbers=numbers, total=_digit_sum(numbers)))


def _numbers(prompt: str) -> tuple[int, ...]:
    return tuple(int(number) for number in prompt[5:-2].split(","))


shares_a_wrong_helper = replace(
    sound,
    generate=_with_shared_helper,
    solve=lambda task: _digit_sum(task.data.numbers),
    prompt_solver=lambda prompt: sum(_numbers(prompt)),
)


hides_its_shared_helper = replace(
    sound,
    generate=_with_shared_helper,
    solve=lambda task: _digit_sum(task.data.numbers),
    verify=lambda task, answer: Score.exact(answer == _digit_sum(task.data.numbers)),
)


copies_the_shared_helper = replace(
    sound,
    generate=_with_shared_helper,
    solve=lambda task: _digit_sum(task.data.numbers),
    prompt_solver=lambda prompt: _digit_sum(_numbers(prompt)),
)


solves_apart = replace(sound, prompt_solver=lambda prompt: sum(_numbers(prompt)))
