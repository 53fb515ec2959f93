"""An environment whose package is not installed is skipped by patterns, and named; requested by name it is kept."""

import pytest

from rlgym.core.errors import RecipeError
from rlgym.dataset import Recipe
from rlgym.episode import play


@pytest.fixture
def without_duckdb(monkeypatch):
    found = play.find_spec
    monkeypatch.setattr(play, "find_spec", lambda package: None if package == "duckdb" else found(package))


@pytest.mark.parametrize("expected", ["all", "sql", "duckdb_*"])
def test_patterns_skip_and_name_what_cannot_be_scored(without_duckdb, expected):
    names = [expected, "chain_sum"]
    recipe = Recipe(name="some", names=names, count=10)
    assert "duckdb_analytics" not in recipe.environments()
    assert recipe.skipped() == {
        "duckdb_analytics": "duckdb_analytics needs duckdb to score answers: install it with `pip install 'rlvrgym[duckdb]'`"
    }


def test_an_environment_asked_for_by_name_is_kept(without_duckdb):
    recipe = Recipe(name="some", names=["duckdb_analytics"], count=10)
    assert recipe.environments() == ["duckdb_analytics"]
    assert recipe.skipped() == {}


def test_a_recipe_of_which_nothing_is_left_says_what_to_install(without_duckdb):
    with pytest.raises(RecipeError, match=r"rlvrgym\[duckdb\]"):
        Recipe(name="some", names=["duckdb_*"], count=10)


def test_the_environments_that_need_an_extra_are_these_few():
    import rlgym

    needing = {name: needs for name in rlgym.names() if (needs := set(getattr(rlgym.environment(name), "needs", ())) - {"z3"})}
    assert needing == {"duckdb_analytics": {"duckdb"}, "javascript_port": {"quickjs"}, "translate_to_javascript": {"quickjs"}}
