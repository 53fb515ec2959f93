"""Builds the plan of `rlgym eval run` from its options: the suite and the model."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import RlgymError, suggestion

if TYPE_CHECKING:
    from rlgym.evaluate.episodes.episode import EpisodeConfig
    from rlgym.evaluate.models.base import Model
    from rlgym.evaluate.plan import EvaluationPlan
    from rlgym.evaluate.suites import Suite
    from rlgym.users import ModelUser


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the command."""

    suite: list[str] = field(default_factory=list)
    levels: str | None = None
    count: int | None = None
    shift: bool = False
    variants: bool = False
    limit: int | None = None
    model: str | None = None
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    transformers: str | None = None
    vllm: str | None = None
    vllm_serve: bool = False
    engine_args: dict[str, Any] = field(default_factory=dict)
    stream: bool = True
    max_concurrency: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: int | None = None
    max_retries: int = 6
    timeout: float = 600.0
    max_characters: int = 400_000
    label: str = ""
    max_cost: float | None = None
    user_model: str | None = None
    user_base_url: str | None = None
    user_api_key_env: str = "OPENAI_API_KEY"
    judge_model: str | None = None
    judge_base_url: str | None = None
    judge_api_key_env: str = "OPENAI_API_KEY"
    scorer: str | None = None
    parameters: float | None = None


def build_plan(options: Options, config: EpisodeConfig, dry_run: bool) -> EvaluationPlan:
    """The plan of a run. A dry run sends no requests, so it needs no model."""
    from rlgym.evaluate.models.builtin import BuiltinModel
    from rlgym.evaluate.plan import EvaluationPlan

    if not dry_run:
        _check_model_options(options)
    suite = _suite(options, config.sampling.seed)
    model = BuiltinModel("oracle", []) if dry_run else _model(options, suite, config)
    limits = {"seconds": options.timeout, "characters": options.max_characters} if model.kind == "openai" else {}
    user, judge = _user(options, suite), _judge(options)
    scorer = None if dry_run else _scorer(options)
    return EvaluationPlan(
        suite, model, config, options.label, limits, options.max_cost, user=user, judge=judge, scorer=scorer, parameters=options.parameters
    )


def connect_models(options: Options, config: EpisodeConfig) -> tuple[Model | None, Model | None]:
    """The model and the judge of a command that plays no suite; None where neither is named."""
    named = (options.model, options.base_url, options.transformers, options.vllm)
    if all(value is None for value in named) and not options.vllm_serve and not options.engine_args:
        if (options.judge_model is None) != (options.judge_base_url is None):
            raise RlgymError("--judge-model and --judge-base-url belong together: give both, or neither")
        return None, _judge(options)
    _check_model_options(options)
    if options.base_url is None and options.transformers is None and options.vllm is None:
        raise RlgymError(f"the built-in model {options.model!r} plays suites only: give --base-url, --transformers or --vllm")
    return _model(options, None, config), _judge(options)


def _check_model_options(options: Options) -> None:
    """Reject wrong options before tasks are generated, which takes a while."""
    from rlgym.evaluate.models.builtin import BUILTIN_MODELS

    sources = {"--base-url": options.base_url, "--transformers": options.transformers, "--vllm": options.vllm}
    flags = [flag for flag, value in sources.items() if value is not None]
    if len(flags) > 1:
        raise RlgymError(f"{' and '.join(flags)} exclude each other: give one of them")
    if not flags and options.model is None:
        raise RlgymError("choose a model: --model NAME with --base-url, or --transformers, or --vllm, or --model oracle for a test")
    if not flags and options.model not in BUILTIN_MODELS:
        near = suggestion(str(options.model), BUILTIN_MODELS)
        raise RlgymError(
            f"the address of the model {options.model!r} is missing.{near} Give --base-url, or --transformers or --vllm for a local model"
        )
    if options.base_url is not None and options.model is None:
        raise RlgymError("--base-url needs the name of a model: --model NAME")
    if (options.user_model is None) != (options.user_base_url is None):
        raise RlgymError("--user-model and --user-base-url belong together: give both, or neither")
    if (options.judge_model is None) != (options.judge_base_url is None):
        raise RlgymError("--judge-model and --judge-base-url belong together: give both, or neither")
    if (options.vllm_serve or options.engine_args) and options.transformers is None and options.vllm is None:
        raise RlgymError("--vllm-serve and --engine-arg apply to local models: give --transformers or --vllm")


def _user(options: Options, suite: Suite) -> ModelUser | None:
    """The model that plays people; the suite must have some."""
    from rlgym.registry import environment
    from rlgym.users import EndpointJudge, ModelUser, has_people

    if options.user_model is None:
        return None
    assert options.user_base_url is not None
    if not any(has_people(name, environment(name)) for name in {row["env"] for row in suite.rows}):
        raise RlgymError("--user-model plays the people of tool worlds, and the suite has none: try --suite clinic_appointments")
    return ModelUser(EndpointJudge(options.user_base_url, options.user_model, os.environ.get(options.user_api_key_env, "")))


