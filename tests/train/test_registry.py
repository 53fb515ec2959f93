"""Names, options and papers of all algorithms: what is wrong is refused in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from rlgym.core.errors import RlgymError, UnknownName
from rlgym.train.advantages import ADVANTAGES
from rlgym.train.advantages.set_based import MvarOptions
from rlgym.train.losses import LOSSES, ValueOptions
from rlgym.train.losses.mixed_policy import MixedPolicyOptions
from rlgym.train.registry import OptionError
from rlgym.train.regularizers.entropy import EntropyMaskOptions, EntropyOptions
from rlgym.train.regularizers.kl import KlOptions
from rlgym.train.regularizers.reference_reset import ResetOptions
from rlgym.train.rewards.overlong import OverlongOptions
from rlgym.train.tasks.hints import HintOptions

pytest.importorskip("torch", reason="the trainer needs torch")

DOCS = Path(__file__).parents[2] / "docs" / "train"
REGISTRIES = {"advantage": ADVANTAGES, "loss": LOSSES}
NEEDED = {OverlongOptions: {"max_tokens": 100, "buffer_tokens": 20}}
"""What an algorithm cannot be chosen without."""

SHARED_OPTIONS = ("aggregation", "aggregation_constant", "tis_cap", "tis_floor", "tis_mode", "tis_level")
"""Options of all losses over tokens, which their page explains once."""

OPTIONS = sorted(
    {
        *(chosen[name].options for chosen in REGISTRIES.values() for name in chosen),
        EntropyMaskOptions,
        EntropyOptions,
        HintOptions,
        KlOptions,
        MixedPolicyOptions,
        OverlongOptions,
        ResetOptions,
        ValueOptions,
    },
    key=lambda options: options.__name__,
)


def bounds():
    """For each number that may be set, its options and values just outside its range."""
    for options in OPTIONS:
        for name, schema in options.model_json_schema()["properties"].items():
            for kind in schema.get("anyOf", [schema]):
                step = 1 if kind.get("type") == "integer" else 1e-3
                if "minimum" in kind:
                    yield options, name, kind["minimum"] - step
                if "exclusiveMinimum" in kind:
                    yield options, name, kind["exclusiveMinimum"]
                if "maximum" in kind:
                    yield options, name, kind["maximum"] + step
                if "exclusiveMaximum" in kind:
                    yield options, name, kind["exclusiveMaximum"]


OUTSIDE = list(bounds())


@pytest.mark.parametrize("kind", REGISTRIES)
def test_an_unknown_name_gets_a_suggestion(kind):
    chosen = REGISTRIES[kind]
    for name in chosen:
        misspelt = name[:-1] + "x"
        with pytest.raises(UnknownName, match=rf"unknown {kind} '{misspelt}'. Did you mean '\w+'\?") as error:
            chosen[misspelt]
        assert all(known in str(error.value) for known in chosen.names)
    with pytest.raises(UnknownName) as error:
        chosen["zzzzzzzz"]
    assert "Did you mean" not in str(error.value)


def test_suggestions_are_near():
    with pytest.raises(UnknownName, match="Did you mean 'rloo'"):
        ADVANTAGES["rlo"]
    with pytest.raises(UnknownName, match="Did you mean 'pg_clip'"):
        LOSSES["pgclip"]


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_algorithm_has_a_paper_a_sentence_and_defaults(kind):
    chosen = REGISTRIES[kind]
    assert len(chosen) == len(chosen.names) == len(list(chosen))
    for name in chosen:
        algorithm = chosen[name]
        assert algorithm.name == name
        assert name in chosen
        assert len(algorithm.paper) > 10
        assert algorithm.run.__doc__
        assert algorithm.options.from_dict({}) == algorithm.options()
    assert "no such" not in chosen


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.__name__)
def test_every_option_states_its_meaning(options):
    assert issubclass(options, BaseModel)
    for name, field in options.model_fields.items():
        assert field.description, name


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.__name__)
def test_an_unknown_option_is_refused(options):
    needed = NEEDED.get(options, {})
    with pytest.raises(OptionError, match=r"unknown option 'zzzzzzzz'\. (Known options:|This algorithm has no options)") as error:
        options.from_dict({**needed, "zzzzzzzz": 1})
    assert "Did you mean" not in str(error.value)
    for name in options.model_fields:
        with pytest.raises(OptionError, match=rf"unknown option '{name}x'. Did you mean '{name}'\?"):
            options.from_dict({**needed, f"{name}x": 1})


def test_the_bounds_were_found():
    assert len(OUTSIDE) > 80
    assert {options for options, _, _ in OUTSIDE} >= {options for options in OPTIONS if options.model_fields} - {HintOptions}


@pytest.mark.parametrize(("options", "name", "value"), OUTSIDE, ids=lambda x: x.__name__ if isinstance(x, type) else str(x))
def test_a_number_out_of_its_range_is_refused(options, name, value):
    with pytest.raises(OptionError, match=rf"{name}={re.escape(repr(value))}: Input should be (greater|less) than"):
        options.from_dict({**NEEDED.get(options, {}), name: value})


@pytest.mark.parametrize("value", ["much", None, float("nan"), float("inf"), [1]])
def test_what_is_no_number_is_refused(value):
    for options, name in [(ADVANTAGES["grpo"].options, "epsilon"), (LOSSES["pg_clip"].options, "clip_low"), (KlOptions, "coef")]:
        with pytest.raises(OptionError, match=name):
            options.from_dict({name: value})


@pytest.mark.parametrize(
    ("options", "given"),
    [
        (LOSSES["pg_clip"].options, {"aggregation": "tokens"}),
        (LOSSES["real"].options, {"aggregation": "token"}),
        (KlOptions, {"estimator": "k4"}),
        (LOSSES["pg_clip"].options, {"tis_mode": "mask"}),
        (LOSSES["pg_clip"].options, {"tis_cap": 0.2, "tis_floor": 0.5}),
        (MixedPolicyOptions, {"weighting": "single"}),
        (HintOptions, {"fractions": ()}),
        (MvarOptions, {"low_quantile": 0.9, "high_quantile": 0.2}),
        (MvarOptions, {"low_quantile": 0.5, "high_quantile": 0.5}),
        (MvarOptions, {"tracked_quantiles": (2, 1)}),
        (MvarOptions, {"tracked_quantiles": (1,)}),
        (OverlongOptions, {}),
    ],
)
def test_what_does_not_fit_is_refused(options, given):
    with pytest.raises(OptionError) as error:
        options.from_dict(given)
    assert "Value error" not in str(error.value)
    assert "\n" not in str(error.value)
    for name in given:
        assert name in str(error.value)


def test_what_must_be_given_is_named():
    with pytest.raises(OptionError, match=r"^the option 'max_tokens' is required$"):
        OverlongOptions.from_dict({"buffer_tokens": 3})


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(
        OptionError, match=r"clip_low=-1: .*; clip_high='wide': .*; unknown option 'aggregatio'. Did you mean 'aggregation'"
    ):
        LOSSES["pg_clip"].options.from_dict({"clip_low": -1, "clip_high": "wide", "aggregatio": "token"})


def test_an_option_error_is_a_value_error_of_ours():
    assert issubclass(OptionError, ValueError)
    assert issubclass(OptionError, RlgymError)


def test_options_cannot_be_changed():
    options = LOSSES["pg_clip"].options()
    with pytest.raises(ValueError, match="frozen"):
        options.clip_low = 0.5


def page(name):
    return " ".join((DOCS / f"{name}.md").read_text().split())


def spelled(default):
    """A default as a page spells it."""
    if default is None or isinstance(default, bool):
        return str(default).lower()
    return re.sub(r"e-0", "e-", str(default))


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in REGISTRIES for name in REGISTRIES[kind]], ids=lambda x: x if isinstance(x, str) else None
)
def test_every_algorithm_is_on_its_page(kind, name):
    algorithm = REGISTRIES[kind][name]
    text = page("step-credit" if algorithm.token_rewards else f"{kind}s" if kind == "advantage" else "losses")
    assert algorithm.paper in text
    heading = next(part for part in re.split(r" #{2,3} ", text) if part.startswith("`") and f"`{name}`" in part.split("```")[0])
    for option, field in algorithm.options.model_fields.items():
        shared = option in SHARED_OPTIONS or (option == "success_threshold" and kind == "loss")
        where = text if shared else heading
        assert re.search(rf"\| [^|]*`{option}`[^|]* \|", where), option
        assert spelled(field.default) in where, option


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("losses", ValueOptions),
        ("kl-and-entropy", KlOptions),
        ("kl-and-entropy", ResetOptions),
        ("kl-and-entropy", EntropyOptions),
        ("kl-and-entropy", EntropyMaskOptions),
        ("sampling-and-filters", OverlongOptions),
        ("off-policy", HintOptions),
        ("off-policy", MixedPolicyOptions),
    ],
)
def test_every_option_is_on_its_page(file, options):
    for name, field in options.model_fields.items():
        if name.startswith("tis_"):
            continue
        assert re.search(rf"\| [^|]*`{name}`[^|]* \|", page(file)), name
        default = "must be given" if field.is_required() else spelled(field.default)
        assert name in ("aggregation", "aggregation_constant", "fractions") or default in page(file), name


@pytest.mark.parametrize("file", sorted(DOCS.glob("*.md")), ids=lambda file: file.stem)
def test_links_between_the_pages_lead_somewhere(file):
    for target, anchor in re.findall(r"\]\(([\w-]+\.md)(?:#([\w-]+))?\)", file.read_text()):
        headings = re.findall(r"^#+ (.+)$", (DOCS / target).read_text(), re.MULTILINE)
        assert not anchor or anchor in [re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings], (
            target,
            anchor,
        )
