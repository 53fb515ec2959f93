"""Harbor's own runner on exported folders: its oracle agent earns 1, a wrong answer and an agent that does nothing earn 0."""

import asyncio
import json

import pytest

pytest.importorskip("harbor.job", reason="needs harbor>=0.24, which needs Python 3.12")

from adapters.harbor_host import namespaces
from harbor.job import Job
from harbor.models.job.config import JobConfig
from harbor.models.task.task import Task

from rlgym.dataset import sample, wrong_response
from rlgym.dataset.harbor import task_name, write_tasks

pytestmark = pytest.mark.filterwarnings("ignore")  # Harbor calls functions that it deprecates itself

ONE_TURN = ["chain_sum", "function_from_tests", "repair_bug", "shell_pipeline", "sql_query"]
MANY_TURNS = ["repo_fix", "calculator_and_lookup", "file_system_tasks", "higher_lower", "nim"]


@pytest.fixture(scope="module")
def rows():
    return {row["env"]: row for name in ONE_TURN + MANY_TURNS for row in sample([name], 1, levels=[0.2], seed=3)}


def rewards(tasks, out, agent="oracle"):
    """The reward of each environment's task, as Harbor's job reports it; None where the trial failed."""
    config = JobConfig.model_validate(
        {
            "jobs_dir": str(out),
            "n_concurrent_trials": 1,
            "quiet": True,
            "environment": {"import_path": "adapters.harbor_host:HostEnvironment"},
            "agents": [{"name": agent}],
            "tasks": [{"path": str(folder)} for folder in sorted(tasks.iterdir())],
        }
    )

    async def run():
        return await (await Job.create(config)).run()

    asyncio.run(run())
    found = {}
    for file in out.glob("*/*/result.json"):
        result = json.loads(file.read_text())
        found[result["task_name"].partition("/")[2]] = (result["verifier_result"] or {}).get("rewards", {}).get("reward")
    return found


def test_harbor_accepts_every_folder(rows, tmp_path):
    write_tasks(rows.values(), tmp_path / "tasks")
    for row in rows.values():
        folder = tmp_path / "tasks" / task_name(row)
        assert Task.is_valid_dir(folder)
        assert Task(folder).instruction.startswith(row["messages"][0]["content"])


@pytest.mark.skipif(not namespaces(), reason="needs user and mount namespaces in place of containers")
def test_harbor_scores_the_oracle_a_mistake_and_doing_nothing(rows, tmp_path, record):
    write_tasks(rows.values(), tmp_path / "tasks")
    names = {task_name(row): row for row in rows.values()}
    assert rewards(tmp_path / "tasks", tmp_path / "oracle") == dict.fromkeys(names, 1.0)
    assert rewards(tmp_path / "tasks", tmp_path / "nothing", "nop") == dict.fromkeys(names, 0.0)
    for name, row in names.items():
        wrong, solution = wrong_response(row), tmp_path / "tasks" / name / "solution"
        if row["kind"] == "environment":
            (solution / "response.txt").write_text(wrong)
        else:
            (solution / "turns.json").write_text(json.dumps(list(wrong)))
    found = rewards(tmp_path / "tasks", tmp_path / "wrong")
    assert set(found) == set(names)
    assert all(value is not None and value < 1 for value in found.values()), found
    record(
        "harbor",
        "harbor",
        single="harbor's job with its oracle and nop agents, verifier in an environment of its own",
        many="the same, against the world's server",
        tools="calls in the text",
        agreement=f"{len(names)} tasks: oracle 1, mistakes below 1, nothing 0",
    )
