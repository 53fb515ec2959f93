"""Does the accuracy of a judge predict what it is worth? Writes docs/audit/judge-gain.json and docs/audit/judge-gain.md.

    python benchmarks/judge_gain.py --policy MODEL_FOLDER [--other MODEL_FOLDER] --out /tmp/judges
    python benchmarks/judge_gain.py --page

1. A small policy answers tasks of `chain_sum` at level 0 with 16 samples each: some tasks for training judges, others for measuring them.
2. Judges are sequence classifiers, from random weights or from the policy's, trained on the verifier's labels. Simulated judges of stated accuracy
   stand beside them, with errors by response or by answer.
3. All judges score the same samples: accuracy of single verdicts, ordered pairs, the best of n, and a tabular policy that climbs their score.

A finished part is not repeated.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rlgym.audit.measures.climb import after
from rlgym.evaluate.episodes.results import load
from rlgym.evaluate.metrics.correlation import pearson, spearman
from rlgym.evaluate.metrics.judge_gain import Judged, judge_gain, pools, simulated_score

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "docs" / "audit" / "judge-gain.json"
PAGE = KEPT.with_suffix(".md")
SAMPLES, TRAINED_ON, MEASURED_ON = 16, 220, 60
SIZES = (100, 400, 1600, 3200)
ACCURACIES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
EPOCHS, BATCH, LR = 4, 32, 1e-3
CLIMBED = 64
"""Steps of the policy that climbs a judge's score."""
SHOWN_N = 8
Row = Mapping[str, Any]


def sampled(policy: Path, folder: Path, count: int, seed: int) -> Sequence[Row]:
    """The samples of a policy on `count` tasks, made if they do not exist."""
    from rlgym.evaluate.episodes.episode import EpisodeConfig
    from rlgym.evaluate.models.base import Sampling
    from rlgym.evaluate.models.transformers_model import TransformersModel
    from rlgym.evaluate.plan import EvaluationPlan
    from rlgym.evaluate.run import evaluate
    from rlgym.evaluate.suites import from_names

    suite = from_names(["chain_sum"], levels=[0.0], count=count, seed=seed)
    sampling = Sampling(samples=SAMPLES, temperature=1.0, max_tokens=48)
    evaluate(EvaluationPlan(suite, TransformersModel(policy, batch_size=64), EpisodeConfig(sampling)), folder)
    return load(folder).rows


def texts(rows: Sequence[Row]) -> list[str]:
    """The task and the response of each row as one text."""
    found = []
    for row in rows:
        asked, given = json.loads(row["messages"])[0]["content"], json.loads(row["messages"])[-1]["content"]
        found.append(f"{asked}\n\n{given}")
    return found


