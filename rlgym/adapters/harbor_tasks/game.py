"""The environment of Harbor task folders: the agent works with a shell in the sandbox, and `tests/test.sh` decides."""

from __future__ import annotations

import base64
import json
import math
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field

from rlgym import Config, Game, Limits, Outcome, Rng, Score, TaskData
from rlgym.answers import Calls, Misuse, Tool, ToolCalls
from rlgym.dataset.harbor_folder import TaskFolder, TaskFolderError, read_task_folder, task_folders
from rlgym.sandbox import RunResult, Stop
from rlgym.sandbox.session import Session

MOST_SECONDS, MOST_MB, PROCESSES = 120.0, 2048, 64
LONGEST_OUTPUT, LONGEST_COMMAND = 6000, 400_000
FOLDERS = ("app", "tests", "solution", "logs", "logs/verifier", "logs/agent", "logs/artifacts")


class Bash(Tool):
    """Runs a command in a shell in the task's working directory, and shows what it prints. Files stay; processes and variables do not."""

    command: str = Field(max_length=LONGEST_COMMAND)


class Submit(Tool):
    """Ends the task; hidden tests are run."""


TOOLS = ToolCalls((Bash, Submit), max_characters=LONGEST_COMMAND + 1000)


class Knobs(Config):
    """The tasks have no common measure of difficulty."""


class Hidden(TaskData):
    """What only the verifier and the oracle know. Files are in base 64."""

    tests: dict[str, str]
    solution: dict[str, str]
    artifacts: tuple[str, ...] | None
    test_env: dict[str, str]
    solution_env: dict[str, str]
    seconds: float


class State(TaskData):
    """The agent's files, in base 64 by their paths from the root, and where it stands."""

    name: str
    instruction: str
    workdir: str
    folders: tuple[str, ...]
    env: dict[str, str]
    memory_mb: int
    files: dict[str, str]
    hidden: Hidden
    turns: int
    observation: str = ""
    score: Score | None = None


def harbor_game(tasks: str | Path, *, turns: int = 50, version: int = 1, bases: Sequence[str] = ()) -> Game[Knobs, State, Calls]:
    """An environment of the task folders in `tasks`: a seed chooses one, a shell command is a turn.

    turns    commands that the agent may run, the submission included
    version  of the environment, which you raise when the folders change
    bases    names of base images, besides plain ones, whose programs this machine has

    TaskFolderError names the first folder that needs a container. `python -m rlgym.adapters.harbor_tasks` lists all of them.
    """
    states = [first_state(read_task_folder(folder, bases), turns) for folder in task_folders(tasks)]

    def start(rng: Rng, knobs: Knobs) -> State:
        return rng.choice(states)

    return Game(
        Knobs, TOOLS, start, _show, act, lambda state: state.score, best, _mistakes,
        cost=lambda state: float(len(state.instruction) + sum(map(len, state.files.values()))),
        turns=lambda state: state.turns,
        planted=True, partial=True, version=version,
        no_rules="The goal is all that the instruction of a task folder states.",
        sandbox=Limits(seconds=MOST_SECONDS, memory_mb=MOST_MB, processes=PROCESSES),
    )  # fmt: skip


def first_state(task: TaskFolder, turns: int) -> State:
    image = task.image
    state = State(
        name=task.name,
        instruction=task.instruction,
        workdir=image.workdir,
        folders=tuple(sorted({*FOLDERS, *filter(None, image.folders)})),
        env=image.env,
        memory_mb=min(task.memory_mb, MOST_MB),
        files=_encode_files(image.files),
        hidden=Hidden(
            tests=_encode_files(task.tests),
            solution=_encode_files(task.solution),
            artifacts=task.artifacts,
            test_env=dict(task.test_env),
            solution_env=dict(task.solution_env),
            seconds=min(task.seconds, MOST_SECONDS),
        ),
        turns=turns,
    )
    try:
        session = _session(state, state.files)
        for command, workdir in image.commands:
            result = _bash(session, state.model_copy(update={"workdir": workdir}), command, state.env)
            if result.exit_code:
                raise ValueError(f"`RUN {command[:80]}` fails here: {_reply(result)[-200:]}")
    except ValueError as error:
        raise TaskFolderError(f"the task folder {task.name!r} needs a container: {error}. Run it with Harbor") from None
    return state.model_copy(update={"files": _encode_files({**session.files, **image.late})})


def _show(state: State) -> str:
    if state.observation:
        return state.observation
    return (
        f"{state.instruction}\n\nYou work on it in the folder {state.workdir}, with these tools:\n{TOOLS.manual()}\n\n"
        f"The commands run without a network. You have {state.turns} turns; hidden tests decide once you submit, or in the last turn."
    )


def act(state: State, calls: Calls, _runner: object) -> State:
    replies = list[str]()
    for number, call in enumerate(calls, 1):
        match call:
            case Bash(command=command):
                state, reply = _run(state, command)
            case Submit():
                state, reply = state.model_copy(update={"score": run_tests(state)}), ""
            case Misuse(problem=reply):
                pass
        replies.append(f"[{number}] {reply}" if len(calls) > 1 else reply)
        if state.score:
            break
    left = state.turns - 1
    if not left and state.score is None:
        state = state.model_copy(update={"score": run_tests(state)})
    return state.model_copy(update={"observation": "\n".join(replies), "turns": left})


