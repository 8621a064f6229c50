"""`Ledger`: one ledger, everything it can be asked."""

from ledger.api.articles import Articles
from ledger.api.queries import Queries
from ledger.api.remote.pack import Away
from ledger.api.writing import Writing


class Ledger(Queries, Articles, Writing, Away):
    """One ledger: a folder with a `ledger.toml` and its records; open it with `Ledger.open`."""
