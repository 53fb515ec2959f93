"""Write docs/train/reference.md from the trainer's registries and docs/train/compared.yaml; with --check, fail if it is out of date."""

import sys
from pathlib import Path

from rlgym.train.reference import read_compared, reference_page

PAGE = Path(__file__).parents[1] / "docs" / "train" / "reference.md"

if __name__ == "__main__":
    page = reference_page(read_compared(PAGE.with_name("compared.yaml").read_text(encoding="utf-8")))
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != page:
            sys.exit("docs/train/reference.md is out of date: run `python scripts/train_reference.py`")
    else:
        PAGE.write_text(page, encoding="utf-8")
