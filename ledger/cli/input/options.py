"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.input.completion import complete_any_id, complete_article
from ledger.cli.text.output import Format
from ledger.model.records.run import ExecutorRelation

FormatOption = Annotated[Format, typer.Option("--format", help="How to print.")]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to a file; a workbook needs one.")]
AsOfOption = Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="What held on that day; today by default.")]
KnownAtOption = Annotated[str | None, typer.Option("--known-at", metavar="DATE|COMMIT", help="What the ledger knew then.")]
SortOption = Annotated[str | None, typer.Option("--sort", metavar="FIELD", help="Order by a field; -FIELD the other way round.")]
LimitOption = Annotated[int | None, typer.Option("--limit", metavar="N", help="No more than N rows.")]
AllOption = Annotated[bool, typer.Option("--all", help="Also what is superseded, retracted, ended or undated.")]
TextOption = Annotated[str | None, typer.Option()]
IdArgument = Annotated[str, typer.Argument(metavar="ID", autocompletion=complete_any_id, show_default=False)]
ArticlesArgument = Annotated[list[str], typer.Argument(metavar="ARTICLE...", autocompletion=complete_article, help="Ids of drafts.")]
NewIdOption = Annotated[str | None, typer.Option("--id", metavar="NEW", help="Id of the new record.")]
ReasonOption = Annotated[str | None, typer.Option(help="Why, in a sentence.")]
ModelOption = Annotated[
    Path | None, typer.Option("--model", help="Folder of the model; by default the cached model of the protocol's name.")
]
ExecutorOption = Annotated[ExecutorRelation, typer.Option("--executor", help="Who runs it.")]
ProtocolArgument = Annotated[str, typer.Argument(metavar="PROTOCOL")]
RunArgument = Annotated[str, typer.Argument(metavar="RUN")]
ArchiveOption = Annotated[bool, typer.Option("--archive", help="Keep the bytes and their text under the evidence folder.")]
