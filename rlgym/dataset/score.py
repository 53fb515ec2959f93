"""Scores responses to a dataset from its files alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlgym.core.answer import Style
from rlgym.core.declare import Environment, Game, Match
from rlgym.core.errors import RowError
from rlgym.core.score import Score
from rlgym.dataset.read import load
from rlgym.dataset.rows import Row
from rlgym.episode.play import advance, score_response, start_episode
from rlgym.episode.scoring import Response, score_many, task_from_row
from rlgym.registry import environment

BATCH = 2000


@dataclass
class Tally:
    """Counts over a set of responses. pass@1 is the mean over tasks of the share of right samples."""

    responses: int = 0
    total: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    samples: Counter[str] = field(default_factory=Counter)

    def add(self, task: str, score: Score) -> None:
        self.outcomes[score.outcome.value] += 1
        if score.masked:  # not a result of the model
            return
        self.responses += 1
        self.total += score.value
        self.samples[task] += 1
        self.right[task] += score.value == 1.0

    def to_dict(self) -> dict[str, Any]:
        mean = self.total / self.responses if self.responses else None
        pass_1 = sum(self.right[task] / count for task, count in self.samples.items()) / len(self.samples) if self.samples else None
        return {"responses": self.responses, "tasks": len(self.samples), "mean": mean, "pass@1": pass_1, "outcomes": dict(self.outcomes)}


@dataclass
class Summary:
    """Tallies over all responses, and by environment, domain and level. `missing` counts rows without a response."""

    overall: Tally = field(default_factory=Tally)
    missing: int = 0
    by: dict[str, dict[str, Tally]] = field(default_factory=lambda: {"env": {}, "domain": {}, "level": {}})

    def add(self, row: Row, score: Score) -> None:
        self.overall.add(row["id"], score)
        for key, tallies in self.by.items():
            tallies.setdefault(str(row[key]), Tally()).add(row["id"], score)

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON-able data."""
        parts = {f"by_{key}": {name: tallies[name].to_dict() for name in sorted(tallies)} for key, tallies in self.by.items()}
        return {**self.overall.to_dict(), "missing": self.missing, **parts}


def score_responses(
    folder: str | Path,
    given: str | Path,
    *,
    split: str | None = None,
    out: str | Path | None = None,
    workers: int = 1,
    pass_rates: str | Path | None = None,
    model: str = "",
) -> Summary:
    """Score a file of responses (JSONL or Parquet with `id` and `response`), or the built-in responses "oracle" or "wrong".

    Several responses to one id are several samples. The response to a many-turn task is the list of its turns, or the JSON text of that
    list. `out` receives one line of JSON per score. `pass_rates` is a pass-rate store that receives the counts of each task under the name
    `model`; the source is the dataset with the file, so that the same responses never count twice. Rows without a response are
    counted but not scored. RowError for a response to an unknown id, and for a file without responses.
    """
    if (pass_rates is None) != (not model):
        raise RowError("solve rates are recorded in a store under the name of a model: give both pass_rates and model, or neither")
    summary, lines, counted = Summary(), [], list[dict[str, Any]]()
    for batch in _batches(_pair_rows_with_responses(folder, given, split, summary)):
        rows, responses = [row for row, _ in batch], [response for _, response in batch]
        for row, score in zip(rows, score_many(rows, responses, workers=workers), strict=True):
            summary.add(row, score)
            lines.append(json.dumps({"id": row["id"], "env": row["env"], "level": row["level"], **score.to_dict()}))
            if pass_rates is not None:
                key = {column: row[column] for column in ("env", "version", "level", "knobs", "seed")}
                counted.append({**key, "right": score.value == 1.0, "masked": score.masked})
    if not lines:
        raise RowError(f"{str(given)!r} holds no response to score")
    if out is not None:
        Path(out).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if pass_rates is not None:
        from rlgym.dataset.pass_rates import PassRates

        with PassRates(pass_rates) as store:
            store.add_run(counted, model, f"{Path(folder).resolve()}: {Path(given).name}")
    return summary


