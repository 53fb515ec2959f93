"""`rlgym serve`: the environments as an HTTP and WebSocket service in several processes; `rlgym serve key` creates an API key."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

from rlgym.cli.output import Json, path_option, print_json
from rlgym.core.errors import KnobError, PackageMissing

KEY_BYTES = 24
CACHE_FILE = "environments.json"


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(help="Serve the environments over HTTP and WebSocket, with a playground page.", invoke_without_command=True)
    group.callback()(serve)
    group.command()(key)
    app.add_typer(group, name="serve")


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0 for any free port")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="number of worker processes")] = 2,
    keys: Annotated[Path | None, path_option(help="key file; without it every client on this machine may do everything")] = None,
    runs: Annotated[Path | None, path_option(help="directory of evaluation and training runs to show")] = None,
    max_sessions: Annotated[int, typer.Option(min=1, help="open sessions at once, over all workers and keys")] = 20_000,
    session_timeout: Annotated[float, typer.Option(min=1, help="seconds after which an idle session is closed")] = 1800.0,
    drain_timeout: Annotated[float, typer.Option(min=0, help="seconds that requests in flight get to finish at shutdown")] = 30.0,
    drain_delay: Annotated[
        float, typer.Option(min=0, help="seconds before that in which the service still serves but reports that it is not ready")
    ] = 0.0,
    heartbeat_timeout: Annotated[
        float, typer.Option(min=5, help="seconds without a heartbeat after which a worker is killed and replaced")
    ] = 120.0,
    certificates: Annotated[Path | None, path_option(help="certificates to show, instead of those in the package")] = None,
    page: Annotated[bool, typer.Option("--page/--no-page", help="serve the playground page")] = True,
    log_level: Annotated[str, typer.Option(help="debug, info (a JSON line per request), warning or error")] = "info",
    preload: Annotated[bool, typer.Option("--preload", help="import every environment before a worker reports ready")] = False,
    allowed_host: Annotated[list[str] | None, typer.Option(help="additional Host header that a service without keys accepts")] = None,
    no_auth: Annotated[bool, typer.Option("--no-auth", help="accept clients of other machines without a key")] = False,
    reveal_answers: Annotated[
        bool, typer.Option("--reveal-answers", help="with --no-auth: let every client see answers and hints")
    ] = False,
) -> None:
    """Serve the environments. SIGTERM or Ctrl-C stops the service after the requests in flight; a second one stops it at once."""
    if context.invoked_subcommand is not None:
        return
    try:
        from rlgym.serve.access.keys import KeyStore
        from rlgym.serve.settings import Settings
        from rlgym.serve.telemetry.events import LEVELS
        from rlgym.serve.workers.sockets import is_loopback
        from rlgym.serve.workers.supervisor import SupervisorConfig, run_service
    except ImportError as error:
        raise PackageMissing(f"the service needs more packages: pip install 'rlvrgym[serve]' ({error})") from None
    if log_level not in LEVELS:
        raise KnobError(f"--log-level must be one of {', '.join(LEVELS)}, got {log_level!r}")
    if runs is not None and not runs.is_dir():
        raise KnobError(f"the runs directory {str(runs)!r} does not exist")
    local_only = is_loopback(host)
    _check_access(host, local_only, keys is not None, no_auth, reveal_answers)
    key_file = str(keys.resolve()) if keys else None
    KeyStore.load(key_file)  # reports an invalid file once, not once per worker
    allowed_hosts = (*Settings().allowed_hosts, *(allowed_host or [])) if local_only else ("*",)
    settings = Settings(
        key_file=key_file,
        runs_dir=str(runs.resolve()) if runs else None,
        certificates_file=str(certificates.resolve()) if certificates else None,
        catalogue_cache=_catalogue_cache(),
        serve_page=page,
        log_requests=log_level in ("debug", "info"),
        preload=preload,
        allowed_hosts=allowed_hosts,
        reveal_answers=local_only or reveal_answers,
        num_workers=workers,
        max_sessions=max_sessions,
        session_timeout_seconds=session_timeout,
    )
    config = SupervisorConfig(
        settings,
        host=host,
        port=port,
        drain_timeout_seconds=drain_timeout,
        drain_delay_seconds=drain_delay,
        heartbeat_timeout_seconds=heartbeat_timeout,
        log_level=log_level,
    )
    run_service(config)


def _check_access(host: str, local_only: bool, has_keys: bool, no_auth: bool, reveal_answers: bool) -> None:
    """Reject combinations of options that would open a service by accident."""
    if not local_only and not has_keys and not no_auth:
        raise KnobError(f"other machines can reach a service on {host}: give it keys with --keys, or pass --no-auth to accept every client")
    if reveal_answers and (has_keys or not no_auth):
        raise KnobError("--reveal-answers requires --no-auth; in a key file, `reveal_answers = true` says which keys may see answers")


def _catalogue_cache() -> str | None:
    """The file that caches the list of environments between starts; None if it cannot be written."""
    directory = Path(typer.get_app_dir("rlvrgym"))
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(directory / CACHE_FILE) if os.access(directory, os.W_OK) else None


def key(
    name: Annotated[str, typer.Argument(help="name of the client, as logs show it")],
    reveal_answers: Annotated[bool, typer.Option("--reveal-answers", help="allow the oracle, mistakes and hints")] = False,
    max_sessions: Annotated[int | None, typer.Option(min=0, help="open sessions at once")] = None,
    steps_per_minute: Annotated[float | None, typer.Option(min=0.001, help="steps per minute")] = None,
    scores_per_minute: Annotated[float | None, typer.Option(min=0.001, help="scored responses per minute")] = None,
    requests_per_second: Annotated[float | None, typer.Option(min=0.001, help="requests per second")] = None,
    as_json: Json = False,
) -> None:
    """Create a key. Its entry for the key file, which holds only its hash, goes to standard output; the key itself to standard error."""
    if not 1 <= len(name) <= 100 or not name.isprintable():
        raise KnobError(f"a key's name must have 1 to 100 printable characters, got {name!r}")
    secret = f"rk_{secrets.token_urlsafe(KEY_BYTES)}"
    quotas = {
        "max_sessions": max_sessions,
        "steps_per_minute": steps_per_minute,
        "scores_per_minute": scores_per_minute,
        "requests_per_second": requests_per_second,
    }
    entry = {"name": name, "sha256": hashlib.sha256(secret.encode()).hexdigest(), "reveal_answers": reveal_answers}
    entry |= {field: quota for field, quota in quotas.items() if quota is not None}
    if as_json:
        print_json({"key": secret, "entry": entry})
        return
    # JSON and TOML write strings, numbers and booleans alike.
    lines = [f"{field} = {json.dumps(value)}" for field, value in entry.items()]
    typer.echo("\n".join(["[[keys]]", *lines, ""]))
    typer.echo(f"the key of {name}, shown only now: {secret}", err=True)
