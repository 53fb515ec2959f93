"""What the options of `rlgym eval run` ask for: the suite and the model."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlgym.core.errors import RlgymError

if TYPE_CHECKING:
    from rlgym.evaluate.episode import Asking
    from rlgym.evaluate.models import Model
    from rlgym.evaluate.run import Plan
    from rlgym.evaluate.suites import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options, as given."""

    suite: list[str]
    levels: str | None
    count: int | None
    shift: bool
    limit: int | None
    model: str | None
    url: str | None
    key_env: str
    folder: str | None
    vllm: str | None
    served: bool
    engine: dict[str, Any]
    stream: bool
    at_once: int | None
    requests: float | None
    tokens: int | None
    retries: int
    seconds: float
    characters: int
    label: str
    max_cost: float | None


def planned(options: Options, asking: Asking, dry_run: bool) -> Plan:
    """The plan of a run. A dry run asks nothing, and so needs no model."""
    from rlgym.evaluate.players import Player
    from rlgym.evaluate.run import Plan

    _check(options, dry_run)
    suite = _suite(options, asking.sampling.seed)
    model = Player("oracle", []) if dry_run else _model(options, suite, asking)
    limits = {"seconds": options.seconds, "characters": options.characters} if model.kind == "openai" else {}
    return Plan(suite, model, asking, options.label, limits, options.max_cost)


def _check(options: Options, dry_run: bool) -> None:
    """What can be said to be wrong before tasks are made, which takes a while."""
    from rlgym.evaluate.players import PLAYERS

    if dry_run:
        return
    ways = {"--url": options.url, "--folder": options.folder, "--vllm": options.vllm}
    given = [way for way, value in ways.items() if value is not None]
    if len(given) > 1:
        raise RlgymError(f"{' and '.join(given)} are different models: give one of them")
    if not given and options.model is None:
        raise RlgymError("say which model: --model NAME with --url, or --folder, or --vllm, or --model oracle to try it out")
    if not given and options.model not in PLAYERS:
        raise RlgymError(f"say where the model {options.model!r} is reached: --url, or --folder or --vllm for one that runs here")
    if options.url is not None and options.model is None:
        raise RlgymError("say which model of the endpoint: --model NAME")
    if (options.served or options.engine) and options.folder is None and options.vllm is None:
        raise RlgymError("--served and --engine are for models that run here, with --folder or --vllm")


def _suite(options: Options, seed: int) -> Suite:
    from rlgym.evaluate import suites

    asked = [name.strip() for text in options.suite for name in text.split(",") if name.strip()]
    if not asked:
        raise RlgymError(f"say what to ask: a suite ({', '.join(suites.names())}), environments, domains or patterns")
    if len(asked) == 1 and (asked[0] in suites.names() or asked[0].endswith(".json") or asked[0].rpartition("-v")[2].isdigit()):
        drawn = {"--levels": options.levels, "--count": options.count, "--shift": options.shift or None}
        if given := [name for name, value in drawn.items() if value is not None]:
            raise RlgymError(f"the suite {asked[0]!r} is pinned, so that {', '.join(given)} cannot be set: use --limit for fewer tasks")
        suite = suites.load(asked[0])
    else:
        levels: dict[str, Any] = {} if options.levels is None else {"levels": _levels(options.levels)}
        suite = suites.from_names(asked, count=options.count or 200, seed=seed, shift=options.shift, **levels)
    return suite if options.limit is None else suite.first(options.limit)


def _levels(text: str) -> list[float]:
    try:
        return [float(level) for level in text.split(",")]
    except ValueError:
        raise RlgymError(f"levels are numbers separated by commas, got {text!r}") from None


def _model(options: Options, suite: Suite, asking: Asking) -> Model:
    from rlgym.evaluate.endpoint import Endpoint, Limits
    from rlgym.evaluate.pace import Pace
    from rlgym.evaluate.players import PLAYERS, Player

    if options.folder is not None or options.vllm is not None:
        return _local(options, asking)
    assert options.model is not None
    if options.url is None and options.model in PLAYERS:
        return Player("oracle" if options.model == "oracle" else "mistake", suite.rows)
    assert options.url is not None
    key = os.environ.get(options.key_env)
    limits = Limits(options.seconds, options.characters, options.retries)
    pace = Pace(options.requests, options.tokens)
    return Endpoint(options.url, options.model, key, stream=options.stream, at_once=options.at_once or 16, limits=limits, pace=pace)


def _local(options: Options, asking: Asking) -> Model:
    """A model that runs on this machine."""
    several = options.at_once
    found: Any
    if options.vllm is None:
        from rlgym.evaluate.local import Transformers

        batch = {} if several is None else {"batch": several}
        found = _made(Transformers, options.folder, options.engine, name=options.model, **batch)
    elif options.served:
        from rlgym.evaluate.vllm_served import ServedVllm

        found = ServedVllm(options.vllm, name=options.model, arguments=_arguments(options.engine), at_once=several or 128)
    else:
        from rlgym.evaluate.vllm_inside import Vllm

        found = Vllm(options.vllm, name=options.model, at_once=several or 128, options=options.engine)
    if asking.native and not getattr(found, "calls_tools", True):
        raise RlgymError(f"the chat template of {found.name!r} takes no tools: use --tools text")
    model: Model = found
    return model


def _made(kind: Any, folder: str | None, engine: dict[str, Any], **given: Any) -> Any:
    if strange := set(engine) - {"device", "dtype"}:
        raise RlgymError(f"a model of transformers has no option {min(strange)!r}: there are device and dtype")
    return kind(folder, **given, **engine)


def _arguments(engine: dict[str, Any]) -> list[str]:
    """Options as the arguments of `vllm serve`; one that is true is a flag."""
    words: list[str] = []
    for name, value in engine.items():
        flag = f"--{name.replace('_', '-')}"
        words += [flag] if value is True else [flag, value if isinstance(value, str) else json.dumps(value)]
    return words
