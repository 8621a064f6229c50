"""Random records of each kind, as the tests of the models make them, a ledger with a page and a claim, and shared fixtures."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.claim_fixtures import ask, rows, tested
from tests.random_ledger_fixtures import random_ledger

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

__all__ = ["ask", "random_ledger", "rows", "tested"]
_MODELS = Path(__file__).resolve().parent.parent / "model" / "conftest.py"


@pytest.fixture(scope="session")
def strategies() -> Any:
    """The module that makes strategies for records out of the models."""
    spec = spec_from_file_location("record_strategies", _MODELS)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def page_folder(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger that holds the source `page` and the claim `drafts`."""
    ledger_folder.add_page()
    ledger_folder.add("claim", "drafts", author="A. Uthor")
    return ledger_folder
