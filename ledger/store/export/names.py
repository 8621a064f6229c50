"""The names of the export formats, apart from what writes them, so that a command can offer them without loading it."""

from typing import Literal

ExportFormat = Literal["csv", "xlsx", "json", "jsonld", "parquet", "sqlite"]
