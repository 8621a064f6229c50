"""Writes the documentation pages that follow from the code: every rule, every record kind and field."""

import sys
from pathlib import Path
from typing import Any

from ledger.analysis.rules import HISTORY, RULES
from ledger.model.kinds import FOLDERS, KINDS
from ledger.render.article.lint import LINT_RULES

DOCS = Path(__file__).resolve().parent.parent / "docs"


INTRODUCTION = """
Records are TOML written by people (`[[kind]]` tables) or JSON written by machines, any number in a file. Money and
measured decimals are quoted strings; partial dates are strings such as `"2026-09"`. Fields marked ● carry meaning: once
a record has landed on the main branch they never change, and a new record supersedes it.
"""


def rules_page() -> str:
    """Return the page of rules: code, what it demands, and why where the check says more."""
    lines = ["# Rules", "", "What `ledger check` holds records and drafts to. A code never changes its sense.", "", "## Records", ""]
    lines += ["| code | demands | checks |", "| --- | --- | --- |"]
    for rule in RULES:
        why = (rule.check.__doc__ or "").strip().splitlines()[0] if rule.check else "Found while files are read."
        lines.append(f"| `{rule.code}` | {rule.title} | {why} |")
    lines += ["", "## History", "", "| code | demands |", "| --- | --- |"]
    lines += [f"| `{rule.code}` | {rule.title} |" for rule in HISTORY]
    lines += ["", "## Drafts", "", "| code | finding | means |", "| --- | --- | --- |"]
    lines += [f"| `{rule.code}` | {rule.title} | {rule.meaning} |" for rule in LINT_RULES]
    return "\n".join(lines) + "\n"


def records_page() -> str:
    """Return the page of record kinds: each field, its type, whether it is needed, and what it means."""
    lines = ["# Records", ""]
    lines += [*INTRODUCTION.strip().splitlines(), ""]
    for name, kind in KINDS.items():
        lines += [f"## {name}", "", f"{(kind.__doc__ or '').strip().splitlines()[0]} Lies in `records/{FOLDERS[name]}/`.", ""]
        lines += ["| field | | needed | means |", "| --- | --- | --- | --- |"]
        schema = kind.model_json_schema(by_alias=True)
        lines += [
            _field(key, prop, key in schema.get("required", ()), meaning=key in kind.MEANING) for key, prop in schema["properties"].items()
        ]
        lines.append("")
    return "\n".join(lines)


def _field(name: str, schema: dict[str, Any], needed: bool, *, meaning: bool) -> str:
    text = str(schema.get("description", "")).replace("\n", " ").replace("|", "\\|")
    values = schema.get("enum") or next((part["enum"] for part in schema.get("anyOf", ()) if "enum" in part), None)
    text += f" One of {', '.join(f'`{value}`' for value in values)}." if values else ""
    return f"| `{name}` | {'●' if meaning else ''} | {'yes' if needed else ''} | {text.strip()} |"


PAGES = {"rules.md": rules_page, "records.md": records_page}


def main() -> None:
    """Write every page, or with --check exit 1 where one is not what the code says."""
    stale = [name for name, page in PAGES.items() if not (DOCS / name).exists() or (DOCS / name).read_text("utf-8") != page()]
    if "--check" in sys.argv:
        print(f"stale: {', '.join(stale)}; run scripts/pages.py" if stale else "pages are current")
        sys.exit(bool(stale))
    for name in stale:
        (DOCS / name).write_text(PAGES[name](), encoding="utf-8")
        print(DOCS / name)


if __name__ == "__main__":
    main()
