"""Traces as columns: the form in which millions of requests are aggregated.

One row per request, chunks and decode steps flat with offsets (as Parquet lists are), names as codes. Nothing
here copies the flat columns; work on them goes in blocks of rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ledger.model.trace import Outcome, RequestTrace

Floats = NDArray[np.float64]
Ints = NDArray[np.signedinteger[Any]]
Bools = NDArray[np.bool_]

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
NOT_RECORDED = -1
BLOCK_CHUNKS = 1 << 21
"""Chunks handled at once; bounds the memory of every pass."""


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """A column of names: `codes[i]` points into `names`, which is sorted; `NOT_RECORDED` where a row has none."""

    names: tuple[str, ...]
    codes: Ints

    @classmethod
    def of(cls, names: Sequence[str], codes: Ints) -> "Names":
        """Return a dictionary-encoded column, its names put in order so that no result depends on row order."""
        order = np.argsort(np.asarray(names, dtype=object), kind="stable") if len(names) else np.empty(0, np.int64)
        rank = np.full(len(names) + 1, NOT_RECORDED, np.int32)
        rank[order] = np.arange(len(names), dtype=np.int32)
        return cls(tuple(names[i] for i in order), rank[codes])

    @classmethod
    def from_values(cls, values: Iterable[str | None]) -> "Names":
        """Return the column of plain values; None where a row has no name."""
        known: dict[str, int] = {}
        codes = [NOT_RECORDED if value is None else known.setdefault(value, len(known)) for value in values]
        return cls.of(tuple(known), np.asarray(codes, np.int32))

    def code(self, name: str) -> int:
        """Return the code of a name, `-2` (which no row has) where the column lacks it."""
        return self.names.index(name) if name in self.names else -2


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Lists of whole numbers, one per row: row i is `values[offsets[i]:offsets[i + 1]]`, where `recorded[i]`."""

    offsets: Ints
    values: Ints
    recorded: Bools

    def __post_init__(self) -> None:
        """Refuse offsets that do not fit the values."""
        if len(self.offsets) != len(self.recorded) + 1 or (len(self.offsets) and int(self.offsets[-1]) != len(self.values)):
            raise ValueError(f"got {len(self.offsets)} offsets for {len(self.recorded)} rows and {len(self.values)} values")

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int] | None]) -> "Ragged":
        """Return the column of plain rows; None where a row was not recorded."""
        flat = [value for row in rows if row for value in row]
        return cls(
            offsets_of(len(row or ()) for row in rows), np.asarray(flat, np.int64), np.asarray([row is not None for row in rows], np.bool_)
        )

    def row(self, index: int) -> Ints:
        """Return the values of one row."""
        return self.values[self.offsets[index] : self.offsets[index + 1]]


