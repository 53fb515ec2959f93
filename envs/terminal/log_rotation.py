"""Rotate the logs of services by hand in a shell, as a policy file says, and report what the logs hold.

Numbers move up, old files go, some are compressed, and a log below its size limit is left alone.
"""

from collections.abc import Callable, Mapping

from rlgym import Config, Game, Rng, Score, knob
from rlgym.answers import Calls
from rlgym.generators.terminal import names, trees, world
from rlgym.generators.terminal.world import LIMITS, TOOLS, Step, Terminal, act, commands, make_policy, shortcuts, show
from rlgym.sandbox.terminal import Entry

CONFIG, REPORT = "etc/rotate.conf", "report.txt"


class Knobs(Config):
    services: int = knob(3, easy=1, hard=6, doc="services with logs")
    old: int = knob(3, easy=1, hard=6, doc="most rotated logs of a service")
    features: int = knob(2, easy=0, hard=3, doc="size limits, compression, and a report")


class State(Terminal):
    services: tuple[str, ...]
    features: int


def start(rng: Rng, knobs: Knobs) -> State:
    services = tuple(sorted(rng.sample(names.SERVICES, knobs.services)))
    files: dict[str, bytes] = {}
    expected: dict[str, Entry | None] = {}
    lines, errors = [], []
    for place, service in enumerate(services):
        keep, log = rng.integer(1, knobs.old) if knobs.old > 1 else 2, f"logs/{service}.log"
        packs = knobs.features > 1 and rng.chance(0.75)
        now = _log(rng)
        limit = len(now) + rng.integer(1, 40) if knobs.features and place % 3 == 1 else len(now) - rng.integer(0, 40)
        olds = {n: _log(rng) for n in range(1, knobs.old + 1) if n == 1 or rng.chance(0.85)}
        olds |= {keep: olds.get(keep) or _log(rng)} if keep <= knobs.old else {}
        before = {f"{log}.{n}{'.gz' * (packs and n > 1)}": trees.gzip_data(data) if packs and n > 1 else data for n, data in olds.items()}
        files |= {log: now, **before}
        lines.append(
            f"{service} keep={keep}"
            + f" size={limit}" * (knobs.features > 0)
            + f" compress={'yes' if packs else 'no'}" * (knobs.features > 1)
        )
        left = [now, *olds.values()]
        if not knobs.features or len(now) >= limit:
            after = {1: now, **{n + 1: data for n, data in olds.items() if n < keep}}
            expected |= dict.fromkeys(before)
            expected |= {f"{log}.{n}{'.gz' * (packs and n > 1)}": _entry(data, packs and n > 1) for n, data in after.items()}
            expected[log] = trees.entry("")
            left = list(after.values())
        errors.append(f"{service} {sum(data.count(b' ERROR ') for data in left)}\n")
    if knobs.features > 2:
        expected[REPORT] = trees.entry("".join(errors))
    files[CONFIG] = "".join(f"{line}\n" for line in rng.shuffled(lines)).encode()
    before_tree = trees.tree(files)
    return State(
        task=_task(knobs.features), before=before_tree, files=before_tree, expected=expected, services=services, features=knobs.features
    )  # fmt: skip


def outcome(state: State) -> Score | None:
    return trees.score_of_state(state)


def plan(state: State, without: str = "") -> list[Step]:
    looks = f"cat {CONFIG}; ls -l logs; tail -n 3 logs/*.log"
    steps = [Step(looks, "First read the policy, and see which logs there are.")]
    steps += [
        Step(_rotate(service, state.features, without), f"Rotate the log of {service} from the highest number down.")
        for service in state.services
    ]
    if state.features > 2:
        files = "zcat -f logs/$s.log logs/$s.log.[0-9]*" if without != "compressed" else "cat logs/$s.log logs/$s.log.[0-9]"
        count = f"for s in {' '.join(state.services)}; do echo $s $({files} 2> /dev/null | grep -c ' ERROR '); done > {REPORT}"
        steps.append(Step(count, "Count the errors in all logs that are left, compressed ones included."))
    return steps


