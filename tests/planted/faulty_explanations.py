"""Environments that violate the laws on explanations, step checks and pictures, one each."""

from dataclasses import replace

from planted.faulty import explain, picture, sound

from rlgym import Score

# --- explanations_and_hints
leaks_in_feedback = replace(sound, verify=lambda task, answer: Score.exact(answer == task.data.total, f"it is {task.data.total}"))
explains_something_else = replace(sound, explain=lambda task: ["Think.", "The sum is what it is."])

# --- step_verification
refuses_its_explanation = replace(sound, replay=lambda task, steps: 0)
finds_every_step_right = replace(sound, replay=lambda task, steps: None)
replays_without_explaining = replace(sound, explain=None)
compares_with_its_explanation = replace(sound, replay=lambda task, steps: None if steps == explain(task) else 0)

# --- pictures
draws_unclosed_tags = replace(sound, picture=lambda task: picture(task)[:-6])
draws_a_script = replace(sound, picture=lambda task: picture(task).replace("text", "script"))
draws_the_same_for_all = replace(sound, picture=lambda task: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
