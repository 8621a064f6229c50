"""One file into records and findings: every fault at once, and a broken file harms no other."""

from typing import TYPE_CHECKING

import pytest
from inline_snapshot import snapshot

from ledger.store.files.reading import read_file

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

SOURCE = b'[[source]]\nid = "s"\ntitle = "T"\npublisher = "P"\ntype = "blog"\nrelation = "own"\nlicence = "L"\n'
FAULTY = """\
[[claim]]
id = "C 1"
label = "guess"
side = "technical"
subject = "demo/ngram"
statment = "It helps."
asserted_on = "2026-02-29"
quantities = [
  { name = "n", metric = "m", valeu = "2", unit = "x" },
  { name = "m", metric = "m", value = 2.8, unit = "furlong" },
]
supersedes = { id = "b", becaus = "change", reason = "r" }

[[retraction]]
id = "p"
target = "q"
reason = "r"
retracted_on = 0026-09-01

[[source]]
id = "s"
title = "T"
publisher = ""
published_on = "2026-13"
type = "blog"
relation = "own"
licence = "L"
"""


def told(path: str, content: bytes) -> list[str]:
    """Return the findings about one file as they print, in order of place."""
    found = sorted(read_file(path, content).problems, key=lambda problem: problem.sort_key)
    return [str(problem) for problem in found]


def test_every_fault_of_a_file_is_told_at_once_with_its_place_and_remedy() -> None:
    assert [line[:120] for line in told("records/x.toml", FAULTY.encode())] == snapshot(
        [
            "records/x.toml:1:1: C 1: statement: missing. Add it. [LEDG003]",
            'records/x.toml:2:6: C 1: id: got "C 1", expected lower-case letters and digits joined by hyphens. Mend the value. [LEDG0',
            'records/x.toml:3:9: C 1: label: got "guess", expected "vendor-claimed", "proposed" or "measured". Mend the value. [LEDG0',
            "records/x.toml:6:1: C 1: statment: unknown key. Did you mean statement? [LEDG004]",
            "records/x.toml:7:15: C 1: asserted_on: got 2026-02-29, expected a day that is in the calendar. Mend the value. [LEDG003]",
            "records/x.toml:9:31: C 1: quantities.0.valeu: unknown key. Did you mean value? [LEDG004]",
            'records/x.toml:10:39: C 1: quantities.1.value: got 2.8 without quotes, expected an exact decimal in quotes, such as "2.8',
            'records/x.toml:10:51: C 1: quantities.1.unit: got the unit "furlong", expected one of x, %, points, s, ms, us, ns, min, ',
            "records/x.toml:12:1: C 1: supersedes.because: missing. Add it. [LEDG003]",
            "records/x.toml:12:26: C 1: supersedes.becaus: unknown key. Did you mean because? [LEDG004]",
            "records/x.toml:18:16: p: retracted_on: got the year 0026, expected 1970 to 2199. Mend the value. [LEDG003]",
            'records/x.toml:23:13: s: publisher: got "", expected some text. Mend the value. [LEDG003]',
            'records/x.toml:24:16: s: published_on: got "2026-13", expected a month from 01 to 12. Mend the value. [LEDG003]',
        ]
    )


