"""Prometheus metrics of one worker."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

DURATION_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The metrics of one worker. No label holds a key, a session or a text."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter("rlgym_requests", "HTTP requests and WebSocket messages", ["route", "status"], registry=registry)
        self.request_seconds = Histogram(
            "rlgym_request_duration_seconds", "request duration", ["route"], buckets=DURATION_BUCKETS, registry=registry
        )
        self.errors = Counter("rlgym_errors", "rejected or failed requests, steps and scores", ["code"], registry=registry)
        self.steps = Counter("rlgym_steps", "steps taken", registry=registry)
        self.scores = Counter("rlgym_scores", "scores of episodes and of single responses", ["outcome"], registry=registry)
        self.open_sessions = Gauge("rlgym_open_sessions", "open sessions", multiprocess_mode="livesum", registry=registry)
        self.stuck_threads = Gauge(
            "rlgym_stuck_threads", "threads still running work that timed out", multiprocess_mode="livesum", registry=registry
        )

    def exposition(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)
