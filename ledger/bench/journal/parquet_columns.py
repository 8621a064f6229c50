"""Raw traces from Parquet straight into columns, block by block: no Python object a request, so that millions fit."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ledger.analysis.statistics.trace_columns import NOT_RECORDED, OUTCOMES, Ints, Names, Ragged, Traces
from ledger.bench.journal.parquet import open_parquet, trace_schema

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

LISTS = ("chunks_s", "steps_drafted", "steps_accepted", "output_token_ids")
NAMED = ("arm", "load", "prompt_id", "output")
WHOLE = ("repeat", "index", "prompt_tokens", "cached_tokens")
READ_AT_ONCE_BYTES = 1 << 20
VALUES_AT_ONCE, MOST_ROWS = 1 << 19, 1 << 16
"""Of a batch: its longest list column, and its rows."""


def read_columns(path: Path) -> Traces:
    """Return the requests of a trace file as columns: the numbers that `Traces.from_requests` makes of `read_traces`.

    Raises:
        DataRefusedError: the file is missing, is not Parquet, or has other columns.
    """
    import pyarrow as pa

    with open_parquet(path, trace_schema(), buffer_size=READ_AT_ONCE_BYTES) as file:
        columns = Columns(file)
        for batch in file.iter_batches(batch_size=rows_at_once(file), columns=columns.needed, use_threads=False):
            columns.add(batch)
    pa.default_memory_pool().release_unused()  # Arrow would keep what the batches took
    return columns.traces()


class Columns:
    """The columns of a file while they fill up."""

    def __init__(self, file: "parquet.ParquetFile") -> None:
        rows = file.metadata.num_rows
        self.needed = [name for name in file.schema_arrow.names if name not in ("finish_reason", "error")]
        self._names: dict[str, dict[str, int]] = {name: {} for name in NAMED}
        self._flat: dict[str, Filling] = {name: Filling(rows, np.int32) for name in (*NAMED, *WHOLE)}
        self._flat |= {name: Filling(rows, np.float64) for name in ("scheduled_s", "sent_s")}
        self._flat |= {"measured": Filling(rows, np.bool_), "outcome": Filling(rows, np.int8)}
        self._flat |= {f"{name} recorded": Filling(rows, np.bool_) for name in LISTS}
        self._flat |= {f"{name} lengths": Filling(rows, np.int64) for name in LISTS}
        values = values_by_column(file)
        self._flat |= {name: Filling(values[name], np.float64 if name == "chunks_s" else np.int8) for name in (*LISTS, "chunk_tokens")}

    def add(self, batch: "pa.RecordBatch") -> None:
        """Take over the rows of a batch."""
        import pyarrow.compute as pc

        for name in WHOLE:
            self._flat[name].add(pc.fill_null(batch[name], NOT_RECORDED))
        for name in ("scheduled_s", "sent_s"):
            self._flat[name].add(batch[name])
        self._flat["measured"].add(pc.equal(batch["phase"], "measured"))
        self._flat["outcome"].add(encode_names(batch["outcome"], {outcome: place for place, outcome in enumerate(OUTCOMES)}))
        for name in NAMED:
            column = first_not_empty(batch["output_sha256"], batch["output_text"]) if name == "output" else batch[name]
            self._flat[name].add(encode_names(column, self._names[name]))
        for name in LISTS:
            self._flat[f"{name} recorded"].add(pc.is_valid(batch[name]))
            self._flat[f"{name} lengths"].add(pc.fill_null(pc.list_value_length(batch[name]), 0))
        for name in (*LISTS, "chunk_tokens"):
            self._flat[name].add(batch[name].flatten())

    def traces(self) -> Traces:
        """Return the columns, once every row is in."""
        return Traces(
            arm=self._named("arm"),
            load=self._named("load"),
            prompt=self._named("prompt_id"),
            repeat=self._whole("repeat"),
            measured=self._flat["measured"].values,
            index=self._whole("index"),
            scheduled_s=self._flat["scheduled_s"].values,
            sent_s=self._flat["sent_s"].values,
            outcome=self._whole("outcome"),
            chunk_offsets=self._offsets("chunks_s"),
            chunks_s=self._flat["chunks_s"].values,
            chunk_tokens=self._whole("chunk_tokens"),
            prompt_tokens=self._whole("prompt_tokens"),
            cached_tokens=self._whole("cached_tokens"),
            drafted=self._ragged("steps_drafted"),
            accepted=self._ragged("steps_accepted"),
            token_ids=self._ragged("output_token_ids"),
            output_hash=self._named("output"),
        )

    def _whole(self, name: str) -> Ints:
        return self._flat[name].values

    def _named(self, name: str) -> Names:
        return Names.of(tuple(self._names.pop(name)), self._whole(name))

    def _offsets(self, name: str) -> Ints:
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(self._flat[f"{name} lengths"].values, dtype=np.int64)))

    def _ragged(self, name: str) -> Ragged:
        return Ragged(self._offsets(name), self._whole(name), self._flat[f"{name} recorded"].values)


class Filling:
    """A column of known greatest length that fills up; whole numbers take the narrowest type that holds them all."""

    def __init__(self, most: int, kind: Any) -> None:
        self._room = np.empty(most, kind)  # pages never written to take no memory
        self._filled = 0

    def add(self, column: "pa.Array") -> None:
        """Put the values of an Arrow column, which has no nulls, behind those that are there."""
        values: NDArray[Any] = column.to_numpy(zero_copy_only=False)
        self._widen_for(values)
        self._room[self._filled : self._filled + len(values)] = values
        self._filled += len(values)

    @property
    def values(self) -> NDArray[Any]:
        """What is in."""
        return self._room[: self._filled]

    def _widen_for(self, values: NDArray[Any]) -> None:
        if not len(values) or self._room.dtype.kind != "i":
            return
        needed = np.result_type(self._room, np.min_scalar_type(-int(abs(values).max()) - 1))
        if needed != self._room.dtype:
            wider = np.empty(len(self._room), needed)
            wider[: self._filled] = self.values
            self._room = wider


def encode_names(column: "pa.Array", known: dict[str, int]) -> "pa.Array":
    """Return the codes of a column of names, `NOT_RECORDED` for null; names not yet known are added."""
    import pyarrow as pa
    import pyarrow.compute as pc

    words = column.dictionary_encode()
    codes = pa.array([known.setdefault(word, len(known)) for word in words.dictionary.to_pylist()], pa.int32())
    return pc.fill_null(codes.take(words.indices), NOT_RECORDED)


def first_not_empty(first: "pa.Array", second: "pa.Array") -> "pa.Array":
    """Return the first column's texts, and the second's where the first has none or an empty one."""
    import pyarrow.compute as pc

    return pc.if_else(pc.fill_null(pc.not_equal(first, ""), False), first, second)


def rows_at_once(file: "parquet.ParquetFile") -> int:
    """Return how many rows hold about `VALUES_AT_ONCE` values in their longest list."""
    rows, longest = int(file.metadata.num_rows), max(values_by_column(file).values(), default=0)
    return max(min(VALUES_AT_ONCE * rows // max(longest, 1), MOST_ROWS), 1)


def values_by_column(file: "parquet.ParquetFile") -> dict[str, int]:
    """Return how many values each column holds at most; an empty list counts as one."""
    counts: dict[str, int] = {}
    for group in (file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)):
        for column in (group.column(place) for place in range(group.num_columns)):
            name = column.path_in_schema.partition(".")[0]
            counts[name] = counts.get(name, 0) + column.num_values
    return counts
