"""The dataset card: README.md with the front matter that the Hugging Face Hub and the `datasets` library read."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rlgym.dataset.manifest import Manifest

SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"), (10**8, "10M<n<100M"))
COLUMNS = {
    "id": "environment, version, seed and a hash of the knobs",
    "env, version, domain, kind": "the environment, its version, its domain, and whether it is an environment of one turn, a game or a match",
    "seed, level, knobs": "what the task was sampled with; `level` is the difficulty from 0 to 1, `knobs` is JSON",
    "messages": "the opening prompt as chat messages",
    "prompt, data": "the problem text without its closing line; the verifier's data as JSON, not to be shown to a model",
    "answer_format": "how an answer is asked for and read, as JSON",
    "oracle_response": "a right response; for many turns the JSON list of the oracle's turns",
    "oracle_messages": "the oracle's whole conversation, with the explanation if there is one",
    "explanation": "the worked solution, empty where the environment has none",
    "cost": "the work that an ideal solver does",
    "turns": "the number of the oracle's turns",
    "split": "the split, decided by a hash of the task's content",
}


def dataset_card(manifest: Manifest) -> str:
    """The card of a finished dataset."""
    lines = _front_matter(manifest)
    lines += ["", f"# {manifest.name}", "", f"{manifest.rows} verifiable tasks, made by {manifest.made_by}.", ""]
    lines += _table("split", manifest.splits)
    lines += _table("domain", manifest.domains)
    lines += _table("level", manifest.levels)
    lines += ["| environment | version | rows |", "|---|---|---|"]
    lines += [f"| {name} | {manifest.versions[name]} | {rows} |" for name, rows in manifest.environments.items()]
    lines += ["", "| columns | meaning |", "|---|---|", *(f"| {names} | {meaning} |" for names, meaning in COLUMNS.items())]
    lines += [
        "",
        "No two rows hold the same task, and no two splits share one: a hash of its content decides the split of a task. Every",
        "`oracle_response` was scored and is right. Score responses to these rows with `rlgym.score(row, response)` or",
        "`rlgym dataset score`; the verifier needs only the row.",
        "",
        _near_duplicates(manifest),
        *_capped_environments(manifest),
        "",
        "The recipe:",
        "",
        "```json",
        json.dumps(manifest.recipe, indent=1, ensure_ascii=False),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _front_matter(manifest: Manifest) -> list[str]:
    many = sum(rows for kind, rows in manifest.kinds.items() if kind != "environment")
    size = next((name for bound, name in SIZES if manifest.rows < bound), "n>1T")
    lines = [
        "---",
        f"license: {json.dumps(manifest.licence.lower())}",
        f"pretty_name: {json.dumps(manifest.name)}",
        "language:",
        "- en",
        "task_categories:",
        "- text-generation",
        "- question-answering",
        "tags:",
        "- reinforcement-learning",
        "- verifiable-rewards",
        "- reasoning",
        *(["- agents"] if many else []),
        "- synthetic",
        "size_categories:",
        f"- {size}",
        "configs:",
        "- config_name: default",
        "  data_files:",
    ]
    for split, rows in manifest.splits.items():
        if rows:
            lines += [f"  - split: {split}", f"    path: {split}-*.{manifest.recipe['format']}"]
    return [*lines, "---"]


def _table(title: str, counts: Mapping[str, int]) -> list[str]:
    return [f"| {title} | rows |", "|---|---|", *(f"| {name} | {rows} |" for name, rows in counts.items()), ""]


def _near_duplicates(manifest: Manifest) -> str:
    if manifest.recipe.get("near_duplicates") == "remove":
        return "No two prompts of an environment are equal once their numbers and capitalised words are masked."
    shared = ", ".join(f"{rows} of the {split} split" for split, rows in manifest.near_duplicates_of_train.items())
    text = f"Near-duplicates: {manifest.near_duplicates} prompts equal an earlier one of their environment once numbers and capitalised words are"
    return f"{text} masked; {shared} equal one of the train split in this way." if shared else f"{text} masked."


def _capped_environments(manifest: Manifest) -> list[str]:
    if not manifest.capped:
        return []
    return ["", "Fewer rows than their share, because they have no more different tasks: " + ", ".join(manifest.capped) + "."]
