"""The files that a new ledger begins with. Examples end in `.example`, which no reader of records opens."""

import json

from ledger.store.new_ledger.schemas import ANY_RECORDS, SETTINGS

SCHEMA_FOLDER = ".ledger-schema"

SETTINGS_TEXT = """\
# Who keeps this ledger.
organisation = {organisation}

# A record has landed once it is on this branch; from then on its meaning stays.
main_branch = "main"

# Where a day begins and ends for --as-of and --known-at, by its name in the IANA database.
time_zone = "UTC"

[telemetry]
# The most that a benchmark run may keep of prompts and of outputs: "full", "hash" or "none".
prompts = "hash"
outputs = "hash"
# Keeping texts in full needs a name and a day:
# allowed_by = "Somebody"
# allowed_on = 2026-01-31

# Where things lie, relative to this file. These are the defaults.
# [paths]
# records = "records"
# evidence = "records/evidence"
# cache = ".ledger"
"""

GITIGNORE = """\
# The index: disposable, built anew from the records
.ledger/
# What was built
/build/
# What a run keeps beside its hashed traces
records/evidence/*/journal.jsonl
records/evidence/*/engine.log
# Leftovers of a writer that was killed
*.tmp
"""

PRE_COMMIT = """\
# Install with: pip install pre-commit && pre-commit install
repos:
  - repo: local
    hooks:
      - id: ledger-check
        name: every rule about records and drafts
        entry: ledger check
        language: system
        pass_filenames: false
        always_run: true
      - id: ledger-history
        name: nothing that landed was rewritten
        entry: ledger verify --history
        language: system
        pass_filenames: false
        always_run: true
"""

CI = """\
name: ledger
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          # All of it: when a record landed, and whether it was rewritten since, is read from the history.
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install evidence-ledger
      - run: ledger check
      - run: ledger verify --history
"""

TAPLO = f"""\
# Completion and validation in editors that use Taplo, such as VS Code with Even Better TOML.
# `ledger schema --out {SCHEMA_FOLDER}` writes the schemas anew after an update of evidence-ledger.
include = ["ledger.toml", "records/**/*.toml"]

[[rule]]
include = ["records/**/*.toml"]
[rule.schema]
path = "{SCHEMA_FOLDER}/{ANY_RECORDS}"
enabled = true

[[rule]]
include = ["ledger.toml"]
[rule.schema]
path = "{SCHEMA_FOLDER}/{SETTINGS}"
enabled = true
"""

TOMBI = f"""\
# Completion and validation in editors that use Tombi.
[[schemas]]
path = "{SCHEMA_FOLDER}/{ANY_RECORDS}"
include = ["records/**/*.toml"]

[[schemas]]
path = "{SCHEMA_FOLDER}/{SETTINGS}"
include = ["ledger.toml"]
"""

TEMPLATES = """\
# Templates

Articles are laid out by the templates that come with evidence-ledger; `template = "journal"` in a draft names one.
"""

SOURCE = """\
# Who said something, where, and when you read it. Copy to ../sources/ID.toml, or run `ledger add source`.
[[source]]
id = "example-blog-drafting"
title = "Faster answers with drafting"
publisher = "Example Inc."
url = "https://example.org/blog/drafting"
type = "blog"
# How whoever speaks stands to the subject: supplier, author, third-party, user-report or own.
relation = "supplier"
# A date of which only the month or the year is known is written "2025-01" or "2025".
published_on = 2025-01-10
captures = [
  { retrieved_at = 2025-02-01, scope = "the whole page" },
]
licence = "not stated"
"""

CLAIM = """\
# One statement, in your own words, with its label. Copy to ../claims/ID.toml, or run `ledger add claim`.
[[claim]]
id = "example-drafting-speedup"
# vendor-claimed: somebody outside said it. proposed: nobody observed it. measured: a run of this ledger shows it.
label = "vendor-claimed"
side = "technical"
subject = "example-engine/drafting"
# Numbers are quantities, printed by name.
statement = "Drafting made summaries {speedup} faster in the supplier's own test."
source = "example-blog-drafting"
locator = "second figure"
asserted_on = 2025-01-10
quantities = [
  { name = "speedup", metric = "output-speedup", value = "1.8", bound = "up-to", unit = "x", conditions = { hardware = "not stated" } },
]
"""

COST = """\
# A dated price: each term is stated, or explicitly "unknown". Copy to ../costs/ID.toml, or run `ledger add cost`.
[[cost]]
id = "example-cloud-box-2025-01"
item = "example-cloud/box"
provider = "Example Cloud"
basis = "list"
standing = { state = "sound" }
price_kind = "on-demand"
amount = "2.50"
currency = "USD"
per = "gpu-hour"
gpu = "H100"
gpus_per_instance = 1
includes_host = true
region = "eu-west"
term = "on-demand"
commitment = "none"
tax = "excluded"
scope = "list"
effective_from = 2025-01-01
# "open" until withdrawn, "unknown" where nothing says how long it holds.
effective_to = "open"
observed_on = 2025-02-01
source = "example-blog-drafting"
"""

PROTOCOL = """\
# A plan of measurement, fixed and committed before the run. Copy to ../protocols/ID.toml.
# It needs a workload: records/workloads/example-prompts.toml beside its JSONL file of prompts.
[[protocol]]
id = "example-drafting-plan"
question = "Does n-gram drafting shorten the time per output token at low load?"
model = { name = "small-model", source = "hub name and revision", licence = "Apache-2.0" }
engine = { max_model_len = 2048 }
arms = [
  { id = "baseline" },
  { id = "ngram-4", method = "ngram", num_speculative_tokens = 4 },
]
loads = [
  { id = "c1", concurrency = 1, requests = 20 },
]
sampling = { temperature = "0", max_tokens = 128 }
workload = "example-prompts"
repeats = 4
order = "williams"
seed = 0
warm_up_requests = 2
telemetry = { prompts = "hash", outputs = "hash", allowed_by = "Somebody" }
"""

ARTICLE = """\
+++
title = "What suppliers say about drafting"
side = "technical"
type = "technical"
authors = ["Somebody"]
as_of = 2025-03-01
summary = "One statement, its source and its label."
+++

A sentence in your own words cites its evidence [@example-drafting-speedup].

[@example-drafting-speedup]
"""

EXAMPLES = {
    "records/sources/example.toml.example": SOURCE,
    "records/claims/example.toml.example": CLAIM,
    "records/costs/example.toml.example": COST,
    "records/protocols/example.toml.example": PROTOCOL,
    "records/articles/example.md.example": ARTICLE,
}


def scaffold(organisation: str) -> dict[str, str]:
    """Return the files of a new ledger, by path relative to its root; `ledger.toml` comes last and completes it."""
    return {
        ".gitignore": GITIGNORE,
        ".pre-commit-config.yaml": PRE_COMMIT,
        ".github/workflows/ledger.yml": CI,
        ".taplo.toml": TAPLO,
        "tombi.toml": TOMBI,
        "templates/README.md": TEMPLATES,
        **EXAMPLES,
        "ledger.toml": SETTINGS_TEXT.format(organisation=json.dumps(organisation, ensure_ascii=False)),
    }
