"""`ledger bench`: plan, run, resume and compare benchmarks; prepare the small model; draft claims from a run."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.options import open_ledger, today
from ledger.cli.output import Format, emit, note
from ledger.errors import DataRefused, ExitCode

app = typer.Typer(no_args_is_help=True, help="Run benchmarks through an embedded vLLM, under a plan fixed beforehand.")

ModelOption = Annotated[
    Path | None, typer.Option("--model", help="Folder of the model; by default the cached model of the protocol's name.")
]
RelationOption = Annotated[str, typer.Option("--executor", help="Who runs it: own, supplier or third-party.")]
FormatOption = Annotated[Format, typer.Option("--format", help="How to print.")]


@app.command()
def plan(protocol: Annotated[str, typer.Argument(metavar="PROTOCOL")]) -> None:
    """Print what will run, how long it may take, and what its sample can and cannot show."""
    from ledger.cli.bench_text import outline_lines  # keeps --help fast

    ledger = open_ledger()
    for line in outline_lines(ledger.runs.protocol(protocol), ledger.runs.outline(protocol), ledger.not_landed(protocol)):
        print(line)


@app.command()
def run(
    protocol: Annotated[str, typer.Argument(metavar="PROTOCOL")],
    *,
    model: ModelOption = None,
    unplanned: Annotated[bool, typer.Option("--unplanned", help="Run although the plan has not landed; the run is marked so.")] = False,
    executor: RelationOption = "own",
) -> None:
    """Run a protocol and record it; prints the run's id. An interrupted run is finished with `resume`."""
    from ledger.cli.progress import shown  # as above

    ledger = open_ledger()
    missing = ledger.not_landed(protocol)
    if missing and not unplanned:
        ledger.versions.recorded()  # where no history can tell, that is the fault to name
        raise DataRefused(
            f"{', '.join(missing)}: not landed on {ledger.settings.main_branch} as it stands, so the plan is not fixed. "
            "Commit it there first, or give --unplanned; an unplanned run backs no verdict."
        )
    with shown() as progress:
        done = ledger.run_protocol(protocol, model=model, planned=not missing, executor=executor, today=today(), progress=progress)
    _finish(done.id, done.status, done.deviations)


@app.command()
def resume(run_id: Annotated[str, typer.Argument(metavar="RUN")], *, model: ModelOption = None, executor: RelationOption = "own") -> None:
    """Finish an interrupted run: cells that ran to their end stand, the others run again."""
    from ledger.cli.progress import shown  # as above

    ledger = open_ledger()
    with shown() as progress:
        done = ledger.resume_run(run_id, model=model, executor=executor, progress=progress)
    _finish(done.id, done.status, done.deviations)


def _finish(run_id: str, status: str, deviations: tuple[str, ...]) -> None:
    for deviation in deviations:
        note(f"deviation: {deviation}")
    note(f"recorded {status}; see `ledger show {run_id}`, `ledger bench compare {run_id}`, `ledger verify {run_id}`")
    print(run_id)
    if status != "complete":
        raise typer.Exit(ExitCode.FINDINGS)


@app.command()
def compare(runs: Annotated[list[str], typer.Argument(metavar="RUN...")], *, form: FormatOption = Format.TABLE) -> None:
    """Print the cells, comparisons and verdicts of runs, each number with its interval or the reason it has none."""
    from ledger.cli.bench_text import comparison_lines, result_listing  # as above

    ledger = open_ledger()
    for name in runs:
        found = ledger.runs.run(name)
        if form is Format.TABLE:
            print("\n".join([name, *comparison_lines(found)]))
        else:
            emit(result_listing(found), form)


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
