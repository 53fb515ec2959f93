"""Examples for a scorer: labelled steps, whole responses, or preferences between steps, as tokens of its model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rlgym import Rng
from rlgym.evaluate.models.step_scorer import encode_steps
from rlgym.evaluate.step_texts import step_ends
from rlgym.evaluate.steps.export import merged
from rlgym.evaluate.steps.records import StepRecord, StepsError
from rlgym.train.scorer.objectives import Example, prefix_shares

SURE = 0.5
"""Labels of at least this are of right steps."""


def examples_of(
    records: Sequence[StepRecord], tokenizer: Any, max_tokens: int, objective: str, source: str = "exact", merge: bool = False
) -> list[Example]:
    """Records as examples; those of more tokens, and for `steps` those without a label of the source, are left out.

    merge  of `steps`: add the responses in which two consecutive steps are one. Raises StepsError if nothing is left.
    """
    chosen: Iterable[StepRecord] = records
    if objective == "steps":
        labelled = [record for record in records if any(label is not None for label in record.labels_of(source))]
        chosen = [each for record in labelled for each in (record, *(merged(record) if merge else []))]
    examples = []
    for record in chosen:
        encoded = encode_steps(tokenizer, [{"role": "user", "content": record.prompt}], record.response, record.ends)
        labels = record.labels_of(source) if objective == "steps" else ()
        examples.append(Example(record.id, encoded.tokens, encoded.start, encoded.places, labels, record.right))
    kept = [example for example in examples if len(example.tokens) <= max_tokens]
    if objective == "steps":
        kept = [example for example in kept if any(label is not None for label in example.labels)]
    if not kept:
        labelled_by = f"a label of the source {source!r} and " if objective == "steps" else ""
        raise StepsError(f"none of {len(records)} responses has {labelled_by}at most {max_tokens} tokens")
    return with_shares(kept) if objective == "tokens" else kept


def balanced(examples: Sequence[Example], seed: int) -> list[Example]:
    """As many examples whose last labelled step is wrong as such in which it is right; the seed chooses which of the more frequent kind.

    From "Generalizable Process Reward Models via Formally Verified Training Data" (FoVer), which balances the labels of the last steps. Raises StepsError
    where one kind is missing.
    """
    kinds: tuple[list[int], list[int]] = ([], [])
    for number, example in enumerate(examples):
        last = next(label for label in reversed(example.labels) if label is not None)
        kinds[last >= SURE].append(number)
    count = min(map(len, kinds))
    if not count:
        raise StepsError(
            f"of {len(examples)} responses {len(kinds[0])} end in a wrong step, so that there is nothing to balance: leave balance out"
        )
    rng = Rng("balanced steps", seed)
    kept = {number for kind in kinds for number in rng.shuffled(kind)[:count]}
    return [example for number, example in enumerate(examples) if number in kept]


def with_shares(examples: Sequence[Example]) -> list[Example]:
    """The examples with the share of right responses of each prefix."""
    groups: dict[str, list[int]] = {}
    for number, example in enumerate(examples):
        groups.setdefault(example.group, []).append(number)
    out = list(examples)
    for members in groups.values():
        responses = [examples[number].tokens[examples[number].start :] for number in members]
        shares = prefix_shares(responses, [examples[number].right for number in members])
        for number, share in zip(members, shares, strict=True):
            out[number] = replace(examples[number], shares=share)
    return out


def pair_examples(pairs: Sequence[Mapping[str, Any]], tokenizer: Any, max_tokens: int) -> list[tuple[Example, Example]]:
    """Preferences between steps as pairs of the chosen and the rejected example. Raises StepsError if none has at most `max_tokens`."""
    out = []
    for number, pair in enumerate(pairs):
        both = []
        for name in ("chosen", "rejected"):
            text = pair[name][-1]["content"]
            encoded = encode_steps(tokenizer, pair["prompt"], text, step_ends(text)[-1:])
            both.append(Example(str(number), encoded.tokens, encoded.start, encoded.places, right=name == "chosen"))
        if all(example.places and len(example.tokens) <= max_tokens for example in both):
            out.append((both[0], both[1]))
    if not out:
        raise StepsError(f"none of {len(pairs)} preferences between steps has at most {max_tokens} tokens")
    return out


def read_pairs(place: Path) -> list[dict[str, Any]]:
    """The preferences between steps in a file, or in the folder that `rlgym steps tree` wrote. Raises StepsError."""
    file = place / "pairs.jsonl" if place.is_dir() else place
    try:
        pairs = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]
    except (OSError, ValueError) as error:
        raise StepsError(f"{file} cannot be read ({error}): write it with `rlgym steps tree`") from None
    for number, pair in enumerate(pairs, 1):
        if not isinstance(pair, dict) or any(not pair.get(name) for name in ("prompt", "chosen", "rejected")):
            raise StepsError(f"line {number} of {file} is no preference between steps: it needs prompt, chosen and rejected")
    return pairs
