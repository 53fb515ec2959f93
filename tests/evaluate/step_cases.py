"""Responses to sums with planted slips, as an evaluation records them."""

import hashlib
import json
import re

import rlgym
from rlgym.dataset import Session, row_without_oracle
from rlgym.evaluate.models.base import Completion
from rlgym.evaluate.step_texts import step_ends
from rlgym.evaluate.steps.label import records_of_results

NAME, LEVEL = "chain_sum", 0.1


def working(seed):
    """The steps of the worked solution of a sum."""
    return rlgym.environment(NAME).explain(rlgym.task(NAME, seed, level=LEVEL))


def slipped(steps, place):
    """The steps with the last number of one of them off by 1, and the later ones as they were."""
    number = re.findall(r"-?\d+", steps[place])[-1]
    head, _, tail = steps[place].rpartition(number)
    return [*steps[:place], f"{head}{int(number) + 1}{tail}", *steps[place + 1 :]]


def result(seed, steps, answer=None, sample=0, **changed):
    """A row of an evaluation: these steps in lines, and the answer, the right one by default."""
    declared, task = rlgym.environment(NAME), rlgym.task(NAME, seed, level=LEVEL)
    total = declared.solve(task)
    text = "\n".join([*steps, f"<answer>{total if answer is None else answer}</answer>"])
    row = row_without_oracle(NAME, seed, LEVEL)
    plain = {"id": row["id"], "env": NAME, "version": declared.version, "kind": "environment", "level": LEVEL, "seed": seed}
    messages = [{"role": "user", "content": task.prompt}, {"role": "assistant", "content": text}]
    right = answer is None or answer == total
    return plain | {"sample": sample, "masked": False, "right": right, "messages": json.dumps(messages)} | changed


def records(*results):
    return records_of_results(results).records


class Continuing:
    """Continues right lines of a worked sum with the right answer, and every text with a wrong line with a wrong one; judges steps truly."""

    kind, name, max_concurrency = "simulated", "continuing", 4

    def __init__(self, seeds, lucky=0.0, critique=None):
        self.rows = {Session(row_without_oracle(NAME, seed, LEVEL)).observation: seed for seed in seeds}
        self.lucky, self.critique, self.requests = lucky, critique, []

    def metadata(self):
        return {}

    async def close(self):
        pass

    async def generate(self, messages, tools, sampling, seed):
        self.requests.append((json.dumps(messages), seed))
        first = messages[0]["content"]
        if "Check the steps in order" in first:
            return Completion({"role": "assistant", "content": self.critique(first)}, 50, 10)
        number = self.rows[first]
        lines = messages[-1]["content"].split("\n") if messages[-1]["role"] == "assistant" else []
        right = all(line in working(number) for line in lines if line)
        chance = hashlib.sha256(json.dumps([messages, seed]).encode()).digest()[0] / 256
        task = rlgym.task(NAME, number, level=LEVEL)
        total = rlgym.environment(NAME).solve(task) + (0 if right or chance < self.lucky else 1)
        return Completion({"role": "assistant", "content": f"<answer>{total}</answer>"}, 50, 10)


def write_run(folder, results):
    """A folder of an evaluation with these rows."""
    from evaluate.result_rows import row, run

    rows = [row(**{"task": each["id"], **{key: value for key, value in each.items() if key != "id"}}) for each in results]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(run(rows)))
    (folder / "episodes.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    return folder


class Fixed:
    """A scorer that scores each step as it is told to, from the text of the step alone."""

    kind, name, max_concurrency = "scorer", "fixed", 4

    def __init__(self, says):
        self.says, self.asked = says, []

    async def close(self):
        pass

    def scores(self, messages, text, ends):
        starts = (0, *ends[:-1])
        return [self.says(text[start:end].strip()) for start, end in zip(starts, ends, strict=True)], 20

    async def generate(self, messages, tools, sampling, seed):
        text = messages[-1]["content"]
        self.asked.append(text)
        scores, tokens = self.scores(messages, text, step_ends(text, sampling.extra["separator"]))
        return Completion({"role": "assistant", "content": json.dumps(scores)}, tokens, 0)
