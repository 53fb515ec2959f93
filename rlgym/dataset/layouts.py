"""Rows in the columns that trainers read: one function for each layout."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from rlgym.core.declare import Game
from rlgym.core.errors import RowError
from rlgym.dataset import rows as own
from rlgym.dataset.preference_pairs import part_dpo, reward_pairs
from rlgym.dataset.rows import Row
from rlgym.dataset.score import oracle_response, wrong_response
from rlgym.dataset.session import Session
from rlgym.dataset.task_json import to_task_json
from rlgym.episode.play import runner_for
from rlgym.episode.scoring import Response, score
from rlgym.registry import environment


def trl(row: Row, number: int = 0) -> list[Row]:
    """For TRL's GRPO and similar trainers: the prompt as messages, and columns that reach the reward function."""
    return [{"prompt": row["messages"], "task_json": to_task_json(row), "id": row["id"], "environment": row["env"], "level": row["level"]}]


def verl(row: Row, number: int = 0) -> list[Row]:
    """For verl: the schema of its RLHFDataset. Many-turn rows name the agent loop that plays them."""
    about = {"index": number, "id": row["id"], "env": row["env"], "level": row["level"], "split": row["split"]}
    return [
        {
            "data_source": f"rlgym/{row['env']}",
            "agent_name": "single_turn_agent" if row["kind"] == "environment" else "rlgym",
            "prompt": row["messages"],
            "ability": row["domain"],
            "reward_model": {"style": "rule", "ground_truth": to_task_json(row)},
            "extra_info": about,
        }
    ]


def openrlhf(row: Row, number: int = 0) -> list[Row]:
    """For OpenRLHF: input, label and datasource."""
    return [{"input": row["messages"], "label": to_task_json(row), "datasource": row["env"]}]


def verifiers(row: Row, number: int = 0) -> list[Row]:
    """For verifiers: the fields of the adapter's RlgymData."""
    return [{"id": row["id"], "name": row["env"], "prompt": row["messages"][0]["content"], "task_json": to_task_json(row)}]


def open_r1(row: Row, number: int = 0) -> list[Row]:
    """For open-r1 and tools with the same columns: problem and solution, as plain texts."""
    return [
        {
            "problem": row["messages"][0]["content"],
            "solution": row["oracle_response"],
            "task_json": to_task_json(row),
            "id": row["id"],
            "source": f"rlgym/{row['env']}",
        }
    ]


def synthetic_2(row: Row, number: int = 0) -> list[Row]:
    """For readers of SYNTHETIC-2: `verification_info` is the task JSON, `metadata` says where the task comes from."""
    about = {"env": row["env"], "version": row["version"], "level": row["level"], "split": row["split"]}
    return [
        {
            "problem_id": row["id"],
            "task_type": f"rlgym_{row['env']}",
            "prompt": row["messages"][0]["content"],
            "verification_info": to_task_json(row),
            "metadata": json.dumps(about),
        }
    ]


def open_instruct(row: Row, number: int = 0) -> list[Row]:
    """For open-instruct's RLVR: `dataset` names the verifier, `ground_truth` is the task JSON."""
    return [{"messages": row["messages"], "ground_truth": to_task_json(row), "dataset": "rlgym", "id": row["id"]}]


def nemo(row: Row, number: int = 0) -> list[Row]:
    """For NeMo Gym: the parameters of the first request, in the schema of OpenAI's Responses API, and what the adapter's server scores with."""
    parameters: Row = {"input": row["messages"]}
    if tools := Session(row).tools:
        parameters["tools"] = [{"type": "function", "strict": False, **tool["function"]} for tool in tools]
    agent = {"type": "responses_api_agents", "name": "rlgym_agent"}
    return [{"responses_create_params": parameters, "task_json": to_task_json(row), "agent_ref": agent, "id": row["id"]}]


def sft(row: Row, number: int = 0) -> list[Row]:
    """A record for each turn of the oracle: the conversation before it, and the turn, with its explanation if the row has one."""
    messages = row["oracle_messages"]
    turns = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    return [{"prompt": messages[:index], "completion": [messages[index]], "id": row["id"]} for index in turns]


def chat(row: Row, number: int = 0) -> list[Row]:
    """The oracle's whole conversation, in the format of fine-tuning services."""
    return [{"messages": row["oracle_messages"]}]


def plain(row: Row, number: int = 0) -> list[Row]:
    """The row as it is."""
    return [{column: row[column] for column in own.COLUMNS}]


