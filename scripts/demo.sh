#!/usr/bin/env bash
# Run protocol `demo` on this machine in a scratch copy of the ledger, and build the article of that run.
# Nothing under records/ changes: the copy lies in build/demo-ledger, the documents in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."

ledger=$PWD/.venv/bin/ledger
scratch=build/demo-ledger
out=build/demo
articles=(speculative-decoding-demo speculative-decoding-pricing)
started=$SECONDS

say() { printf '[%s] %s\n' "$1" "$2"; }

say 1/4 "copying the ledger to $scratch"
rm -rf "$scratch" "$out"
mkdir -p build
# With its history: a run names the commit in which its protocol landed. -B main: a clone of a detached head has no branch.
if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
  git clone --quiet --no-tags . "$scratch"
  git -C "$scratch" checkout --quiet -B main
else # an archive or a shallow clone: its history begins here
  mkdir -p "$scratch"
  cp -R ledger.toml records templates "$scratch/"
  git init --quiet -b main "$scratch"
  git -C "$scratch" add -A
  git -C "$scratch" -c user.name=demo -c user.email=demo@localhost commit --quiet -m "the ledger as delivered"
fi

say 2/4 "preparing the small model (SmolLM2, 135 M parameters; kept outside the repository for the next time)"
.venv/bin/python -c 'from ledger.bench.models.demo_model import small_model_path; print("     ", small_model_path())'

say 3/4 "running protocol demo: every arm starts the engine anew, which takes about half a minute each on a CPU"
run=$("$ledger" --ledger "$scratch" bench run demo | tail -n 1)

say 4/4 "building the article of run $run and the pricing document"
"$ledger" --ledger "$scratch" article build "${articles[@]}" --run "$run" --out "$out" >build/demo-paths.txt

printf '\nDone in %d s. The run, its raw traces and the documents made of them:\n' "$((SECONDS - started))"
printf '  %s\n' "$scratch/records/runs/$run.json"
sed 's/^/  /' build/demo-paths.txt
