"""Judge tasks from recorded responses: rows of NAME:grade_solution, NAME:pairwise, NAME:best_of, NAME:first_error and NAME:critique_refine."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from rlgym.core.declare import Environment
from rlgym.core.errors import RowError, suggestion
from rlgym.core.names import name_parts
from rlgym.core.rng import Rng
from rlgym.core.task import Origin, Task
from rlgym.dataset.judged_steps import judged_steps
from rlgym.dataset.rows import Row, messages_of, row_of, task_of_row
from rlgym.derived.first_error import step_prompt
from rlgym.derived.judge_prompts import PROMPTS
from rlgym.derived.judge_words import ENGLISH, IN_LANGUAGES
from rlgym.derived.refining import draft_prompt
from rlgym.derived.rewording import OPENINGS
from rlgym.derived.table import DERIVED, LANGUAGES
from rlgym.derived.written_solutions import INVALID, RIGHT, WRONG, verdict_on
from rlgym.registry import environment

KINDS = ("grade_solution", "pairwise", "best_of", "first_error", "critique_refine")
ITEMS = 4
"""Tasks in one row of NAME:grade_solution and NAME:pairwise."""
CANDIDATES = 6
"""Most responses in one row of NAME:best_of."""
MOST_CHARACTERS = 8_000
SOUND_STEPS = 0.25
"""Share of the rows of NAME:first_error without a wrong step, where responses of both sorts are there."""


@dataclass(frozen=True, slots=True)
class JudgedTask:
    """A task of a run with its responses by the verifier's verdict, and the model that wrote each of them."""

    base: Task[Any]
    level: float | None
    responses: Mapping[str, list[str]]
    models: dict[str, str] = field(default_factory=dict)

    @property
    def mixed(self) -> bool:
        """Whether some responses are right and some are not."""
        return bool(self.responses[RIGHT]) and bool(self.responses[WRONG] or self.responses[INVALID])


@dataclass
class JudgeRows:
    """The rows, why responses were left out, and of grade_solution how many solutions of each verdict are by each model."""

    rows: list[Row] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    shown: Counter[tuple[str, str]] = field(default_factory=Counter)


def judge_rows(results: Iterable[Mapping[str, Any]], kind: str, *, seed: int = 0, mixed: bool = True, language: str = "") -> JudgeRows:
    """Rows of judge tasks from the result rows of an evaluation; the verifier labels every response anew.

    kind   grade_solution, pairwise, best_of, first_error or critique_refine
    seed   decides which responses are taken, their order, and the balance of verdicts
    mixed  of grade_solution: only tasks with right and other responses, so that the task alone does not tell the verdict
    language  of the prompt, such as `de`; English by default. The rows of all languages show the same responses

    Where the results of several models have a key `model`, the solutions of grade_solution are balanced by it within each verdict, so that the
    style of a model does not tell the verdict. From "Libra: Assessing and Improving Reward Model by Learning to Think".

    Responses of many-turn tasks, of environments without this kind, of other versions, with more than 8,000 characters, of tasks whose knobs are
    not recorded, and those whose verdict is another than the recorded one (because the answer stood in other marks than <answer>) are left out
    and counted. The pair of a task is the right and the other response whose lengths are closest. A row of first_error has the worked steps that
    are recognised in a response. RowError for an unknown kind or language.
    """
    if language and language not in LANGUAGES:
        raise RowError(f"there is no language {language!r}; the languages are {', '.join(LANGUAGES)}")
    if kind not in KINDS:
        raise RowError(f"there are no judge tasks called {kind!r}.{suggestion(kind, KINDS)} There are {', '.join(KINDS)}")
    found = JudgeRows()
    for name, tasks in _group_by_environment(results, kind, found.skipped).items():
        rng = Rng("judge rows", kind, name, seed)
        every = kind == "first_error" or (not mixed and kind == "grade_solution")
        judged = rng.shuffled([task for task in tasks if task.mixed or every])
        found.skipped["of tasks with one verdict"] += sum(
            len(texts) for task in tasks if task not in judged for texts in task.responses.values()
        )
        derived_name = f"{name}:{kind}:{language}" if language else f"{name}:{kind}"
        found.rows += [_row(derived_name, kind, number, drawn) for number, drawn in enumerate(_draws(rng, kind, judged, found.shown))]
    return found


def _group_by_environment(results: Iterable[Mapping[str, Any]], kind: str, skipped: Counter[str]) -> dict[str, list[JudgedTask]]:
    """The tasks of each environment in the order of the results, with all their responses."""
    tasks: dict[str, dict[tuple[Any, ...], JudgedTask]] = {}
    for row in results:
        name = str(row["env"])
        if problem := _reason_to_skip(row, kind):
            skipped[problem] += 1
            continue
        declared = environment(name)
        assert isinstance(declared, Environment)
        key = (int(row["seed"]), row["level"], row.get("knobs") or "", str(row.get("id", "")))
        if key not in tasks.setdefault(name, {}):
            try:
                base = task_of_row(row)
            except RowError:
                skipped["of tasks whose knobs are not recorded"] += 1
                continue
            tasks[name][key] = JudgedTask(base, row["level"], {RIGHT: [], WRONG: [], INVALID: []})
        task, text = tasks[name][key], _response(row)
        verdict = verdict_on(declared, task.base, text)
        if (verdict == RIGHT) != bool(row["right"]):
            skipped["with another verdict than the recorded one"] += 1
        elif text not in task.responses[verdict]:
            task.responses[verdict].append(text)
            task.models[text] = str(row.get("model", ""))
    return {name: list(found.values()) for name, found in tasks.items()}


