"""Self-certainty and entropy of the distributions of generated tokens.

Scalable Best-of-N Selection for Large Language Models via Self-Certainty.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

TOP_LOGPROBS = 20
"""Log-probabilities asked for at each token: the most that OpenAI's API and vLLM give by default."""
LOGPROBS = {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
"""Fields of a request for them."""


def token_certainty(logprobs: Sequence[float]) -> float:
    """The divergence of the uniform distribution from that of one token, KL(U || p) = -log V - mean(log p), in nats.

    logprobs  log-probabilities of the V most likely tokens; what they leave is divided among them, so that with a part of the vocabulary
              it is the divergence within this part
    """
    top = max(logprobs)
    total = top + math.log(sum(math.exp(logprob - top) for logprob in logprobs))
    return total - math.log(len(logprobs)) - sum(logprobs) / len(logprobs)


def token_entropy(logprobs: Sequence[float]) -> float:
    """The entropy of the distribution of one token in nats; `logprobs` as for `token_certainty`."""
    top = max(logprobs)
    weights = [math.exp(logprob - top) for logprob in logprobs]
    total = sum(weights)
    return math.log(total) - sum(weight * (logprob - top) for weight, logprob in zip(weights, logprobs, strict=True)) / total


class TokenMeans(NamedTuple):
    """Means over the tokens of a completion, in nats: the self-certainty and the entropy of their distributions."""

    certainty: float
    entropy: float


def token_means(tokens: Sequence[Sequence[float]]) -> TokenMeans | None:
    """The means over tokens, given the log-probabilities of each; None without tokens, or where log-probabilities are missing."""
    if not tokens or not all(tokens):
        return None
    return TokenMeans(sum(map(token_certainty, tokens)) / len(tokens), sum(map(token_entropy, tokens)) / len(tokens))


def listed_logprobs(choice: Mapping[str, Any]) -> list[list[float]]:
    """The log-probabilities of each token in a choice of OpenAI's chat format; empty where there are none."""
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    found = []
    for token in content if isinstance(content, list) else []:
        listed = token.get("top_logprobs") if isinstance(token, Mapping) else None
        values = [each.get("logprob") for each in listed or [] if isinstance(each, Mapping)]
        found.append([max(float(value), -1000.0) for value in values if isinstance(value, int | float)])
    return found
