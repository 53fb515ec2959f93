"""Write a pipeline of a few shell commands that answers a question about a file of lines; it is tried on hidden files.

24 orders of the fields, 4 marks, 378 pairs of exact conditions and 8 ways to sort make more than 290,000 questions that show whole lines.
"""

from rlgym import Config, Environment, Rng, Score, Task, TaskData, knob
from rlgym.answers import Text
from rlgym.generators.programs import queries, shell, shell_patterns
from rlgym.solutions import Derivation, Solution, Step

FILES, HIDDEN = ("staff.txt", "orders.txt", "log.txt", "visits.txt", "bookings.txt"), 7
COMMAND = Step("After `{command}`, command {number:int}, the number of lines is {count:int}: {lines}")
END = "These are the lines to print, so the pipeline is {answer}"


class Knobs(Config):
    filters: int = knob(2, easy=1, hard=3, doc="conditions on the lines that are kept")
    view: str = knob("values", easy="lines", hard="tally", order=("lines", "values", "tally"), doc="what of the lines is shown")
    ending: int = knob(1, easy=0, hard=1, doc="whether the result is changed once more")
    lines: int = knob(30, easy=16, hard=50, doc="lines in a file")


class Data(TaskData):
    file: str
    texts: tuple[tuple[str, ...], ...]  # the file as shown, then as it is in the tests
    wanted: tuple[tuple[str, ...], ...]
    reference: str
    other: str
    wrong: tuple[str, ...]
    words: str


def generate(rng: Rng, knobs: Knobs) -> Task[Data]:
    while True:
        shape, file = queries.layout(rng), rng.choice(FILES)
        parts = queries.sample(rng, shape, knobs.filters, knobs.view, bool(knobs.ending))
        wrong = list(dict.fromkeys(queries.near(parts, file)))
        if drawn := _texts(rng, shape, parts, wrong, file, knobs):
            break
    shown, texts, wrong = drawn
    words = "; ".join(part.words for part in parts)
    result = queries.answer(parts, shown)
    prompt = (
        f"Each line of the file {file} has four fields with {shape.mark!r} between them: {', '.join(shape.fields)}. The amount is a number from 1 to "
        "120, the others are words. Write a pipeline of shell commands that does the following, one after the other, and prints the result: "
        f"{words}. (Letters are compared by their codes, upper case before lower case.)\n\nFor example, if the file is\n\n{chr(10).join(shown)}\n\n"
        f"this must be printed:\n\n{chr(10).join(result)}\n\nYour pipeline is tested on other files of this kind too. Blanks at the beginning and end "
        f"of a printed "
        "line are ignored, and several blanks count as one. The pipeline is one line with commands joined by |, of these: cat; grep with -v -i -c; sort "
        "with -n -r -u -k -t; uniq with -c -d -u; cut with -d -f; head and tail with -n; wc -l; tr, and tr -d; sed 's/../../' with or without g. In "
        "patterns the dot, the star, sets like [a-c] or [^:], ^ at the beginning and $ at the end have their usual meaning; there are no backslashes, "
        "and every other character stands for itself. The first command "
        f"names the file, as in cat {file} or wc -l {file}; there are no other files. Outside quotes "
        "none of the characters $ ` \\ & ; < > ( ) * ? [ ] { } # ! ~ may occur. Lines that compare equal are sorted by the whole line, unless -u is given."
    )
    data = Data(
        file=file,
        texts=tuple(map(tuple, (shown, *texts))),
        wanted=tuple(tuple(queries.answer(parts, text)) for text in (shown, *texts)),
        reference=queries.pipeline(parts, file),
        other=queries.pipeline(parts, file, other=True),
        wrong=tuple(wrong),
        words=words,
    )
    return Task(prompt, data)


def solve(task: Task[Data]) -> str:
    # The expected output is computed from the lines, without commands.
    return task.data.reference


def verify(task: Task[Data], answer: str) -> Score:
    for text, expected in zip(task.data.texts, task.data.wanted, strict=True):
        try:
            printed = shell.output(answer, {task.data.file: text})
        except shell_patterns.Refused as why:
            return Score.wrong(str(why))
        if [" ".join(line.split()) for line in printed] != [" ".join(line.split()) for line in expected]:
            return Score.wrong(
                "for the file shown, something else is printed"
                if text is task.data.texts[0]
                else "for a hidden file, something else is printed"
            )
    return Score.exact(True)


def mistakes(task: Task[Data], right: str) -> list[str]:
    return [*task.data.wrong[:8], f"cat {task.data.file}", right.replace("|", ";", 1)]


def cost(task: Task[Data]) -> float:
    return float(len(task.data.reference.split("|")) * len(task.data.texts[1]))


def derive(task: Task[Data]) -> Derivation:
    """The lines of the file shown after each command."""
    commands = task.data.reference.split(" | ")
    for number, command in enumerate(commands, 1):
        lines = shell.output(" | ".join(commands[:number]), {task.data.file: task.data.texts[0]})
        yield COMMAND(
            command=command, number=number, count=len(lines), lines=" / ".join(" ".join(line.split()) for line in lines) or "none"
        )


def _texts(
    rng: Rng, shape: queries.Layout, parts: list[queries.Part], wrong: list[str], file: str, knobs: Knobs
) -> tuple[list[str], list[list[str]], list[str]] | None:
    """The file to show, hidden ones that tell wrong pipelines from the right one, and the pipelines that these tell."""
    filters = parts[: knobs.filters]
    texts = [queries.text(rng, shape, filters, count) for count in (12, *[knobs.lines] * HIDDEN)]
    results = [queries.answer(parts, text) for text in texts]
    if not results[0] or len(set(map(tuple, results))) < 4:
        return None
    # A condition that follows from another one would look like a mistake.
    shorter = [parts[:i] + parts[i + 1 :] for i in range(len(filters))]
    if any([queries.answer(others, text) for text in texts] == results for others in shorter):
        return None
    distinguishing = [
        program
        for program in wrong
        if any(_run_pipeline(program, file, text) != result for text, result in zip(texts, results, strict=True))
    ]
    return (texts[0], texts[1:], distinguishing) if len(distinguishing) > 2 else None


def _run_pipeline(pipeline: str, file: str, text: list[str]) -> list[str]:
    return [" ".join(line.split()) for line in shell.output(pipeline, {file: text})]


environment = Environment(
    Knobs, Text("the pipeline, on one line", max_characters=shell_patterns.MOST_CHARACTERS),
    generate, solve, verify, mistakes, cost, solution=Solution(derive, END),
    version=7, planted=True, answers="many", solutions=lambda task: [task.data.reference, task.data.other],
    concept="Do one thing with each command: first leave lines out, then sort and count, and last cut off what is not wanted.",
)  # fmt: skip
