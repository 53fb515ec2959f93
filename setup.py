"""Maps the top-level rooms into the package; everything else is in pyproject.toml."""

from setuptools import find_packages, setup

ROOMS = ("envs", "generators", "sandbox")  # top-level folders that install as rlgym.<folder>


def packages() -> list[str]:
    inside = find_packages(include=["rlgym", "rlgym.*"], exclude=[f"rlgym.{room}*" for room in ROOMS])
    beside = [f"rlgym.{name}" for room in ROOMS for name in find_packages(include=[room, f"{room}.*"])]
    return inside + beside


setup(packages=packages(), package_dir={f"rlgym.{room}": room for room in ROOMS})
