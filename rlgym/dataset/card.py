"""The dataset card: README.md, with the front matter by which the Hugging Face Hub finds the splits."""

from __future__ import annotations

from rlgym.dataset.manifest import Manifest
from rlgym.dataset.recipe import SPLITS

_COLUMNS = (
    ("id", "the row's name; it never changes"),
    ("env, version, seed, knobs, level", "what made the task: the same ones make it again; `knobs` is JSON"),
    ("domain, kind", "the environment's domain, and `environment` (one answer), `game` or `match` (many turns)"),
    ("messages", "what to send to a chat model: the first user message, with the line that asks for the answer's format"),
    ("prompt", "the problem text alone"),
    ("data", "JSON; what the verifier needs, not for the model"),
    ("answer_format", "JSON with `format`, `asks` and `style`"),
    ("oracle_response", "a response that scores 1; of a many-turn task a JSON array of its turns"),
    ("oracle_messages", "the whole chat with the oracle, with its explanation where there is one"),
    ("explanation", "the oracle's solution as steps, one per line; empty where there is none"),
    ("cost", "the work that an ideal solver does"),
    ("turns", "how many responses the model may give"),
    ("split", "train, validation or test"),
)


def card(manifest: Manifest) -> str:
    """The text of README.md."""
    import yaml

    form = manifest.recipe["format"]
    kept = [split for split in SPLITS if manifest.splits[split]]
    files = [{"split": split, "path": f"{split}-*.{form}"} for split in kept]
    front = {
        "license": manifest.licence,
        "pretty_name": manifest.name,
        "language": ["en"],
        "tags": ["rlgym", "reinforcement-learning", "verifiable-rewards", "synthetic"],
        "configs": [{"config_name": "default", "data_files": files}],
    }
    lines = ["---", yaml.safe_dump(front, sort_keys=False, allow_unicode=True).rstrip(), "---", "", f"# {manifest.name}", ""]
    lines += [f"{manifest.count:,} tasks with verifiable answers from {_many(len(manifest.environments), 'environment')}, made by rlgym "]
    lines[-1] += f"{manifest.rlgym}. Every oracle response was checked to score 1, no task is repeated, and no task is in two splits."
    lines += ["", *_loading(kept[0], form), "", "| split | tasks |", "|---|---|"]
    lines += [f"| {split} | {manifest.splits[split]} |" for split in kept]
    lines += ["", "| environment | version | domain | tasks | tasks by level |", "|---|---|---|---|---|"]
    for name, part in manifest.environments.items():
        levels = ", ".join(f"{level}: {tasks}" for level, tasks in part.levels.items())
        lines.append(f"| {name} | {part.version} | {part.domain} | {part.tasks} | {levels} |")
    if manifest.exhausted:
        lines += ["", "Some levels have fewer different tasks than were wanted:", "", *(f"- {said}" for said in manifest.exhausted)]
    lines += ["", "| column | what it holds |", "|---|---|", *(f"| {column} | {what} |" for column, what in _COLUMNS)]
    lines += ["", "`manifest.json` holds the recipe, the versions and the SHA-256 of every file.", ""]
    return "\n".join(lines)


def _loading(split: str, form: str) -> list[str]:
    reader = "parquet" if form == "parquet" else "json"
    return [
        "```python",
        "import rlgym",
        "from datasets import load_dataset",
        "",
        f'rows = load_dataset("{reader}", data_files="{split}-*.{form}", split="train")',
        'print(rows[0]["messages"])',
        'print(rlgym.score(rows[0], "a response"))',
        "```",
    ]


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
