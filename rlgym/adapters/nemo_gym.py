"""A resources server for NeMo Gym: plays any row with its gymnasium agent, and the files that its command line needs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rlgym.core.packages import extra
from rlgym.dataset import Session, from_task_json, to_task_json

with extra("nemo-gym", source="NeMo Gym from a checkout"):
    from resources_servers.gymnasium import GymnasiumServer, extract_text


class RlgymServer(GymnasiumServer):
    """Plays the row whose task JSON comes with each rollout. The prompt is in the row's input; a step takes the model's response."""

    async def reset(self, metadata: dict[str, Any], session_id: str | None = None) -> tuple[str | None, dict[str, Any]]:
        """Start the episode; RowError, which the agent gets as a failed request, for damaged task JSON."""
        session = Session(from_task_json(metadata.get("task_json", "")))
        self.session_state[session_id] = session
        return None, {"row": session.row["id"], "turns": session.max_turns}

    async def step(
        self, action: Any, metadata: dict[str, Any], session_id: str | None = None
    ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
        """Take one response: its text, or its native calls. A failure that is not the model's fault raises: the rollout fails and has no reward."""
        if session_id not in self.session_state:
            raise RuntimeError("this session has no episode: call /reset before /step, with its cookies")
        session: Session = self.session_state[session_id]
        calls = [
            {"id": item.call_id, "name": item.name, "arguments": item.arguments} for item in action.output if item.type == "function_call"
        ]
        message = {"tool_calls": calls} if calls else {"content": extract_text(action)}
        # Verifiers that run programs block, and this loop serves many rollouts.
        answers = await asyncio.to_thread(session.step_message, message)
        score = session.score
        if score is not None:
            self.session_state.pop(session_id)
            if score.masked:
                raise RuntimeError(f"the row {session.row['id']!r} cannot be scored: {score.reason}")
            return None, score.value, True, False, {"row": session.row["id"], **score.to_dict()}
        if not calls:
            return answers[0]["content"], 0.0, False, False, {}
        outputs = [{"call_id": answer["tool_call_id"], "output": answer["content"]} for answer in answers]
        return None, 0.0, False, False, {"tool_outputs": outputs}


def rows(given: Iterable[Mapping[str, Any]], *, agent: str = "rlgym_agent") -> list[dict[str, Any]]:
    """Rows as NeMo Gym's datasets have them; RowError for a damaged one."""
    lines = []
    for row in given:
        session = Session(row)
        parameters: dict[str, Any] = {"input": [{"role": "user", "content": session.observation}]}
        if session.tools:
            parameters["tools"] = [{"type": "function", "strict": False, **tool["function"]} for tool in session.tools]
        lines.append(
            {
                "responses_create_params": parameters,
                "task_json": to_task_json(row),
                "agent_ref": {"type": "responses_api_agents", "name": agent},
            }
        )
    return lines


APP = '''\
"""The server of this environment."""

from rlgym.adapters.nemo_gym import RlgymServer

if __name__ == "__main__":
    RlgymServer.run_webserver()
'''

CONFIG = """\
{name}:
  resources_servers:
    {name}:
      entrypoint: app.py
      domain: other
      verified: false
      description: Verifiable tasks of rlgym
      value: Many domains with levels, scored by verifiers
{agent}:
  responses_api_agents:
    gymnasium_agent:
      entrypoint: app.py
      resources_server:
        type: resources_servers
        name: {name}
      model_server:
        type: responses_api_models
        name: policy_model
      max_steps: {turns}
      datasets:
      - name: train
        type: train
        jsonl_fpath: {data}
        license: Apache 2.0
"""


def write_server(folder: str | Path, given: Iterable[Mapping[str, Any]]) -> Path:
    """Write a server with a dataset of these rows into a folder, which is `resources_servers/NAME` of a NeMo Gym checkout."""
    folder = Path(folder)
    given, agent = list(given), f"{folder.name}_agent"
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows(given, agent=agent)]
    turns = max(Session(row).max_turns for row in given)
    for inside in ("configs", "data"):
        (folder / inside).mkdir(parents=True, exist_ok=True)
    data = f"resources_servers/{folder.name}/data/train.jsonl"
    (folder / "app.py").write_text(APP)
    (folder / "requirements.txt").write_text("-e nemo-gym[dev] @ ../../\nrlvrgym\n")
    (folder / "configs" / f"{folder.name}.yaml").write_text(CONFIG.format(name=folder.name, agent=agent, turns=turns, data=data))
    (folder / "data" / "train.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


__all__ = ["RlgymServer", "rows", "write_server"]
