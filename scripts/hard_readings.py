"""Has the settings beyond level 1 read blind: `hard_readings.py prepare FOLDER` writes prompts, `hard_readings.py score FOLDER --reader WHO` scores answers.

A reader sees FOLDER/NAME.txt alone and writes a whole response, or "give up", to FOLDER/answers/NAME.txt. Where the task has many turns, NAME.txt is its first
turn, and the reader plays with `hard_readings.py play FOLDER NAME`, which shows what was seen last, and `play FOLDER NAME --say TEXT` (`-` reads the standard
input), which makes a turn and shows what comes; the turns are kept in FOLDER/answers/NAME.json, and "give up" ends the play. `score` prints each score and
writes FOLDER/readings.json, which `scripts/readings.py FOLDER/readings.json` adds to the readings on record; correct `not_solved` there by hand where the
prompt or the verifier was at fault. Then `hard_readings.py page` writes the table of the suites by domain in docs/suites.md, and `scripts/pin_suites.py` pins
hard-v2 and hard-DOMAIN-v1: what readers mostly fail.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import rlgym
from rlgym.evaluate.hard_settings import HARD_SETTINGS, HardSetting, domain_of, read_settings, unsolved_by_domain
from rlgym.evaluate.readings import Reading, all_readings

SEED = 7
PAGE = Path(__file__).parents[1] / "docs" / "suites.md"
MARKS = ("<!-- hard suites by domain -->", "<!-- end of hard suites by domain -->")
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
    played = [each.name for each in settings if is_played(each)]
    print(f"{len(settings)} prompts in {folder}; answers go to {folder / 'answers'}")
    if played:
        print(f"to be played (hard_readings.py play): {' '.join(played)}")


def is_played(setting: HardSetting) -> bool:
    """Whether the task has many turns."""
    return rlgym.environment(setting.name).kind != "environment"


def played(setting: HardSetting, responses: list[str]) -> tuple[str, bool, Any]:
    """What is seen after these responses, whether the task is over, and its score so far or None; what follows the end or "give up" is not played."""
    env, seen = environment(setting)
    for response in responses:
        if gives_up(response):
            return "The play has been given up.", True, None
        seen, _, terminated, truncated, info = env.step(response)
        if terminated or truncated:
            return f"{seen}\nThe play is over.", True, info["score"]
    return seen, False, None


def gives_up(response: str) -> bool:
    return response.strip().strip(".").lower() == "give up"


def play(folder: Path, name: str, text: str | None) -> str:
    """What is seen of a task with many turns, after one more response if there is one; SystemExit for another name, or after the end."""
    setting = next((each for each in HARD_SETTINGS if each.name == name and is_played(each)), None)
    if setting is None:
        raise SystemExit(f"{name!r} is no setting with many turns")
    file = folder / "answers" / f"{name}.json"
    responses = json.loads(file.read_text()) if file.exists() else []
    if text is not None:
        if played(setting, responses)[1]:
            raise SystemExit(f"the play of {name} is over")
        responses.append(text)
        file.write_text(json.dumps(responses))
    return played(setting, responses)[0]


def score(folder: Path, reader: str) -> list[Reading]:
    found = []
    for setting in HARD_SETTINGS:
        answer = (folder / "answers" / file_name(setting)).with_suffix(".json" if is_played(setting) else ".txt")
        if not answer.exists():
            continue
        env, prompt = environment(setting)
        if (folder / file_name(setting)).read_text() != prompt:
            print(f"{setting.name}: the task has changed since it was read")
            continue
        if is_played(setting):
            responses = json.loads(answer.read_text())
            _, over, result = played(setting, responses)
            gave_up = not over or result is None
        else:
            response = answer.read_text()
            gave_up, result = "give up" in response.lower(), env.step(response)[-1]["score"]
        solved = result is not None and result.value == 1.0
        print(setting.name, result.value if result else 0.0, "gave up" if gave_up else result.reason)
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


def domain_table() -> str:
    """Which domains have a hard suite by the readings on record, as a table."""
    counts, unsolved = read_settings(), unsolved_by_domain()
    lines = ["| domain | settings | read | of which readers solved at most one task in four | hard suite |", "|---|---|---|---|---|"]
    for domain in rlgym.domains():
        own = [setting for setting in HARD_SETTINGS if domain_of(setting) == domain]
        read = [counts[setting] for setting in own if setting in counts]
        failed = sum(solved * 4 <= of for solved, of in read)
        lines.append(f"| {domain} | {len(own)} | {len(read)} | {failed} | {f'`hard-{domain}`' if domain in unsolved else 'none'} |")
    return "\n".join(lines)


def write_page(page: Path = PAGE) -> None:
    """Put the table between its marks in docs/suites.md."""
    before, _, rest = page.read_text(encoding="utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    page.write_text(f"{before}{MARKS[0]}\n{domain_table()}\n{MARKS[1]}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    preparing = verbs.add_parser("prepare")
    preparing.add_argument("folder", type=Path)
    preparing.add_argument("--unread", action="store_true", help="the settings without a reading alone")
    playing = verbs.add_parser("play")
    playing.add_argument("folder", type=Path)
    playing.add_argument("name")
    playing.add_argument("--say", metavar="TEXT", help="a whole response; - reads the standard input")
    scoring = verbs.add_parser("score")
    scoring.add_argument("folder", type=Path)
    scoring.add_argument("--reader", default=READER)
    verbs.add_parser("page")
    given = parser.parse_args()
    if given.verb == "prepare":
        prepare(given.folder, given.unread)
    elif given.verb == "page":
        write_page()
    elif given.verb == "play":
        print(play(given.folder, given.name, sys.stdin.read() if given.say == "-" else given.say))
    else:
        found = score(given.folder, given.reader)
        (given.folder / "readings.json").write_text(json.dumps([each.model_dump(mode="json") for each in found], indent=1))
        print(f"{sum(each.solved for each in found)} of {len(found)} solved")


if __name__ == "__main__":
    main()