def test_a_syntax_error_ends_its_own_file_only(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    ledger_folder.write("records/broken.toml", '[[claim]]\nid = \n[[claim]]\nlabel = "x"\n')
    ledger_folder.add("claim", "good")
    ledger = ledger_folder.open()
    [problem] = ledger.check()
    assert (problem.code, problem.path, problem.line) == ("LEDG001", "records/broken.toml", 2)
    assert [claim.id for claim in ledger.claims()] == ["good"]


def test_one_record_with_a_fault_leaves_its_neighbours_readable() -> None:
    read = read_file("records/x.toml", SOURCE + SOURCE.replace(b'"s"', b'"t"').replace(b"blog", b"blogg") + SOURCE.replace(b'"s"', b'"u"'))
    assert [entry.record.id for entry in read.entries] == ["s", "u"]
    assert [problem.line for problem in read.problems] == [12]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SOURCE.decode().encode("utf-16"), "records/x.toml:1:1: the file is UTF-16 LE, expected UTF-8. Save it as UTF-8. [LEDG005]"),
        (b"\xfe\xff" + SOURCE.decode().encode("utf-16-be"), "records/x.toml:1:1: the file is UTF-16 BE, expected UTF-8."),
        (SOURCE.replace(b'"T"', b'"T\xe4"'), "records/x.toml:3:11: not UTF-8: byte 0xE4 at offset 30."),
    ],
)
def test_another_encoding_is_named_not_guessed(content: bytes, message: str, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.write("records/x.toml", content)
    [problem] = ledger_folder.check()
    assert str(problem).startswith(message)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_and_windows_line_ends_change_nothing(mark: bytes, ending: bytes) -> None:
    content = mark + SOURCE.replace(b"\n", ending)
    assert read_file("records/x.toml", content).entries == read_file("records/x.toml", SOURCE).entries
    assert [line[:21] for line in told("records/x.toml", content.replace(b"own", b"owm"))] == ["records/x.toml:6:12: "]


def test_a_rule_finding_is_placed_right_behind_a_byte_order_mark(ledger_folder: "LedgerFolder") -> None:
    missing = '"nix"'
    text = (
        '{"claim": [{"id": "c", "label": "vendor-claimed", "side": "technical", "subject": "d", "statement": "S", "source": '
        + missing
        + "}]}"
    )
    ledger_folder.write("records/x.json", b"\xef\xbb\xbf" + text.encode())
    found = {problem.code: problem.place for problem in ledger_folder.check()}
    assert found["LEDG011"] == f"records/x.json:1:{text.index(missing) + 1}"


def test_a_partial_date_is_kept_as_it_was_given(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page()
    ledger_folder.add("claim", "c", asserted_on="2026-09")
    [claim] = ledger_folder.open().claims()
    assert (str(claim.asserted_on), claim.asserted_on and claim.asserted_on.precision) == ("2026-09", "month")


def test_a_newer_record_is_kept_unread_and_what_names_it_is_no_fault(ledger_folder: "LedgerFolder") -> None:
    path = ledger_folder.add_page(schema=2, warp={"factor": 9})
    before = path.read_bytes()
    ledger_folder.add("claim", "c")
    ledger = ledger_folder.open()
    assert [(problem.code, problem.severity) for problem in ledger.check()] == [("LEDG008", "warning")]
    assert (ledger.sources(), [claim.id for claim in ledger.claims()]) == ([], ["c"])
    assert path.read_bytes() == before


def test_a_fault_in_a_source_is_told_once_not_for_every_claim(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_page(type="blogg")
    for number in range(3):
        ledger_folder.add("claim", f"c{number}")
    assert ledger_folder.codes() == ["LEDG003"]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{"source": [NaN]}', "1:1", "got NaN, expected a finite number"),
        ('{"source":\n oops}', "2:2", "Expecting value"),
        ('{"source": [{"id": "a", "id": "b"}]}', "1:1", 'the key "id" stands twice in one object'),
        ("[" * 5000, "1:1", "nested too deeply"),
        ('{"source": {}}', "1:12", "source: no such kind of record, as a list"),
        ('{"source": ["s"]}', "1:13", "source: expected a table of fields"),
        ('{"\\ud800": []}', "1:", "no such kind of record"),
        ('{"article": []}', "1:", "article: no such kind of record"),
    ],
)
def test_a_json_file_with_a_fault_is_told_where(text: str, place: str, message: str) -> None:
    [problem] = read_file("records/x.json", text.encode()).problems
    assert problem.place.startswith(f"records/x.json:{place}")
    assert message in problem.message


def test_an_infinite_number_in_a_run_is_refused(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_plan()
    path = ledger_folder.add("run", "run-1")
    path.write_text(path.read_text().replace("0.012", "inf"))
    [problem] = ledger_folder.check()
    assert "cells.0.metrics.tpot.p50.value: got inf, expected a finite number" in problem.message


@pytest.mark.parametrize(
    ("text", "entries"),
    [("+++\nid = 'x'\n", 0), ("id = 1\n+++\n", 0), ("", 0), ("+++\n+++\ntext", 0), ("\ufeff+++\r\ntitle = 3\r\n+++\r\nText.\r\n", 0)],
)
def test_a_draft_with_a_fault_is_told_and_no_record(text: str, entries: int) -> None:
    read = read_file("records/articles/d.md", text.encode())
    assert len(read.entries) == entries
    assert read.problems
    assert all(problem.line and problem.column for problem in read.problems)
