"""Raw traces and suite answers as Parquet: lossless, and the same bytes for the same rows under one release of Arrow."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.bench.journal.rows import Row, as_tuple
from ledger.bench.plan.suite_results import SuiteAnswer
from ledger.errors import DataRefusedError
from ledger.model.trace import RequestTrace

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

MEDIA_TYPE = "application/vnd.apache.parquet"


def write_traces(traces: Sequence[RequestTrace], path: Path) -> None:
    """Write one row a request, in the order given."""
    write_rows(traces, trace_schema(), path)


def read_traces(path: Path) -> list[RequestTrace]:
    """Return the requests of a file, in its order.

    Raises:
        DataRefusedError: the file is missing, is not Parquet, or has other columns.
    """
    return read_rows(RequestTrace, trace_schema(), path)


def write_answers(answers: Sequence[SuiteAnswer], path: Path) -> None:
    """Write one row a suite answer, in the order given."""
    write_rows(answers, answer_schema(), path)


def read_answers(path: Path) -> list[SuiteAnswer]:
    """Return the suite answers of a file, in its order.

    Raises:
        DataRefusedError: the file is missing, is not Parquet, or has other columns.
    """
    return read_rows(SuiteAnswer, answer_schema(), path)


def trace_schema() -> "pa.Schema":
    """Return the columns of a trace file, in the order of RequestTrace's fields."""
    import pyarrow as pa

    times, counts = pa.list_(pa.float64()), pa.list_(pa.int32())
    optional = {"finish_reason", "error", "prompt_tokens", "cached_tokens", "steps_drafted", "steps_accepted"}
    optional |= {"output_sha256", "output_text", "output_token_ids"}
    types = {
        **dict.fromkeys(("repeat", "index", "prompt_tokens", "cached_tokens"), pa.int32()),
        **dict.fromkeys(("scheduled_s", "sent_s"), pa.float64()),
        **dict.fromkeys(("chunk_tokens", "steps_drafted", "steps_accepted", "output_token_ids"), counts),
        "chunks_s": times,
    }
    return pa.schema([pa.field(name, types.get(name, pa.string()), nullable=name in optional) for name in names(RequestTrace)])


def answer_schema() -> "pa.Schema":
    """Return the columns of an answer file, in the order of SuiteAnswer's fields."""
    import pyarrow as pa

    optional = {"finish_reason", "output_sha256", "output_text"}
    types = {"negative_control": pa.bool_()}
    return pa.schema([pa.field(name, types.get(name, pa.string()), nullable=name in optional) for name in names(SuiteAnswer)])


def names(row: type[Row]) -> list[str]:
    """Return the columns of a row type."""
    return [field.name for field in fields(row)]


def write_rows(rows: Sequence[Row], schema: "pa.Schema", path: Path) -> None:
    """Write rows to a new file beside the path and put it in its place, so that a reader never meets half a file."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = [pa.array([getattr(row, field.name) for row in rows], field.type) for field in schema]
    draft = path.with_name(f".{path.name}.new")
    parquet.write_table(
        pa.Table.from_arrays(columns, schema=schema), draft, compression="zstd", compression_level=9, version="2.6", write_statistics=False
    )
    draft.replace(path)


def read_rows(row: type[Row], schema: "pa.Schema", path: Path) -> list[Row]:
    """Return the rows of a file as values of a type; lists come back as tuples."""
    with open_parquet(path, schema) as file:
        table = file.read()
    columns: dict[str, list[Any]] = {name: [as_tuple(value) for value in table[name].to_pylist()] for name in schema.names}
    return [row(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True)]


@contextmanager
def open_parquet(path: Path, schema: "pa.Schema", *, buffer_size: int = 0) -> "Iterator[parquet.ParquetFile]":
    """Open a file that has these columns, at whatever row a fault in it shows.

    Args:
        path: The file.
        schema: The columns it must have.
        buffer_size: Bytes of a column read at once; 0 reads whole columns.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, buffer_size=buffer_size, pre_buffer=not buffer_size) as file:
            columns = file.schema_arrow.names
            if columns != schema.names:
                raise DataRefusedError(f"{path}: got the columns {', '.join(columns)}, expected {', '.join(schema.names)}.")
            yield file
    except (OSError, pa.ArrowInvalid) as error:
        raise DataRefusedError(
            f"{path}: is no readable Parquet file ({str(error).splitlines()[0]}). Get the run's evidence again."
        ) from error
