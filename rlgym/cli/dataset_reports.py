"""`rlgym dataset tokens` and `rlgym dataset overlap`: reports on a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rlgym.cli.output import DatasetFolder, Json, console, path_option, print_json, print_table


def tokens(
    folder: DatasetFolder,
    tokenizer: Annotated[Path, path_option(help="a folder with a tokenizer.json, as of any model, or that file")],
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    as_json: Json = False,
) -> None:
    """Count the tokens of the prompts and of the oracle's responses."""
    from rlgym.dataset.tokens import token_counts

    report = token_counts(folder, tokenizer, split=split)
    if as_json:
        print_json(report)
        return
    table = Table("", "rows", box=None)
    for part in ("prompt", "oracle"):
        for column in ("total", "mean", "median", "p95", "max"):
            table.add_column(f"{part} {column}", justify="right")
    for title, lines in (("by domain", report["by_domain"]), ("by level", report["by_level"]), ("", {"all": report})):
        if title:
            table.add_row(f"[bold]{title}[/]")
        for name, facts in lines.items():
            table.add_row(name, str(facts["rows"]), *(f"{value:g}" for part in ("prompt", "oracle") for value in facts[part].values()))
    print_table(table)


def overlap(
    folder: DatasetFolder,
    against: Annotated[list[str], typer.Option(help="a file of prompts (.jsonl, .parquet, .txt), or the name of a suite; repeatable")],
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    as_json: Json = False,
) -> None:
    """Check a dataset for contamination: rows that a benchmark, a suite or another file has too. Exits with 1 if any row is equal."""
    from rlgym.cli.reference_prompts import reference_prompts
    from rlgym.dataset.contamination import contamination

    report = contamination(folder, (prompt for source in against for prompt in reference_prompts(source)), split=split)
    if as_json:
        print_json(report.to_dict())
    else:
        console.print(f"{report.rows} rows against {report.references} reference prompts")
        console.print(f"equal but for case and spaces: {report.exact}")
        console.print(f"equal once numbers and names are masked: {report.masked}")
        console.print(f"most runs of 13 words occur in the references: {report.overlap}")
        for name, rows in sorted(report.by_env.items()):
            console.print(f"  {name}: {rows} equal")
    if report.exact:
        raise typer.Exit(1)
