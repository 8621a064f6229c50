"""Every kind of record by its name, and the folder that its files lie in."""

from ledger.model.kinds import FOLDERS, KINDS
from ledger.model.record import Record
from ledger.model.records import article, claim, cost, protocol, retraction, review, run, source, suite, waiver, workload


def test_every_record_type_is_a_kind_under_its_own_name() -> None:
    modules = (article, claim, cost, protocol, retraction, review, run, source, suite, waiver, workload)
    declared = {found for module in modules for found in vars(module).values() if isinstance(found, type) and issubclass(found, Record)} - {
        Record
    }
    assert set(KINDS.values()) == declared
    assert all(name == kind.KIND for name, kind in KINDS.items())


def test_a_folder_is_the_plural_of_its_kind() -> None:
    assert FOLDERS["source"] == "sources"
    assert FOLDERS["edition"] == "editions"
    assert set(FOLDERS) == set(KINDS)


def test_every_field_that_carries_meaning_is_a_field() -> None:
    for kind in KINDS.values():
        assert set(kind.MEANING) <= set(kind.model_fields), kind
        assert len(set(kind.MEANING)) == len(kind.MEANING), kind
