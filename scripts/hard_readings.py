"""Has the settings beyond level 1 read blind: `hard_readings.py prepare FOLDER` writes prompts, `hard_readings.py score FOLDER --reader WHO` scores answers.

A reader sees FOLDER/NAME.txt alone and writes a whole response, or "give up", to FOLDER/answers/NAME.txt. `score` prints each score and writes
FOLDER/readings.json, which `scripts/readings.py FOLDER/readings.json` adds to the readings on record; correct `not_solved` there by hand where the prompt or
the verifier was at fault. Then `scripts/pin_suites.py hard-v2` pins what readers mostly fail.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rlgym
from rlgym.evaluate.hard_settings import HARD_SETTINGS, HardSetting
from rlgym.evaluate.readings import Reading, all_readings

SEED = 7
READER = "a language model, by thought alone, one try, about 4,000 tokens"


def file_name(setting: HardSetting) -> str:
    return setting.name.replace(":", "__") + ".txt"


def environment(setting: HardSetting) -> tuple[rlgym.Env, str]:
    """The environment at the task that is read, and its prompt."""
    env = rlgym.make(setting.name, level=1.0, **dict[str, Any](setting.knobs))
    prompt, _ = env.reset(seed=SEED + len(setting.name))
    return env, prompt


def prepare(folder: Path, unread: bool = False) -> None:
    (folder / "answers").mkdir(parents=True, exist_ok=True)
    read = {(each.environment, each.knobs) for each in all_readings()} if unread else set()
    settings = [each for each in HARD_SETTINGS if (each.name, each.knobs_text) not in read]
    for setting in settings:
        (folder / file_name(setting)).write_text(environment(setting)[1])
    print(f"{len(settings)} prompts in {folder}; answers go to {folder / 'answers'}")


def score(folder: Path, reader: str) -> list[Reading]:
    found = []
    for setting in HARD_SETTINGS:
        answer = folder / "answers" / file_name(setting)
        if not answer.exists():
            continue
        env, prompt = environment(setting)
        if (folder / file_name(setting)).read_text() != prompt:
            print(f"{setting.name}: the task has changed since it was read")
            continue
        response = answer.read_text()
        *_, info = env.step(response)
        solved, gave_up = info["score"].value == 1.0, "give up" in response.lower()
        print(setting.name, info["score"].value, "gave up" if gave_up else info["score"].reason)
        found.append(
            Reading(
                environment=setting.name,
                version=rlgym.environment(setting.name).version,
                level=1.0,
                knobs=setting.knobs_text,
                date=datetime.now(UTC).date(),
                reader=reader,
                read=1,
                solved=int(solved),
                not_solved="" if solved else "limit of effort" if gave_up else "the reader's error",
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=["prepare", "score"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reader", default=READER)
    parser.add_argument("--unread", action="store_true", help="prepare the settings without a reading alone")
    given = parser.parse_args()
    if given.verb == "prepare":
        prepare(given.folder, given.unread)
        return
    found = score(given.folder, given.reader)
    (given.folder / "readings.json").write_text(json.dumps([each.model_dump(mode="json") for each in found], indent=1))
    print(f"{sum(each.solved for each in found)} of {len(found)} solved")


if __name__ == "__main__":
    main()
