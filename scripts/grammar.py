"""Runs the grammar checker Harper over the sentences of all prompts, and prints what is not in the reviewed list.

    npm install --no-save harper.js@2.10.0
    python scripts/grammar.py [NAME ...]

The law `prompt_quality` needs no checker; this one finds what no pattern knows. A finding that is right as it stands gets a line in
`scripts/grammar_reviewed.txt`: the message, a tab, and the words that it is about (or *).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rlgym
from rlgym.episode.play import start_episode
from rlgym.episode.sampling import sample_task
from rlgym.laws.subject import FROZEN_LEVELS
from rlgym.registry import environment, own_families

HERE = Path(__file__).parent
SEEDS = range(1, 21)
MOST_SENTENCES = 80  # of one environment, each of another template
COMMON = set(
    "a an the of to in on at by for from with and or not no is are be has have it its each every all any that which this as if".split()
)
LEAST_COMMON = 0.25


def sentences(name: str) -> Iterator[str]:
    """The prose of the prompts of an environment, one sentence of each template."""
    declared, seen = environment(name), set()
    for level in FROZEN_LEVELS:
        config = declared.config.at(level)
        for seed in SEEDS:
            text = start_episode(declared, sample_task(name, declared, seed, config, level), "tag").observation
            for sentence in re.split(r"\n|(?<=[.?!])\s+", text):
                template = re.sub(r"\d+|\b[A-Z]\w*", "#", sentence)
                if template not in seen and is_prose(sentence):
                    yield sentence
                seen.add(template)


def is_prose(sentence: str) -> bool:
    """Whether a line is a sentence rather than data: common words are a quarter of it."""
    words = [word.lower().strip(".,;:?!") for word in sentence.split()]
    return len(words) > 4 and sum(word in COMMON for word in words) >= LEAST_COMMON * len(words)


def findings(names: list[str]) -> Iterator[dict[str, Any]]:
    """What the checker finds in the prompts of these environments."""
    lines = [json.dumps({"name": name, "sentences": list(sentences(name))[:MOST_SENTENCES]}) for name in names]
    checker = subprocess.run(["node", str(HERE / "grammar.mjs")], input="\n".join(lines), capture_output=True, text=True, check=True)
    yield from map(json.loads, checker.stdout.splitlines())


def reviewed() -> set[tuple[str, str]]:
    """The message and the words of every finding that was read and left."""
    text = (HERE / "grammar_reviewed.txt").read_text(encoding="utf-8")
    return {(message, words) for line in text.splitlines() for message, _, words in [line.partition("\t")]}


def is_about_letters(finding: dict[str, Any]) -> bool:
    """Whether a finding is about single letters, numbers or signs, which are names or data in a task."""
    return not re.search(r"[A-Za-z]{2}", finding["words"]) and not re.search(r"\ba [a-z]{4}|\ban [a-z]{4}", finding["around"][40:])


def main() -> int:
    """Print the findings that nobody has reviewed; 1 if there are any."""
    names = sys.argv[1:] or [family for name in rlgym.names() for family in (name, *own_families(name))]
    known, new = reviewed(), 0
    for finding in findings(names):
        if is_about_letters(finding) or known & {(finding["message"], finding["words"]), (finding["message"], "*")}:
            continue
        new += 1
        print(f"{finding['name']}: {finding['message']} [{finding['words']}] ...{finding['around']!r}...")
    print(f"{new} findings that are not in scripts/grammar_reviewed.txt")
    return int(new > 0)


if __name__ == "__main__":
    sys.exit(main())
