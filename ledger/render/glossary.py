"""The labels and the terms, as every document explains them."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LabelWords:
    """How a label reads in the key, short at the start of a document and in full at its end."""

    word: str
    short: str
    full: str


LABELS: dict[str, LabelWords] = {
    "measured": LabelWords(
        "measured",
        "our own run, planned beforehand; the number is read from its trace.",
        "Our own run in this ledger, after a plan fixed beforehand. Its numbers are recomputed from the raw trace.",
    ),
    "unplanned": LabelWords(
        "measured, unplanned",
        "our own run, without a plan fixed beforehand; no verdict rests on it.",
        "Our own run, without a plan fixed beforehand. No verdict, decision or derived cost rests on it.",
    ),
    "vendor-claimed": LabelWords(
        "vendor-claimed",
        "somebody outside said it; how they stand to the subject is named beside it.",
        "Somebody outside said it: a supplier, the method's authors, a third party or a user. We have not observed it.",
    ),
    "proposed": LabelWords(
        "proposed",
        "nobody has observed it.",
        "A proposal, plan or expectation. Nobody has observed it, and it carries no observed number.",
    ),
    "price": LabelWords(
        "price",
        "a dated price with its basis: a list, a transcription, a quote, a contract, an observation or an estimate.",
        "A dated price from the price ledger. The word after it says on what it rests.",
    ),
}
"""Keys of badges, in the order of the key; the first three kinds of proof, then prices."""

TERMS: tuple[tuple[str, str, str], ...] = (
    ("TTFT", r"\bTTFT\b", "time to first token: from the moment the load plan wanted the request sent to the first output chunk."),
    (
        "TPOT",
        r"\bTPOT\b",
        "time per output token: from the first to the last chunk, divided by the tokens after the first chunk; one per request.",
    ),
    ("ITL", r"\bITL\b", "inter-token latency: each gap between chunks, shared evenly over the tokens that the chunk carried."),
    ("chunk gap", r"\bchunk gaps?\b", "the time between two output chunks, as the reader of a stream sees it."),
    ("longest stall", r"\blongest stall\b", "the largest chunk gap of a request."),
    ("acceptance", r"\bacceptance\b", "accepted over drafted tokens; tokens per step count all decode steps, those without a draft too."),
    (
        "saturated",
        r"\bsaturated\b",
        "arrivals outran departures and the backlog grew; latencies then say how long the run was, not how fast the system is.",
    ),
    ("withheld", r"\bwithheld\b", "measured on too few distinct prompts to be printed: 72 for p95, 368 for p99."),
    ("interval", r"95.%", "95 % interval; n counts distinct prompts, since requests of one prompt are not independent."),
    ("p95", r"\bp9[59]\b", "the value that 95 (99) of 100 requests stay below, by linear interpolation."),
    ("as of", r"\bas of\b", "what held on that date, by what the ledger knew when the document was built."),
    (
        "reliability",
        r"\breliability [abcd]\b",
        "of a source: a, primary and dated; b, primary, undated or partial; c, secondary, or a single report; d, weak.",
    ),
    ("superseded", r"\bsuperseded\b", "a newer record replaces this one; the date is the newer one's."),
    ("withdrawn", r"\bwithdrawn\b", "whoever said it took it back, or it ceased to hold, on the date given."),
)
"""Term, where it occurs, and what it means (METRICS)."""


def terms_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return the defined terms that occur in a text, with their meanings."""
    return tuple((term, meaning) for term, pattern, meaning in TERMS if re.search(pattern, text, re.IGNORECASE))
