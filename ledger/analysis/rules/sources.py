"""Rules about sources, and the key that tells whether two addresses are one page."""

from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import urlsplit

from ledger.analysis.validity.drift import Drift, drifts, unsettled_drift
from ledger.analysis.validity.links import resting_on
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.source import Source

_TRACKING = frozenset(
    (
        *("gclid", "gbraid", "wbraid", "dclid", "fbclid", "twclid", "ttclid", "msclkid", "yclid", "igshid", "li_fat_id"),
        *("mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "ref_src", "ref_url"),
    )
)
"""Parameters that tell where a reader came from, beside all that begin with utm_."""


def page_key(url: str) -> str:
    """Return the address of a page: lower-case scheme and host, no fragment, no tracking parameters, the rest as written."""
    parts = urlsplit(url)
    kept = [pair for pair in parts.query.split("&") if pair and not _is_tracking(pair)]
    host = parts.netloc.lower().removesuffix(":443" if parts.scheme.lower() == "https" else ":80")
    return f"{parts.scheme.lower()}://{host}{parts.path or '/'}" + (f"?{'&'.join(kept)}" if kept else "")


def _is_tracking(pair: str) -> bool:
    name = pair.partition("=")[0].lower()
    return name.startswith("utm_") or name in _TRACKING


def _identity(url: str) -> tuple[str, tuple[str, ...]]:
    """What two addresses of one page share: servers read parameters in any order."""
    page, _, query = page_key(url).partition("?")
    return page, tuple(sorted(query.split("&")))


def _sources(catalogue: Catalogue) -> Iterator[tuple[Entry, Source]]:
    for entry in catalogue:
        if isinstance(entry.record, Source):
            yield entry, entry.record


def check_same_page(catalogue: Catalogue) -> Iterator[Problem]:
    """One page captured twice is one source with two captures."""
    pages = defaultdict(list)
    for entry, source in _sources(catalogue):
        if source.url and source.id not in catalogue.successors:
            pages[_identity(source.url)].append((entry, source))
    for entries in pages.values():
        for entry, source in entries[1:]:
            first = entries[0][1].id
            message = f"the same page as {first}: {page_key(source.url or '')}."
            yield entry.problem("LEDG080", ("url",), message, remedy=f"Add a capture to {first}, or supersede it.")


def check_addresses(catalogue: Catalogue) -> Iterator[Problem]:
    """The address of a source leads to a page: http or https, a host, and no white space."""
    for entry, source in _sources(catalogue):
        if source.url and not _is_address(source.url):
            yield entry.problem("LEDG084", ("url",), f'"{source.url}" is no address of a page.', remedy="Begin with https:// and a host.")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return False
    is_host = host == "localhost" or "." in host.strip(".") or ":" in host
    return parts.scheme.lower() in ("http", "https") and is_host and not any(char.isspace() for char in url) and "@" not in parts.netloc


def check_drift(catalogue: Catalogue) -> Iterator[Problem]:
    """What rests on a page that was captured again with other content was read again too."""
    pages: dict[object, list[Source]] = defaultdict(list)
    for source in catalogue.of(Source):
        pages[_identity(source.url) if source.url else source.id].append(source)
    for sources in pages.values():
        captures = sorted((c for s in sources for c in s.captures), key=lambda c: c.retrieved_at)
        for source in sources:
            whole = source.model_copy(update={"captures": tuple(captures)})
            for record in resting_on(catalogue, source.id) if drifts(whole) else ():
                first = min((c.retrieved_at for c in source.captures), default=None)
                if drift := unsettled_drift(catalogue, record, whole, since=first):
                    yield _drift_problem(catalogue.by_id[record.id], source, drift)


def _drift_problem(entry: Entry, source: Source, drift: Drift) -> Problem:
    message = f"rests on {source.id}, whose content of {drift.before.retrieved_at} differed on {drift.after.retrieved_at}."
    return entry.problem("LEDG082", ("source",), message, remedy="Read it again, then review or supersede this record.", severity="warning")


def check_dates(catalogue: Catalogue) -> Iterator[Problem]:
    """A capture is not older than the publication; a living page tells only its last change."""
    for entry, source in _sources(catalogue):
        if source.volatility == "living":
            continue
        for index, capture in enumerate(source.captures):
            if source.published_on and capture.retrieved_at < source.published_on.first:
                yield entry.problem(
                    "LEDG081",
                    ("captures", index, "retrieved_at"),
                    f"read on {capture.retrieved_at}, published on {source.published_on}.",
                    remedy="Mend a date.",
                )