def dpo(row: Row, number: int = 0, wrong: Response | None = None) -> list[Row]:
    """A pair of the oracle's answer and a wrong one; no record where no wrong one exists.

    Neither has an explanation: the two must differ in the answer, not in length. For many turns the pair is the first turn that differs.
    """
    try:
        rejected = wrong_response(row) if wrong is None else wrong
        judged = score(row, rejected)
    except RowError as error:
        if "declares no real mistake" not in str(error):
            raise
        return []
    if judged.masked or judged.value == 1:
        return []
    right, rejected = _as_list(oracle_response(row)), _as_list(rejected)
    differing = [place for place, (first, second) in enumerate(zip(right, rejected)) if first != second]
    if not differing:
        return []
    place = differing[0]
    chosen, worse = ([{"role": "assistant", "content": turns[place]}] for turns in (right, rejected))
    before = row["oracle_messages"][: 2 * place + 1]
    return [{"prompt": before, "chosen": chosen, "rejected": worse, "id": row["id"]}]


def swe_bench(row: Row, number: int = 0) -> list[Row]:
    """For harnesses that read SWE-bench: one record for a repository task with hidden tests; none for other tasks."""
    from rlgym.generators.repository.swe_bench import to_row
    from rlgym.generators.repository.world import Repository

    declared, state = environment(row["env"]), Session(row).task.data
    if not isinstance(declared, Game) or not isinstance(state, Repository) or not state.tests:
        return []
    return [{**to_row(state, runner_for(declared), str(row["version"])), "id": row["id"]}]


LAYOUTS: dict[str, Callable[..., list[Row]]] = {
    "trl": trl,
    "verl": verl,
    "openrlhf": openrlhf,
    "verifiers": verifiers,
    "open-r1": open_r1,
    "synthetic-2": synthetic_2,
    "open-instruct": open_instruct,
    "nemo": nemo,
    "sft": sft,
    "dpo": dpo,
    "part-dpo": part_dpo,
    "reward-pairs": reward_pairs,
    "chat": chat,
    "swe-bench": swe_bench,
    "jsonl": plain,
}
SINGLE_TURN = {
    "trl": "`score` of rlgym.adapters.trl raises on them; train with `environments` or `Rollout`",
    "openrlhf": "the reward function of `--reward.remote_url` raises on them; give the adapter as `--train.agent_func_path`",
    "open-r1": "open-r1 asks a model once",
    "synthetic-2": "SYNTHETIC-2's tasks are asked once",
    "open-instruct": "open-instruct's verifiers judge one response",
    "harbor": "their folders start a second container, which needs an environment provider with Docker Compose",
}
"""Layouts whose usual reader asks once, and what to do with rows of many turns."""
JSON_LINES_ONLY = {"nemo"}
"""Layouts that hold the schemas of tools, which differ between rows: no table of columns holds them."""
# A list is one of messages.
_ABOUT = {"index": int, "id": str, "env": str, "level": float, "split": str}
_COLUMNS: dict[str, dict[str, Any]] = {
    "trl": {"prompt": list, "task_json": str, "id": str, "environment": str, "level": float},
    "verl": {
        "data_source": str,
        "agent_name": str,
        "prompt": list,
        "ability": str,
        "reward_model": {"style": str, "ground_truth": str},
        "extra_info": _ABOUT,
    },
    "openrlhf": {"input": list, "label": str, "datasource": str},
    "verifiers": {"id": str, "name": str, "prompt": str, "task_json": str},
    "open-r1": {"problem": str, "solution": str, "task_json": str, "id": str, "source": str},
    "synthetic-2": {"problem_id": str, "task_type": str, "prompt": str, "verification_info": str, "metadata": str},
    "open-instruct": {"messages": list, "ground_truth": str, "dataset": str, "id": str},
    "nemo": {"responses_create_params": {"input": list}, "task_json": str, "agent_ref": {"type": str, "name": str}, "id": str},
    "sft": {"prompt": list, "completion": list, "id": str},
    "dpo": {"prompt": list, "chosen": list, "rejected": list, "id": str},
    "part-dpo": {"prompt": list, "chosen": list, "rejected": list, "part": str, "chosen_value": float, "rejected_value": float, "id": str},
    "reward-pairs": {"prompt": list, "chosen": list, "rejected": list, "edit": str, "tie": bool, "id": str},
    "chat": {"messages": list},
    "swe-bench": {
        **dict.fromkeys(("instance_id", "repo", "base_commit", "problem_statement", "hints_text", "created_at", "version", "patch"), str),
        **dict.fromkeys(("test_patch", "FAIL_TO_PASS", "PASS_TO_PASS", "environment_setup_commit", "files", "id"), str),
    },
}


def schema(layout: str) -> Any:
    """The Arrow schema of a layout."""
    import pyarrow as pa

    if layout == "jsonl":
        return own.schema()
    kinds = {
        list: pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])),
        float: pa.float64(),
        int: pa.int64(),
        bool: pa.bool_(),
    }

    def of(kind: Any) -> Any:
        return (
            pa.struct([(field, of(subkind)) for field, subkind in kind.items()]) if isinstance(kind, dict) else kinds.get(kind, pa.string())
        )

    return pa.schema([(column, of(kind)) for column, kind in _COLUMNS[layout].items()])


def _as_list(response: Response) -> list[str]:
    return [response] if isinstance(response, str) else list(response)
