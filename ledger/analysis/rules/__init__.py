"""Every rule about records, as plain functions in one table: a catalogue in, problems out, no I/O. One file a topic.

Imports `validity`, `claims`, `prices` and `verdicts`, and what a drill measures from `measures`; never `upkeep`, which
reads this table.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from ledger.analysis.rules import (
    costs,
    dates,
    fields,
    firewall,
    labels,
    links,
    measured_words,
    plans,
    quantities,
    reviews,
    runs,
    sources,
    supersession,
)
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue

Check = Callable[[Catalogue], Iterator[Problem]]
DatedCheck = Callable[[Catalogue, date], Iterator[Problem]]
"""A check that asks what day it is."""


@dataclass(frozen=True, slots=True)
class CheckRule:
    """A rule of `ledger check`: a code that always means the same, what it demands, and the function that checks it."""

    code: str
    title: str
    check: Check | None = None
    """None for faults that are found elsewhere: by the reader of files, or in waivers."""
    check_on: DatedCheck | None = None
    """In place of `check`, where the day counts."""

    @property
    def is_about_records(self) -> bool:
        """Whether it looks at records that could be read, and not at files or waivers."""
        return self.check is not None or self.check_on is not None

    def problems(self, catalogue: Catalogue, today: date) -> Iterator[Problem]:
        """Yield what the rule finds; nothing where its faults are found elsewhere."""
        if self.check:
            yield from self.check(catalogue)
        if self.check_on:
            yield from self.check_on(catalogue, today)


RULES: tuple[CheckRule, ...] = (
    CheckRule("LEDG001", "A file can be parsed."),
    CheckRule("LEDG002", "No merge conflict is left in a file."),
    CheckRule("LEDG003", "Every field is there and has the form its kind asks for."),
    CheckRule("LEDG004", "A record has no key that its kind does not know."),
    CheckRule("LEDG005", "A file is UTF-8."),
    CheckRule("LEDG006", "Top-level keys name kinds of record."),
    CheckRule("LEDG007", "A draft begins with front matter."),
    CheckRule("LEDG008", "A record of a newer schema is kept and not read."),
    CheckRule("LEDG009", "A file named by a record is there and has its hash and count."),
    CheckRule("LEDG010", "An id is used once.", links.check_unique_ids),
    CheckRule("LEDG011", "Every id that a record names exists and is of the right kind.", links.check_targets),
    CheckRule("LEDG012", "Supersession never runs in a circle.", supersession.check_cycles),
    CheckRule("LEDG013", "A record is superseded once.", supersession.check_forks),
    CheckRule("LEDG014", "A record supersedes one of its own kind that began no later.", supersession.check_succession),
    CheckRule("LEDG015", "A record is taken back once.", links.check_retractions),
    CheckRule("LEDG016", "Text holds no control characters.", fields.check_text),
    CheckRule("LEDG017", "A count is not below its least.", fields.check_counts),
    CheckRule("LEDG018", "The dates of a record do not contradict each other.", dates.check_order),
    CheckRule("LEDG019", "What has happened is not dated in the future.", check_on=dates.check_future),
    CheckRule("LEDG020", "A vendor claim names its source and place, from somebody outside.", labels.check_vendor_claims),
    CheckRule("LEDG021", "A proposed claim carries no observed number.", labels.check_proposed),
    CheckRule("LEDG022", "A measured claim's numbers are references into runs, none typed.", labels.check_measured),
    CheckRule("LEDG023", "A measured claim rests on our own complete run.", labels.check_run_behind),
    CheckRule("LEDG024", "A measured claim's references resolve.", labels.check_references),
    CheckRule("LEDG025", "A record does not rest on one that was taken back.", links.check_taken_back),
    CheckRule("LEDG026", "A measured sentence types no figure and no direction.", measured_words.check_measured_words),
    CheckRule("LEDG030", "A quantity has a value or a range, and its name once.", quantities.check_shape),
    CheckRule("LEDG031", "A placeholder names a quantity.", quantities.check_placeholders),
    CheckRule("LEDG032", "A number with a metric's unit is a quantity, not typed in the statement.", quantities.check_typed_numbers),
    CheckRule("LEDG033", "A quoted command-line flag names its tool and version.", quantities.check_flags),
    CheckRule("LEDG034", "One metric has units of one dimension.", quantities.check_dimensions),
    CheckRule("LEDG040", "A technical record holds no money.", firewall.check_money),
    CheckRule("LEDG041", "A technical record does not lean on a pricing record.", firewall.check_links),
    CheckRule("LEDG042", "A technical record does not speak of prices.", firewall.check_words),
    CheckRule("LEDG050", "A cost has an amount or a range.", costs.check_amount),
    CheckRule("LEDG051", "A cost that is not sound says why.", costs.check_standing),
    CheckRule("LEDG052", "A cost's interval ends after it begins.", costs.check_interval),
    CheckRule("LEDG053", "A cost is divided by a number of devices that it states.", costs.check_devices),
    CheckRule("LEDG054", "One offer has one price on a day.", costs.check_overlap),
    CheckRule("LEDG055", "A currency is one of ISO 4217.", costs.check_currency),
    CheckRule("LEDG060", "A protocol's arms, loads, drills, limits and rules fit together.", plans.check_protocols),
    CheckRule("LEDG061", "A run has the arms and loads of its protocol.", runs.check_runs),
    CheckRule("LEDG063", "Nothing is decided by a run that is not complete, or not planned.", runs.check_verdicts),
    CheckRule("LEDG070", "A reviewer is not the author.", reviews.check_reviewers),
    CheckRule("LEDG071", "A review is of the record as it stands.", reviews.check_lapsed),
    CheckRule("LEDG072", "A waiver names a rule that can be waived."),
    CheckRule("LEDG073", "A waiver has not run out."),
    CheckRule("LEDG074", "A waiver ends within a year."),
    CheckRule("LEDG080", "One document is one source.", sources.check_same_page),
    CheckRule("LEDG081", "A source was not read before it was published.", sources.check_dates),
    CheckRule("LEDG082", "What rests on a page that changed was checked against it again.", sources.check_drift),
    CheckRule("LEDG083", "A quotation stands in the archived text of its source."),
    CheckRule("LEDG084", "A source's address is that of a page.", sources.check_addresses),
)

HISTORY: tuple[CheckRule, ...] = (
    CheckRule("LEDG090", "What landed keeps its meaning."),
    CheckRule("LEDG091", "A list that may grow loses nothing."),
    CheckRule("LEDG092", "What landed does not vanish."),
    CheckRule("LEDG093", "A commit that a record names is in this repository."),
)
"""What `ledger verify --history` finds; none of it can be waived."""


def check_rules(catalogue: Catalogue, today: date) -> list[Problem]:
    """Return every finding of every rule on a day; places have fields, not yet lines."""
    return [problem for rule in RULES for problem in rule.problems(catalogue, today)]
