"""A plan packed with what its maker should know about it."""

from ledger.api.remote.pack import pack_plan
from tests.bench.plan_ledger import PLAN, PlanLedger


def test_a_pack_says_how_much_travels_and_who_may_use_it(ledger: PlanLedger) -> None:
    opened = ledger.open()
    packed = pack_plan(opened.files, opened.runs, PLAN, planned=True)
    assert (packed.prompts, packed.items, packed.permission) == (4, 2, "anyone")
    assert packed.content == opened.remote.pack(PLAN, planned=True).content
    assert packed.content != pack_plan(opened.files, opened.runs, PLAN, planned=False).content
