"""Words that a command's options accept and that no record holds: gaps of coverage, formats of exports."""

from ledger.analysis.upkeep.coverage import Gap
from ledger.store.export.formats import ExportFormat

__all__ = ["ExportFormat", "Gap"]
