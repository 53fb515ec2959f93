"""A worked solution that is declared once: written, replayed, corrupted, and found in a response."""

from fractions import Fraction

import pytest
from thinning import thinned

import rlgym
from rlgym import Config, Environment, Score, Task, TaskData
from rlgym.answers import Integer
from rlgym.core.rng import Rng
from rlgym.solutions import Solution, Step, any_order, find_steps, sentence, token_spans
from rlgym.solutions.corrupted_steps import corrupted

ADD = Step("{left:int} + {right:int} = {sum:int}")
TAKEN = Step("Take {number:int}, which leaves {rest:ints}")
EVEN = Step("{number:int} is even")
ODD = Step("{number:int} is odd")


class Data(TaskData):
    numbers: tuple[int, ...]
    goal: str = "sum"


class Knobs(Config):
    pass


def generate(rng, knobs) -> Task[Data]:
    return Task("Add 2, 3 and 4.", Data(numbers=(2, 3, 4)))


def environment(solution):
    return Environment(
        Knobs,
        Integer(),
        generate,
        lambda task: sum(task.data.numbers),
        lambda task, answer: Score.exact(answer == sum(task.data.numbers)),
        lambda task, right: [right + 1],
        lambda task: 1.0,
        solution=solution,
    )


def sums(task):
    total = task.data.numbers[0]
    for number in task.data.numbers[1:]:
        taken = yield ADD(left=total, right=number, sum=total + number)
        total = taken["sum"]


TASK = generate(None, None)
SUM = environment(Solution(sums, "The {goal} is {answer}", whole=True))


def test_the_declaration_writes_its_steps_and_its_closing():
    assert SUM.explain(TASK) == ["2 + 3 = 5", "5 + 4 = 9", "The sum is 9"]


@pytest.mark.parametrize(
    ("steps", "first_wrong"),
    [
        (["2 + 3 = 5", "5 + 4 = 9", "The sum is 9"], None),
        (["2 + 3 = 6", "6 + 4 = 10", "The sum is 10"], 0),
        (["2 + 3 = 5", "5 + 4 = 8", "The sum is 9"], 1),
        (["2 + 3 = 5", "5 + 4 = 9", "The sum is 8"], 2),
        (["2 + 3 = 5", "5 + 4 = 9", "The product is 9"], 2),
        (["2 + 3 = 5", "The sum is 9"], 1),  # whole: another step is due
        (["2 + 3 = 5", "5 + 4 = 9", "5 + 4 = 9", "The sum is 9"], 2),
        (["nonsense", "The sum is 9"], 0),
        (["The sum is nine"], 0),
        ([], 0),
    ],
)
def test_replay_names_the_first_wrong_step(steps, first_wrong):
    assert SUM.replay(TASK, steps) == first_wrong


def test_a_check_accepts_other_values_and_the_state_moves_on_by_what_was_taken():
    def derive(task):
        remaining = list(task.data.numbers)
        while remaining:
            due = TAKEN(number=remaining[0], rest=remaining[1:] or [0])
            taken = yield due.accepting(lambda number, rest, left=remaining: number in left and set(rest) - {0} == set(left) - {number})
            remaining = [number for number in remaining if number != taken["number"]]

    declared = environment(Solution(derive, "So {answer}"))
    assert declared.explain(TASK) == ["Take 2, which leaves 3, 4", "Take 3, which leaves 4", "Take 4, which leaves 0", "So 9"]
    other = ["Take 4, which leaves 3, 2", "Take 2, which leaves 3", "Take 3, which leaves 0", "So 9"]
    assert declared.replay(TASK, other) is None
    assert declared.replay(TASK, ["Take 4, which leaves 3, 2", "Take 4, which leaves 3", "So 9"]) == 1
    assert declared.replay(TASK, ["Take 4, which leaves three", "So 9"]) == 0


