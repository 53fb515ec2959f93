"""`rlgym serve`: the environments over HTTP and WebSocket, in several processes; `rlgym serve key` makes a key for it."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from rlgym.cli.output import Json, print_json
from rlgym.core.errors import KnobError, PackageMissing

BYTES = 24


def add_to(app: typer.Typer) -> None:
    room = typer.Typer(help="Serve the environments over HTTP and WebSocket, with a page to try them.", invoke_without_command=True)
    room.callback()(serve)
    room.command()(key)
    app.add_typer(room, name="serve")


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="the address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port to listen on; 0 for any that is free")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="processes that play sessions")] = 2,
    keys: Annotated[Path | None, typer.Option(help="the file of keys; without one everybody on this machine may do everything")] = None,
    runs: Annotated[Path | None, typer.Option(help="the folder of evaluation and training runs to show")] = None,
    most_sessions: Annotated[int, typer.Option(min=1, help="open sessions at once, over all workers and keys")] = 20_000,
    session_seconds: Annotated[float, typer.Option(min=1, help="a session that nobody uses for so long is closed")] = 1800.0,
    grace: Annotated[float, typer.Option(min=0, help="seconds that requests have to finish in once the service is told to end")] = 30.0,
    linger: Annotated[float, typer.Option(min=0, help="seconds before that in which it goes on, but calls itself not ready")] = 0.0,
    silent: Annotated[float, typer.Option(min=5, help="a worker that gives no sign of life for so many seconds is replaced")] = 120.0,
    certificates: Annotated[Path | None, typer.Option(help="the file of certificates; the one beside the sources, if there is one")] = None,
    page: Annotated[bool, typer.Option("--page/--no-page", help="whether the playground page is served")] = True,
    log_level: Annotated[str, typer.Option(help="debug, info (each request a line of JSON), warning or error")] = "info",
    warm: Annotated[bool, typer.Option("--warm", help="import every environment before a worker calls itself ready")] = False,
    hosts: Annotated[list[str] | None, typer.Option("--name", help="a host name that a service without keys answers to, too")] = None,
    unguarded: Annotated[bool, typer.Option("--open", help="let others than this machine in without a key")] = False,
    allow_reveal: Annotated[bool, typer.Option("--allow-reveal", help="with --open: everybody may see answers and hints, too")] = False,
) -> None:
    """Serve the environments. SIGTERM or Ctrl-C ends it once requests are answered; a second one at once."""
    if context.invoked_subcommand is not None:
        return
    try:
        from rlgym.serve.events import LEVELS
        from rlgym.serve.keys import Keys
        from rlgym.serve.listening import loopback
        from rlgym.serve.settings import Settings
        from rlgym.serve.workers import Plan
        from rlgym.serve.workers import serve as run
    except ImportError as error:
        raise PackageMissing(f"the service needs more packages: pip install 'rlvrgym[serve]' ({error})") from None
    if log_level not in LEVELS:
        raise KnobError(f"--log-level is one of {', '.join(LEVELS)}, got {log_level!r}")
    inside = loopback(host)
    if not inside and keys is None and not unguarded:
        raise KnobError(f"a service on {host} can be reached by others: give it keys with --keys, or say --open to let everybody in")
    if allow_reveal and (keys is not None or not unguarded):
        raise KnobError("--allow-reveal goes with --open; with a key file, `reveal = true` says which keys may see answers")
    if runs is not None and not runs.is_dir():
        raise KnobError(f"the folder of runs {str(runs)!r} is not there")
    given = str(keys.resolve()) if keys else None
    Keys.read(given)  # a bad file is one clear line here, not one of every worker
    names = (*Settings().hosts, *(hosts or [])) if inside else ("*",)
    settings = Settings(
        keys=given,
        runs=str(runs.resolve()) if runs else None,
        certificates=str(certificates.resolve()) if certificates else None,
        catalogue=_kept(),
        page=page,
        log=log_level in ("debug", "info"),
        warm=warm,
        hosts=names,
        reveal=inside or allow_reveal,
        workers=workers,
        most_sessions=most_sessions,
        session_seconds=session_seconds,
    )
    run(Plan(settings, host=host, port=port, grace=grace, linger=linger, silent=silent, log_level=log_level))


def _kept() -> str | None:
    """Where the list of environments is kept from one start to the next; None where nothing can be written."""
    folder = Path(typer.get_app_dir("rlvrgym"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder / "environments.json") if os.access(folder, os.W_OK) else None


def key(
    name: Annotated[str, typer.Argument(help="whose key it is, as logs call it")],
    reveal: Annotated[bool, typer.Option("--reveal", help="it may see answers: oracle, mistakes and hints")] = False,
    sessions: Annotated[int | None, typer.Option(min=0, help="sessions that it may have open at once")] = None,
    steps_per_minute: Annotated[float | None, typer.Option(min=0.001, help="steps that it may make a minute")] = None,
    scores_per_minute: Annotated[float | None, typer.Option(min=0.001, help="responses that it may have scored a minute")] = None,
    requests_per_second: Annotated[float | None, typer.Option(min=0.001, help="requests that it may make a second")] = None,
    as_json: Json = False,
) -> None:
    """Make a key. Its entry for the key file goes to standard output and holds its hash only; the key goes to standard error, this once."""
    if not 1 <= len(name) <= 100 or not name.isprintable():
        raise KnobError(f"a key's name has 1 to 100 printable characters, got {name!r}")
    secret = f"rk_{secrets.token_urlsafe(BYTES)}"
    limits = {
        "sessions": sessions,
        "steps_per_minute": steps_per_minute,
        "scores_per_minute": scores_per_minute,
        "requests_per_second": requests_per_second,
    }
    entry = {"name": name, "sha256": hashlib.sha256(secret.encode()).hexdigest(), "reveal": reveal}
    entry |= {what: limit for what, limit in limits.items() if limit is not None}
    if as_json:
        print_json({"key": secret, "entry": entry})
        return
    # JSON's texts, numbers and truth values are written the same in TOML.
    lines = [f"{what} = {json.dumps(value)}" for what, value in entry.items()]
    typer.echo("\n".join(["[[keys]]", *lines, ""]))
    typer.echo(f"the key of {name}, which is shown only now: {secret}", err=True)