def oracle_response(row: Row) -> Response:
    """The oracle's response in a row: a string, or for many-turn rows the list of its turns."""
    response: str = row["oracle_response"]
    return response if row["kind"] == "environment" else list(json.loads(response))


def wrong_response(row: Row) -> Response:
    """A deliberately wrong response to a row: a declared mistake; for many-turn rows a mistake at every turn."""
    task, style = task_from_row(row)
    declared = environment(row["env"])
    position = start_episode(declared, task, style)
    if isinstance(declared, Environment):
        second = ""
        for mistake in declared.mistakes(task, declared.solve(task)):
            response = declared.answer.render_response(mistake, style)
            value = score_response(declared, task, response, style).value
            if value == 0:
                return response
            # A mistake may earn partial credit; prefer one that earns nothing.
            second = second or (response if value < 1 else "")
        if not second:
            raise RowError(f"{row['env']} declares no real mistake for the row {row['id']}")
        return second
    turns: list[str] = []
    while position.score is None:
        turns.append(_wrong_turn(declared, position.state, style))
        position = advance(declared, position, turns[-1], style)
    return turns


def _wrong_turn(declared: Game[Any, Any, Any] | Match[Any, Any, Any], state: Any, style: Style) -> str:
    """The first mistake in a state; in a match the first illegal move, if the mistakes have one."""
    mistakes = list(declared.mistakes(state))
    if isinstance(declared, Match):
        legal = declared.legal(state)
        mistakes = [move for move in mistakes if move not in legal] or mistakes
    return declared.answer.render_response(mistakes[0], style) if mistakes else "I do not know."


def _pair_rows_with_responses(
    folder: str | Path, responses: str | Path, split: str | None, summary: Summary
) -> Iterator[tuple[Row, Response]]:
    built_in = {"oracle": oracle_response, "wrong": wrong_response}.get(str(responses))
    if built_in:
        yield from ((row, built_in(row)) for row in load(folder, split))
        return
    responses_of: dict[str, list[Response]] = {}
    for number, line in enumerate(read_responses(Path(responses)), 1):
        identity, response = line.get("id"), line.get("response")
        turns = isinstance(response, list) and all(isinstance(turn, str) for turn in response)
        if not isinstance(identity, str) or not (isinstance(response, str) or turns):
            raise RowError(f"response {number} of {str(responses)!r} needs `id` (a string) and `response` (a string, or a list of turns)")
        responses_of.setdefault(identity, []).append(response if isinstance(response, str) else list(map(str, response or ())))
    for row in load(folder, split):
        samples = responses_of.pop(row["id"], [])
        summary.missing += not samples
        for response in samples:
            yield row, parse_turns(response) if row["kind"] != "environment" and isinstance(response, str) else response
    if responses_of:
        source = f"the split {split!r} of the dataset" if split else "the dataset"
        raise RowError(f"{len(responses_of)} ids of {str(responses)!r} are not in {source}, such as {next(iter(responses_of))!r}")


def parse_turns(text: str) -> list[str]:
    """The turns in a text: the members of a JSON array of texts, or the text itself as the only turn."""
    try:
        read = json.loads(text) if text.lstrip().startswith("[") else None
    except (ValueError, RecursionError):
        read = None
    return read if isinstance(read, list) and all(isinstance(turn, str) for turn in read) else [text]


def read_responses(file: Path) -> Iterator[Mapping[str, Any]]:
    """The lines of a file of responses, JSONL or Parquet. RowError if it cannot be read."""
    try:
        if file.suffix == ".parquet":
            import pyarrow.parquet as pq

            yield from pq.read_table(file).to_pylist()
            return
        with open(file, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    read = json.loads(line)
                    if not isinstance(read, dict):
                        raise RowError(f"line {number} of {str(file)!r} is not a JSON object")
                    yield read
    except (OSError, ValueError) as error:  # pyarrow's errors are among these
        raise RowError(f"the responses {str(file)!r} cannot be read: {error}") from None


def _batches(pairs: Iterator[tuple[Row, Response]]) -> Iterator[list[tuple[Row, Response]]]:
    batch: list[tuple[Row, Response]] = []
    for pair in pairs:
        batch.append(pair)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
