"""Environments as servers of the Model Context Protocol: their tools are MCP tools, with the task's own world behind them.

`python -m rlgym.adapters.mcp NAME` serves one episode over stdin and stdout, or with `--http PORT` any number of them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import rlgym
from rlgym import Score
from rlgym.core.packages import extra
from rlgym.dataset import Session, sample
from rlgym.dataset.session import tool_calls_text

with extra("mcp"):
    import anyio
    import anyio.to_thread
    from anyio.abc import TaskGroup, TaskStatus
    from mcp import MCPError, types
    from mcp.server import Server
    from mcp.server.stdio import stdio_server
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Mount
    from starlette.types import Receive, Scope, Send

TASK, SCORE = "rlgym://task", "rlgym://score"
META = "rlgym/score"
RESPOND = {
    "type": "object",
    "properties": {"response": {"type": "string", "description": "the whole response, final answer included"}},
    "required": ["response"],
    "additionalProperties": False,
}


class Episode:
    """One task being played over the protocol: a tool call is a turn of the session. RowError for a damaged row."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.session = Session(row)
        self.tools = [
            types.Tool(
                name=tool["function"]["name"], description=tool["function"]["description"], input_schema=tool["function"]["parameters"]
            )
            for tool in self.session.tools
        ]
        limit = f"Each tool call is a turn. You have {self.session.max_turns} turns."
        # The prompt without the line that asks for calls as text: here the protocol carries them.
        self.task = f"{row['prompt']}\n\n{limit}" if self.tools else self.session.observation
        self._turn = anyio.Lock()
        self.server: Server[Any] = Server(
            f"rlgym-{row['env']}",
            version=rlgym.__version__,
            instructions="Get the prompt `task` and work on it with the tools.",
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    @property
    def score(self) -> Score:
        """The score; of an episode that was not played to its end, what `rlgym.score` says of such."""
        return self.session.score or Score.wrong("the episode was not played to its end")

    def report(self) -> dict[str, Any]:
        """Whether the episode is over, and its score; `value` is None where it says nothing about the model."""
        score = self.score
        report = score.to_dict() | {"value": None if score.masked else score.value, "masked": score.masked}
        return {"done": self.session.done, "id": self.session.row["id"], **(report if self.session.done else {})}

    async def _list_tools(self, ctx: Any, params: Any) -> types.ListToolsResult:
        description = "Gives your response to the task, or to what you have read last, and returns what you read next."
        return types.ListToolsResult(tools=self.tools or [types.Tool(name="respond", description=description, input_schema=RESPOND)])

    async def _call_tool(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        given = params.arguments or {}
        if self.tools:
            response = tool_calls_text([(params.name, given)])
        elif params.name == "respond" and set(given) == {"response"} and isinstance(given["response"], str):
            response = given["response"]
        else:
            return _tool_result("the only tool is respond, with the one argument response, a string", error=True)
        async with self._turn:
            if self.session.done:
                return _tool_result("The episode is over.", error=True, meta=self.report())
            # A verdict may run programs; other episodes go on meanwhile.
            observation = await anyio.to_thread.run_sync(self.session.step, response)
            report = self.report()
        return _tool_result("The episode is over.", meta=report) if report["done"] else _tool_result(observation)

    async def _list_resources(self, ctx: Any, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(name="task", uri=TASK, description="the task", mime_type="text/plain"),
                types.Resource(name="score", uri=SCORE, description="the score, once the episode is over", mime_type="application/json"),
            ]
        )

    async def _read_resource(self, ctx: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        held = {TASK: lambda: self.task, SCORE: lambda: json.dumps(self.report())}
        if params.uri not in held:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {params.uri!r}; there are {TASK} and {SCORE}")
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, text=held[params.uri]())])

    async def _list_prompts(self, ctx: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt(name="task", description="the task")])

    async def _get_prompt(self, ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != "task":
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name!r}; the only one is 'task'")
        text = types.TextContent(type="text", text=self.task)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=text)])


def _tool_result(text: str, *, error: bool = False, meta: dict[str, Any] | None = None) -> types.CallToolResult:
    """A tool's result. The score travels in `_meta`, which is for the program and not for the model."""
    content: list[Any] = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, is_error=error, _meta=None if meta is None else {META: meta})


async def serve_stdio(row: Mapping[str, Any]) -> None:
    """Serve the episode of a row over this process's stdin and stdout, until the client hangs up."""
    server = Episode(row).server
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


class Episodes:
    """Episodes over streamable HTTP: `/ROW/NAME/mcp` is the episode NAME, any word, of the row with that number.

    The first request makes the episode. `most` may be open at once; then the oldest that is over makes room.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], *, most: int = 1000, host: str = "127.0.0.1") -> None:
        for row in rows:
            Session(row)
        self.rows, self.most, self.host = rows, most, host
        self.open: dict[tuple[int, str], Episode] = {}
        self._scopes: dict[tuple[int, str], anyio.CancelScope] = {}
        self._group: TaskGroup
        self._opening = anyio.Lock()
        self.app = Starlette(routes=[Mount("/{row:int}/{name:str}/mcp", app=self._serve)], lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as self._group:
            yield
            self._group.cancel_scope.cancel()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = (scope["path_params"]["row"], scope["path_params"]["name"])
        async with self._opening:
            problem = await self._open_episode(key)
        if problem:
            await PlainTextResponse(problem[1], status_code=problem[0])(scope, receive, send)
        else:
            await self.open[key].server.session_manager.handle_request(scope, receive, send)

    async def _open_episode(self, key: tuple[int, str]) -> tuple[int, str] | None:
        """Make the episode if there is none yet; else what is in the way, as an HTTP status and words."""
        if key in self.open:
            return None
        if key[0] >= len(self.rows):
            return 404, f"there are {len(self.rows)} rows, counted from 0, and no row {key[0]}"
        if len(self.open) >= self.most:
            over = next((old for old, episode in self.open.items() if episode.session.done), None)
            if over is None:
                return 503, f"{self.most} episodes are being played; end one first"
            self.open.pop(over)
            self._scopes.pop(over).cancel()
        episode = Episode(self.rows[key[0]])
        episode.server.streamable_http_app(host=self.host)  # makes the session manager, with the checks that suit the host
        self._scopes[key] = await self._group.start(_manage, episode.server)
        self.open[key] = episode
        return None


async def _manage(server: Server[Any], *, task_status: TaskStatus[anyio.CancelScope]) -> None:
    with anyio.CancelScope() as scope:
        async with server.session_manager.run():
            task_status.started(scope)
            await anyio.sleep_forever()


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve from the command line."""
    parser = argparse.ArgumentParser(prog="python -m rlgym.adapters.mcp", description="Serve an environment over MCP.")
    parser.add_argument("names", nargs="+", metavar="NAME", help="an environment, a domain or a pattern")
    parser.add_argument("--level", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1, help="rows to serve, over HTTP")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve streamable HTTP at 127.0.0.1 instead of stdio")
    given = parser.parse_args(arguments)
    rows = list(sample(given.names, given.count, levels=[given.level], seed=given.seed))
    if given.http is None:
        anyio.run(serve_stdio, rows[0])
    else:
        import uvicorn

        uvicorn.run(Episodes(rows).app, host="127.0.0.1", port=given.http)


if __name__ == "__main__":
    main()
