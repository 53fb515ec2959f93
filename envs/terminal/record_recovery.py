"""Recover records in a shell from damaged copies of a journal, by their checksums, versions and deletion marks.

The copies come as plain files, compressed, in base64 or in an archive, with damaged lines in each.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import file_entry

FORMS = ("plain", "gzip", "base64", "tar")
LINES = 64  # characters of a line of base64


class Knobs(Config):
    records: int = knob(12, easy=5, hard=30, doc="records of the journal")
    copies: int = knob(3, easy=1, hard=5, doc="damaged copies")
    forms: int = knob(2, easy=1, hard=4, doc="how a copy may be packed")
    features: int = knob(2, easy=0, hard=3, doc="versions, deletion marks, and a list of lost records")


class State(Terminal):
    folder: str
    features: int
    forms: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    folder = rng.choice(names.TOPICS)
    ids = sorted(rng.sample(range(100, 999), knobs.records))
    good = {number: [_record(rng, number, version) for version in range(1, 2 + rng.integer(0, 2) * (knobs.features > 0))] for number in ids}
    if knobs.features > 1:
        for number in ids[::4]:
            good[number].append(_line(number, len(good[number]) + 1, "-", "-"))
    forms = tuple(FORMS[place % knobs.forms] for place in range(knobs.copies))
    copies: list[list[bytes]] = [[] for _ in forms]
    lost = set(rng.sample(ids, max(1, len(ids) // 6)) if knobs.features > 2 else [])
    for number, versions in good.items():
        for version, line in enumerate(versions, 1):
            holders = rng.sample(range(len(copies)), rng.integer(1, len(copies)))
            sound = -1 if number in lost else rng.choice(holders)
            for place in holders:
                copies[place].append(
                    line.encode() if place == sound or (rng.chance(0.4) and number not in lost) else _damage_line(rng, line)
                )
            if version == len(versions) and number not in lost and rng.chance(0.5):
                copies[sound].append(_damage_line(rng, _record(rng, number, version + 1)))
    files: dict[str, bytes] = {}
    for place, form in enumerate(forms, 1):
        # The newest lines need not come last.
        data = b"".join(line + b"\n" for line in rng.shuffled(copies[place - 1]))
        files |= _encode(form, f"{folder}/copy{place}", data)
    last = {number: versions[-1] for number, versions in good.items() if number not in lost}
    kept = [line for line in last.values() if "|-|" not in line]
    expected = {"recovered.txt": file_entry("".join(f"{line}\n" for line in kept), 0)}
    if knobs.features > 2:
        files[f"{folder}/ids.txt"] = "".join(f"{number}\n" for number in ids).encode()
        expected["lost.txt"] = file_entry("".join(f"{number}\n" for number in sorted(lost)), 0)
    before = trees.tree(files)
    return State(
        task=_task(folder, knobs.features, forms), before=before, files=before, expected={**expected},
        folder=folder, features=knobs.features, forms=forms,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return trees.score_of_state(state)


def plan(state: State, without: str = "") -> list[Step]:
    steps = [Step(f"ls -l {state.folder}; head -c 300 {state.folder}/copy1*", "First see the copies, and what the lines look like.")]
    unpack = {"plain": "cat {f}.txt", "gzip": "zcat {f}.txt.gz", "base64": "base64 -d {f}.b64", "tar": "tar -xOf {f}.tar"}
    for place, form in enumerate(state.forms, 1):
        if without == "copies" and place == len(state.forms) > 1:
            continue
        command = f"mkdir -p scratch; {unpack[form].format(f=f'{state.folder}/copy{place}')} >> scratch/all"
        steps.append(Step(command, f"Copy {place} is unpacked and added to one file."))
    steps.append(
        Step(_select(state, without), "Keep the lines whose checksum is right, and of each record the last version that is not a deletion.")
    )
    if state.features > 2:
        steps.append(Step(_lost_ids_command(state), "The numbers without any sound line are lost."))
    return steps


def _select(state: State, without: str) -> str:
    check = "m and sum(m[1]) % 1000 == int(m[2])" if without != "checksum" else "m"
    drop = "if line.split('|')[2] != '-'" if state.features > 1 and without != "deleted" else ""
    key = "int(line.split('|')[1])" if without != "version" else "-int(line.split('|')[1])"
    return f"""python3 - <<'END'
import re
sound = []
for raw in open('scratch/all', 'rb').read().split(b'\\n'):
    m = re.fullmatch(rb'(\\d{{3}}\\|\\d+\\|[a-z-]+\\|[0-9-]+)\\|(\\d{{3}})', raw)
    if {check}:
        sound.append(raw.decode())
