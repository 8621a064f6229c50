"""`--set FIELD=VALUE`: places, values and what has another form."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


@pytest.mark.parametrize("text", ["caveats", "=x", "a b=c", 'quantities.0={ name = "x"'])
def test_a_change_of_the_wrong_form_is_refused(text: str, page_folder: "LedgerFolder", command: "Command") -> None:
    done = command("supersede", "drafts", "--id", "d2", "--because", "change", "--reason", "r", "--set", text)
    assert (done.code, "--set" in done.err) == (2, True), done.err
