"""`rlgym steps label`, `compare` and `export`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rlgym.cli.output import Json, console, decimal, path_argument, path_option, print_json, print_table
from rlgym.core.errors import RlgymError

StepsPlace = Annotated[Path, path_argument(help="a folder of `rlgym steps label` or `rlgym steps tree`, or its steps.jsonl")]
At = Annotated[float, typer.Option("--at", min=0, max=1, help="a step is wrong if its success rate is at most this")]
Agree = Annotated[str | None, typer.Option(help="keep only responses on which these sources agree, such as exact,judge")]


def label(
    run: Annotated[Path, path_argument(help="the folder of an evaluation (rlgym eval run)")],
    out: Annotated[Path, path_option("--out", "-o", help="the folder of the labelled steps")],
    sources: Annotated[str, typer.Option(help="where labels come from, comma-separated: exact, rates, judge")] = "exact",
    separator: Annotated[str, typer.Option(help="what ends a step; a line break by default")] = "\n",
    continuations: Annotated[int, typer.Option(min=1, help="rates: continuations after each step")] = 4,
    verdicts: Annotated[int, typer.Option(min=1, help="judge: critiques of each response")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="only the first N responses", metavar="N")] = None,
    model: Annotated[str | None, typer.Option(help="rates and judge: the model's name")] = None,
    base_url: Annotated[str | None, typer.Option(help="its OpenAI-compatible endpoint")] = None,
    api_key_env: Annotated[str, typer.Option(help="the environment variable that holds its API key")] = "OPENAI_API_KEY",
    transformers: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with transformers instead")] = None,
    vllm: Annotated[str | None, typer.Option(help="a Hugging Face folder to run with vLLM instead")] = None,
    judge_model: Annotated[str | None, typer.Option(help="judge: another model that gives the critiques")] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="its OpenAI-compatible endpoint")] = None,
    judge_api_key_env: Annotated[str, typer.Option(help="the environment variable that holds its API key")] = "OPENAI_API_KEY",
    temperature: Annotated[float | None, typer.Option(min=0, help="the model's default if not set")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="maximum tokens of a reply")] = None,
    seed: Annotated[int, typer.Option(min=0, help="seed of the requests")] = 0,
    max_concurrency: Annotated[int | None, typer.Option(min=1, help="concurrent requests")] = None,
    as_json: Json = False,
) -> None:
    """Label the steps of the responses of an evaluation. Repeat the command to resume: no reply is requested twice."""
    from rlgym.cli.evaluate.plan import Options, connect_models
    from rlgym.evaluate.episodes.episode import EpisodeConfig
    from rlgym.evaluate.episodes.results import load
    from rlgym.evaluate.models.base import Sampling
    from rlgym.evaluate.steps.label import LabelOptions, label_steps, records_of_results

    options = LabelOptions(_names(sources), separator.replace("\\n", "\n"), continuations, verdicts)
    sampling = Sampling(temperature=temperature, max_tokens=max_tokens, seed=seed)
    evaluation = load(run)
    found = records_of_results(evaluation.rows, options.separator, str(evaluation.info["model"].get("name", "")))
    records = found.records[:limit]
    if not records:
        raise RlgymError(f"{run} has no response whose steps can be labelled; left out: {dict(found.skipped)}")
    models = connect_models(
        Options(
            model=model, base_url=base_url, api_key_env=api_key_env, transformers=transformers, vllm=vllm, max_concurrency=max_concurrency,
            judge_model=judge_model, judge_base_url=judge_base_url, judge_api_key_env=judge_api_key_env,
        ),
        EpisodeConfig(sampling),
    )  # fmt: skip
    failures: Counter[str] = Counter()
    labelled = label_steps(records, options, out, *models, sampling, failures)
    steps = sum(len(record.ends) for record in labelled)
    if as_json:
        print_json({"responses": len(labelled), "steps": steps, "skipped": found.skipped, "failed": failures})
        return
    console.print(f"{out}: {steps} steps of {len(labelled)} responses", markup=False)
    for reason, count in found.skipped.items():
        console.print(f"left out: {count} responses {reason}", markup=False)
    for source, count in failures.items():
        console.print(f"no labels of {source}: {count} responses of which a request failed; repeat the command to ask again", markup=False)


def compare(
    steps: StepsPlace,
    reference: Annotated[str, typer.Option(help="the source that the others are compared with")] = "exact",
    at: At = 0.0,
    as_json: Json = False,
) -> None:
    """Compare the sources of labels: agreement step by step, and F1 on the first wrong step."""
    from rlgym.evaluate.steps.agreement import compare_sources
    from rlgym.evaluate.steps.records import read_records

    records = read_records(steps)
    found = compare_sources(records, reference, at)
    if not any(reference in record.labels for record in records):
        raise RlgymError(f"{steps} has no labels of the source {reference!r}: choose another --reference, or label them with --sources")
    if as_json:
        print_json(found)
        return
    names = ("labelled", "wrong", "agreement", "kappa", "error_accuracy", "sound_accuracy", "f1", "right_wrong_process")
    table = Table("source", "responses", *(name.replace("_", " ") for name in names), box=None)
    for facts in found:
        table.add_row(facts["source"], str(facts["responses"]), *(decimal(facts[name]) for name in names))
    print_table(table)


def export(
    steps: StepsPlace,
    layout: Annotated[str, typer.Option("--for", help="trl, processbench, or chains for SFT of a judge of steps")],
    out: Annotated[Path, path_option("--out", "-o", help="the JSON Lines file to write")],
    source: Annotated[str, typer.Option("--labels", help="the source of the labels: exact, rates or judge")] = "exact",
    agree: Agree = None,
    at: At = 0.0,
    merge: Annotated[bool, typer.Option("--merge", help="trl: add responses in which two consecutive steps are one")] = False,
    as_json: Json = False,
) -> None:
    """Write labelled steps in the columns of a trainer or a benchmark."""
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.steps.agreement import consensus
    from rlgym.evaluate.steps.export import export_steps
    from rlgym.evaluate.steps.records import read_records

    records = read_records(steps)
    kept = consensus(records, _names(agree), at) if agree else records
    rows = export_steps(kept, layout, source, at, merge)
    if not rows:
        raise RlgymError(f"none of {len(records)} responses gives a row for --for {layout}: {len(kept)} are left after --agree")
    write_atomically(out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "replace"))
    if as_json:
        print_json({"responses": len(records), "kept": len(kept), "rows": len(rows)})
        return
    console.print(f"{out}: {len(rows)} rows from {len(kept)} of {len(records)} responses", markup=False)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
