"""What the service counts, as Prometheus reads it."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The counters of one worker. No label holds a key, a session or a text."""

    def __init__(self) -> None:
        self.registry = made = CollectorRegistry()
        self.requests = Counter("rlgym_requests", "HTTP requests and socket messages", ["route", "status"], registry=made)
        self.steps = Counter("rlgym_steps", "steps taken", registry=made)
        self.scores = Counter("rlgym_scores", "scores given, of episodes and of single responses", ["outcome"], registry=made)
        self.refused = Counter("rlgym_refused", "requests refused", ["code"], registry=made)
        self.seconds = Histogram("rlgym_request_seconds", "time to answer", ["route"], buckets=SECONDS, registry=made)
        self.sessions = Gauge("rlgym_open_sessions", "open sessions", multiprocess_mode="livesum", registry=made)
        self.stuck = Gauge("rlgym_stuck_threads", "threads that hold work that was given up", multiprocess_mode="livesum", registry=made)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self.registry)
