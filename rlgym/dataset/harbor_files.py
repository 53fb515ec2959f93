"""The texts of a Harbor task folder."""

TASK = """\
schema_version = "1.4"
{artifacts}
[task]
name = {name}
keywords = {keywords}

[metadata]
{metadata}

[agent]
timeout_sec = 1800.0

[verifier]
timeout_sec = 600.0
environment_mode = "separate"

[verifier.environment]
build_timeout_sec = 1200.0
cpus = 1
memory_mb = 2048

[environment]
build_timeout_sec = 1200.0
cpus = 1
memory_mb = 2048
"""

TASK_ANSWER = """\
artifacts = ["/app/answer.txt"]
"""

TASK_WORLD = """\

[[artifacts]]
source = "/state/episode.json"
service = "world"
"""

ONE_TURN = """

## Where the answer goes

Write your response, with the final answer marked as above, to the file `/app/answer.txt`. Only this file is scored.
"""

MANY_TURNS = """

## How to respond

This task has several turns, at most {turns}. Send each response with the command `respond`, which reads it from standard input and prints
what comes next:

```
respond <<'END'
your response
END
```

`respond --show` prints the latest observation again. Every response counts and none can be taken back. The task is over when `respond`
prints "The episode is over."
"""

AGENT_DOCKERFILE = """\
FROM python:3.12-slim
WORKDIR /app
"""

VERIFIER_DOCKERFILE = """\
FROM python:3.12-slim
{copy}RUN pip install --no-cache-dir "{requirement}"
WORKDIR /app
COPY . /tests
"""

WORLD_DOCKERFILE = """\
FROM python:3.12-slim
{copy}RUN pip install --no-cache-dir "{requirement}"
RUN mkdir /state
COPY task.json /world/task.json
EXPOSE 8000
HEALTHCHECK --interval=2s --start-period=30s CMD python3 -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/')"
CMD ["python3", "-m", "rlgym.adapters.harbor", "world", "/world/task.json", "--state", "/state/episode.json"]
"""

COMPOSE = """\
services:
  main:
    depends_on:
      world:
        condition: service_healthy
  world:
    build:
      context: ./world
"""

IGNORED = """\
world
docker-compose.yaml
"""

# Without a reward file Harbor reports an error and no reward: that is what a failure of the verifier must give.
TEST_ONE_TURN = """\
#!/bin/bash
# Scores /app/answer.txt. Exits with an error and writes no reward where the failure is not the agent's.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if ! python3 -c "import rlgym" 2>/dev/null; then
  # A harness without separate verifier images runs the tests in the agent's image, which holds no rlgym.
  wheel=$(ls "$here"/*.whl 2>/dev/null | head -n 1)
  python3 -m pip install --quiet "${{wheel:-{requirement}}}"
fi
mkdir -p /logs/verifier
exec python3 -P -m rlgym.adapters.harbor score "$here/task.json" /app/answer.txt --out /logs/verifier
"""

TEST_MANY_TURNS = """\
#!/bin/bash
# Takes the score from the world's record of the episode. An episode that was not played to its end earns 0.
set -eu
mkdir -p /logs/verifier
exec python3 -P - <<'END'
import json
import sys

with open("/state/episode.json", encoding="utf-8") as file:
    score = json.load(file)["score"]
if score["masked"]:
    sys.exit(f"the episode could not be scored: {score['reason']}")
with open("/logs/verifier/score.json", "w", encoding="utf-8") as file:
    json.dump(score, file)
with open("/logs/verifier/reward.txt", "w", encoding="utf-8") as file:
    file.write(f"{score['value']}\\n")
END
"""

SOLVE_ONE_TURN = """\
#!/bin/bash
set -eu
cp "$(dirname "$0")/response.txt" /app/answer.txt
"""

SOLVE_MANY_TURNS = """\
#!/bin/bash
set -eu
exec python3 - "$(dirname "$0")/turns.json" <<'END'
import json
import subprocess
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    for turn in json.load(file):
        subprocess.run(["respond"], input=turn, text=True, encoding="utf-8", check=True)
END
"""

RESPOND = '''\
#!/usr/bin/env python3
"""Send one response, from standard input, to the task's world, and print what comes next; --show prints the latest observation again."""

import os
import sys
import urllib.request

body = None if "--show" in sys.argv[1:] else sys.stdin.buffer.read()
with urllib.request.urlopen(urllib.request.Request(os.environ.get("WORLD_URL", "http://world:8000/"), data=body), timeout=600) as reply:
    print(reply.read().decode())
'''
