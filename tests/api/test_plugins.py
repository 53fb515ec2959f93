"""Environments from outside packages."""

import subprocess
import sys
import textwrap

PROBE = """
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    import rlgym
    names = rlgym.names()
print("acme_sum" in names, rlgym.domains().count("acme"), [str(warning.message) for warning in seen])
import gymnasium
env = gymnasium.make("rlgym/acme_sum-v3")
env.reset(seed=1)
print(env.step(env.unwrapped.oracle())[1])
"""


def _package(folder, entry_points):
    from rlgym.cli.new import SKELETON

    (folder / "acme").mkdir()
    (folder / "acme" / "__init__.py").write_text("")
    source = SKELETON.replace("explain, concept=", "explain, version=3, concept=").replace(
        "    explain,\n", "    explain,\n    version=3,\n"
    )
    (folder / "acme" / "acme_sum.py").write_text(source)
    info = folder / "acme-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
    (info / "entry_points.txt").write_text(textwrap.dedent(entry_points))


def _probe(folder):
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\n{PROBE}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()


def test_a_package_offers_environments_by_entry_point(tmp_path):
    _package(tmp_path, "[rlgym.envs]\nacme = acme\n")
    assert _probe(tmp_path) == ["True 1 []", "1.0"]


def test_a_broken_plugin_is_named_and_takes_no_other_away(tmp_path):
    _package(tmp_path, "[rlgym.envs]\nacme = acme\nzzz = no_such_package\n")
    first, second = _probe(tmp_path)
    assert first.startswith("True 1 [\"the plug-in 'zzz' (no_such_package) could not be read")
    assert second == "1.0"
