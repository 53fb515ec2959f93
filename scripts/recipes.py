"""Write docs/train/recipes.md from the recipes' files; with --check, fail if it is out of date."""

import sys
from pathlib import Path

from rlgym.train.recipes.page import recipes_page

PAGE = Path(__file__).parents[1] / "docs" / "train" / "recipes.md"

if __name__ == "__main__":
    page = recipes_page()
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != page:
            sys.exit("docs/train/recipes.md is out of date: run `python scripts/recipes.py`")
    else:
        PAGE.write_text(page, encoding="utf-8")
