"""Waivers applied to findings: a waived one is dropped; a waiver that ran out, or that fits no rule, is a finding itself."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from difflib import get_close_matches

from ledger.analysis.rules import RULES
from ledger.analysis.validity.supersession import is_replaced
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.waiver import Waiver

UNKNOWN_RULE, RAN_OUT, TOO_LONG = "LEDG072", "LEDG073", "LEDG074"
LONGEST = timedelta(days=366)
"""How far ahead a waiver may end; until it is as near as that, it silences nothing."""
_LABELS = {"LEDG020", "LEDG021", "LEDG022", "LEDG023", "LEDG024", "LEDG026"}
_FIREWALL = {"LEDG040", "LEDG041"}
_IDENTITY = {"LEDG010", "LEDG011", "LEDG012", "LEDG013", "LEDG014", "LEDG015", "LEDG070"}
WAIVABLE = frozenset(rule.code for rule in RULES if rule.is_about_records) - _LABELS - _FIREWALL - _IDENTITY
"""Rules about records; faults of files and of waivers themselves, and what keeps labels, sides and ids apart, cannot be waived."""


def apply_waivers(problems: Iterable[Problem], catalogue: Catalogue, today: date) -> list[Problem]:
    """Return the findings that no waiver silences on that day, and those about the waivers.

    A waiver holds from the day it is in the ledger up to its `until`, exclusive, unless it is superseded or retracted.
    """
    waivers = list(_waivers(catalogue))
    silenced = {
        (waiver.rule, waiver.target) for _, waiver in waivers if waiver.rule in WAIVABLE and today < waiver.until <= today + LONGEST
    }
    kept = [problem for problem in problems if (problem.code, problem.record) not in silenced]
    return [*kept, *(problem for entry, waiver in waivers for problem in _faults(entry, waiver, silenced=silenced, today=today))]


def _waivers(catalogue: Catalogue) -> Iterator[tuple[Entry, Waiver]]:
    """The waivers that were neither superseded nor retracted."""
    for entry in catalogue.by_id.values():
        if isinstance(entry.record, Waiver) and not is_replaced(catalogue, entry.record.id):
            yield entry, entry.record


def _faults(entry: Entry, waiver: Waiver, *, silenced: set[tuple[str, str]], today: date) -> Iterator[Problem]:
    if waiver.rule not in WAIVABLE:
        message, remedy = _refusal(waiver.rule)
        yield entry.problem(UNKNOWN_RULE, ("rule",), message, remedy=remedy)
    elif waiver.until > today + LONGEST:
        message = (
            f"the waiver of {waiver.rule} for {waiver.target} ends on {waiver.until}, more than a year from now, and silences nothing."
        )
        yield entry.problem(TOO_LONG, ("until",), message, remedy="Let it end within a year; renew it then by a waiver that supersedes it.")
    elif (waiver.rule, waiver.target) not in silenced:
        message = f"the waiver of {waiver.rule} for {waiver.target} ran out on {waiver.until}."
        remedy = "Mend the finding and retract the waiver, or supersede it with a later end."
        yield entry.problem(RAN_OUT, ("until",), message, remedy=remedy, severity="warning")


def _refusal(code: str) -> tuple[str, str]:
    if any(rule.code == code for rule in RULES):
        return f"{code} cannot be waived.", "Mend the finding itself."
    near = get_close_matches(code, sorted(WAIVABLE), n=1)
    return f"there is no rule {code}.", f"Did you mean {near[0]}?" if near else "Name one that `ledger check` prints."
