"""Terminal worlds with git and make: repositories that replay, and work that is right or wrong in other ways than the oracle's."""

from contextlib import closing

import pytest
from thinning import thinned

import rlgym
from rlgym import Rng
from rlgym.cli.environment_index import environment_index
from rlgym.core.errors import PackageMissing, SandboxMissing
from rlgym.dataset import sample
from rlgym.dataset.harbor import task_name, write_tasks
from rlgym.envs.terminal import git_merge, makefile_repair
from rlgym.episode import play
from rlgym.generators.terminal import git_files, makefiles, trees
from rlgym.generators.terminal.world import CLOCK, Bash, Done
from rlgym.sandbox.git import without_stat
from rlgym.sandbox.terminal import Cells, file_bytes, run_command


@pytest.fixture(autouse=True)
def programs():
    try:
        for name in ("git_merge", "makefile_repair"):
            rlgym.make(name)
    except (PackageMissing, SandboxMissing) as why:
        pytest.skip(str(why))


def first_state(module, level, seed=1):
    return module.start(Rng("programs", seed), module.Knobs.at(level))


def score(module, state, *commands):
    for command in commands:
        state = module.act(state, (Bash(command=command),))
    return module.outcome(module.act(state, (Done(),)))


@pytest.mark.parametrize("name", ["git_merge", "makefile_repair"])
def test_a_missing_program_is_named(name, monkeypatch):
    monkeypatch.setattr(play, "SYSTEM_PATH", "/nowhere")
    with pytest.raises(PackageMissing, match=f"{name} needs the program (git|make), which is not installed in /nowhere"):
        rlgym.make(name)


def test_the_list_of_environments_names_the_programs():
    needs = {entry.name: entry.needs for entry in environment_index("terminal")}
    assert (needs["git_merge"], needs["makefile_repair"], needs["mode_audit"]) == (("git",), ("make",), ())


def test_an_exported_task_installs_its_program(tmp_path):
    rows = [row for name in ("git_merge", "mode_audit", "c_port") for row in sample([name], 1, levels=[0.0], seed=3)]
    write_tasks(rows, tmp_path)
    texts = [(tmp_path / task_name(row) / "environment" / "world" / "Dockerfile").read_text() for row in rows]
    assert ["apt-get install -y --no-install-recommends git " in text for text in texts] == [True, False, False]
    assert "apt-get install -y --no-install-recommends gcc libc6-dev " in texts[2]


def test_a_repository_made_without_git_is_sound_and_clean():
    for level in (0.0, 1.0):
        files = first_state(git_merge, level).files
        told = run_command(files, "cd repo; git fsck --strict && git status --porcelain && git log --format=%s | tail -n 1", CLOCK)
        assert (told.stdout, told.stderr, told.exit_code) == ("shop: the first functions\n", "", 0)


def test_git_commands_lead_to_the_same_tree_in_every_copy():
    state = first_state(git_merge, 0.5)
    command = f"cd repo; git merge {state.merges[0].branch}; git add -A; git commit -qm x; git stash list; git log -1 --format='%an %ad' --date=iso"
    ends = []
    for _ in range(2):
        with closing(Cells()) as cells:
            ends.append(cells.run(state.files, command, CLOCK + 60))
    assert ends[0].tree == ends[1].tree
    assert ends[0].stdout.endswith("User 2024-05-17 12:01:00 +0000\n")


def test_an_index_that_cannot_be_read_is_left_alone():
    index = file_bytes(first_state(git_merge, 0.0).files, "repo/.git/index")
    assert without_stat(index) == index
    for other in (b"", b"DIRC", index[:-1], index[:60] + index[-20:], b"x" + index[1:]):
        assert without_stat(other) == other


