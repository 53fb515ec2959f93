"""The adoption of a file of questions: what is kept, what is rejected and why, and the environment that is written."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rlgym.answers.maths.found import final_answer
from rlgym.answers.questions import answer_type, same_answer
from rlgym.core.errors import RowError
from rlgym.dataset.adopt.card import adoption_card
from rlgym.dataset.adopt.open_questions import open_question
from rlgym.dataset.adopt.question import Question
from rlgym.dataset.adopt.similarity import Index, Text, read_text
from rlgym.dataset.adopt.verifiable import rejection
from rlgym.dataset.adopt.votes import Suspect, Votes, suspects
from rlgym.dataset.files import write_atomically

SOURCE = '''"""{title}"""

from pathlib import Path

from rlgym.derived.question_file import question_environment

environment = question_environment(Path(__file__).with_suffix(".jsonl"), version={version})
'''
PROJECT = """[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "{package}"
version = "{version}"
dependencies = ["rlvrgym"]

[project.entry-points."rlgym.envs"]
{domain} = "{package}"

[tool.setuptools]
packages = ["{package}"]

[tool.setuptools.package-data]
{package} = ["*.jsonl"]
"""


@dataclass(frozen=True)
class Rejected:
    """A row that was left out: the reason as a short name, and in words."""

    row: int
    id: str
    reason: str
    detail: str


@dataclass
class Adoption:
    """The questions of a file that are kept, with the types of their answers, and those that are rejected.

    solved  for each kept row with solutions, whether each of them ends in the answer of the label
    """

    kept: list[Question] = field(default_factory=list)
    types: dict[int, str] = field(default_factory=dict)
    rejected: list[Rejected] = field(default_factory=list)
    suspects: list[Suspect] = field(default_factory=list)
    rows: int = 0
    references: int = 0
    opened: int = 0
    voters: int = 0
    solved: dict[int, list[bool]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The counts and the rejected rows as JSON-able data."""
        return {
            "rows": self.rows,
            "kept": len(self.kept),
            "references": self.references,
            "opened": self.opened,
            "voters": self.voters,
            "solutions": {"read": sum(map(len, self.solved.values())), "right": sum(map(sum, self.solved.values()))},
            "types": dict(sorted(Counter(self.types[question.row] for question in self.kept).items())),
            "reasons": dict(sorted(Counter(rejected.reason for rejected in self.rejected).items())),
            "suspects": [asdict(suspect) for suspect in self.suspects],
            "rejected": [asdict(rejected) for rejected in sorted(self.rejected, key=lambda rejected: rejected.row)],
        }

    def reject(self, question: Question, reason: str, detail: str) -> None:
        """Leave a question out."""
        self.rejected.append(Rejected(question.row, question.id, reason, detail))


def adopt(
    questions: Iterable[Question],
    references: Iterable[str] = (),
    votes: Votes | None = None,
    *,
    open_choices: bool = False,
    solutions_vote: bool = False,
) -> Adoption:
    """Keep the questions that a verifier can judge, once each, that no reference has, and whose labels no vote and no other row contradicts.

    Of equal questions with equal answers the first is kept; of equal questions with different answers none. Nearly equal questions count as
    one only if their answers are equal. `votes` are keyed by row. `open_choices` asks questions with options without them, where the right
    option has a value and the question stands without the others. `solutions_vote` lets the solutions of each row vote on its label too, by their final
    answers: the first ones of all rows are one voter, and so on.
    """
    adoption = Adoption()
    if open_choices:
        questions = _opened(questions, adoption)
    verifiable = _keep_verifiable(questions, adoption)
    texts = {question.row: read_text(question.prompt) for question in verifiable}
    held = [read_text(reference) for reference in references]
    adoption.references = len(held)
    remaining = _without_repetitions(verifiable, texts, adoption)
    if held:
        remaining = _without_leaks(remaining, texts, held, adoption)
    if solutions_vote:
        votes = _with_solutions(remaining, votes or Votes())
    adoption.kept = _without_suspects(remaining, votes, adoption) if votes is not None else remaining
    adoption.solved = {
        question.row: [_same_solution(adoption.types[question.row], question, text) for text in question.solutions]
        for question in adoption.kept
        if question.solutions
    }
    return adoption


def _same_solution(kind: str, question: Question, text: str) -> bool:
    return bool(text.strip()) and same_answer(kind, question.prompt, question.answer, final_answer(text))


def _with_solutions(questions: list[Question], votes: Votes) -> Votes:
    """The votes, and those of the solutions of the rows."""
    joined = Votes({solver: dict(answers) for solver, answers in votes.answers.items()})
    for question in questions:
        for number, text in enumerate(question.solutions, 1):
            if text.strip() and (answer := final_answer(text).strip()):
                joined.add(f"solution {number}", question.row, answer)
    return joined


def _opened(questions: Iterable[Question], adoption: Adoption) -> Iterator[Question]:
    for question in questions:
        changed = open_question(question)
        adoption.opened += changed is not None
        yield changed or question


def _keep_verifiable(questions: Iterable[Question], adoption: Adoption) -> list[Question]:
    kept = []
    for question in questions:
        adoption.rows += 1
        if why := rejection(question):
            adoption.reject(question, *why)
        else:
            adoption.types[question.row] = answer_type(question.prompt, question.answer)
            kept.append(question)
    if not adoption.rows:
        raise RowError("the file contains no questions")
    return kept


def _same_answers(adoption: Adoption, one: Question, other: Question) -> bool:
    kinds = (adoption.types[one.row], adoption.types[other.row])
    return any(same_answer(kind, one.prompt, one.answer, other.answer) for kind in dict.fromkeys(kinds))


def _without_repetitions(questions: list[Question], texts: Mapping[int, Text], adoption: Adoption) -> list[Question]:
    groups: dict[tuple[str, ...], list[Question]] = {}
    for question in questions:
        groups.setdefault(texts[question.row].words, []).append(question)
    single = []
    for group in groups.values():
        first, *others = group
        different = next((other for other in others if not _same_answers(adoption, first, other)), None)
        if different is None:
            single.append(first)
            for other in others:
                adoption.reject(other, "duplicate", f"row {first.row} asks the same and has the same answer")
        else:
            for question in group:
                rival = different if question is first else first
                adoption.reject(question, "contradiction", f"row {rival.row} asks the same and has the answer {rival.answer!r}")
    return _without_near_duplicates(single, texts, adoption)


def _without_near_duplicates(questions: list[Question], texts: Mapping[int, Text], adoption: Adoption) -> list[Question]:
    index, kept = Index(texts[question.row] for question in questions), list[Question]()
    by_row: dict[int, Question] = {}
    for question in sorted(questions, key=lambda question: question.row):
        equal = next((row for row in index.duplicates(texts[question.row]) if _same_answers(adoption, by_row[row], question)), None)
        if equal is not None:
            adoption.reject(question, "near duplicate", f"row {equal} asks nearly the same and has the same answer")
            continue
        index.add(question.row, texts[question.row])
        by_row[question.row] = question
        kept.append(question)
    return kept


def _without_leaks(questions: list[Question], texts: Mapping[int, Text], held: list[Text], adoption: Adoption) -> list[Question]:
    index = Index([*held, *(texts[question.row] for question in questions)])
    for number, reference in enumerate(held):
        index.add(number, reference)
    kept = []
    for question in questions:
        if (leak := index.leak(texts[question.row])) is None:
            kept.append(question)
        else:
            adoption.reject(question, "leak", f"reference {leak + 1} asks the same")
    return kept


def _without_suspects(questions: list[Question], votes: Votes, adoption: Adoption) -> list[Question]:
    by_row = {question.row: question for question in questions}

    def same(row: int) -> Any:
        kind, prompt = adoption.types[row], by_row[row].prompt
        return lambda one, other: same_answer(kind, prompt, one, other)

    adoption.voters = len(votes.answers)
    adoption.suspects = suspects({row: question.answer for row, question in by_row.items()}, votes, same)
    for suspect in adoption.suspects:
        detail = f"{suspect.votes} of {suspect.voters} solvers answer {suspect.answer!r}; the label is right with probability {suspect.right:.3f}"
        adoption.reject(by_row[suspect.key], "suspect label", detail)
    doubtful = {suspect.key for suspect in adoption.suspects}
    return [question for question in questions if question.row not in doubtful]


def write_environment(
    adoption: Adoption, folder: str | Path, name: str, domain: str = "adopted", title: str = "", source: Mapping[str, Any] | None = None
) -> Path:
    """Write the kept questions as a plug-in that offers the environment `name`, beside `report.json`, `rejected.jsonl` and the card `README.md`, which
    names the `source`; and the solutions of the file that end in the right answer as `solutions.jsonl`.

    The folder can be installed with pip; on the module search path (PYTHONPATH) it works without that. The version of the environment is a hash
    of its questions. RowError if no question is kept, or the name is none.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or not re.fullmatch(r"[a-z][a-z0-9_]*", domain):
        raise RowError(f"name and domain are lower-case letters, digits and underscores, got {name!r} and {domain!r}")
    if not adoption.kept:
        raise RowError("no question is left to adopt; rlgym dataset adopt --dry-run prints the reasons")
    root, package = Path(folder), f"rlgym_adopted_{name}"
    rows = [
        {
            "prompt": each.prompt,
            "answer": each.answer,
            "type": adoption.types[each.row],
            "row": each.row,
            "difficulty": each.difficulty,
            "id": each.id,
        }
        | ({"topic": each.topic} if each.topic else {})
        for each in adoption.kept
    ]
    lines = _lines(rows)
    version = int(hashlib.sha256(lines).hexdigest()[:7], 16) + 1
    facts = {"package": package, "domain": domain, "version": version}
    metadata = root / f"{package}.egg-info"
    for path in (root / package, metadata):
        path.mkdir(parents=True, exist_ok=True)
    about = title or f"{len(rows)} questions of a file, judged by the verifier of each answer's type."
    about = about.replace('"""', "'''").replace("\\", "\\\\")
    files = {
        root / package / "__init__.py": f'"""Environments of the domain {domain}."""\n'.encode(),
        root / package / f"{name}.jsonl": lines,
        root / package / f"{name}.py": SOURCE.format(title=about, version=version).encode(),
        root / "pyproject.toml": PROJECT.format(**facts).encode(),
        metadata / "PKG-INFO": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n".encode(),
        metadata / "entry_points.txt": f"[rlgym.envs]\n{domain} = {package}\n".encode(),
        root / "README.md": adoption_card(adoption, name, version, source or {}).encode(),
        root / "rejected.jsonl": _lines([asdict(rejected) for rejected in adoption.rejected]),
        **({root / "solutions.jsonl": _lines(_right_solutions(adoption))} if adoption.solved else {}),
        root / "report.json": (json.dumps(adoption.to_dict(), indent=1, ensure_ascii=False) + "\n").encode(),
    }
    for file, data in files.items():
        write_atomically(file, data)
    return root / package / f"{name}.py"


def _right_solutions(adoption: Adoption) -> list[dict[str, Any]]:
    """The solutions that end in the answer of the label, as rows for SFT."""
    return [
        {"prompt": each.prompt, "completion": text, "answer": each.answer, "row": each.row}
        for each in adoption.kept
        for text, right in zip(each.solutions, adoption.solved.get(each.row, ()))
        if right
    ]


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