def _reason_to_skip(row: Mapping[str, Any], kind: str) -> str:
    """Why a response cannot be judged; empty where it can."""
    name = str(row["env"])
    if row["masked"] or row["kind"] != "environment":
        return "masked, or of many turns"
    if ":" in name or DERIVED[kind](environment(name)) is None:
        return "of environments that derive no such tasks"
    if environment(name).version != row["version"]:
        return "of other versions"
    text = _response(row)
    return "" if 0 < len(text) <= MOST_CHARACTERS else f"empty, or of more than {MOST_CHARACTERS} characters"


def _response(row: Mapping[str, Any]) -> str:
    """The last response of an episode as text."""
    messages = messages_of(row)
    content = next((message.get("content") for message in reversed(messages) if message.get("role") == "assistant"), "")
    return content if isinstance(content, str) else ""


Drawn = list[tuple[JudgedTask, list[str]]]


def _draws(rng: Rng, kind: str, tasks: Sequence[JudgedTask], shown: Counter[tuple[str, str]]) -> Iterator[Drawn]:
    """The tasks of each row with the responses that it shows."""
    if kind in ("grade_solution", "pairwise"):
        drawn = [(task, _sample_graded_response(rng, task, shown) if kind == "grade_solution" else _pair(rng, task)) for task in tasks]
        yield from (drawn[first : first + ITEMS] for first in range(0, len(drawn) - ITEMS + 1, ITEMS))
        return
    for task in tasks:
        others = rng.shuffled(task.responses[WRONG] + task.responses[INVALID])
        if kind == "critique_refine":
            yield [(task, [rng.choice(others)])]
        elif kind == "first_error":
            if texts := _worked_response(rng, task):
                yield [(task, texts)]
        else:
            yield [(task, rng.shuffled([rng.choice(task.responses[RIGHT]), *others[: CANDIDATES - 1]]))]


def _sample_graded_response(rng: Rng, task: JudgedTask, shown: Counter[tuple[str, str]]) -> list[str]:
    """One response. Its verdict is drawn first, so that verdicts are balanced whatever the solve rate, and is by the model shown least with it."""
    available = [verdict for verdict in (RIGHT, WRONG, INVALID) if task.responses[verdict]]
    verdict = rng.weighted(available, [{RIGHT: 4, WRONG: 4, INVALID: 2}[each] for each in available])
    texts = task.responses[verdict]
    fewest = min(shown[task.models[text], verdict] for text in texts)
    chosen = rng.choice([text for text in texts if shown[task.models[text], verdict] == fewest])
    shown[task.models[chosen], verdict] += 1
    return [chosen]


def _pair(rng: Rng, task: JudgedTask) -> list[str]:
    others = task.responses[WRONG] or task.responses[INVALID]
    pairs = [(right, other) for right in task.responses[RIGHT] for other in others]
    return rng.shuffled(min(rng.shuffled(pairs), key=lambda pair: abs(len(pair[0]) - len(pair[1]))))


def _framed(prompt: str, language: str) -> str:
    """A prompt whose middle stays in English, with an opening in the language."""
    return f"{OPENINGS[language]}\n\n{prompt}" if language else prompt


def _worked_response(rng: Rng, task: JudgedTask) -> list[str]:
    """A response whose steps can be judged, mostly one with a wrong step; none where there is no such response."""
    by_soundness: dict[bool, list[str]] = {True: [], False: []}
    for text in rng.shuffled([text for texts in task.responses.values() for text in texts]):
        if found := judged_steps(_declared(task.base), task.base, text):
            by_soundness[found.wrong == 0].append(text)
    sound = rng.chance(SOUND_STEPS)
    return (by_soundness[sound] or by_soundness[not sound])[:1]


def _declared(base: Task[Any]) -> Environment[Any, Any, Any]:
    assert base.origin is not None
    declared = environment(base.origin.name)
    assert isinstance(declared, Environment)
    return declared


def _row(name: str, kind: str, number: int, drawn: Drawn) -> Row:
    derived, language, first = environment(name), name_parts(name)[2], drawn[0][0]
    assert isinstance(derived, Environment)
    words = IN_LANGUAGES[language] if language else ENGLISH
    items = [{"question": task.base.prompt, "inner": task.base.data, "solutions": tuple(texts)} for task, texts in drawn]
    if kind in ("grade_solution", "pairwise"):
        [part, _] = get_args(derived.data.model_fields["parts"].annotation)
        parts = tuple(part(**item) for item in items)
        data, prompt = derived.data(parts=parts), PROMPTS[kind](parts, words)  # type: ignore[call-arg]
    elif kind == "best_of":
        data = derived.data(**items[0])
        prompt = PROMPTS[kind]([data], words)
    elif kind == "first_error":
        judged = judged_steps(_declared(first.base), first.base, drawn[0][1][0])
        assert judged is not None
        data = derived.data(question=first.base.prompt, inner=first.base.data, **asdict(judged))  # type: ignore[call-arg]
        prompt = _framed(step_prompt(data, sampled=True), language)
    else:
        data = derived.data(question=first.base.prompt, inner=first.base.data, draft=drawn[0][1][0])  # type: ignore[call-arg]
        prompt = _framed(draft_prompt(data), language)
    origin = Origin(name, derived.version, number, {}, first.level)
    row = row_of(derived, Task(prompt, data, origin), "tag")
    digest = hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return row | {"id": f"{name}-v{derived.version}-sampled-{digest}", "split": "train"}