def trained_judge(policy: Path, from_policy: bool, size: int, seed: int, data: Sequence[Row]) -> Callable[[Sequence[Row]], list[float]]:
    """A sequence classifier trained on `size` labelled samples, as a function that scores samples."""
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(policy)
    if from_policy:
        model = AutoModelForSequenceClassification.from_pretrained(policy, num_labels=1, dtype=torch.float32)
    else:
        model = AutoModelForSequenceClassification.from_config(AutoConfig.from_pretrained(policy, num_labels=1))
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
    model.config.pad_token_id = pad

    def logits(chosen: Sequence[str]) -> Any:
        ids = [tokenizer(text, add_special_tokens=False)["input_ids"][-200:] for text in chosen]
        width = max(map(len, ids))
        padded = torch.tensor([row + [pad] * (width - len(row)) for row in ids])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in ids])
        hidden = model.model(input_ids=padded, attention_mask=mask).last_hidden_state
        return model.score(hidden[torch.arange(len(ids)), mask.sum(1) - 1]).squeeze(-1)

    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(data), generator=generator).tolist()[:size]
    inputs, labels = texts([data[place] for place in order]), torch.tensor([float(data[place]["right"]) for place in order])
    # Right and wrong samples have half of the weight each, so that the threshold of 0.5 is that of a balanced judge.
    share = float(labels.mean())
    weights = torch.where(labels > 0, 0.5 / max(share, 1e-6), 0.5 / max(1 - share, 1e-6))
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR)
    for _ in range(max(EPOCHS, 200 * BATCH // size)):
        for batch in torch.randperm(len(inputs), generator=generator).split(BATCH):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits([inputs[at] for at in batch]), labels[batch], weights[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    def score(rows: Sequence[Row]) -> list[float]:
        shown = texts(rows)
        with torch.inference_mode():
            return [float(value) for start in range(0, len(shown), 64) for value in logits(shown[start : start + 64]).sigmoid()]

    return score


def simulated(accuracy: float, rows: Sequence[Row], by_answer: bool) -> list[float]:
    """Verdicts of a simulated judge, whose errors depend on the sample, or on the task and the answer."""
    content = [(row["id"], str(row["answer"])) if by_answer else (row["id"], int(row["sample"])) for row in rows]
    return [simulated_score(accuracy, bool(row["right"]), *part) for row, part in zip(rows, content, strict=True)]


def measured(rows: Sequence[Row], scores: Sequence[float]) -> dict[str, Any]:
    """Accuracy, ordered pairs, the best of n, and what a policy that climbs the score reaches."""
    by_sample = {(row["id"], row["sample"]): score for row, score in zip(rows, scores, strict=True)}
    [tasks] = pools(rows).values()
    judged = [[Judged(bool(row["right"]), by_sample[row["id"], row["sample"]]) for row in samples] for samples in tasks.values()]
    found = judge_gain(judged)
    climbed = [after([(one.score, float(one.right), 1 / len(pool)) for one in pool], CLIMBED) for pool in judged]
    row = asdict(found) | {"climbed": sum(true for _, _, true in climbed) / len(climbed)}
    return row | {
        "best_of": {str(n): value for n, value in found.best_of.items()},
        "pass_at": {str(n): value for n, value in found.pass_at.items()},
    }


def run(policies: Mapping[str, Path], out: Path) -> dict[str, Any]:
    """All judges on the samples of all policies; judges are trained on samples of the first one."""
    first = next(iter(policies.values()))
    data = sampled(first, out / "training", TRAINED_ON, 1)
    pools_by_policy = {name: sampled(folder, out / f"measured-{name}", MEASURED_ON, 2) for name, folder in policies.items()}
    kept = out / "judges.json"
    judges: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}

    def keep(name: str, kind: str, score: Callable[[Sequence[Row]], list[float]]) -> None:
        judges[name] = {"kind": kind, "by_policy": {label: measured(rows, score(rows)) for label, rows in pools_by_policy.items()}}
        kept.write_text(json.dumps(judges, indent=1) + "\n")
        print(name, flush=True)

    for accuracy in ACCURACIES:
        for by_answer in (False, True):
            name = f"simulated {accuracy:.2f}, errors by {'answer' if by_answer else 'sample'}"
            keep(name, f"simulated, errors by {'answer' if by_answer else 'sample'}", lambda rows: simulated(accuracy, rows, by_answer))  # noqa: B023
    keep("shortest response", "rule", lambda rows: [1 / (1 + len(json.loads(row["messages"])[-1]["content"])) for row in rows])
    keep("longest response", "rule", lambda rows: [1 - 1 / (1 + len(json.loads(row["messages"])[-1]["content"])) for row in rows])
    for size in SIZES:
        for from_policy in (False, True):
            for seed in (0, 1):
                name = f"trained on {size} from {'the policy' if from_policy else 'scratch'}, seed {seed}"
                if name not in judges:
                    keep(
                        name,
                        f"trained, from {'the policy' if from_policy else 'scratch'}",
                        trained_judge(first, from_policy, size, seed, data),
                    )
    return {"policies": list(policies), "trained_on": len(data), "judges": judges}


def correlations(rows: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Accuracy and ordered pairs against the best of n and against the climbing policy."""
    gains = [row["best_of"][str(SHOWN_N)] - row["solve_rate"] for row in rows]
    climbed = [row["climbed"] - row["solve_rate"] for row in rows]
    found: dict[str, float | None] = {}
    for measure in ("accuracy", "pairs"):
        values = [row[measure] for row in rows]
        found |= {f"{measure}, best of {SHOWN_N}": pearson(values, gains), f"{measure}, best of {SHOWN_N}, ranks": spearman(values, gains)}
        found |= {f"{measure}, climbing": pearson(values, climbed), f"{measure}, climbing, ranks": spearman(values, climbed)}
    return found


def page(results: Mapping[str, Any], reading: str) -> str:
    """The page of the results."""
    judges, policies = results["judges"], results["policies"]
    rows = {name: found["by_policy"][policies[0]] for name, found in judges.items()}
    some = next(iter(rows.values()))
    lines = [
        "# Does a judge's accuracy predict what it is worth?",
        "",
        "A policy of two layers, trained from scratch by SFT on `chain_sum` at level 0, answered",
        f"{some['tasks']} tasks with {SAMPLES} samples each; {100 * some['solve_rate']:.1f} % of the samples are right (pass@1), and pass@{SHOWN_N} is",
        f"{100 * some['pass_at'][str(SHOWN_N)]:.1f} %. Each judge scored the same samples.",
        "*Accuracy* is the balanced accuracy of its verdicts on single responses; *pairs* is how often it scores a right response above a wrong",
        "one to the same task. *Best of n* is the accuracy of the sample with the highest score among n, an exact expectation; *climbing* is the",
        f"accuracy of a policy after {CLIMBED} steps of natural policy gradient on the judge's score over the samples. Trained judges are sequence",
        f"classifiers of the policy's size, trained on the verifier's labels of at most {results['trained_on']:,} samples of other tasks. Written by",
        "`benchmarks/judge_gain.py`; `rlgym eval judge-gain RUN` measures your own judge.",
        "",
        f"| judge | accuracy | pairs | best of 2 | best of {SHOWN_N} | best of {SAMPLES} | climbing |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in rows.items():
        best = [row["best_of"][str(n)] for n in (2, SHOWN_N, SAMPLES)]
        lines.append(
            "| " + " | ".join([name, *(f"{value:.3f}" for value in (row["accuracy"], row["pairs"], *best, row["climbed"]))]) + " |"
        )
    lines += ["", "## Correlation with the gain", ""]
    lines += ["Pearson's and Spearman's correlation over the judges of each kind, on the samples of each policy.", ""]
    lines += [
        f"| policy | judges | number | accuracy, best of {SHOWN_N} | pairs, best of {SHOWN_N} | accuracy, climbing | pairs, climbing |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    groups: dict[str, list[str]] = {}
    for name, found in judges.items():
        if found["kind"] != "rule":
            groups.setdefault(found["kind"].partition(",")[0] if found["kind"].startswith("trained") else found["kind"], []).append(name)
    groups["all"] = list(judges)
    for policy in policies:
        for kind, names in groups.items():
            known = correlations([judges[name]["by_policy"][policy] for name in names])
            cells = [
                f"{_number(known[f'{measure}, {target}'])}, {_number(known[f'{measure}, {target}, ranks'])}"
                for target in (f"best of {SHOWN_N}", "climbing")
                for measure in ("accuracy", "pairs")
            ]
            lines.append(f"| {policy} | {kind} | {len(names)} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", "## What it says", "", reading]) + "\n"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def reading_of(text: str) -> str:
    """What the page says under its reading; it is written by hand and kept."""
    return text.partition("## What it says\n\n")[2].strip() or "Nothing is written yet."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", type=Path)
    parser.add_argument("--other", type=Path, help="a second policy, on whose samples the judges are measured too")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--page", action="store_true", help="only write the page from the JSON file")
    given = parser.parse_args()
    if not given.page:
        policies = {"after SFT": given.policy} | ({"after reinforcement learning": given.other} if given.other else {})
        KEPT.write_text(json.dumps(run(policies, given.out), indent=1) + "\n", encoding="utf-8")
    results = json.loads(KEPT.read_text(encoding="utf-8"))
    PAGE.write_text(page(results, reading_of(PAGE.read_text(encoding="utf-8") if PAGE.exists() else "")), encoding="utf-8")


if __name__ == "__main__":
    main()
