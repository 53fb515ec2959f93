"""What a service is told when it is started."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """One worker's settings; a plain value, so that it can be sent to other processes.

    keys             file of keys (TOML or JSON); without one everybody may do everything, so such a service must listen on loopback only
    runs             folder of evaluation and training runs to show
    page             whether the playground page is served
    certificates     file of certificates; None for the one that comes with the package
    catalogue        file in which the list of environments is kept, since making it takes many seconds; made anew after any change
    log              whether each request is written to standard error as a line of JSON
    warm             whether all environments are imported, and the catalogue made, before the worker calls itself ready
    hosts            host names that a service without keys answers to, which keeps web pages of other names away from it; "*" is all
    reveal           whether everybody may see answers where there are no keys
    workers, worker  how many workers there are, and which one this is, from 0
    incarnation      tells this start of the worker from earlier ones
    most_sessions    open sessions at once, over all keys
    session_seconds  a session that nobody uses for this long is closed
    snapshots        snapshots kept of a session; the oldest make room
    max_text         characters of one response
    max_transcript   characters of a whole conversation; a session's snapshots may hold four times as many
    max_body         bytes of one request
    most_items       steps, scores or sampled tasks of one request
    draw_seconds     a task that takes longer to make is given up
    judge_seconds    a verdict, an oracle or a hint that takes longer is given up
    light_seconds    steps of an environment whose steps take less than this are made between requests, others in threads
    threads          threads that draw and judge
    most_stuck       threads that may go on with what was given up; with so many, drawing is refused
    most_under_way   messages of one socket that may be under way at once
    switch_seconds   how long a thread may compute before another has its turn; None leaves Python's own
    """

    keys: str | None = None
    runs: str | None = None
    page: bool = True
    certificates: str | None = None
    catalogue: str | None = None
    log: bool = False
    warm: bool = False
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]", "testserver")
    reveal: bool = True
    workers: int = 1
    worker: int = 0
    incarnation: str = field(default_factory=lambda: secrets.token_hex(4))
    most_sessions: int = 20_000
    session_seconds: float = 1800.0
    snapshots: int = 64
    max_text: int = 1_000_000
    max_transcript: int = 4_000_000
    max_body: int = 16 * 1024 * 1024
    most_items: int = 1024
    draw_seconds: float = 20.0
    judge_seconds: float = 60.0
    light_seconds: float = 0.002
    threads: int = 8
    most_stuck: int = 8
    most_under_way: int = 64
    switch_seconds: float | None = 0.001
