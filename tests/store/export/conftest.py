"""The fixture of exports, from `export_fixtures`."""

from tests.store.export.export_fixtures import written

__all__ = ["written"]
