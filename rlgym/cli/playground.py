"""`rlgym playground build`: the catalogue with its page as files, for any host of static files."""

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
from typing import Annotated, Any

import typer
from rich.progress import track

from rlgym.cli.output import Json, console, print_json
from rlgym.core.errors import PackageMissing, RlgymError, SandboxMissing

BATCHES_A_WORKER = 12
MARK = '<meta name="rlgym-backend" content="service">'
BODY = '<div id="app">'
NOTE = (
    '<p class="files-note" data-test="files-note">This is the catalogue as files: samples with their verdicts and played episodes. '
    "To draw tasks and have answers judged, <code>pip install 'rlvrgym[serve]'</code> and <code>rlgym serve</code>.</p>"
)
Found = tuple[dict[str, Any], bytes]
"""An environment's line in the list, and its file."""


class BuildError(RlgymError):
    """The playground cannot be built there, or not from this."""


def add_to(app: typer.Typer) -> None:
    room = typer.Typer(help="The playground as files.", no_args_is_help=True)
    room.command()(build)
    room.callback()(lambda: None)
    app.add_typer(room, name="playground")


def build(
    out: Annotated[Path, typer.Option("--out", "-o", help="the folder to write")],
    names: Annotated[list[str] | None, typer.Option("--names", "-n", help="environments, domains or patterns; all, if not given")] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="samples of each level")] = 2,
    levels: Annotated[str, typer.Option(help="levels of the samples, from 0 to 1")] = "0,0.5,1",
    workers: Annotated[int, typer.Option("--workers", "-w", min=1, help="processes")] = 2,
    as_json: Json = False,
) -> None:
    """Write the playground's page with samples of environments, their verdicts and played episodes: no service is needed to show it."""
    for package in ("fastapi", "httpx"):
        if find_spec(package) is None:
            raise PackageMissing(f"building the playground needs {package}: install it with `pip install 'rlvrgym[serve]'`")
    from rlgym.dataset.recipe import Recipe

    asked = _levels(levels)
    chosen = Recipe(names=names or "all").environments()
    _claim(out)
    found = list(track(_recorded(chosen, asked, seeds, workers), "recording", total=len(chosen), console=console, disable=as_json))
    facts = {"environments": len(found), **_write(out, found)}
    if as_json:
        print_json(facts)
        return
    console.print(f"{facts['environments']} environments, {facts['bytes'] / 1e6:.1f} MB in {facts['files']} files: {out}/index.html")
    console.print(f"to look at it: python -m http.server --directory {out}", markup=False)


def _levels(text: str) -> list[float]:
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        raise BuildError(f"levels are numbers with commas between them, got {text!r}") from None
    if any(not 0 <= level <= 1 for level in found):
        raise BuildError(f"levels must be from 0 to 1, got {text!r}")
    return sorted(set(found))


def _claim(out: Path) -> None:
    """Refuse a folder that holds something else."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / "data" / "environments.json").is_file())):
        raise BuildError(f"{str(out)!r} is not empty and holds no playground: choose another folder")


def _recorded(names: list[str], levels: list[float], seeds: int, workers: int) -> Iterator[Found]:
    """What was recorded of each environment, in their order."""
    from multiprocessing import get_context

    size = max(1, len(names) // (workers * BATCHES_A_WORKER))
    batches = [names[start : start + size] for start in range(0, len(names), size)]
    work = partial(recorded, levels=levels, seeds=list(range(1, seeds + 1)))
    if workers == 1:
        for batch in batches:
            yield from work(batch)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for found in pool.map(work, batches):
                yield from found
        except BrokenProcessPool:
            raise BuildError("a worker process was ended from outside, perhaps for its memory: build again, with fewer --workers") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def recorded(names: list[str], levels: list[float], seeds: list[int]) -> list[Found]:
    """What is recorded of some environments; of one whose answers cannot be judged here, why."""
    import rlgym
    from rlgym.episode.play import can_judge
    from rlgym.serve.recorded import entry, record

    missing: dict[str, str] = {}
    for name in names:
        try:
            can_judge(name, rlgym.environment(name))
        except (PackageMissing, SandboxMissing) as why:
            missing[name] = str(why)
    found = asyncio.run(record([name for name in names if name not in missing], levels, seeds))
    found |= asyncio.run(record(missing, [], [])) if missing else {}
    return [(entry(found[name]["environment"]), _json(found[name] | {"missing": missing.get(name)})) for name in names]


def _write(out: Path, found: list[Found]) -> dict[str, int]:
    """The folder: the page, the list, and a file for each environment."""
    page = _page()
    for part in ("page", "data"):
        shutil.rmtree(out / part, ignore_errors=True)
    (out / "data" / "env").mkdir(parents=True)
    with _source() as source:
        shutil.copytree(source, out / "page", ignore=shutil.ignore_patterns("index.html", "__pycache__"))
    for line, content in found:
        # A colon may not stand in file names everywhere.
        (out / "data" / "env" / f"{line['name'].replace(':', '.')}.json").write_bytes(content)
    (out / "index.html").write_text(page, encoding="utf-8")
    (out / ".nojekyll").touch()
    # Last, since it is what marks the folder as a playground that is whole.
    (out / "data" / "environments.json").write_bytes(_json([line for line, _ in found]))
    written = [path for path in out.rglob("*") if path.is_file()]
    return {"files": len(written), "bytes": sum(path.stat().st_size for path in written)}


def _source() -> Any:
    from importlib.resources import as_file

    return as_file(files("rlgym.serve") / "page")


def _page() -> str:
    """The page's own file, told that there is no service behind it."""
    text = (files("rlgym.serve") / "page" / "index.html").read_text(encoding="utf-8")
    if MARK not in text or BODY not in text:
        raise BuildError("the page's index.html has no line that says what is behind it; was it changed?")
    return text.replace(MARK, MARK.replace("service", "static")).replace(BODY, f"{NOTE}\n  {BODY}")


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
