"""Convert text files to UTF-8 with plain line endings in a shell, and leave every file alone that must keep its bytes.

The files hold several encodings and line endings, also mixed ones; some folders and file types are exempt.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show

KINDS = ("crlf", "latin1", "bom", "utf16", "cr", "mixed")
EXEMPT = ("batch", "vendor", "data")
WORDING = {
    "batch": "files whose names end in .bat keep their bytes",
    "vendor": "files below {folder}/vendor keep their bytes",
    "data": "files whose names end in .dat are binary and keep their bytes",
}
SIGNS = "äöüéèçñåøß"


class Knobs(Config):
    files: int = knob(6, easy=2, hard=14, doc="text files to convert, about")
    kinds: int = knob(4, easy=1, hard=6, doc="kinds of encodings and line endings, plain ones first")
    exempt: int = knob(2, easy=0, hard=3, doc="kinds of files that must stay as they are")


class State(Terminal):
    folder: str
    kinds: tuple[str, ...]
    exempt: tuple[str, ...]


def start(rng: Rng, knobs: Knobs) -> State:
    folder, kinds, exempt = rng.choice(names.TOPICS), KINDS[: knobs.kinds], EXEMPT[: knobs.exempt]
    stems = rng.sample(names.WORDS, knobs.files + 8)
    files: dict[str, str | bytes] = {}
    expected = {}
    for number in range(knobs.files):
        path = f"{folder}/{rng.choice(('', 'notes/', 'mail/'))}{stems.pop()}.txt"
        lines = [_line(rng, len(kinds) > 1) for _ in range(rng.integer(3, 7))]
        files[path] = _encode_lines(rng, lines, kinds[number % len(kinds)])
        expected[path] = trees.entry("".join(f"{line}\n" for line in lines))
    for _ in range(2):
        files[f"{folder}/{stems.pop()}.txt"] = "".join(f"{_line(rng, False)}\n" for _ in range(3))
    for kind in exempt:
        kept = "\r\n".join(_line(rng, False) for _ in range(3)) + "\r\n"
        path = {"batch": f"{folder}/notes/{stems[0]}.bat", "vendor": f"{folder}/vendor/{stems[1]}.txt", "data": f"{folder}/{stems[2]}.dat"}[
            kind
        ]
        files[path] = b"\xff\xfe\x00\r\n" + kept.encode() if kind == "data" else kept
    return State(
        task=_task(folder, kinds, exempt), before=trees.tree(files), files=trees.tree(files), expected=expected,
        folder=folder, kinds=kinds, exempt=exempt,
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return trees.score_of_state(state)


def plan(state: State) -> list[Step]:
    steps = [Step(f"find {state.folder} -type f | sort | xargs ls -l", "First see which files there are.")]
    if len(state.kinds) == 1:
        return [*steps, Step(_sed(state), "Carriage returns before line feeds are removed from the text files, and from no other file.")]
    looks = "Then see how their first bytes look: marks of encodings, carriage returns and bytes above 127 show which kind each is."
    steps.append(Step(f"for f in $(find {state.folder} -name '*.txt' | sort); do echo $f; head -c 60 $f | od -c | head -4; done", looks))
    return [
        *steps,
        Step(
            _script(state), "A script decodes each file by these signs, unifies its line ends, and writes it only where its bytes change."
        ),
    ]


def _sed(state: State) -> str:
    vendor = f" -not -path '{state.folder}/vendor/*'" if "vendor" in state.exempt else ""
    return f"find {state.folder} -name '*.txt'{vendor} | xargs sed -i 's/\\r$//'"


def _script(state: State, without: str = "") -> str:
    vendor = "'/vendor/' in str(path)" if "vendor" in state.exempt and without != "vendor" else "False"
    pattern = "*" if without in ("batch", "data") else "*.txt"
    if without in ("batch", "data"):
        vendor += f" or path.is_dir() or path.suffix == {'.dat' if without == 'batch' else '.bat'!r}"
    return f"""python3 - <<'END'
