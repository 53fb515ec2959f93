"""Every name that users meet stands in docs/glossary.md, in the section of its room."""

import dataclasses
import re
import typing
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import BaseModel

import rlgym
from rlgym.core.score import Outcome, Score

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"


def glossary_terms(section: str) -> set[str]:
    """The names in code marks in the first column of a section's table; `Model.field` counts as `field` too."""
    match = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert match, f"docs/glossary.md has no section {section!r}"
    first_cells = [line.split("|")[1] for line in match[1].splitlines() if line.startswith("|")]
    spans = {span for cell in first_cells for span in re.findall(r"`([^`]+)`", cell)}
    return spans | {span.rpartition(".")[2] for span in spans}


def public_names(module: str) -> set[str]:
    """The names that a package's `__init__` re-exports, as `from x import name as name`."""
    file = import_module(module).__file__
    assert file
    return set(re.findall(r"^ *from \S+ import (\w+) as \1$", Path(file).read_text(encoding="utf-8"), re.MULTILINE))


def dataclass_fields(*classes: type) -> set[str]:
    return {field.name for class_ in classes for field in dataclasses.fields(class_)}


def config_fields(path: str) -> set[str]:
    """The fields of a pydantic model `module:Class` and of the models inside it."""
    module, _, name = path.partition(":")
    waiting, seen = [getattr(import_module(module), name)], set()
    fields: set[str] = set()
    while waiting:
        model = waiting.pop()
        if model in seen:
            continue
        seen.add(model)
        for field, info in model.model_fields.items():
            fields.add(field)
            waiting += _models_in(info.annotation)
    return fields


def _models_in(annotation: object) -> Iterable[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in typing.get_args(annotation):
        yield from _models_in(part)


def _of_the_core() -> set[str]:
    elsewhere = {"Limits", "Outcome", "Score"}
    declarations = dataclass_fields(rlgym.Environment, rlgym.Game, rlgym.Match)
    return (public_names("rlgym") - elsewhere) | declarations


def _of_answers_and_scores() -> set[str]:
    from rlgym.sandbox import RunResult

    fields = dataclass_fields(Score, rlgym.Limits, RunResult)
    return public_names("rlgym.answers") | {"Limits", "Outcome", "Score"} | set(Outcome.__members__) | fields


def _of_datasets() -> set[str]:
    from rlgym.dataset.rows import COLUMNS

    return public_names("rlgym.dataset") | config_fields("rlgym.dataset.recipe:Recipe") | set(COLUMNS)


def _of_evaluation() -> set[str]:
    import typer

    from rlgym.cli import app
    from rlgym.evaluate.episodes.episode import EpisodeConfig, TokenPrices
    from rlgym.evaluate.episodes.results import COLUMNS
    from rlgym.evaluate.models.base import Sampling
    from rlgym.evaluate.models.endpoint import RequestLimits
    from rlgym.evaluate.plan import EvaluationPlan

    fields = dataclass_fields(EvaluationPlan, EpisodeConfig, Sampling, TokenPrices, RequestLimits)
    group = typer.main.get_command(app).commands["eval"]  # type: ignore[attr-defined]
    options = {option for command in group.commands.values() for parameter in command.params for option in parameter.opts}
    return fields | set(COLUMNS) | {option for option in options if option.startswith("--")}


def _of_the_service() -> set[str]:
    from rlgym.serve.settings import Settings

    return dataclass_fields(Settings)


def _of_the_audit() -> set[str]:
    import typer

    from rlgym.audit import AuditOptions, AuditReport, ProcessOptions
    from rlgym.cli import app

    command = typer.main.get_command(app).commands["audit"]  # type: ignore[attr-defined]
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    return public_names("rlgym.audit") | dataclass_fields(AuditOptions, ProcessOptions) | set(AuditReport.model_fields) | options


SECTIONS: dict[str, Callable[[], set[str]]] = {
    "Tasks and environments": _of_the_core,
    "Answers and scores": _of_answers_and_scores,
    "Datasets and adapters": _of_datasets,
    "Training": lambda: config_fields("rlgym.train.config.schema:Config"),
    "Evaluation": _of_evaluation,
    "Audit": _of_the_audit,
    "Rubrics": lambda: public_names("rlgym.rubrics"),
    "Service": _of_the_service,
}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_name_stands_in_the_glossary(section):
    missing = SECTIONS[section]() - glossary_terms(section)
    assert not missing, f"add to the section {section!r} of docs/glossary.md: {', '.join(sorted(missing))}"


def test_every_row_has_a_meaning_and_a_place_that_exists():
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|") or line.startswith(("| term", "|---")):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert len(cells) == 3, line
        assert all(cells), line
        for place in re.findall(r"`([^`]+)`", cells[2]):
            is_path = "/" in place and "<" not in place
            assert not is_path or any((root / place).exists() for root in (ROOT, ROOT / "rlgym" / "train")), line


class _Inner(BaseModel):
    depth: int = 0


class _Outer(BaseModel):
    inner: _Inner | None = None
    many: list[_Inner] = []


def test_fields_of_models_inside_models_are_found():
    assert config_fields(f"{__name__}:_Outer") == {"inner", "many", "depth"}
    assert {"make", "Env", "Score", "task"} <= public_names("rlgym")
    assert "make" in glossary_terms("Tasks and environments")
    assert "a name that is in no glossary" not in glossary_terms("Tasks and environments")
