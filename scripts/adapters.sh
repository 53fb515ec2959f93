#!/usr/bin/env bash
# A virtual environment in which the tests of some adapters run: adapters.sh FOLDER NAME... Says why and exits 3 where it cannot be made.
# What each needs is in tests/adapters/environments/NAME.txt: requirements, and after "# no-deps: " packages whose own lists ask for
# what this machine does not have (CUDA, compilers) and what the adapter does not touch.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:?the folder of the environment}
shift
python=${PYTHON:-python3}
files=("${@/#/tests/adapters/environments/}")
files=("${files[@]/%/.txt}")

cannot() { echo "no adapters $*" >&2; exit 3; }

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
# Some lists of requirements keep pip's resolver busy for ever.
pip() { timeout 420 "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
if grep -qx '# torch' "${files[@]}"; then
  pip install torch==2.13.0 || cannot "$*: torch cannot be installed"
fi
needed=$(mktemp)
cat "${files[@]}" | grep -v '^#' | sort -u >"$needed"
if [ -s "$needed" ]; then
  pip install -r "$needed" || cannot "$*: $(tr '\n' ' ' <"$needed") cannot be installed"
fi
mapfile -t alone < <(cat "${files[@]}" | sed -n 's/^# no-deps: //p' | sort -u)
if [ -n "${OLDEST:-}" ]; then
  lowest=$(mktemp)
  "$venv/bin/python" scripts/oldest.py "$@" >"$lowest"
  # shellcheck disable=SC2046
  pip install $(cat "$lowest") || cannot "$*: $(tr '\n' ' ' <"$lowest") cannot be installed"
fi
if [ "${#alone[@]}" -gt 0 ]; then
  pip install --no-deps "${alone[@]}" || cannot "$*: ${alone[*]} cannot be installed"
fi
pip install --editable . pytest pytest-xdist || cannot "$*: this package cannot be installed beside them"
