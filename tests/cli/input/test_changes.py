"""`--set FIELD=VALUE`: places, values and what has another form."""

from typing import TYPE_CHECKING

import pytest

from ledger.cli.input.changes import field_change

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


@pytest.mark.parametrize("text", ["caveats", "=x", "a b=c", 'quantities.0={ name = "x"'])
def test_a_change_of_the_wrong_form_is_refused(text: str, page_folder: "LedgerFolder", command: "Command") -> None:
    done = command("supersede", "drafts", "--id", "d2", "--because", "change", "--reason", "r", "--set", text)
    assert (done.code, "--set" in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("locator=section 2", ("locator",), "section 2"),
        ("asserted-on=2025-02", ("asserted_on",), "2025-02"),
        ("caveats=one", ("caveats",), ["one"]),
        ("locator=", ("locator",), None),
        ("quantities.up-to.value=2.3", ("quantities", "up-to", "value"), "2.3"),
        ('quantities.gain.conditions={ load = "c1" }', ("quantities", "gain", "conditions"), {"load": "c1"}),
        ("locator=a=b", ("locator",), "a=b"),
    ],
)
def test_place_and_value(text: str, path: tuple[str, ...], value: object) -> None:
    assert field_change("claim", text) == (path, value)
