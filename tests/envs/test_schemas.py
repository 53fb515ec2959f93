"""The validator of generated schemas agrees with a full one."""

import json

import pytest

from rlgym.core.rng import Rng
from rlgym.envs.instruction_following import structured_output_schema as env
from rlgym.generators.constraints.schemas import find_violation


@pytest.mark.parametrize("level", [0, 0.5, 1])
def test_the_validator_agrees_with_a_full_one(level: float) -> None:
    full = pytest.importorskip("jsonschema")
    refused = 0
    for seed in range(12):
        for make in (env.generate, env.shift):
            task = make(Rng("schemas", seed, str(level)), env.Knobs.at(level))
            schema = json.loads(task.data.schema_text)
            for text in (
                env.solve(task),
                *env.mistakes(task, env.solve(task)),
                *env.environment.answer.near_misses(env.solve(task)),
                "{}",
                "[]",
                "1",
            ):
                value = json.loads(text)
                valid = full.Draft202012Validator(schema).is_valid(value)
                assert valid == (find_violation(value, schema, schema) is None), text
                refused += not valid
    assert refused > 50
