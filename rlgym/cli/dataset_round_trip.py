"""`rlgym dataset round-trip`: keep the tasks whose program a model can describe and write again from the description."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from rlgym.cli.output import DatasetFolder, Json, console, path_option, print_json


def round_trip(
    folder: DatasetFolder,
    model: Annotated[str, typer.Option(help="the model that describes programs and writes them again")],
    base_url: Annotated[str, typer.Option(help="its OpenAI-compatible endpoint, such as http://localhost:8000/v1")],
    out: Annotated[Path, path_option("--out", "-o", help="the file of kept rows to write, JSON lines with description and rewritten")],
    api_key_env: Annotated[str, typer.Option(help="the environment variable that holds its API key")] = "OPENAI_API_KEY",
    split: Annotated[str | None, typer.Option(help="only this split")] = None,
    cache: Annotated[Path | None, path_option("--cache", help="a file of the model's replies; OUT with .replies.jsonl by default")] = None,
    as_json: Json = False,
) -> None:
    """Filter a dataset of programs by code, text and code again: keep the rows whose rewritten program passes the tests."""
    from rlgym.core.reply_file import ReplyFile
    from rlgym.dataset import load
    from rlgym.dataset.files import write_atomically
    from rlgym.evaluate.models.endpoint import Endpoint
    from rlgym.evaluate.round_trip import round_trips

    rows = list(load(folder, split))
    endpoint = Endpoint(base_url, model, os.environ.get(api_key_env), stream=False)
    found = round_trips(rows, endpoint, ReplyFile(cache or out.with_suffix(".replies.jsonl")))
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, "".join(json.dumps(row) + "\n" for row in found.kept).encode())
    if as_json:
        print_json({"rows": len(rows), "kept": len(found.kept), "left_out": found.left_out, "file": str(out)})
        return
    console.print(f"{out}: {len(found.kept)} of {len(rows)} rows kept", markup=False)
    for why, number in sorted(found.left_out.items()):
        console.print(f"left out: {number} rows: {why}", markup=False)