def test_steps_in_any_order_and_one_of_several():
    def derive(task):
        yield from any_order([EVEN(number=2), ODD(number=3), EVEN(number=4)])
        yield sentence("Now add.") | sentence("Now count.")

    declared = environment(Solution(derive, "So {answer}", whole=True))
    assert declared.explain(TASK) == ["2 is even", "3 is odd", "4 is even", "Now add.", "So 9"]
    assert declared.replay(TASK, ["4 is even", "2 is even", "3 is odd", "Now count.", "So 9"]) is None
    assert declared.replay(TASK, ["4 is even", "4 is even", "3 is odd", "Now add.", "So 9"]) == 1
    assert declared.replay(TASK, ["4 is even", "2 is even", "3 is odd", "So 9"]) == 3


def test_independent_checks_judge_without_the_derivation():
    def checks(task):
        return {ADD: lambda left, right, sum: left + right == sum}

    declared = environment(Solution(sums, "The {goal} is {answer}", checks))
    assert declared.replay(TASK, ["3 + 4 = 7", "7 + 2 = 9", "The sum is 9"]) is None
    assert declared.replay(TASK, ["3 + 4 = 8", "The sum is 9"]) == 0
    assert declared.replay(TASK, ["a + b = c", "The sum is 9"]) == 0


def test_a_template_may_close_when_the_derivation_yields_it_last():
    end = Step("{left:int} + {right:int} = {answer:int} in all")

    def derive(task):
        yield ADD(left=2, right=3, sum=5)
        yield end(left=5, right=4, answer=9)

    declared = environment(Solution(derive, end))
    assert declared.explain(TASK)[-1] == "5 + 4 = 9 in all"
    assert declared.replay(TASK, declared.explain(TASK)) is None
    assert declared.replay(TASK, ["2 + 3 = 5", "4 + 5 = 9 in all"]) == 1


def test_a_closing_needs_an_answer():
    with pytest.raises(ValueError, match="no gap"):
        Solution(sums, "That was it")


def test_gaps_are_typed_and_may_repeat():
    step = Step("{a} is {part:fraction} of {names:words}, and {a} stays")
    assert step.write(a="x", part=Fraction(1, 2), names=("b", "c")) == "x is 1/2 of b, c, and x stays"
    assert step.values(step.read("x is 1/2 of b, c, and x stays")) == {"a": "x", "part": Fraction(1, 2), "names": ("b", "c")}
    assert step.read("x is 1/2 of b, c, and y stays") is None
    with pytest.raises(ValueError, match="not an integer"):
        ADD.values(ADD.read("2 + 3 = " + "9" * 5000))


def test_steps_are_found_in_a_response_and_judged():
    response = "Let me see.\n\nStep 1: 2 + 3 = 5\n**Step 2:** 5 + 4 = 8.\nStep 3: The sum is 9\n\n<answer>9</answer>"
    found = find_steps(SUM, TASK, response)
    assert [(step.text, step.verdict) for step in found] == [("2 + 3 = 5", "right"), ("5 + 4 = 8", "wrong"), ("The sum is 9", "unchecked")]
    assert response[found[1].start : found[1].end] == "**Step 2:** 5 + 4 = 8."
    plain = find_steps(SUM, TASK, "We know that\n- 2 + 3 = 5.  This is easy.\n5 + 4 = 9\nSo done. the sum is 9.")
    assert [(step.text, step.verdict) for step in plain] == [("2 + 3 = 5", "right"), ("5 + 4 = 9", "right"), ("The sum is 9", "right")]
    assert find_steps(SUM, TASK, "") == []


