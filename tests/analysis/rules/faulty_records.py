"""The table of faulty records: what must be found and what must pass, by kind of fault, printed by one command.

`python -m tests.analysis.rules.faulty_records` prints every faulty record that passes (a miss), every legal one that is
found at fault (a false alarm), and the totals. Each record is tried among a few others that are sound; the day is
2025-06-01. A rule that warns on purpose, such as the one about words for prices, counts as having found it.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ledger.analysis.rules import check_rules
from ledger.analysis.upkeep.waivers import apply_waivers
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue
from ledger.store.files.reading import read_file
from tests.conftest import DEFAULTS, HASH, NOW, record_toml

TODAY = NOW.date()
Beside = tuple[str, str, dict[str, Any]]
"""A further record: kind, id, fields."""
RUN = "run:run-1#base/c1/tpot.p50"


@dataclass(frozen=True)
class Try:
    """One record and what must be said of it."""

    kind: str
    of: str
    """The kind of fault."""
    fields: dict[str, Any]
    beside: tuple[Beside, ...] = ()
    is_legal: bool = False
    toml: str = ""
    """The file itself, where fields cannot say it."""

    def __str__(self) -> str:
        shown = self.toml or ", ".join(f"{name} = {value!r}" for name, value in self.fields.items())
        return f"{self.of}: {self.kind} with {shown[:150]}"


@dataclass
class Outcome:
    """What became of the whole table."""

    faulty: int = 0
    legal: int = 0
    misses: list[Try] = field(default_factory=list)
    false_alarms: list[tuple[Try, list[Problem]]] = field(default_factory=list)


def claim(**fields: Any) -> dict[str, Any]:
    """Fields of a vendor claim."""
    return {**DEFAULTS["claim"], **fields}


def measured(statement: str = "On {hardware} it took {a}.", **fields: Any) -> dict[str, Any]:
    """Fields of a measured claim that is sound but for what is given."""
    values = {"a": RUN, "hardware": "run:run-1#environment.hardware"}
    base = {**DEFAULTS["claim"], "label": "measured", "source": None, "locator": None, "asserted_on": "2025-04-02"}
    return {**base, "statement": statement, "values": values, **fields}


def proposed(**fields: Any) -> dict[str, Any]:
    """Fields of a proposal of our own."""
    return {**DEFAULTS["claim"], "label": "proposed", "source": None, "locator": None, **fields}


def stated(**fields: Any) -> dict[str, Any]:
    """A sound quantity but for what is given."""
    quantity = {"name": "n", "metric": "output-speedup", "unit": "x", "value": "2.8", **fields}
    return {name: value for name, value in quantity.items() if value is not None}


def _all(kind: str, of: str, rows: list[dict[str, Any]], *, is_legal: bool = False) -> Iterator[Try]:
    for row in rows:
        yield Try(kind, of, row, is_legal=is_legal)


MONEY = (
    "$3", "$ 3", "$.50", "$  3", "US$3", "USD 3", "USD3", "3 USD", "3USD", "3k USD", "EUR3.20", "3,20 EUR", "€3", "3€", "3 €", "£4", "¥300",
    "₹20", "₩900", "₪9", "ILS 9", "₽50", "₫900", "฿30", "＄2.50", "￥20", "￡7", "元30",
    "30元", "30 元", "RMB 30", "CNY 30", "Rs 300", "Rs. 300",
    "Fr. 20", "20 Fr.", "CHF 20", "25 kr", "25 kr.", "SEK 25", "12 zł", "PLN 12", "MXN 40", "ZAR 45", "0.01 BTC", "BTC 0.01", "3 dollars",
    "3 US dollars", "3 U.S. dollars", "3 US-Dollar", "three dollars", "twenty-five euros", "five cents", "5¢", "5 cents", "50 pence",
    "40 Rappen", "3 bucks", "three bucks", "a dollar", "a few dollars", "3 Mio. EUR", "1.2 million dollars", "2 francs", "2 Swiss francs",
    "9 rupees", "9 roubles", "7 pesos", "2 yuan", "10 yen", "2 pounds sterling", "usd 3", "3 eur", "CAD 4", "AUD 4", "HKD 9", "SGD 2",
    "two million dollars", "$3/h", "$3M", "0.5 USDT",
)  # fmt: skip
NOT_MONEY = (
    "an AMD MI300 device", "4 AMD devices", "PHP 8 scripts", "the BSD 3-Clause licence", "all 5 arms", "a kernel on 2 GPUs", "K4 tokens",
    "compute cost of one draft", "5 kernels", "3 frames", "the CDF 95 mark", "2 centres", "a crank of 3", "rank 3", "4 keys", "top 3",
    "version 3 of EURoC", "`$3` in a shell",
)  # fmt: skip
PRICE_WORDS = (
    "cheaper", "cheapest", "expensive", "inexpensive", "the price", "pricing", "pricey", "savings", "saves money", "TCO",
    "ROI", "affordable",
    "economical", "cost-effective", "low-cost", "discounted", "a budget", "an invoice", "hourly rate", "billiger", "günstig", "teurer",
    "prix", "precio", "价格", "便宜", "価格",
)  # fmt: skip
TYPED = (
    "2.8x", "2.8X", "2.8 x", "2.8×", "1.4-2.8x", "1.4 to 2.8x", "40%", "40 %", "40 percent", "40 per cent", "120 ms", "120 milliseconds",
    "3 s", "3 seconds", "4,870 tokens/second", "4870 tok/s", "4870 tokens per second", "10 QPS", "10 req/s", "10 requests per second",
    "3-fold", "5 points", "5 percentage points", "3 times", "20 GB", "20 GiB", "9 µs",
)  # fmt: skip
MEASURED_WORDS = (
    "2.8x", "2.8X", "2.8", "1.4-2.8x", "28", "4,870 tokens/second", "10 QPS", "120 milliseconds", "40%", "40 percent", "½", "２", "٣",
    "twice", "two thirds", "half", "a third", "a dozen", "a hundred", "doubled", "tripled", "halved", "twofold", "ten times", "faster",
    "slower", "higher", "lower", "better", "worse", "more", "fewer", "less", "increased", "reduced", "improved", "gained", "rose", "fell",
    "dropped", "grew", "sped up", "a speed-up", "a slowdown", "outperformed", "exceeded", "unchanged", "no difference", "the same",
    "significantly", "negligible", "an order of magnitude", "as fast as", "up to", "at least", "above", "below", "saved", "degraded",
    "x2", "zero", "doppelt", "schneller", "halbiert", "accelerated", "cut", "beat", "shrank", "dramatically",
)  # fmt: skip
MEASURED_LEGAL = (
    "On {hardware} it took {a}.", "On {hardware}, the median was {a} with n-gram speculation.", "An H100 took {a}.", "Qwen2.5-7B took {a}.",
    "The p95 was {a}, steps without a draft counted.", "With n-gram speculation of 4 tokens it took {a}.", "The verdict: {a}.",
    "After a restart the engine answered within {a}.", "In bf16 and int8 it took {a}.", "One of the arms took {a}.",
)  # fmt: skip
UNFIT = ("\\u0000", "\\u0007", "\\u001b[31m", "\\n", "\\u007f", "\\u0085", "\\u202e", "\\u2028", "\\u200f")
URLS = (
    "javascript:alert(1)", "file:///etc/passwd", "see the blog", "www.example.org", "ftp://example.org/a", "data:text/html,x", "https://",
    "http:///a", "mailto:a@example.org", "https://exa mple.org/", "//example.org/a", "https://user:pass@example.org/", "http://nowhere",
    "https://example.org:port/", "example.org/a",
)  # fmt: skip
GOOD_URLS = (
    "https://example.org/", "http://example.org/a?b=c#d", "HTTPS://EXAMPLE.org/", "https://example.org:8443/a", "https://münchen.example/",
    "http://localhost:8000/", "https://example.org/a%20b",
)  # fmt: skip
CURRENCIES = ("XYZ", "AAA", "XXX", "XTS", "XAU", "usd", "US", "EURO", "RMB", "BTC", "$", "")
MADE_UP_DECIMALS = (2.5, 2, True, "2,50", "1e-7", "NaN", "Infinity", "0", "-1", ".5", "01", "", " 2", "1_000")
GOOD_DECIMALS = ("0.00000025", "0.0000001", "2.50", "123456789012345678901234567890.5", "0." + "0" * 40 + "1")


def _labels() -> Iterator[Try]:
    for word in MEASURED_WORDS:
        yield Try("claim", "typed in a measured sentence", measured(f"On {{hardware}} it took {{a}}, {word}."))
    for word in ("9.9x", "It doubled.", "We saw 3 of them."):
        yield Try("claim", "typed in a measured caveat", measured(caveats=[word]))
    yield from _all("claim", "a measured sentence", [measured(statement) for statement in MEASURED_LEGAL], is_legal=True)
    relations = ("supplier", "author", "third-party", "user-report")
    yield from _all("claim", "a foreign relation", [measured(relation=relation) for relation in relations])
    yield Try("claim", "our own relation", measured(relation="own"), is_legal=True)
    yield from _all("claim", "a measured claim without its proof", [
        measured(quantities=[stated()]), measured(values=None), measured(source="page"), measured(asserted_on=None),
        measured(values={"a": "run:run-9#base/c1/tpot.p50", "hardware": "run:run-1#environment.hardware"}),
        measured(also=[{"source": "page", "locator": "L"}]), measured(protocol="plan"),
        measured(values={"a": "run:run-1#base/c1/tpot.p99", "hardware": "run:run-1#environment.hardware"}), measured(quote="2.8x here"),
        measured(ended={"on": "2025-05-01", "because": "It was 3x slower."}),
    ])  # fmt: skip
    for executor in ({"relation": "supplier", "organisation": "Demo"}, {"relation": "third-party", "organisation": "Lab"}):
        values = {"a": "run:run-2#base/c1/tpot.p50", "hardware": "run:run-1#environment.hardware"}
        yield Try("claim", "another's run", measured(values=values), (("run", "run-2", {"executor": executor}),))
    for status in ("partial", "failed", "invalid"):
        values = {"a": "run:run-2#base/c1/tpot.p50", "hardware": "run:run-1#environment.hardware"}
        yield Try("claim", "a run that backs nothing", measured(values=values), (("run", "run-2", {"status": status}),))
    maker = ("source", "s", {"publisher": "Test Works", "supplier_of": ["demo"]})
    yield Try("claim", "the operator is the maker", measured(), (maker,))
    yield from _all("claim", "a vendor claim without its proof", [
        claim(source=None), claim(locator=None), claim(relation="own"), claim(values={"a": RUN}), claim(source="nowhere"),
    ])  # fmt: skip
    for relation in ("supplier", "third-party", None):
        yield Try("claim", "our own page as a vendor's", claim(source="s", relation=relation), (("source", "s", {"relation": "own"}),))
    yield from _all("claim", "a proposal with results", [
        proposed(quantities=[stated()]), proposed(values={"a": RUN}), proposed(caveats=["We saw 9.9x."]), proposed(quote="2.8x faster"),
        proposed(relation="supplier"), proposed(asserted_on=None), proposed(statement="It would give 2.8x."),
    ])  # fmt: skip
    yield from _all("claim", "a proposal", [proposed(), proposed(protocol="plan"), proposed(caveats=["Not tried yet."])], is_legal=True)
    for rule in ("LEDG010", "LEDG020", "LEDG021", "LEDG022", "LEDG026", "LEDG040", "LEDG041", "LEDG070", "LEDG090", "LEDG999"):
        yield Try("waiver", "a waiver of what cannot be waived", {**DEFAULTS["waiver"], "rule": rule})
    for until in ("2199-01-01", "2027-01-01", "2026-06-03", "2025-05-01"):
        yield Try("waiver", "a waiver's term", {**DEFAULTS["waiver"], "until": until})
    yield from _all("waiver", "a waiver", [DEFAULTS["waiver"], {**DEFAULTS["waiver"], "until": "2026-06-01"}], is_legal=True)


def _firewall() -> Iterator[Try]:
    for money in MONEY:
        yield Try("claim", "money in a technical claim", claim(statement=f"Drafts at {money} come from the prompt."))
    for text in NOT_MONEY:
        yield Try("claim", "no money", claim(statement=f"Drafts on {text} come from the prompt."), is_legal=True)
    for word in PRICE_WORDS:
        yield Try("claim", "words about prices", claim(statement=f"Drafts are {word} here."))
    ended = {"on": "2025-05-01", "because": "It rose to $3."}
    quantities = [stated(conditions={"budget": "$3"})]
    flag = {"text": "--limit $3", "tool": "demo", "version": "1"}
    yield from _all("claim", "money beside the statement", [
        claim(caveats=["Only at $3."]), claim(version="demo 1, USD 3"), claim(ended=ended), claim(quantities=quantities),
        claim(quote="for $3 an hour"), claim(flags=[flag]), claim(quantities=[stated(unit="USD")]),
        claim(quantities=[stated(metric="price-per-token")]),
    ])  # fmt: skip
    plan = {**DEFAULTS["protocol"], "question": "Is it under $2 an hour?"}
    yield Try("protocol", "money in a plan", plan)
    yield Try("claim", "a link to a price", claim(conflicts_with=["price"]))
    yield Try("claim", "money on its own side", claim(side="pricing", statement="It was listed at $3."), is_legal=True)


def _numbers() -> Iterator[Try]:
    for text in TYPED:
        yield Try("claim", "typed in a statement", claim(statement=f"Drafts gave {text} there."))
    yield from _all("claim", "a number that is none of a metric", [
        claim(statement=text) for text in ("Drafts of 4 tokens.", "Version 0.6.3 drafts.", "Llama-3-8B drafts.",
            "Since 2024-10-17 it drafts.")
    ], is_legal=True)  # fmt: skip
    quantity: list[dict[str, Any]] = [
        {"value": None}, {"low": "1"}, {"value": None, "low": "3", "high": "1"}, {"unit": "millisec"}, {"bound": "maybe"}, {"samples": -3},
        {"samples": 0}, {"samples": True}, {"samples": 2.0}, {"samples": "9"}, {"value": 2.8}, {"value": "2,8"}, {"value": "1e-7"},
        {"statistic": "p42"}, {"colour": "red"}, {"conditions": {"model": 7}}, {"metric": "Speed Up"},
    ]  # fmt: skip
    yield from _all("claim", "a quantity", [claim(quantities=[stated(**fields)]) for fields in quantity])
    yield Try("claim", "a quantity's name twice", claim(quantities=[stated(), stated()]))
    yield from _all("claim", "a placeholder", [claim(statement="It gave {m}."), claim(statement="It gave {{ 7*7 }}.")])
    yield Try("claim", "a flag without its tool", claim(statement="With --draft-len it drafts."))
    legal: list[dict[str, Any]] = [
        {"value": "0.0000005", "unit": "s", "metric": "tpot"},
        {"value": None, "low": "1.4", "high": "2.8"},
        {"samples": 1},
    ]
    yield from _all("claim", "a quantity", [claim(quantities=[stated(**fields)]) for fields in legal], is_legal=True)


def _costs() -> Iterator[Try]:
    base = DEFAULTS["cost"]
    yield from _all("cost", "an amount", [{**base, "amount": amount} for amount in MADE_UP_DECIMALS])
    yield from _all("cost", "an amount", [{**base, "amount": amount} for amount in GOOD_DECIMALS], is_legal=True)
    yield from _all("cost", "a currency", [{**base, "currency": currency} for currency in CURRENCIES])
    yield from _all("cost", "a currency", [{**base, "currency": code} for code in ("EUR", "KWD", "unknown")], is_legal=True)
    loose: list[dict[str, Any]] = [
        {"gpus_per_instance": True}, {"gpus_per_instance": 1.0}, {"gpus_per_instance": "8"}, {"gpus_per_instance": -1},
        {"includes_host": "yes"},
        {"includes_host": 1}, {"includes_host": "true"}, {"per": "gpu-second"}, {"gpu": "none"}, {"gpus_per_instance": 0}, {"amount": None},
        {"low": "1", "high": "2"}, {"amount": None, "low": "2", "high": "1"}, {"standing": {"state": "withdrawn"}}, {"standing": "sound"},
        {"effective_from": "2025-13"}, {"effective_from": "Q3 2026"}, {"effective_from": "05/12/2026"}, {"effective_to": "2024-12-31"},
        {"observed_on": "2026-01-01"}, {"observed_on": "2025-04-02", "effective_to": "2025-04-01"}, {"observed_on": "2025-09"},
        {"source": "nowhere"}, {"source": "run-1"}, {"provider": ""}, {"commitment": {"months": True, "upfront": "none"}}, {"tax": "maybe"},
    ]  # fmt: skip
    yield from _all("cost", "a price's fields", [{**base, **fields} for fields in loose])
    legal: list[dict[str, Any]] = [
        {"observed_on": "2025-03-31", "effective_to": "2025-04-01"}, {"effective_to": "2026-01-01"}, {"effective_from": "2025-05"},
        {"standing": {"state": "withdrawn", "reason": "Sold out."}}, {"includes_host": "unknown"}, {"effective_from": "2026-01-01"},
    ]  # fmt: skip
    yield from _all("cost", "a price's fields", [{**base, **fields} for fields in legal], is_legal=True)
    yield Try("cost", "two prices of one offer", base, (("cost", "other", {"amount": "3"}),))


def _dates() -> Iterator[Try]:
    source = DEFAULTS["source"]
    yield from _all("source", "a date to come", [
        {**source, "published_on": "2030-01-01"}, {**source, "received_on": "2030-01-01"}, {**source, "published_on": "2025-07"},
        {**source, "captures": [{"retrieved_at": "2025-06-02"}]}, {**source, "published_on": "2030"},
    ])  # fmt: skip
    days = ("2025-06-02", "2030-01-01", "2025-07", "2026", "2025-06-02T09:00:00Z")
    yield from _all("claim", "said in the future", [claim(asserted_on=day) for day in days])
    yield from _all(
        "claim", "a day that is none", [claim(asserted_on=day) for day in ("2025-02-29", "2025-13-01", "0026-07-14", "14.07.2025")]
    )
    past = ("2025-06-01", "2025", "2025-05", "2025-03-01T09:00:00")
    yield from _all("claim", "said in the past", [claim(asserted_on=day) for day in past], is_legal=True)
    for volatility in ("fixed", "event"):
        page = ("source", "s", {"published_on": "2025-03-01", "volatility": volatility})
        yield Try("claim", "said before its source appeared", claim(source="s", asserted_on="2025-02-28"), (page,))
        yield Try("claim", "said when its source appeared", claim(source="s", asserted_on="2025-03-01"), (page,), is_legal=True)
    for day in ("2025-01-09", "2024"):
        yield Try("claim", "ended before it was said", claim(ended={"on": day, "because": "Removed."}))
    yield Try("claim", "ended later", claim(ended={"on": "2025-01-10", "because": "Removed."}), is_legal=True)
    captured = {"volatility": "fixed", "published_on": "2025-03-01", "captures": [{"retrieved_at": "2025-02-01"}]}
    yield Try("source", "read before it appeared", {**source, **captured})
    yield Try("source", "received before it appeared", {**source, "published_on": "2025-03-01", "received_on": "2025-02-01"})
    yield Try("review", "reviewed in the future", {**DEFAULTS["review"], "reviewed_on": "2030-01-01"})
    yield Try("retraction", "taken back in the future", {**DEFAULTS["retraction"], "target": "price", "retracted_on": "2030-01-01"})
    early = {**DEFAULTS["retraction"], "target": "run-1", "retracted_on": "2025-03-01"}
    yield Try("retraction", "taken back before it was", early)


def _links() -> Iterator[Try]:
    retraction = DEFAULTS["retraction"]
    twice: tuple[Beside, ...] = (("retraction", "first", {"target": "price"}),)
    yield Try("retraction", "taken back twice", {**retraction, "target": "price"}, twice)
    yield Try("retraction", "a retraction in a circle", {**retraction, "target": "first"}, (("retraction", "first", {"target": "it"}),))
    yield Try("retraction", "a retraction taken back", {**retraction, "target": "first"}, twice, is_legal=True)
    yield Try("retraction", "of what is not there", {**retraction, "target": "nowhere"})
    fallen: tuple[Beside, ...] = (("source", "s", {}), ("retraction", "gone", {"target": "s"}))
    yield Try("claim", "on a source that was taken back", claim(source="s"), fallen)
    yield Try("cost", "on a source that was taken back", {**DEFAULTS["cost"], "source": "s"}, fallen)
    revived: tuple[Beside, ...] = (*fallen, ("retraction", "again", {"target": "gone"}))
    yield Try("claim", "on a source that stands again", claim(source="s"), revived, is_legal=True)
    supersedes = {"id": "it", "because": "correction", "reason": "Wrong."}
    yield Try("claim", "of itself", claim(supersedes=supersedes))
    for target in ("nowhere", "price", "page"):
        yield Try("claim", "in place of another kind", claim(supersedes={**supersedes, "id": target}))
    yield from _all(
        "claim", "a link", [claim(bears_on=["nowhere"]), claim(conflicts_with=["it"]), claim(source="price"), claim(protocol="page")]
    )
    author = ("claim", "mine", {"author": "R. Eader"})
    review = {**DEFAULTS["review"], "target": "mine"}
    yield Try("review", "by its author", review, (author,))
    same_page: tuple[Beside, ...] = (("source", "s", {"url": "https://example.org/a"}),)
    yield Try("source", "one page twice", {**DEFAULTS["source"], "url": "https://EXAMPLE.org/a#top"}, same_page)


def _texts() -> Iterator[Try]:
    for unfit in UNFIT:
        row = record_toml("source", {"id": "it", **DEFAULTS["source"]}).replace("A page", f"A {unfit} page")
        yield Try("source", "a control character", {}, toml=row)
        row = record_toml("claim", {"id": "it", **claim()}).replace("Drafts come", f"Drafts {unfit} come")
        yield Try("claim", "a control character", {}, toml=row)
    for text in ("Ein Büro", "नमस्ते", "علی\\u200cاکبر", "漢字", "naïve ✓", "👩\\u200d🔬"):
        row = record_toml("source", {"id": "it", **DEFAULTS["source"]}).replace("A page", text)
        yield Try("source", "text of any script", {}, is_legal=True, toml=row)
    yield from _all("source", "an address", [{**DEFAULTS["source"], "url": url} for url in URLS])
    yield from _all("source", "an address", [{**DEFAULTS["source"], "url": url} for url in GOOD_URLS], is_legal=True)
    source: list[dict[str, Any]] = [
        {"recheck_days": -5}, {"recheck_days": 0}, {"recheck_days": True}, {"recheck_days": "30"}, {"relation": "friend"},
        {"type": "tweet"},
        {"title": ""}, {"title": None}, {"licence": None}, {"reliability": "e"}, {"colour": "red"}, {"volatility": "often"},
        {"supplier_of": "demo"}, {"captures": [{"sha256": "x", "retrieved_at": "2025-01-01"}]}, {"captures": [{"retrieved_at": "2025-01"}]},
    ]  # fmt: skip
    yield from _all("source", "a source's fields", [{**DEFAULTS["source"], **fields} for fields in source])
    workload = DEFAULTS["workload"]
    counts: tuple[dict[str, Any], ...] = (
        {"count": 0},
        {"count": True},
        {"count": "2"},
        {"count": 2.0},
        {"input_words": {"min": -1}},
        {"sha256": HASH[:-1]},
    )
    yield from _all("workload", "a count", [{**workload, **fields} for fields in counts])
    run: list[dict[str, Any]] = [
        {"planned": "yes"},
        {"planned": 1},
        {"duration_s": -1.0},
        {"duration_s": "600"},
        {"status": "done"},
        {"duration_s": True},
    ]
    yield from _all("run", "a run's fields", [{**DEFAULTS["run"], **fields} for fields in run])
    yield Try("run", "a run", DEFAULTS["run"], is_legal=True)


def table() -> list[Try]:
    """Return every record of the table, by kind of fault."""
    return [row for part in (_labels, _firewall, _numbers, _costs, _dates, _links, _texts) for row in part()]


AROUND: tuple[Beside, ...] = (
    ("source", "page", {"captures": [{"retrieved_at": "2025-01-05"}]}),
    ("workload", "prompts", {}),
    ("protocol", "plan", {}),
    ("run", "run-1", {}),
    ("cost", "price", {"item": "demo/other"}),
)


def findings(row: Try) -> list[Problem]:
    """Return what is found in a record among sound ones, about whatever record."""
    texts = [record_toml(kind, {"id": name, **DEFAULTS[kind], **fields}) for kind, name, fields in (*AROUND, *row.beside)]
    texts.append(row.toml or record_toml(row.kind, {"id": "it", **row.fields}))
    reads = [read_file(f"records/{number}.toml", text.encode()) for number, text in enumerate(texts)]
    catalogue = Catalogue([entry for read in reads for entry in read.entries], [unread for read in reads for unread in read.unread])
    found = [problem for read in reads for problem in read.problems]
    return [*found, *apply_waivers(check_rules(catalogue, TODAY), catalogue, TODAY)]


EXPECTED = {str(problem) for problem in findings(Try("claim", "", claim()))}
"""What the sound records have to themselves, such as a review's made-up hash; it counts for nothing."""


def run_table() -> Outcome:
    """Try every record and return what passed that should not, and what did not that should."""
    outcome = Outcome()
    for row in table():
        told = [problem for problem in findings(row) if str(problem) not in EXPECTED]
        if row.is_legal:
            outcome.legal += 1
            outcome.false_alarms += [(row, told)] if told else []
        else:
            outcome.faulty += 1
            outcome.misses += [] if any(problem.code != "LEDG001" for problem in told) or (told and row.toml) else [row]
    return outcome


def main() -> int:
    """Print misses, false alarms and totals; 1 where there are any false alarms, or more than 2 % misses."""
    outcome = run_table()
    for row in outcome.misses:
        sys.stdout.write(f"missed: {row}\n")
    for row, told in outcome.false_alarms:
        sys.stdout.write(f"false alarm: {row}\n" + "".join(f"    {problem}\n" for problem in told))
    sys.stdout.write(
        f"{outcome.faulty} faulty records: {len(outcome.misses)} missed. "
        f"{outcome.legal} legal records: {len(outcome.false_alarms)} false alarms.\n"
    )
    return int(bool(outcome.false_alarms) or len(outcome.misses) > 0.02 * outcome.faulty)


if __name__ == "__main__":
    sys.exit(main())