import pathlib
for path in sorted(pathlib.Path({state.folder!r}).rglob({pattern!r})):
    if {vendor}:
        continue
    data = path.read_bytes()
    try:
        text = data.decode({"'utf-16' if data[:2] == bytes([255, 254]) else 'utf-8-sig'" if without != "bom" else "'utf-8'"})
    except UnicodeError:
        text = data.decode({"'latin-1'" if without != "latin1" else "'utf-8', 'replace'"})
    text = text.replace('\\r\\n', '\\n'){".replace(chr(13), chr(10))" if without != "cr" else ""}
    if text.encode() != data:
        path.write_bytes(text.encode())
END"""


def _skip(state: State, without: str) -> list[str]:
    return [*commands(plan(state))[:-1], _script(state, without)]


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = {f"exempt_{kind}": kind for kind in first.exempt}
    found |= {name: kind for name, kind in (("latin_1", "latin1"), ("no_mark", "bom"), ("carriage_returns", "cr")) if kind in first.kinds}
    return {name: make_policy(_skip(first, kind)) for name, kind in found.items()}


def mistakes(state: State) -> list[Calls]:
    # Converts nothing but line ends, every file, or the contents into another encoding.
    everywhere = f"find {state.folder} -type f | xargs sed -i 's/\\r$//; s/$/\\n/'"
    utf8 = f"for f in $(find {state.folder} -type f); do iconv -f latin1 -t utf-8 $f > /tmp/a; cat /tmp/a > $f; done"
    return shortcuts(state, [[everywhere], [utf8], [f"rm -r {state.folder}"]])


def cost(state: State) -> float:
    return float(len(state.files) * (1 + len(state.kinds) + len(state.exempt)))


def _line(rng: Rng, signs: bool) -> str:
    text = names.sentence(rng, rng.integer(2, 5))
    return f"{text} {rng.choice(SIGNS)}{rng.choice(names.WORDS)}" if signs else text


def _encode_lines(rng: Rng, lines: list[str], kind: str) -> bytes:
    ends = {"crlf": ["\r\n"], "cr": ["\r"], "mixed": ["\r\n", "\n", "\r"]}.get(kind, ["\n"])
    text = "".join(f"{line}{ends[number % len(ends)]}" for number, line in enumerate(lines))
    if kind == "utf16":
        return b"\xff\xfe" + text.encode("utf-16-le")
    return b"\xef\xbb\xbf" * (kind == "bom") + text.encode("latin-1" if kind == "latin1" else "utf-8")


def _task(folder: str, kinds: tuple[str, ...], exempt: tuple[str, ...]) -> str:
    signs = [
        *(["a file that begins with the bytes FF FE is in UTF-16, little-endian"] if "utf16" in kinds else []),
        *(["a file that is valid UTF-8 is in UTF-8, perhaps with a byte order mark"] if len(kinds) > 1 else []),
        *(["any other file is in Latin-1 (ISO 8859-1)"] if "latin1" in kinds else []),
    ]
    ends = "CR LF" + (", LF or CR, also mixed within a file" if "cr" in kinds else " or LF")
    encodings = (
        f" The encodings of the files follow from their bytes: {'; '.join(signs)}."
        if signs
        else " The files are in UTF-8, without a byte order mark."
    )
    kept = f"\n\nThese rules hold as well: {'; '.join(WORDING[kind].format(folder=folder) for kind in exempt)}." if exempt else ""
    return (
        f"The folder /work/{folder} holds text files, whose names end in .txt, from several machines. Convert each of them in place to UTF-8 without a "
        f"byte order mark, with lines that end in a line feed (LF) alone. The lines of the files now end in {ends}.{encodings} The characters of the texts, "
        f"apart from line ends, stay the same.{kept}"
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Look at the bytes of each file, decode it by the signs that the task names, unify line ends, and touch only what changes.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=4,
)  # fmt: skip
