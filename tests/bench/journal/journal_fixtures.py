"""Lines of a small journal, written by hand: two arms, one load of two requests over two prompts, no warm-up."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ledger.bench.journal.chain import START
from ledger.bench.journal.journal import Line, encode_line
from ledger.model.records.protocol import Protocol
from ledger.model.trace import RequestTrace
from tests.bench.conftest import protocol_of, trace_of

PROMPTS = ("p0", "p1")


def plan(**fields: Any) -> Protocol:
    """The plan that the lines fit."""
    return protocol_of(**{"loads": [{"id": "c1", "concurrency": 1, "requests": 2}]} | fields)


def header() -> Line:
    """The first line, as far as a plan's fit needs it."""
    return {"kind": "header", "prompts": [{"id": prompt} for prompt in PROMPTS]}


def mark(kind: str, arm: str = "base", **fields: Any) -> Line:
    """A start or an end."""
    place = {"load": "c1", "repeat": 1} if kind.startswith("cell") else {}
    return {"kind": kind, "arm": arm, **place, **fields}


def request(index: int, arm: str = "base", **fields: Any) -> Line:
    """A request with the prompt that its place takes."""
    trace = trace_of(**{"arm": arm, "load": "c1", "index": index, "prompt_id": PROMPTS[index % 2]} | fields)
    return {"kind": "request", **{name: getattr(trace, name) for name in RequestTrace.__slots__}}


def answer(item: str, arm: str = "base") -> Line:
    """An answer to an item of the suite `suite`."""
    return {"kind": "answer", "arm": arm, "suite": "suite", "item": item}


def cell(arm: str = "base", **fields: Any) -> Iterator[Line]:
    """The lines of a whole cell; fields change its second request."""
    yield from (mark("cell-start", arm), request(0, arm), request(1, arm, **fields), mark("cell-end", arm))


def chain_again(path: Path) -> None:
    """Write a journal's chain anew after its lines were edited, as somebody would who knows how."""
    previous: str | None = START
    content = b""
    for raw in path.read_bytes().decode("utf-8", "surrogatepass").splitlines():
        line = json.loads(raw)
        line.pop("chain", None)
        chained, previous = encode_line(line, previous)
        content += chained
    path.write_bytes(content)


def unchain(path: Path) -> None:
    """Write a journal as releases did that chained nothing."""
    lines = [json.loads(raw) for raw in path.read_bytes().decode("utf-8", "surrogatepass").splitlines()]
    for line in lines:
        line.pop("chain", None)
    lines[0]["format"] = 1
    path.write_bytes(b"".join(encode_line(line, None)[0] for line in lines))
