"""`rlgym playground build`: the catalogue with its page as static files."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.progress import track

from rlgym.cli.output import Json, console, path_option, print_json
from rlgym.core.errors import PackageMissing, RlgymError, SandboxMissing

BATCHES_PER_WORKER = 12
BACKEND_TAG = '<meta name="rlgym-backend" content="service">'
BODY_TAG = '<div id="app">'
STATIC_NOTE = (
    '<p class="files-note" data-test="files-note">This is a static copy of the catalogue, with sample tasks, their scores and recorded '
    "episodes. To generate tasks and score your own answers, run <code>pip install 'rlvrgym[serve]'</code> and "
    "<code>rlgym serve</code>.</p>"
)


class RecordedEnvironment(NamedTuple):
    """The catalogue entry of an environment, and the content of its file."""

    entry: dict[str, Any]
    content: bytes


class BuildError(RlgymError):
    """The playground cannot be built with these arguments."""


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(help="Build the playground as static files.", no_args_is_help=True)
    group.command()(build)
    group.callback()(lambda: None)
    app.add_typer(group, name="playground")


def build(
    out: Annotated[Path, path_option("--out", "-o", help="directory to write")],
    names: Annotated[list[str] | None, typer.Option("--names", "-n", help="environments, domains or patterns; default: all")] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="samples per level")] = 2,
    levels: Annotated[str, typer.Option(help="levels of the samples, from 0 to 1, separated by commas")] = "0,0.5,1",
    workers: Annotated[int, typer.Option("--workers", "-w", min=1, help="number of processes")] = 2,
    as_json: Json = False,
) -> None:
    """Write the playground page with sample tasks, their scores and recorded episodes. It needs no service."""
    for package in ("fastapi", "httpx"):
        if find_spec(package) is None:
            raise PackageMissing(f"building the playground needs {package}: install it with `pip install 'rlvrgym[serve]'`")
    from rlgym.dataset.recipe import Recipe

    sample_levels = _parse_levels(levels)
    selected = Recipe(names=names or "all").environments()
    _check_output_directory(out)
    batches = _record_in_parallel(selected, sample_levels, seeds, workers)
    recorded = list(track(batches, "recording", total=len(selected), console=console, disable=as_json))
    report = {"environments": len(recorded), **_write(out, recorded)}
    if as_json:
        print_json(report)
        return
    console.print(f"{report['environments']} environments, {report['bytes'] / 1e6:.1f} MB in {report['files']} files: {out}/index.html")
    console.print(f"to view it: python -m http.server --directory {out}", markup=False)


def _parse_levels(text: str) -> list[float]:
    try:
        levels = [float(part) for part in text.split(",")]
    except ValueError:
        raise BuildError(f"--levels must be numbers separated by commas, got {text!r}") from None
    if any(not 0 <= level <= 1 for level in levels):
        raise BuildError(f"--levels must be from 0 to 1, got {text!r}")
    return sorted(set(levels))


def _check_output_directory(out: Path) -> None:
    """Reject a directory that holds anything but a playground."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / "data" / "environments.json").is_file())):
        raise BuildError(f"{str(out)!r} is not empty and does not hold a playground; choose another directory")


def _record_in_parallel(names: list[str], levels: list[float], seeds: int, workers: int) -> Iterator[RecordedEnvironment]:
    """Record the environments in order, in several processes."""
    from multiprocessing import get_context

    size = max(1, len(names) // (workers * BATCHES_PER_WORKER))
    batches = [names[start : start + size] for start in range(0, len(names), size)]
    record = partial(record_batch, levels=levels, seeds=list(range(1, seeds + 1)))
    if workers == 1:
        for batch in batches:
            yield from record(batch)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for recorded in pool.map(record, batches):
                yield from recorded
        except BrokenProcessPool:
            raise BuildError("a worker process was killed, possibly out of memory; build again with fewer --workers") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def record_batch(names: list[str], levels: list[float], seeds: list[int]) -> list[RecordedEnvironment]:
    """Record some environments. One whose answers cannot be scored here has the reason in place of samples."""
    import rlgym
    from rlgym.episode.play import check_requirements
    from rlgym.serve.sessions.catalogue import catalogue_entry
    from rlgym.serve.sessions.recordings import record_environments

    missing: dict[str, str] = {}
    for name in names:
        try:
            check_requirements(name, rlgym.environment(name))
        except (PackageMissing, SandboxMissing) as error:
            missing[name] = str(error)
    recordings = asyncio.run(record_environments([name for name in names if name not in missing], levels, seeds))
    recordings |= asyncio.run(record_environments(missing, [], [])) if missing else {}
    return [
        RecordedEnvironment(catalogue_entry(recordings[name]["environment"]), _encode(recordings[name] | {"missing": missing.get(name)}))
        for name in names
    ]


def _write(out: Path, recorded: list[RecordedEnvironment]) -> dict[str, int]:
    """Write the page, the catalogue, and a file for each environment."""
    index = _static_index()
    for subdirectory in ("page", "data"):
        shutil.rmtree(out / subdirectory, ignore_errors=True)
    (out / "data" / "env").mkdir(parents=True)
    with _page_directory() as source:
        shutil.copytree(source, out / "page", ignore=shutil.ignore_patterns("index.html", "__pycache__"))
    for entry, content in recorded:
        # Some file systems do not allow a colon in file names.
        (out / "data" / "env" / f"{entry['name'].replace(':', '.')}.json").write_bytes(content)
    (out / "index.html").write_text(index, encoding="utf-8")
    (out / ".nojekyll").touch()
    # Written last, since it marks the directory as a complete playground.
    (out / "data" / "environments.json").write_bytes(_encode([entry for entry, _ in recorded]))
    written = [path for path in out.rglob("*") if path.is_file()]
    return {"files": len(written), "bytes": sum(path.stat().st_size for path in written)}


def _page_directory() -> Any:
    from importlib.resources import as_file

    return as_file(files("rlgym.serve") / "page")


def _static_index() -> str:
    """The page's index.html, set to the static backend."""
    text = (files("rlgym.serve") / "page" / "index.html").read_text(encoding="utf-8")
    if BACKEND_TAG not in text or BODY_TAG not in text:
        raise BuildError(f"the page's index.html must contain {BACKEND_TAG!r} and {BODY_TAG!r}")
    return text.replace(BACKEND_TAG, BACKEND_TAG.replace("service", "static")).replace(BODY_TAG, f"{STATIC_NOTE}\n  {BODY_TAG}")


def _encode(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