def _run(state: State, command: str) -> tuple[State, str]:
    session = _session(state, state.files)
    result = _bash(session, state, command, state.env)
    files = {path: base64.b64encode(data).decode() for path, data in session.files.items()}
    return state.model_copy(update={"files": files}), _reply(result)


def _reply(result: RunResult) -> str:
    text = "\n".join(part.rstrip("\n") for part in (result.stdout, result.stderr) if part.strip())
    if len(text) > LONGEST_OUTPUT:
        half = LONGEST_OUTPUT // 2
        text = f"{text[:half]}\n[{len(text) - LONGEST_OUTPUT} characters left out]\n{text[-half:]}"
    ended = {Stop.FINISHED: "", Stop.ERROR: f"exit status {result.exit_code}"}.get(result.stopped_by, f"stopped: {result.stopped_by.value}")
    return "\n".join(part for part in (text, ended) if part) or "(no output)"


def run_tests(state: State) -> Score:
    """What `tests/test.sh` makes of the agent's files. SandboxError where it cannot be run here."""
    hidden, files = state.hidden, state.files
    if hidden.artifacts is not None:
        kept = tuple(path.strip("/") for path in (*hidden.artifacts, "/logs/artifacts"))
        files = {path: data for path, data in files.items() if any(path == place or path.startswith(f"{place}/") for place in kept)}
    files = {path: data for path, data in files.items() if not path.startswith(("tests/", "solution/", "logs/verifier/"))}
    try:
        session = _session(state, files | {f"tests/{name}": data for name, data in hidden.tests.items()})
    except ValueError as error:
        return Score.nothing(Outcome.REFUSED, f"the files left no room for the tests: {error}")
    result = _bash(session, state, "bash /tests/test.sh", {**state.env, **hidden.test_env})
    if result.stopped_by in (Stop.TIME, Stop.MEMORY):
        return Score.nothing(Outcome.TIMED_OUT, f"the tests were stopped: {result.stopped_by.value}")
    try:
        rewards = read_rewards(session.files)
    except ValueError as error:
        return Score.wrong(f"{error}; the tests ended with status {result.exit_code}")
    value = rewards["reward"] if "reward" in rewards else math.fsum(rewards.values()) / len(rewards)
    return Score.partial(value, "the tests fail", **(rewards if len(rewards) > 1 else {}))


def read_rewards(files: Mapping[str, bytes]) -> dict[str, float]:
    """The rewards that tests have written, by name, as Harbor reads them. ValueError where there are none from 0 to 1."""
    written = files.get("logs/verifier/reward.json", files.get("logs/verifier/reward.txt"))
    if written is None:
        raise ValueError("the tests wrote no reward")
    try:
        read = json.loads(written)
    except (ValueError, RecursionError):
        raise ValueError("the tests wrote a reward that is not a number") from None
    rewards = read if isinstance(read, dict) else {"reward": read}
    numbers = {str(name): float(value) for name, value in rewards.items() if isinstance(value, int | float) and 0 <= value <= 1}
    if not numbers or ("reward" not in numbers if "reward" in rewards else len(numbers) < len(rewards)):
        raise ValueError("the tests wrote a reward that is not a number from 0 to 1")
    return numbers


def best(state: State) -> Calls:
    if state.observation:
        return (Submit(),)
    written = [f"base64 -d > /solution/{shlex.quote(name)} <<< {data}" for name, data in sorted(state.hidden.solution.items())]
    folders = sorted({f"/solution/{name.rpartition('/')[0]}" for name in state.hidden.solution})
    variables = "".join(f"export {name}={shlex.quote(value)}; " for name, value in state.hidden.solution_env.items())
    return (Bash(command="\n".join([f"mkdir -p {shlex.join(folders)}", *written, f"{variables}bash /solution/solve.sh"])),)


def _mistakes(state: State) -> list[Calls]:
    return [(Submit(),), (Bash(command="mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt"), Submit())]


def _session(state: State, files: Mapping[str, str]) -> Session:
    paths = [*state.folders, *files, state.workdir.strip("/")]
    limits = Limits(seconds=state.hidden.seconds, memory_mb=state.memory_mb, processes=PROCESSES)
    roots = sorted({path.partition("/")[0] for path in paths} - {""})
    return Session({path: base64.b64decode(data) for path, data in files.items()}, limits, roots=roots)


def _bash(session: Session, state: State, command: str, env: Mapping[str, str]) -> RunResult:
    variables = [f"export {name}={shlex.quote(value)}" for name, value in env.items()]
    places = shlex.join(f"/work/{folder}" for folder in state.folders)
    start = state.workdir if state.workdir != "/" else "/work"
    return session.bash("\n".join([f"mkdir -p {places}", *variables, f"cd {shlex.quote(start)} || exit 1", command]))


def _encode_files(files: Mapping[str, bytes]) -> dict[str, str]:
    return {path: base64.b64encode(data).decode() for path, data in files.items()}
