"""`ledger bench`: plan, run, resume and compare benchmarks; prepare the small model; draft claims from a run."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli.input.options import OutOption, open_ledger, today
from ledger.cli.text.output import Format, emit, note
from ledger.errors import DataRefused, ExitCode, UsageError

if TYPE_CHECKING:
    from ledger.api import Ledger

app = typer.Typer(no_args_is_help=True, help="Run benchmarks through an embedded vLLM, under a plan fixed beforehand.")

ModelOption = Annotated[
    Path | None, typer.Option("--model", help="Folder of the model; by default the cached model of the protocol's name.")
]


class Relation(StrEnum):
    """How who runs a benchmark stands to this ledger."""

    OWN = "own"
    SUPPLIER = "supplier"
    THIRD_PARTY = "third-party"


RelationOption = Annotated[Relation, typer.Option("--executor", help="Who runs it.")]
FormatOption = Annotated[Format, typer.Option("--format", help="How to print.")]


@app.command()
def plan(protocol: Annotated[str, typer.Argument(metavar="PROTOCOL")]) -> None:
    """Print what will run, how long it may take, and what its sample can and cannot show."""
    from ledger.cli.text.bench_text import outline_lines  # keeps --help fast

    ledger = open_ledger()
    for line in outline_lines(ledger.runs.protocol(protocol), ledger.runs.outline(protocol), ledger.not_landed(protocol)):
        print(line)


@app.command()
def run(
    protocol: Annotated[str, typer.Argument(metavar="PROTOCOL")],
    *,
    model: ModelOption = None,
    unplanned: Annotated[bool, typer.Option("--unplanned", help="Run although the plan has not landed; the run is marked so.")] = False,
    executor: RelationOption = Relation.OWN,
) -> None:
    """Run a protocol and record it; prints the run's id. Ctrl-C stops it and records what finished; `resume` finishes it."""
    from ledger.cli.text.progress import shown  # as above

    ledger = open_ledger()
    planned = fixed(ledger, protocol, unplanned=unplanned)
    with shown() as progress:
        done = ledger.run_protocol(protocol, model=model, planned=planned, executor=executor, today=today(), progress=progress)
    finish(done.id, done.status, done.deviations)


@app.command()
def resume(
    run_id: Annotated[str, typer.Argument(metavar="RUN")], *, model: ModelOption = None, executor: RelationOption = Relation.OWN
) -> None:
    """Finish an interrupted run: cells that ran to their end stand, the others run again.

    A partial record that has landed stays; the finished run is then a new one, which supersedes it.
    """
    from ledger.cli.text.progress import shown  # as above

    ledger = open_ledger()
    with shown() as progress:
        done = ledger.resume_run(run_id, model=model, executor=executor, today=today(), progress=progress)
    finish(done.id, done.status, done.deviations)


@app.command()
def record(run_id: Annotated[str, typer.Argument(metavar="RUN")], *, executor: RelationOption = Relation.OWN) -> None:
    """Record what an interrupted run had finished, without running more; nothing can rest on a partial run."""
    done = open_ledger().record_run(run_id, executor=executor)
    note(f"recorded {done.status}" + ("" if done.status == "complete" else f"; `ledger bench resume {run_id}` finishes it"))
    print(done.id)


def fixed(ledger: "Ledger", protocol: str, *, unplanned: bool) -> bool:
    """Return whether a plan has landed as it stands.

    Raises:
        DataRefused: it has not, and nobody said that an unplanned run is wanted.
    """
    missing = ledger.not_landed(protocol)
    if missing and not unplanned:
        ledger.versions.recorded()  # where no history can tell, that is the fault to name
        raise DataRefused(
            f"{', '.join(missing)}: not landed on {ledger.settings.main_branch} as it stands, so the plan is not fixed. "
            "Commit it there first, or give --unplanned; an unplanned run backs no verdict."
        )
    return not missing


def finish(run_id: str, status: str, deviations: tuple[str, ...]) -> None:
    """Say how a run was recorded and print its id; exit 1 where something of it is missing."""
    for deviation in deviations:
        note(f"deviation: {deviation}")
    note(f"recorded {status}; see `ledger show {run_id}`, `ledger bench compare {run_id}`, `ledger verify {run_id}`")
    print(run_id)
    if status != "complete":
        raise typer.Exit(ExitCode.FINDINGS)


@app.command()
def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...")],
    *,
    form: FormatOption = Format.TABLE,
    out: OutOption = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one page with everything inside.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE|DIR", help="Write the ratio figures: one .svg, or one a load.")] = None,
    is_ascii: Annotated[bool, typer.Option("--ascii", help="Print with plain signs only.")] = False,
) -> None:
    """Print runs as tables and figures, each number with its interval or the reason it has none; several runs side by side."""
    from ledger.api.runs.comparing import compared, write_figures, write_page  # as above
    from ledger.cli.text.compare_text import report_lines, results_listing, terminal_of  # as above

    ledger = open_ledger()
    if form is not Format.TABLE or out:
        if html or svg:
            raise UsageError("--html and --svg write files of their own. Leave out --format and --out.")
        emit(results_listing([ledger.runs.run(name) for name in runs]), form, out)
        return
    report = compared(ledger, runs)
    written = [*([write_page(report, html)] if html else []), *(write_figures(report, svg) if svg else [])]
    for line in written or report_lines(report, terminal_of(is_ascii=is_ascii)):
        print(line)


@app.command()
def claims(run_id: Annotated[str, typer.Argument(metavar="RUN")]) -> None:
    """Draft measured claims from a run, with references and no numbers; writes them under records/claims/."""
    ledger = open_ledger()
    for path in ledger.draft_claims(run_id, today()):
        print(path)


@app.command()
def model(name: Annotated[str, typer.Argument(metavar="NAME")] = "smollm2-135m-instruct") -> None:
    """Prepare the small demonstration model, kept outside the repository, and print its folder."""
    print(open_ledger().model_folder(name, None))
