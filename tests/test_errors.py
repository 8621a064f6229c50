"""Problems as values, with place and order; faults that end a command, with an exit code each."""

import pickle

import pytest

from ledger.errors import (
    DataRefusedError,
    EnvironmentFaultError,
    ExitCode,
    FindingsError,
    LedgerError,
    Problem,
    StoppedError,
    UsageError,
    has_errors,
    ordered,
)

PROBLEM = Problem("LEDG001", "a: found x, expected y.", "Mend it.", path="records/a.toml")


def test_a_problem_prints_place_message_remedy_and_code() -> None:
    assert str(PROBLEM) == "records/a.toml: a: found x, expected y. Mend it. [LEDG001]"
    assert str(PROBLEM.at(7, 10)) == "records/a.toml:7:10: a: found x, expected y. Mend it. [LEDG001]"


def test_a_warning_says_that_it_is_one_and_a_problem_without_a_file_has_no_place() -> None:
    assert str(Problem("LEDG002", "m.", "r.", severity="warning")) == "warning: m. r. [LEDG002]"


def test_placing_makes_a_new_problem() -> None:
    assert PROBLEM.at(1, 2) != PROBLEM
    assert PROBLEM.line is None


def test_problems_are_reported_once_by_file_then_line_then_column() -> None:
    second, tenth = PROBLEM.at(2, 9), PROBLEM.at(10, 1)
    first = Problem("LEDG009", "m.", "r.", path="a.toml", line=99, column=1)
    assert ordered([tenth, second, first, second]) == [first, second, tenth]


def test_a_warning_alone_is_no_error() -> None:
    warning = Problem("LEDG002", "m.", "r.", severity="warning")
    assert not has_errors([warning])
    assert has_errors([warning, PROBLEM])
    assert not has_errors([])


@pytest.mark.parametrize(
    ("fault", "code"),
    [(LedgerError, 1), (FindingsError, 1), (UsageError, 2), (EnvironmentFaultError, 3), (DataRefusedError, 4), (StoppedError, 130)],
)
def test_each_fault_has_its_exit_code(fault: type[LedgerError], code: int) -> None:
    assert fault("x").exit_code == code == ExitCode(code)


def test_a_fault_crosses_to_another_process_with_its_problems() -> None:
    fault = pickle.loads(pickle.dumps(FindingsError("not built", [PROBLEM])))
    assert type(fault) is FindingsError
    assert (str(fault), fault.problems) == ("not built", (PROBLEM,))
