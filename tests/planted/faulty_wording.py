"""Environments that violate the laws on guesses from the prompt and on the wording of explanations, one each."""

from dataclasses import replace

from planted.faulty import Data, Knobs, explain, sound

from rlgym import Rng, Score, Task
from rlgym.answers import Words


# --- prompt_copying
def _mentions_one_often(rng: Rng, knobs: Knobs) -> Task[Data]:
    names = rng.sample(("Ada", "Ben", "Cleo", "Dora", "Emil"), 3)
    said = rng.shuffled([names[0], names[0], *names])
    return Task(f"These voted, in the order of the list: {', '.join(said)}. Who has won?", Data(numbers=(), total=0))


def _most_mentioned(task: Task[Data]) -> tuple[str, ...]:
    said = task.prompt.partition(": ")[2].partition(".")[0].split(", ")
    return (max(said, key=said.count),)


asks_for_the_most_mentioned = replace(
    sound,
    answer=Words(),
    generate=_mentions_one_often,
    solve=_most_mentioned,
    verify=lambda task, answer: Score.exact(answer == _most_mentioned(task)),
)

# --- prompt_quality
announces_one_in_the_plural = replace(
    sound,
    generate=lambda rng, knobs: Task(f"Do these jobs:\n1. Add up {rng.integer(2, 99)} and 1.\n\nGive the sum.", Data(numbers=(), total=0)),
)
lists_one_word_in_the_plural = replace(
    sound, generate=lambda rng, knobs: Task(f'These words occur: "apple". Add {rng.integer(2, 99)} and 1.', Data(numbers=(), total=0))
)
allows_at_most_one_moves = replace(
    sound, generate=lambda rng, knobs: Task(f"Find at most 1 moves from 1 to {rng.integer(2, 99)}.", Data(numbers=(), total=0))
)
explains_with_a_plural_after_one = replace(sound, explain=lambda task: ["After 1 steps the sum is reached", *explain(task)])
explains_with_a_number_that_equals_itself = replace(sound, explain=lambda task: ["the sum of one = 24 = 24 apples", *explain(task)])
