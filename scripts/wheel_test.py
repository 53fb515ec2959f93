"""Builds the wheel through the sdist, installs it alone in a new environment, and sees that nothing was lost.

A folder left out of a wheel is lost silently, so what is installed is compared with what git knows.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]

MISSING = """
import rlgym
from rlgym.core.errors import PackageMissing
for name in rlgym.names():
    try:
        rlgym.make(name)
    except PackageMissing as why:
        assert "pip install 'rlvrgym[" in str(why), why
        print(name)
"""

PROBE = """
import rlgym, sys
assert not {'gymnasium', 'numpy', 'sympy', 'z3'} & set(sys.modules), 'importing rlgym is no longer light'
import warnings
warnings.simplefilter('error')
import gymnasium
for name in rlgym.names():
    env = gymnasium.make(rlgym.spec(name)['id'], level=0.0)
    env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, info = env.step(env.unwrapped.oracle())
    assert reward == 1.0, (name, info['score'])
print(' '.join(rlgym.names()))
"""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))[:200]} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def main() -> None:
    tracked = run("git", "ls-files", "envs", "generators", "sandbox", "rlgym").split("\n")
    sources = {name for name in tracked if name.endswith(".py") and not (ROOT / name).is_symlink()}
    environments = {Path(name).stem for name in sources if name.startswith("envs/") and name.count("/") == 2 and "/_" not in name}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        clone = place / "clone"
        # From a clone, so that a file that git does not know cannot hide one that is missing.
        run("git", "clone", "--quiet", ROOT, clone)
        run(sys.executable, "-m", "build", "--outdir", place / "dist", clone)
        wheel = next((place / "dist").glob("*.whl"))
        names = zipfile.ZipFile(wheel).namelist()
        tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
        assert tops == {"rlgym"}, f"the wheel's top-level names are {sorted(tops)}, not only rlgym"
        lost = {name if name.startswith("rlgym/") else f"rlgym/{name}" for name in sources} - set(names)
        assert not lost, f"the wheel has lost {sorted(lost)[:10]}"
        data = {
            name
            for name in tracked
            if name.startswith(("rlgym/evaluate/", "rlgym/serve/", "rlgym/train/recipes/")) and not name.endswith(".py")
        }
        sizes = {info.filename: info.file_size for info in zipfile.ZipFile(wheel).infolist()}
        changed = {name for name in data if sizes.get(name) != (ROOT / name).stat().st_size}
        assert not changed, f"the wheel lacks, or holds something else for, {sorted(changed)[:10]}"
        venv.create(place / "fresh", with_pip=True)
        python = place / "fresh" / "bin" / "python"
        # Not in the checkout: pip would take the metadata of an editable installation there for an installed package.
        run(python, "-m", "pip", "install", "--quiet", wheel, cwd=place)
        missing = run(python, "-c", MISSING, cwd=place).split()
        run(python, "-m", "pip", "install", "--quiet", f"{wheel}[duckdb,javascript,z3]", cwd=place)
        installed = set(run(python, "-c", PROBE, cwd=place).split())
        assert installed == environments, f"installed and tracked environments differ: {sorted(installed ^ environments)}"
        command = place / "fresh" / "bin" / "rlgym"
        run(command, "list", cwd=place)
        run(command, "check", "chain_sum", "--effort", "least", cwd=place)
        run(command, "eval", "--suite", "smoke-v1", "--limit", "3", "--model", "oracle", "--out", place / "run", cwd=place)
        assert (place / "run" / "report.html").stat().st_size > 10_000, "an evaluation leaves no report"
    message = f"the wheel holds {len(environments)} environments, all of them playable; {len(missing)} say that they need an extra"
    sys.stdout.write(f"{message}; 1 passed, 0 failed\n")


if __name__ == "__main__":
    main()