@pytest.mark.parametrize(
    "response",
    [
        "### Step 1\n2 + 3 = 5\n\n### Step 2\n5 + 4 = 9\n\n### Step 3\nThe sum is 9",
        "First, 2 + 3 = 5\nThen, 5 + 4 = 9\nSo the sum is 9.",
        "1. **2 + 3 = 5**\n2. **5 + 4 = 9**\n3. **The sum is 9.**",
        "  2  +  3  =  5  \n\n  5  +  4  =  9  \n\n  The  sum  is  9  ",
        "Let me add them. 2 + 3 = 5. 5 + 4 = 9. The sum is 9. That was easy.\n\n<answer>9</answer>",
        "**Step 1:** 2 + 3 = 5\n\n**Step 2:** 5 + 4 = 9\n\nI am done: the sum was asked for.\n\nThe sum is 9.",
    ],
    ids=["headings", "connectors", "bold numbers", "spaces", "one line", "bold labels"],
)
def test_the_layouts_of_models_are_read(response):
    found = find_steps(SUM, TASK, response)
    assert [(step.text.removesuffix("."), step.verdict) for step in found] == [
        ("2 + 3 = 5", "right"),
        ("5 + 4 = 9", "right"),
        ("The sum is 9", "right"),
    ]
    wrong = find_steps(SUM, TASK, response.replace("4", "1", 1).replace("4  =", "1  =", 1))
    assert [step.verdict for step in wrong] == ["right", "wrong", "unchecked"]


def test_an_answer_of_several_lines_belongs_to_the_last_step():
    declared = rlgym.environment("aquarium")
    task = rlgym.task("aquarium", 0, level=0.0)
    steps = declared.explain(task)
    assert "\n" in steps[-1]
    found = find_steps(declared, task, "Okay, step by step:\n\n" + "\n".join(steps) + "\n\nSo I am done.")
    assert [step.verdict for step in found] == ["right"] * len(steps)
    assert found[-1].text == steps[-1]


def test_prose_changes_no_check():
    declared = rlgym.environment("balance_equation")
    task = rlgym.task("balance_equation", 0, level=0.0)
    steps = declared.explain(task)
    found = find_steps(declared, task, "Let me work through this.\n\n" + "\n".join(steps))
    assert [step.verdict for step in found] == ["right"] * len(steps)


def test_token_spans_cover_the_characters_of_each_step():
    response = "ab 2 + 3 = 5\n5 + 4 = 9"
    found = find_steps(SUM, TASK, "\n".join(["2 + 3 = 5", "5 + 4 = 9"]))
    offsets = [(i, min(i + 2, 19)) for i in range(0, 19, 2)]
    assert token_spans(found, offsets) == [(0, 5), (5, 10)]
    assert len(response) > 19


SOLVED = [name for name in rlgym.names() if getattr(rlgym.environment(name), "solution", None) is not None]


@pytest.mark.parametrize("name", thinned(SOLVED))
def test_the_steps_of_an_explanation_are_found_and_a_corrupted_one_is_wrong(name):
    declared = rlgym.environment(name)
    task = rlgym.task(name, 0, level=0.25)
    steps = declared.explain(task)

    def written(steps):
        return "\n".join(f"Step {number}: {step}" for number, step in enumerate(steps, 1))

    found = find_steps(declared, task, written(steps))
    assert [step.text for step in found] == steps
    assert {step.verdict for step in found} == {"right"}
    for at, changed in corrupted(Rng("found", name), steps):
        if declared.replay(task, changed) == at:
            spoilt = find_steps(declared, task, written(changed))
            # A corrupted step may fit no template any more; it is then left out.
            assert [step.verdict for step in spoilt[:at]] == ["right"] * at
            assert len(spoilt) < len(steps) or spoilt[at].verdict == "wrong"
            break


@pytest.mark.parametrize("name", thinned(SOLVED))
def test_a_last_step_with_a_wrong_answer_is_never_right(name):
    declared = rlgym.environment(name)
    task = rlgym.task(name, 0, level=0.25)
    *steps, last = declared.explain(task)
    right = declared.answer.render(declared.solve(task))
    if right not in last:
        return
    head, _, tail = last.rpartition(right)
    for answer in declared.mistakes(task, declared.solve(task)):
        if declared.verify(task, answer).value < 1:
            response = "\n".join([*steps, f"{head}{declared.answer.render(answer)}{tail}"])
            at_end = [step for step in find_steps(declared, task, response) if step.end == len(response)]
            assert not [step for step in at_end if step.verdict == "right"], at_end
