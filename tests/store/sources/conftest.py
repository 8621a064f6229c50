"""The fixture of pages, from `page_server_fixtures`."""

from tests.store.sources.page_server_fixtures import pages

__all__ = ["pages"]
