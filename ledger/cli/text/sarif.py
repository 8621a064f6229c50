"""Findings as SARIF 2.1.0, for code hosts that show them beside the line."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ledger import __version__
from ledger.analysis.rules import RULES
from ledger.errors import Problem
from ledger.model.values.text import one_line

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(problems: Sequence[Problem], root: Path) -> dict[str, Any]:
    """Return a SARIF log; its addresses are relative to the repository around `root`, or to `root` outside one."""
    prefix = _inside_repository(root)
    titles = _titles()
    codes = sorted(titles.keys() | {problem.code for problem in problems})
    rules = [_rule(code, titles.get(code, code), problems) for code in codes]
    driver = {"name": "ledger", "semanticVersion": __version__, "rules": rules}
    results = [_result(problem, codes.index(problem.code), prefix) for problem in problems]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _inside_repository(root: Path) -> str:
    """The ledger's folder below the repository's top, with a slash at its end; empty where they are one."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    inside = root.relative_to(top).as_posix()
    return "" if inside == "." else f"{inside}/"


def _titles() -> dict[str, str]:
    """What each code demands, of records and of articles."""
    from ledger.render.article.lint import LINT_RULES  # parsing Markdown is only needed by articles and by this

    return {rule.code: rule.title for rule in RULES} | {rule.code: rule.title for rule in LINT_RULES}


def _rule(code: str, title: str, problems: Iterable[Problem]) -> dict[str, Any]:
    severities = {problem.severity for problem in problems if problem.code == code}
    level = "warning" if severities == {"warning"} else "error"
    return {"id": code, "shortDescription": {"text": title}, "defaultConfiguration": {"level": level}}


def _result(problem: Problem, index: int, prefix: str) -> dict[str, Any]:
    return {
        "ruleId": problem.code,
        "ruleIndex": index,
        "level": problem.severity,
        "message": {"text": one_line(f"{problem.message} {problem.remedy}")},
        "locations": [{"physicalLocation": _place(problem, prefix)}] if problem.path else [],
    }


def _place(problem: Problem, prefix: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(prefix + problem.path)}}
    if problem.line is not None:
        place["region"] = {"startLine": problem.line} | ({"startColumn": problem.column} if problem.column is not None else {})
    return place
