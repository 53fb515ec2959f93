"""Models under evaluation: the `Model` protocol, HTTP endpoints, models that run in this process or behind a local vLLM server, and built-in test models."""
