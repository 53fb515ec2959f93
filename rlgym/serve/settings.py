"""The settings of one worker process."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """A plain value, so that the supervisor can send it to its workers.

    key_file                  API keys (TOML or JSON). Without it every client may do everything, so listen on loopback only
    runs_dir                  directory of the evaluation and training runs to show
    serve_page                whether to serve the playground page
    certificates_file         certificates to show; None uses the file in the package
    catalogue_cache           file that caches the list of environments, which takes seconds to build; it is rebuilt after any source change
    log_requests              whether to write a JSON line to standard error for each request
    preload                   whether to import all environments and build the catalogue before the worker reports ready
    allowed_hosts             Host headers that a service without keys accepts, which blocks DNS-rebinding attacks; "*" accepts all
    reveal_answers            whether clients may see answers when there is no key file
    num_workers, worker_id    number of workers, and the index of this one from 0
    incarnation               identifies this start of the worker; a replacement gets another one
    max_sessions              open sessions at once, over all keys
    session_timeout_seconds   a session that is idle for this long is closed
    max_snapshots             snapshots kept per session; the oldest are dropped
    max_response_chars        characters of one model response
    max_transcript_chars      characters of a whole transcript; the snapshots of a session may hold four times as many
    max_body_bytes            bytes of one request or WebSocket message
    max_batch_items           steps, scores or sampled tasks per request
    generate_timeout_seconds  time limit for generating a task
    score_timeout_seconds     time limit for scoring a step and for an oracle answer, mistake, hint or drawing
    inline_step_seconds       steps of an environment whose steps take less than this run on the event loop, others in threads
    num_threads               threads that generate and score
    max_stuck_threads         threads that may still run timed-out work; at this number the worker rejects new work
    max_in_flight             messages of one WebSocket that are processed concurrently
    thread_switch_seconds     the interpreter's thread switch interval; None keeps Python's default
    """

    key_file: str | None = None
    runs_dir: str | None = None
    serve_page: bool = True
    certificates_file: str | None = None
    catalogue_cache: str | None = None
    log_requests: bool = False
    preload: bool = False
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]", "testserver")
    reveal_answers: bool = True
    num_workers: int = 1
    worker_id: int = 0
    incarnation: str = field(default_factory=lambda: secrets.token_hex(4))
    max_sessions: int = 20_000
    session_timeout_seconds: float = 1800.0
    max_snapshots: int = 64
    max_response_chars: int = 1_000_000
    max_transcript_chars: int = 4_000_000
    max_body_bytes: int = 16 * 1024 * 1024
    max_batch_items: int = 1024
    generate_timeout_seconds: float = 20.0
    score_timeout_seconds: float = 60.0
    inline_step_seconds: float = 0.002
    num_threads: int = 8
    max_stuck_threads: int = 8
    max_in_flight: int = 64
    thread_switch_seconds: float | None = 0.001