def _judge(options: Options) -> Model | None:
    """The model that judges candidates of strategies."""
    if options.judge_model is None or options.judge_base_url is None:
        return None
    return _endpoint(options, options.judge_base_url, options.judge_model, options.judge_api_key_env)


def _scorer(options: Options) -> Model | None:
    """The trained scorers of steps, one or an ensemble."""
    if options.scorer is None:
        return None
    from rlgym.evaluate.models.step_scorer import StepScorer

    return StepScorer([folder.strip() for folder in options.scorer.split(",") if folder.strip()])


def _suite(options: Options, seed: int) -> Suite:
    from rlgym.evaluate import suites

    names = [name.strip() for text in options.suite for name in text.split(",") if name.strip()]
    if not names:
        raise RlgymError(f"--suite takes a suite ({', '.join(suites.names())}), environments, domains or patterns")
    if len(names) == 1 and (names[0] in suites.names() or names[0].endswith(".json") or names[0].rpartition("-v")[2].isdigit()):
        drawing_options = {"--levels": options.levels, "--count": options.count, "--shift": options.shift or None}
        if flags := [flag for flag, value in drawing_options.items() if value is not None]:
            raise RlgymError(f"the suite {names[0]!r} is pinned, so {', '.join(flags)} cannot be set: use --limit for fewer tasks")
        suite = suites.load(names[0])
    else:
        levels: dict[str, Any] = {} if options.levels is None else {"levels": level_list(options.levels)}
        suite = suites.from_names(names, count=options.count or 200, seed=seed, shift=options.shift, **levels)
    suite = suite if options.limit is None else suite.first(options.limit)
    if options.variants:
        from rlgym.evaluate.statement_variants import with_variants

        return with_variants(suite)
    return suite


def level_list(text: str) -> list[float]:
    """The levels in a text, separated by commas."""
    try:
        return [float(level) for level in text.split(",")]
    except ValueError:
        raise RlgymError(f"--levels takes numbers separated by commas, got {text!r}") from None


def _model(options: Options, suite: Suite | None, config: EpisodeConfig) -> Model:
    from rlgym.evaluate.models.builtin import BUILTIN_MODELS, BuiltinModel

    if options.transformers is not None or options.vllm is not None:
        return _local_model(options, config)
    assert options.model is not None
    if options.base_url is None and options.model in BUILTIN_MODELS and suite is not None:
        return BuiltinModel("oracle" if options.model == "oracle" else "mistake", suite.rows)
    assert options.base_url is not None
    return _endpoint(options, options.base_url, options.model, options.api_key_env)


def _endpoint(options: Options, base_url: str, model: str, api_key_env: str) -> Model:
    from rlgym.evaluate.models.endpoint import Endpoint, RequestLimits
    from rlgym.evaluate.models.rate_limit import RateLimiter

    return Endpoint(
        base_url,
        model,
        os.environ.get(api_key_env),
        stream=options.stream,
        max_concurrency=options.max_concurrency or 16,
        limits=RequestLimits(options.timeout, options.max_characters, options.max_retries),
        rate_limiter=RateLimiter(options.requests_per_minute, options.tokens_per_minute),
    )


def _local_model(options: Options, config: EpisodeConfig) -> Model:
    """A model that runs on this machine."""
    concurrency = options.max_concurrency
    model: Any
    if options.vllm is None:
        from rlgym.evaluate.models.transformers_model import TransformersModel

        if unknown := set(options.engine_args) - {"device", "dtype"}:
            raise RlgymError(f"--transformers has no engine argument {min(unknown)!r}: it has device and dtype")
        device, dtype = options.engine_args.get("device"), options.engine_args.get("dtype")
        folder, batch_size = options.transformers or "", concurrency or 16
        model = TransformersModel(folder, name=options.model, batch_size=batch_size, device=device, dtype=dtype)
    elif options.vllm_serve:
        from rlgym.evaluate.models.vllm_server import VllmServer

        arguments = _command_line_arguments(options.engine_args)
        model = VllmServer(options.vllm, name=options.model, arguments=arguments, max_concurrency=concurrency or 128)
    else:
        from rlgym.evaluate.models.vllm_in_process import VllmModel

        model = VllmModel(options.vllm, name=options.model, max_concurrency=concurrency or 128, engine_args=options.engine_args)
    if config.native_tools and not getattr(model, "supports_native_tools", True):
        raise RlgymError(f"the chat template of {model.name!r} has no tools: use --tools text")
    checked: Model = model
    return checked


def _command_line_arguments(engine_args: dict[str, Any]) -> list[str]:
    """Engine arguments as arguments of `vllm serve`; one that is true becomes a flag."""
    words: list[str] = []
    for name, value in engine_args.items():
        flag = f"--{name.replace('_', '-')}"
        words += [flag] if value is True else [flag, value if isinstance(value, str) else json.dumps(value)]
    return words
