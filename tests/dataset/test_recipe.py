"""Recipes: what they accept, what they say of a mistake, and the splits and shares that follow from them."""

from collections import Counter

import pytest

import rlgym
from rlgym.core.errors import RecipeError
from rlgym.dataset import Recipe, build, load
from rlgym.dataset.recipe import Slot, plan


def test_names_domains_and_patterns():
    assert Recipe(names="all").environments() == rlgym.names()
    assert Recipe(names="chain_sum, higher_lower").environments() == ["chain_sum", "higher_lower"]
    assert Recipe(names=["graphs", "chain_s?m", "chain_sum"]).environments() == sorted({"chain_sum", *rlgym.names("graphs")})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"names": "chain_smu"}, "Did you mean 'chain_sum'"),
        ({"names": "arithmetics"}, "Did you mean 'arithmetic'"),
        ({"names": "zzz*"}, "no name matches it"),
        ({"names": []}, "names"),
        ({"cuont": 3}, "Did you mean 'count'"),
        ({"count": 0}, "count"),
        ({"count": "many"}, "count"),
        ({"seed": -1}, "seed"),
        ({"levels": []}, "levels"),
        ({"levels": [1.5]}, "level must be from 0"),
        ({"levels": [float("nan")]}, "level must be from 0"),
        ({"splits": {"train": 0.5, "test": 0.4}}, "sum to 1"),
        ({"splits": {"train": 1.5, "test": -0.5}}, "sum to 1"),
        ({"splits": {"train": float("nan"), "test": 0.5}}, "sum to 1"),
        ({"splits": {"train/x": 1.0}}, "split's name"),
        ({"weights": {"chain_smu": 2}}, "Did you mean 'chain_sum'"),
        ({"weights": {"chain_sum": -1}}, "weights must be"),
        ({"weights": {"chain_sum": float("inf")}}, "weights must be"),
        ({"knobs": {"chain_sum": {"trems": 3}}}, "Did you mean 'terms'"),
        ({"knobs": {"chain_sum": {"terms": 999}}}, "terms must be an integer from 2 to 40"),
        ({"answer_style": "bold"}, "answer_style"),
        ({"format": "csv"}, "format"),
        ({"shard_rows": 0}, "shard_rows"),
    ],
)
def test_errors_say_what_is_wrong(given, message):
    with pytest.raises(RecipeError, match=message):
        Recipe(**{"names": ["chain_sum"], **given})


def test_recipe_files(tmp_path):
    (tmp_path / "a.yaml").write_text("names: [chain_sum]\nlevels: [0, 0.5]\ncount: 20\nsplits: {train: 0.5, test: 0.5}\n")
    (tmp_path / "a.json").write_text('{"names": "chain_sum", "levels": [0, 0.5], "count": 20, "splits": {"test": 0.5, "train": 0.5}}')
    assert Recipe.read(tmp_path / "a.yaml") == Recipe.read(tmp_path / "a.json")
    assert Recipe.read(tmp_path / "a.yaml").digest == Recipe.read(tmp_path / "a.json").digest
    for text in ("- a\n", "names: [", "1: 2\n", "names: [chain_sum]\ncuont: 3\n"):
        (tmp_path / "b.yaml").write_text(text)
        with pytest.raises(RecipeError):
            Recipe.read(tmp_path / "b.yaml")
    with pytest.raises(RecipeError, match="cannot be read"):
        Recipe.read(tmp_path / "none.yaml")


def test_levels_are_mixed_evenly_also_when_shares_are_small():
    slots = plan(Recipe(names="all", levels=[0.0, 0.25, 0.5, 0.75, 1.0], count=2 * len(rlgym.names())))
    levels = Counter(slot.level for slot in slots)
    assert len(levels) == 5
    assert max(levels.values()) - min(levels.values()) <= 1


def test_seeds_never_change():
    first = Slot("chain_sum", 0.0, 0)
    assert (first.seed(1, 0), first.seed(1, 1)) == (2181675166344304879, 1650756841233838681)


def test_splits_share_no_task_within_and_across_datasets(tmp_path):
    def prompts(folder, split):
        return {(row["env"], row["prompt"]) for row in load(folder, split)}

    # Small pools, so that two recipes with other seeds make many of the same tasks.
    common = {"names": ["chain_sum"], "knobs": {"chain_sum": {"terms": 2, "digits": 1}}, "levels": [0.0], "count": 180}
    build(Recipe(**common, seed=1, splits={"train": 0.6, "validation": 0.2, "test": 0.2}), tmp_path / "one")
    build(Recipe(**common, seed=2, splits={"test": 0.2, "validation": 0.2, "train": 0.6}, format="jsonl"), tmp_path / "two")
    build(Recipe(**common, seed=3, splits={"test": 0.3, "train": 0.7}), tmp_path / "three")
    folders = [tmp_path / "one", tmp_path / "two"]
    for split in ("train", "validation", "test"):
        others = [other for other in ("train", "validation", "test") if other != split]
        for local in folders:
            assert prompts(local, split)
            for there in folders:
                assert not any(prompts(local, split) & prompts(there, other) for other in others)
    assert prompts(folders[0], "train") & prompts(folders[1], "train")
    assert not prompts(folders[0], "train") & prompts(tmp_path / "three", "test")


def test_environments_are_excluded_by_name_domain_and_pattern():
    everything = Recipe(names="arithmetic, graphs").environments()
    fewer = Recipe(names="arithmetic, graphs", exclude="chain_*, graphs").environments()
    assert set(fewer) == {name for name in everything if not name.startswith("chain_") and name in rlgym.names("arithmetic")}
    assert Recipe(names=["chain_sum", "gcd_lcm"], exclude=["gcd_lcm"]).environments() == ["chain_sum"]
    with pytest.raises(RecipeError, match="Did you mean 'chain_sum'"):
        Recipe(exclude=["chain_sm"])
    with pytest.raises(RecipeError, match="no environment"):
        Recipe(names=["chain_sum"], exclude=["arithmetic"])


def test_only_the_kinds_that_are_asked_for_are_taken():
    for kind in ("environment", "game", "match"):
        recipe = Recipe(names="all", kinds=[kind], count=10)
        assert {rlgym.environment(name).kind for name in recipe.environments()} == {kind}
    with pytest.raises(RecipeError, match="kinds"):
        Recipe(kinds=["tool"])


def test_exclusions_leave_the_slots_of_the_others_as_they_are():
    names = ["chain_sum", "gcd_lcm", "shortest_path", "sudoku"]
    before = {(slot.name, slot.index): slot.level for slot in plan(Recipe(names=names, levels=[0, 0.3, 0.6], count=101))}
    for excluded in names:
        after = plan(Recipe(names=names, levels=[0, 0.3, 0.6], count=101, exclude=[excluded]))
        kept = [slot for slot in after if (slot.name, slot.index) in before]
        assert len(kept) == sum(name != excluded for name, _ in before)
        assert all(before[slot.name, slot.index] == slot.level for slot in kept)
