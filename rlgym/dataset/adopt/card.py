"""The data card of adopted questions: where they come from, what each filter left, and what is known of labels, topics and difficulty.

The parts are those that DeepMath-103K, Big-Math, TULU 3 and OLMo 2 state of their data: sources with hashes, the rows after each filter, decontamination
and its references, checks of labels, topics and difficulty, and how an answer is verified.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlgym.dataset.adopt.adopt import Adoption

FILTERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("a prompt and an answer", ("no prompt", "long prompt", "no answer")),
    ("an answer that a verifier can judge", ("picture", "proof", "no options", "approximate", "several parts", "unreadable", "type")),
    ("no contradiction between rows", ("contradiction",)),
    ("no duplicates", ("duplicate", "near duplicate")),
    ("no question of a reference", ("leak",)),
    ("no suspect label", ("suspect label",)),
)
"""The filters in the order of adoption, with the reasons for which each leaves rows out."""


def funnel(rows: int, reasons: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """(filter, rows left out, rows left after it); a reason of no known filter has a line of its own."""
    left, lines = rows, []
    known = {reason for _, members in FILTERS for reason in members}
    for name, members in (*FILTERS, *((reason, (reason,)) for reason in sorted(set(reasons) - known))):
        out = sum(reasons.get(reason, 0) for reason in members)
        left -= out
        lines.append((name, out, left))
    return lines


def adoption_card(adoption: Adoption, name: str, version: int, source: Mapping[str, Any]) -> str:
    """The card as Markdown with front matter. `source` names the file, its hash and the references, as far as they are known."""
    report = adoption.to_dict()
    difficulties = sorted(each.difficulty for each in adoption.kept if each.difficulty is not None)
    topics = Counter(each.topic for each in adoption.kept if each.topic)
    lines = ["---", f"pretty_name: {json.dumps(name)}", "tags: [verifiable, reinforcement-learning]", "---", "", f"# {name}", ""]
    lines += [
        f"{len(adoption.kept)} questions of {adoption.rows}, judged by the verifier of each answer's type. Version {version}, a hash of the questions.",
        "",
    ]
    lines += [
        "## Source",
        "",
        *(f"- {key}: {value}" for key, value in source.items() if value),
        *([] if any(source.values()) else ["- not stated"]),
        "",
    ]
    lines += ["The licence is that of the source, which this file does not know.", "", "## Filters", ""]
    lines += _table(("filter", "left out", "left"), funnel(adoption.rows, report["reasons"]))
    lines += [
        f"{adoption.references} reference questions were compared for decontamination."
        if adoption.references
        else "Not decontaminated: no reference was given (`--against`)."
    ]
    lines += [
        "",
        "## Labels",
        "",
        *_labels(adoption, report),
        "",
        "## Answers",
        "",
        *_table(("type", "questions"), report["types"].items()),
    ]
    if topics:
        lines += ["## Topics", "", *_table(("topic", "questions"), topics.most_common(30))]
    if difficulties:
        quarters = [difficulties[round(place * (len(difficulties) - 1) / 4)] for place in range(5)]
        lines += [
            "## Difficulty",
            "",
            f"As the file states it: least, quarters and most {', '.join(f'{value:g}' for value in quarters)}.",
            "",
        ]
    lines += [
        "## Verification",
        "",
        f"`rlgym.make({name!r})` asks the questions; an answer is right if `rlgym.answers.maths.equivalent` says that it equals the label.",
    ]
    lines += ["Every label was accepted by its own verifier. Rejected rows with their reasons are in `rejected.jsonl`."]
    return "\n".join(lines) + "\n"


def _labels(adoption: Adoption, report: Mapping[str, Any]) -> list[str]:
    """What was done to find wrong labels."""
    lines = [f"- {report['reasons'].get('contradiction', 0)} rows were left out because another row gives another answer."]
    if adoption.voters:
        lines += [f"- {adoption.voters} voters on the labels; {len(adoption.suspects)} labels were improbable and left out."]
    else:
        lines += ["- Not audited by votes: no solver's answers were given (`--votes`, `--solutions`)."]
    if solutions := report["solutions"]["read"]:
        lines += [f"- {report['solutions']['right']} of {solutions} worked solutions of kept questions end in the label."]
    return lines


def _table(heads: Sequence[str], rows: Any) -> list[str]:
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *(f"| {' | '.join(map(str, row))} |" for row in rows), ""]
