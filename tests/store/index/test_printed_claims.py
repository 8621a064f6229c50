"""Claims as they print and their numbers, as SQL reads them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


Rows = Callable[..., list[dict[str, Any]]]


def test_claims_and_their_numbers(tested: "LedgerFolder", rows: Rows) -> None:
    found = rows(
        "sql",
        "SELECT c.id, c.relation, c.statement, q.low, q.bound, q.interval FROM claims c JOIN quantities q ON q.claim = c.id ORDER BY 1",
    )
    assert found == [
        {"id": "vendor-up-to", "relation": "supplier", "statement": "It gave up to 3.1x.", "low": "3.1", "bound": "up-to", "interval": 0},
        {"id": "we-measured", "relation": "own", "statement": "We saw 1.60x.", "low": "1.5", "bound": "exactly", "interval": 1},
    ]


def test_lists_inside_fields_can_be_opened(tested: "LedgerFolder", rows: Rows) -> None:
    found = rows("sql", "SELECT j.value FROM quantities q, json_each(q.conditions, '$.model') j WHERE q.claim = 'vendor-up-to'")
    assert found == [{"value": "demo"}]
