"""Prints the oldest supported version of the packages of adapters, as pip takes them: `python scripts/oldest.py mcp trl` prints mcp==2.0 ..."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "docs" / "adapters" / "records"


def lower_bound(package: str) -> str:
    """The lower bound of a package among the requirements and extras; empty where it is in none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *(needed for extra in project["optional-dependencies"].values() for needed in extra)]
    for requirement in requirements:
        found = re.match(r"([\w.-]+)(?:\[[^]]*\])?>=([\d.]+)", requirement)
        if found and found[1].lower().replace("_", "-") == package.lower().replace("_", "-"):
            return found[2]
    return ""


def main() -> None:
    """Print one requirement for each adapter; those without a bound are left out."""
    for adapter in sys.argv[1:]:
        package = json.loads((RECORDS / f"{adapter}.json").read_text(encoding="utf-8"))["package"]
        if bound := lower_bound(package):
            print(f"{package}=={bound}")


if __name__ == "__main__":
    main()