open('scratch/sound', 'w').write(''.join(line + '\\n' for line in sound))
last = {{}}
for line in sorted(set(sound), key=lambda line: {key}):
    last[line[:3]] = line
open('recovered.txt', 'w').write(''.join(line + '\\n' for _, line in sorted(last.items()) {drop}))
END"""


def _lost_ids_command(state: State) -> str:
    return f"cut -c 1-3 scratch/sound | sort -u > scratch/found; sort {state.folder}/ids.txt | comm -23 - scratch/found > lost.txt"


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = ["checksum", *(["copies"] if len(first.forms) > 1 else []), *["version", "deleted"][: first.features]]
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Takes the first copy as it is, every line that looks right, or all sound lines of all versions.
    first = f"cp {state.folder}/copy1.txt recovered.txt; touch lost.txt"
    alike = f"grep -ah '^[0-9|a-z-]*$' {state.folder}/copy1.txt | sort > recovered.txt; touch lost.txt"
    unchecked = [*commands(plan(state, "checksum"))]
    return shortcuts(state, [[first], [alike], unchecked])


def cost(state: State) -> float:
    size = sum(len(entry.content) for entry in state.before.values())
    return float(size * (1 + state.features) * len(state.forms))


def _line(number: int, version: int, name: str, amount: str) -> str:
    text = f"{number}|{version}|{name}|{amount}"
    return f"{text}|{sum(text.encode()) % 1000:03}"


def _record(rng: Rng, number: int, version: int) -> str:
    return _line(number, version, rng.choice(names.PEOPLE), str(rng.integer(10, 9999)))


def _damage_line(rng: Rng, line: str) -> bytes:
    """The line with a digit of its amount changed, its end lost, or bytes overwritten."""
    data, fields = line.encode(), line.split("|")
    match rng.integer(0, 2):
        case 0 if fields[3] != "-":
            digit = (int(fields[3][0]) % 9) + 1  # another first digit than before
            return "|".join([*fields[:3], f"{digit}{fields[3][1:]}", fields[4]]).encode()
        case 1:
            return data[: rng.integer(5, len(data) - 4)]
    at = rng.integer(3, len(data) - 4)
    return data[:at] + bytes([rng.integer(128, 255), rng.integer(1, 8)]) + data[at + 2 :]


def _encode(form: str, stem: str, data: bytes) -> dict[str, bytes]:
    match form:
        case "gzip":
            return {f"{stem}.txt.gz": trees.gzip_data(data)}
        case "base64":
            return {f"{stem}.b64": trees.base64_lines(data, LINES)}
        case "tar":
            half = data[: len(data) // 2].rfind(b"\n") + 1
            return {f"{stem}.tar": trees.tar_files({"part1.txt": data[:half], "part2.txt": data[half:]})}
    return {f"{stem}.txt": data}


def _task(folder: str, features: int, forms: tuple[str, ...]) -> str:
    wording = {
        "plain": "plain",
        "gzip": "compressed with gzip",
        "base64": "in base64",
        "tar": "in a tar archive that holds it in two parts, to be joined in the order of their names",
    }
    packed = "; ".join(f"copy {place} is {wording[form]}" for place, form in enumerate(forms, 1))
    several = f"{len(forms)} damaged copies of a journal: {packed}" if len(forms) > 1 else "a damaged copy of a journal, copy1.txt"
    versions = " Of the sound lines of a record, the one with the highest version counts." if features else ""
    deleted = (
        " A line with `-` as name and amount has this form too; where it counts, the record was deleted and is left out."
        if features > 1
        else ""
    )
    lost = (
        f" The file {folder}/ids.txt lists the ids of all records, deleted ones included. Write the ids without any sound line "
        "to /work/lost.txt, one per line in ascending order."
        if features > 2
        else ""
    )
    return (
        f"The folder /work/{folder} holds {several}. Each line of the journal is a record `id|version|name|amount|checksum`: an id of three digits, "
        "a version (a positive integer), "
        "a name of lowercase letters, an integer, and as checksum the sum of the ASCII codes of the characters before the last `|`, modulo 1000, in "
        f"three digits. A line is sound if it has this form and its checksum is right. The lines are in no particular order.{versions}{deleted} "
        "Write the sound "
        "lines "
        f"{'that count ' if features else ''}to /work/recovered.txt, unchanged, in ascending order of the ids, each once.{lost}"
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Bring all copies into one stream, test the checksum of every line, and only then choose among the sound lines of each record.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=4,
)  # fmt: skip