def _rotate(service: str, features: int, without: str) -> str:
    limit = "[ $(stat -c %s $l) -lt ${size:-0} ] && exit" if features and without != "size" else ":"
    drop = "if [ $n -ge $keep ]; then rm $f; continue; fi" if without != "keep" else ":"
    first = 1 if without == "first_plain" else 2
    pack = f"if [ $compress = yes ]; then for n in $(seq {first} 9); do [ -e $l.$n ] && gzip -n $l.$n; done; fi" if features > 1 else ":"
    return f"""l=logs/{service}.log; export $(grep '^{service} ' {CONFIG} | cut -d ' ' -f 2-)
{limit}
for n in 9 8 7 6 5 4 3 2 1; do for e in '' .gz; do
f=$l.$n$e; [ -e $f ] || continue
{drop}
mv $f $l.$((n + 1))$e; done; done
cp $l $l.1; : > $l
{pack}"""


def rules(first: State) -> Mapping[str, Callable[[State], Calls]]:
    found = ["keep", *(["size"] if first.features and len(first.services) > 1 else [])]
    if first.features > 1 and "compress=yes" in first.before[CONFIG].content:
        found.append("first_plain")
    return {rule: make_policy(commands(plan(first, rule))) for rule in found}


def mistakes(state: State) -> list[Calls]:
    # Empties the logs, moves the current log over the first old one, or moves from the lowest number up.
    empty = "for l in logs/*.log; do : > $l; done"
    over = "for l in logs/*.log; do mv $l $l.1; touch $l; done"
    upward = "for l in logs/*.log; do for n in 1 2 3 4 5 6; do mv $l.$n $l.$((n + 1)); done; mv $l $l.1; touch $l; done"
    return shortcuts(state, [[empty], [over], [upward]])


def cost(state: State) -> float:
    return float(len(state.files) * (1 + state.features))


def _log(rng: Rng) -> bytes:
    minutes = sorted(rng.sample(range(1440), rng.integer(3, 8)))
    rows = [f"{m // 60:02}:{m % 60:02} {rng.choice(('INFO', 'WARN', 'ERROR', 'INFO'))} {names.sentence(rng, 3)}\n" for m in minutes]
    return "".join(rows).encode()


def _entry(data: bytes, packed: bool) -> Entry:
    return trees.entry(trees.gzip_data(data) if packed else data)


def _task(features: int) -> str:
    pack = " (NAME.log.N.gz where they are compressed)" if features > 1 else ""
    limit = " A log is rotated only if its size is at least `size` bytes; otherwise all its files stay as they are." if features else ""
    packs = (
        " If `compress` is yes, compress then with gzip every rotated file whose number is 2 or more, so that it becomes NAME.log.N.gz; number 1 is not "
        "compressed. If it is no, compress nothing."
    )
    report = (
        f" At the end, write to /work/{REPORT} one line `NAME COUNT` for each service of the policy, in alphabetical order of the names: the number of "
        "lines with ` ERROR ` in all log files of the service that are then in /work/logs, compressed ones included."
    )
    return (
        f"Rotate the logs in /work/logs by hand. The log of a service NAME is NAME.log, and its rotated logs are NAME.log.1, NAME.log.2 and so on{pack}: "
        "the higher the number, the older the file; some numbers may be missing. "
        f"The policy of each service is a line of /work/{CONFIG}.{limit} To rotate a log, delete the rotated files whose number is `keep` or more, "
        "raise the number of each other rotated file by 1, make NAME.log the file NAME.log.1, and leave an empty NAME.log."
        f"{packs if features > 1 else ''}{report if features > 2 else ''}"
    )


environment = Game(
    Knobs, TOOLS, start, show, act, outcome,
    best=world.best(plan), mistakes=mistakes, cost=cost, turns=world.turns(plan), explain=world.explain(plan),
    concept="Read the policy, then move from the highest number down so that no file overwrites another, and count at the end.",
    rules=rules, milestones=world.milestones(outcome), sandbox=LIMITS,
    version=4,
)  # fmt: skip
