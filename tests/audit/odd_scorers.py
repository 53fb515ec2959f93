"""Unusual reward functions that a user may bring, and hostile ones."""

import contextlib
import json
import os
import sys
import time


def right(response, answer):
    return response == f"<answer>{answer}</answer>"


async def coroutine(response, answer):
    return float(right(response, answer))


async def coroutine_of_a_batch(prompts, completions, answer, **kwargs):
    return [float(right(response, each)) for response, each in zip(completions, answer)]


def generator_of_a_batch(prompts, completions, answer, **kwargs):
    for response, each in zip(completions, answer):
        yield float(right(response, each))


def verl_batch(data_sources, solution_strs, ground_truths, extra_infos):
    assert len({len(data_sources), len(solution_strs), len(ground_truths), len(extra_infos)}) == 1
    return [{"score": float(right(response, each))} for response, each in zip(solution_strs, ground_truths)]


def positional(response, answer, /):
    return right(response, answer)


class Class:
    def __call__(self, response, answer):
        return float(right(response, answer))


class WithArguments:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, response, answer):
        return self.weight * right(response, answer)


instance = WithArguments(1.0)


class Scalar:
    """Like an array or a tensor without dimensions."""

    ndim = 0

    def __init__(self, value):
        self.value = value

    def __len__(self):
        raise TypeError("len() of unsized object")

    def __float__(self):
        return self.value


def scalar(response, answer):
    return Scalar(float(right(response, answer)))


def pair(response, answer):
    return float(right(response, answer)), "reason"


def generator(response, answer):
    yield float(right(response, answer))


def other_key(response, answer):
    return {"accuracy": float(right(response, answer))}


def comes_back_twice(response, answer):
    os.fork()
    return float(right(response, answer))


def forks_properly(response, answer):
    process = os.fork()
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)
    return float(right(response, answer))


def leaves_a_process(response, answer):
    if os.fork() == 0:
        with open(response, "a") as file:
            while True:
                file.write(".")
                file.flush()
                time.sleep(0.05)
    return 1.0


def hangs(response, answer):
    while "loop" in response:
        pass
    return float(right(response, answer))


def writes_to_the_pipe(response, answer):
    sys.stdout.write('{"verdicts": []}\n')
    os.write(1, b'{"verdicts": []}\n')
    return float(right(response, answer))


def writes_other_replies(response, answer):
    for descriptor in range(3, 30):
        with contextlib.suppress(OSError):
            os.write(descriptor, b'{"verdicts": [{"reward": "1", "error": 5}]}\n')
    return float(right(response, answer))


def replaces_json(response, answer):
    json.dumps = lambda *arguments, **options: '{"rewards": 5, "verdicts": 5}'
    return float(right(response, answer))


class Silent(Exception):
    def __str__(self):
        raise RuntimeError


def raises_without_text(response, answer):
    raise Silent


class Lying(dict):
    def __contains__(self, key):
        raise SystemExit


def returns_what_exits(response, answer):
    return Lying()
