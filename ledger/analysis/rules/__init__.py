"""Every rule about records, as plain functions in one table: a catalogue in, problems out, no I/O. One file a topic.

Imports `validity`, `claims`, `prices` and `verdicts`, and what a drill measures from `measures`; never `upkeep`, which
reads this table.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ledger.analysis.rules import costs, firewall, labels, links, plans, quantities, reviews, runs, sources, supersession
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue

Check = Callable[[Catalogue], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A code that never changes its sense, what it demands, and the function that checks it."""

    code: str
    title: str
    check: Check | None = None
    """None for faults that are found elsewhere: by the reader of files, or in waivers."""


RULES: tuple[Rule, ...] = (
    Rule("LEDG001", "A file can be parsed."),
    Rule("LEDG002", "No merge conflict is left in a file."),
    Rule("LEDG003", "Every field is there and has the form its kind asks for."),
    Rule("LEDG004", "A record has no key that its kind does not know."),
    Rule("LEDG005", "A file is UTF-8."),
    Rule("LEDG006", "Top-level keys name kinds of record."),
    Rule("LEDG007", "A draft begins with front matter."),
    Rule("LEDG008", "A record of a newer schema is kept and not read."),
    Rule("LEDG009", "A file named by a record is there and has its hash and count."),
    Rule("LEDG010", "An id is used once.", links.check_unique_ids),
    Rule("LEDG011", "Every id that a record names exists and is of the right kind.", links.check_targets),
    Rule("LEDG012", "Supersession never runs in a circle.", supersession.check_cycles),
    Rule("LEDG013", "A record is superseded once.", supersession.check_forks),
    Rule("LEDG014", "A record supersedes one of its own kind that began no later.", supersession.check_succession),
    Rule("LEDG020", "A vendor claim names its source and place, from somebody outside.", labels.check_vendor_claims),
    Rule("LEDG021", "A proposed claim carries no observed number.", labels.check_proposed),
    Rule("LEDG022", "A measured claim's numbers are references into runs, none typed.", labels.check_measured),
    Rule("LEDG023", "A measured claim rests on our own complete run.", labels.check_run_behind),
    Rule("LEDG024", "A measured claim's references resolve.", labels.check_references),
    Rule("LEDG025", "A record does not rest on one that was taken back.", links.check_taken_back),
    Rule("LEDG030", "A quantity has a value or a range, and its name once.", quantities.check_shape),
    Rule("LEDG031", "A placeholder names a quantity.", quantities.check_placeholders),
    Rule("LEDG032", "A number with a metric's unit is a quantity, not typed in the statement.", quantities.check_typed_numbers),
    Rule("LEDG033", "A quoted command-line flag names its tool and version.", quantities.check_flags),
    Rule("LEDG034", "One metric has units of one dimension.", quantities.check_dimensions),
    Rule("LEDG040", "A technical record holds no money.", firewall.check_money),
    Rule("LEDG041", "A technical record does not lean on a pricing record.", firewall.check_links),
    Rule("LEDG042", "A technical record does not speak of prices.", firewall.check_words),
    Rule("LEDG050", "A cost has an amount or a range.", costs.check_amount),
    Rule("LEDG051", "A cost that is not sound says why.", costs.check_standing),
    Rule("LEDG052", "A cost's interval ends after it begins.", costs.check_interval),
    Rule("LEDG053", "A cost is divided by a number of devices that it states.", costs.check_devices),
    Rule("LEDG054", "One offer has one price on a day.", costs.check_overlap),
    Rule("LEDG060", "A protocol's arms, loads, drills, limits and rules fit together.", plans.check_protocols),
    Rule("LEDG061", "A run has the arms and loads of its protocol.", runs.check_runs),
    Rule("LEDG063", "Nothing is decided by a run that is not complete, or not planned.", runs.check_verdicts),
    Rule("LEDG070", "A reviewer is not the author.", reviews.check_reviewers),
    Rule("LEDG071", "A review is of the record as it stands.", reviews.check_lapsed),
    Rule("LEDG072", "A waiver names a rule that can be waived."),
    Rule("LEDG073", "A waiver has not run out."),
    Rule("LEDG080", "One document is one source.", sources.check_same_page),
    Rule("LEDG081", "A source was not read before it was published.", sources.check_dates),
    Rule("LEDG082", "What rests on a page that changed was checked against it again.", sources.check_drift),
    Rule("LEDG083", "A quotation stands in the archived text of its source."),
)

HISTORY: tuple[Rule, ...] = (
    Rule("LEDG090", "What landed keeps its meaning."),
    Rule("LEDG091", "A list that may grow loses nothing."),
    Rule("LEDG092", "What landed does not vanish."),
    Rule("LEDG093", "A commit that a record names is in this repository."),
)
"""What `ledger verify --history` finds; none of it can be waived."""


def check_rules(catalogue: Catalogue) -> list[Problem]:
    """Return every finding of every rule; places have fields, not yet lines."""
    return [problem for rule in RULES if rule.check for problem in rule.check(catalogue)]