def offsets_of(lengths: Iterable[int]) -> Ints:
    """Return the n + 1 offsets of n lists of these lengths."""
    counts = np.fromiter(lengths, np.int64)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """Requests as columns of equal length; instants in seconds on the run's monotonic clock."""

    arm: Names
    load: Names
    prompt: Names
    repeat: Ints
    measured: Bools
    """False for warm-up, ramps and drills."""
    index: Ints
    scheduled_s: Floats
    sent_s: Floats
    outcome: Ints
    """Place in `OUTCOMES`."""
    chunk_offsets: Ints
    chunks_s: Floats
    chunk_tokens: Ints
    """Tokens of each chunk, at least 1."""
    prompt_tokens: Ints
    cached_tokens: Ints
    """Both `NOT_RECORDED` where the engine does not say."""
    drafted: Ragged
    accepted: Ragged
    """Per decode step (the prefill, which yields the first token, is none); same shape as `drafted`."""
    token_ids: Ragged
    output_hash: Names

    def __post_init__(self) -> None:
        """Refuse columns that cannot be traces: unequal lengths, steps without their pair, chunks without tokens."""
        for field in fields(self):
            column = getattr(self, field.name)
            length = len(getattr(column, "recorded", getattr(column, "codes", column)))
            if field.name not in ("chunk_offsets", "chunks_s", "chunk_tokens") and length != len(self):
                raise ValueError(f"{field.name}: got {length} rows, expected {len(self)}")
        if len(self.chunk_offsets) != len(self) + 1 or not int(self.chunk_offsets[-1]) == len(self.chunks_s) == len(self.chunk_tokens):
            raise ValueError("chunk_offsets: expected one more than rows, ending at the number of chunks, with a time and tokens for each")
        if not np.array_equal(self.drafted.offsets, self.accepted.offsets):
            raise ValueError("accepted: got steps that differ in number from drafted, expected one entry per decode step in each")
        if len(self.chunk_tokens) and int(self.chunk_tokens.min()) < 1:
            raise ValueError("chunk_tokens: got a chunk without tokens, expected at least 1 in each")

    def __len__(self) -> int:
        """Number of requests."""
        return len(self.repeat)

    @classmethod
    def from_requests(cls, requests: Sequence[RequestTrace]) -> "Traces":
        """Return the columns of request traces."""
        return cls(
            arm=Names.from_values(r.arm for r in requests),
            load=Names.from_values(r.load for r in requests),
            prompt=Names.from_values(r.prompt_id for r in requests),
            repeat=np.asarray([r.repeat for r in requests], np.int32),
            measured=np.asarray([r.phase == "measured" for r in requests], np.bool_),
            index=np.asarray([r.index for r in requests], np.int64),
            scheduled_s=np.asarray([r.scheduled_s for r in requests], np.float64),
            sent_s=np.asarray([r.sent_s for r in requests], np.float64),
            outcome=np.asarray([OUTCOMES.index(r.outcome) for r in requests], np.int8),
            chunk_offsets=offsets_of(len(r.chunks_s) for r in requests),
            chunks_s=np.asarray([t for r in requests for t in r.chunks_s], np.float64),
            chunk_tokens=np.asarray([k for r in requests for k in r.chunk_tokens], np.int32),
            prompt_tokens=_or_not_recorded([r.prompt_tokens for r in requests]),
            cached_tokens=_or_not_recorded([r.cached_tokens for r in requests]),
            drafted=Ragged.from_rows([r.steps_drafted for r in requests]),
            accepted=Ragged.from_rows([r.steps_accepted for r in requests]),
            token_ids=Ragged.from_rows([r.output_token_ids for r in requests]),
            output_hash=Names.from_values(r.output_sha256 or r.output_text for r in requests),
        )

    def rows(self, arm: str | None = None, load: str | None = None, repeat: int | None = None) -> Ints:
        """Return the places of the measured requests of an arm, load and repeat; None takes all of them."""
        chosen = self.measured.copy()
        if arm is not None:
            chosen &= self.arm.codes == self.arm.code(arm)
        if load is not None:
            chosen &= self.load.codes == self.load.code(load)
        if repeat is not None:
            chosen &= self.repeat == repeat
        return np.flatnonzero(chosen)

    def repeats(self, rows: Ints) -> list[int]:
        """Return the repeats among these rows, in order."""
        return [int(repeat) for repeat in np.unique(self.repeat[rows])]

    def chunk_counts(self, rows: Ints) -> Ints:
        """Return the number of chunks of each row."""
        return self.chunk_offsets[rows + 1] - self.chunk_offsets[rows]

    def blocks(self, rows: Ints) -> Iterator["ChunkBlock"]:
        """Yield the chunks of these rows in blocks of bounded size."""
        for part in row_blocks(self.chunk_counts(rows)):
            yield ChunkBlock.of(self, rows[part], part)


@dataclass(frozen=True, slots=True, eq=False)
class ChunkBlock:
    """The chunks of some rows, one after the other."""

    part: slice
    """Which of the rows asked for."""
    counts: Ints
    """Chunks of each row."""
    times_s: Floats
    tokens: Ints
    first: Bools
    """True for the first chunk of a row."""

    @classmethod
    def of(cls, traces: Traces, rows: Ints, part: slice) -> "ChunkBlock":
        """Return the block of these rows."""
        places, counts = flat_places(traces.chunk_offsets, rows)
        first = np.zeros(int(counts.sum()), np.bool_)
        starts = np.cumsum(counts) - counts
        first[starts[counts > 0]] = True
        return cls(part, counts, traces.chunks_s[places], traces.chunk_tokens[places], first)


def row_blocks(sizes: Ints, limit: int = BLOCK_CHUNKS) -> Iterator[slice]:
    """Yield slices of rows whose sizes sum to about `limit`; a single larger row is a block of its own."""
    if not len(sizes):
        return
    bounds = np.flatnonzero(np.diff(np.cumsum(sizes) // limit)) + 1
    edges = [0, *(int(bound) for bound in bounds), len(sizes)]
    yield from (slice(start, stop) for start, stop in pairwise(edges))


def flat_places(offsets: Ints, rows: Ints) -> tuple[Ints | slice, Ints]:
    """Return where the list entries of these rows lie in the flat column, and how many each row has."""
    counts = offsets[rows + 1] - offsets[rows]
    if len(rows) and int(rows[-1]) - int(rows[0]) == len(rows) - 1 and bool((np.diff(rows) == 1).all()):
        return slice(int(offsets[rows[0]]), int(offsets[rows[-1] + 1])), counts  # neighbours: a view, not a copy
    shift = offsets[rows] - (np.cumsum(counts) - counts)
    return np.repeat(shift, counts) + np.arange(int(counts.sum())), counts


def _or_not_recorded(values: list[int | None]) -> Ints:
    return np.asarray([NOT_RECORDED if value is None else value for value in values], np.int64)