def test_a_merge_by_other_commands_is_right():
    state = first_state(git_merge, 1.0, 3)
    merging = "git merge -q -X theirs --no-edit {}; git add -A; git commit -qm x"
    commands = ["cd repo; git switch -qc work", *(f"cd repo; {merging.format(merge.branch)}" for merge in reversed(state.merges))]
    written = "\n".join(f"cat > {path} <<'END'\n{text}END" for path, text in state.files_at_the_end.items() if text)
    commands.append(
        f"cd repo; {written}\ngit commit -qam fixed; git switch -q main; git merge -q --ff-only work; git branch -D work; git gc -q"
    )
    assert score(git_merge, state, *commands).value == 1.0


@pytest.mark.parametrize(
    ("last", "part"),
    [
        ("echo x >> shop/__init__.py", "committed"),
        ("echo x > shop/more.py; git add -A; git commit -qm x", "files"),
        ("git switch -qc other", "merged"),
        ("git reset -q --soft HEAD~1; git commit -qm squashed", "merged"),
        ("git update-index --assume-unchanged CONTRIBUTING.md; echo x >> CONTRIBUTING.md", "committed"),
        ("echo x >> CONTRIBUTING.md; git add -A; git show HEAD:CONTRIBUTING.md > CONTRIBUTING.md", "merged"),
        ("git config core.fsmonitor 'echo yes'; git config core.pager 'echo yes'; git checkout -q main~1; rm -r shop", "merged"),
    ],
)  # fmt: skip
def test_what_spoils_a_right_merge(last, part):
    state = first_state(git_merge, 0.5)
    commands = [step.command for step in git_merge.plan(state)]
    assert score(git_merge, state, *commands).value == 1.0
    spoilt = score(git_merge, state, *commands, f"cd repo; {last}")
    assert spoilt.value == 0.0
    assert spoilt.parts[part] == 0.0


def test_a_conflict_that_git_does_not_see_fails_the_hidden_tests():
    state = first_state(git_merge, 1.0)
    renamed = {f"shop/{pair.before.name}.py" for pair in state.pairs if pair.kind == "renamed"}
    merge = next(merge for merge in state.merges if renamed & {*merge.files})
    ended = run_command(state.files, f"cd repo; git merge {merge.branch}", CLOCK)
    path = min(renamed & {*merge.files})
    assert f"CONFLICT (content): Merge conflict in {path}" not in ended.stdout
    assert trees.text(ended.tree, f"repo/{path}") != merge.files[path]


def test_a_makefile_that_finds_the_parts_itself_is_right():
    state = first_state(makefile_repair, 1.0)
    text = """\
pages := $(patsubst src/%.page,%,$(sort $(wildcard src/*.page)))
parts = $(sort $(foreach n,$(shell sed -n 's/^@include //p' $(1)),parts/$(n).part $(call parts,parts/$(n).part)))
out/index.txt: $(pages:%=out/%.txt) tools/index.sh ; sh tools/index.sh $(pages:%=out/%.txt) > $@
define rule
out/$(1).txt: src/$(1).page $(call parts,src/$(1).page) settings.env tools/render.sh
	mkdir -p out
	sh tools/render.sh src/$(1).page > $$@
endef
$(foreach page,$(pages),$(eval $(call rule,$(page))))
.PHONY: clean
clean: ; rm -fr out
"""
    assert score(makefile_repair, state, f"cat > Makefile <<'END'\n{text}END").value == 1.0


@pytest.mark.parametrize("kind", thinned(makefiles.KINDS))
def test_each_fault_of_a_makefile_is_seen(kind):
    for seed in range(60):
        state = first_state(makefile_repair, 1.0, seed)
        left = [fault for fault in state.faults if fault.kind == kind]
        if left:
            break
    assert left
    text = makefiles.makefile(state.site, left)
    result = score(makefile_repair, state, f"cat > Makefile <<'END'\n{text}END")
    assert result.value == 0.0
    failed = {name for name, share in result.parts.items() if share < 1}
    if kind != "tab":
        assert failed == {{"list": "new_page", "phony": "clean"}.get(kind, "after_changes")} | (
            {"new_page"} if kind in ("whole", "order") else set()
        )


def test_ids_are_those_of_git():
    assert git_files.blob_id("hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"
