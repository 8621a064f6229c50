"""What a pack does on the machine that it was carried to: tell its plan, run it, take up an interrupted run.

Needs Python, vLLM and what vLLM itself needs. It writes a journal and the engine's log into one folder, and reads
nothing but the pack and the model. Everything that could be missing is imported inside functions, so that what is
missing is said in one line.
"""

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import DataRefusedError, EnvironmentFaultError, ExitCode, LedgerError, UsageError

if TYPE_CHECKING:
    from ledger.bench.engine.clock import Clock
    from ledger.bench.journal.result import RunResult
    from ledger.bench.pack.packed_plan import Pack
    from ledger.bench.run.run_request import BackendFactory, RunRequest

WIDTH, INDENT = 80, 12


@dataclass(frozen=True, slots=True)
class Machine:
    """What a run takes place on; None takes the machine's own clock, and vLLM."""

    clock: "Clock | None" = None
    backend: "BackendFactory | None" = None


def main(archive: str, arguments: Sequence[str] | None = None, machine: Machine | None = None) -> int:
    """Do what the command line asks and return the exit code.

    Args:
        archive: the pack's own path.
        arguments: those of the command line, by default the process's own.
        machine: where to run; by default this one.
    """
    path = Path(archive)
    options = parser(path.name).parse_args(arguments)
    try:
        return run_command(path, options, machine or Machine())
    except LedgerError as error:
        say(str(error))
        return error.exit_code
    except ImportError as error:
        say(f"{sys.executable} lacks what vLLM brings along: {error}. Run this file with the Python that vLLM is installed for.")
        return ExitCode.ENVIRONMENT
    except KeyboardInterrupt:
        say(f"stopped. Go on with: python3 {path.name} resume --model DIR --out DIR")
        return ExitCode.STOPPED


def parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(prog=f"python3 {name}", description="Run a benchmark whose plan was fixed elsewhere.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("plan", help="tell what will run, and what is kept of it")
    for command, help_text in (("run", "run it from its start"), ("resume", "finish a run that was interrupted")):
        command_parser = commands.add_parser(command, help=help_text)
        command_parser.add_argument("--model", type=Path, metavar="DIR", required=True, help="the model, a folder in Hugging Face's layout")
        command_parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="where the run's folder is, or is to be made")
    return top


def run_command(path: Path, options: argparse.Namespace, machine: Machine) -> int:
    """Do one command and return its exit code."""
    from ledger.bench.pack.packed_plan import read_pack

    pack = read_pack(path)
    if options.command == "plan":
        tell("\n".join(plan_lines(pack)))
        return ExitCode.DONE
    if machine.backend is None:
        require(options.model)
    result = (begin if options.command == "run" else go_on)(pack, options.model, options.out, machine=machine)
    return report_end(result, options.out, pack)


def require(model: Path) -> None:
    """Refuse a machine without vLLM or the model.

    Raises:
        EnvironmentFaultError: one of them is not there.
    """
    if find_spec("vllm") is None:
        raise EnvironmentFaultError(f"vLLM is not installed for {sys.executable}. Run this file with the Python that it is installed for.")
    if not (model / "config.json").is_file():
        raise EnvironmentFaultError(f"{model}: no model there. Name a folder in Hugging Face's layout with --model.")


def begin(pack: "Pack", model: Path, out: Path, *, machine: Machine) -> "RunResult":
    """Run the plan from its start and return what it found.

    Raises:
        DataRefusedError: the folder holds a run.
    """
    from ledger.bench.journal.journal import NAME
    from ledger.bench.run.runner import run_protocol

    if (out / NAME).exists():
        raise DataRefusedError(f"{out}: holds a run already. Go on with it by `resume`, or name another folder with --out.")
    return run_protocol(request_of(pack, model, out, machine=machine))


def go_on(pack: "Pack", model: Path, out: Path, *, machine: Machine) -> "RunResult":
    """Finish an interrupted run of this plan and return what it found.

    Raises:
        UsageError: there is no run.
        DataRefusedError: the run is one of another plan.
    """
    from ledger.bench.journal.journal import NAME, read_journal
    from ledger.bench.run.runner import resume

    if not (out / NAME).is_file():
        raise UsageError(f"{out}: no run to go on with. Begin one with `run`, or name its folder with --out.")
    if read_journal(out / NAME)[0].get("protocol_meaning") != pack.plan.protocol_meaning:
        raise DataRefusedError(f"{out}: holds a run of another plan. Name the folder of a run of {pack.plan.protocol.id}.")
    return resume(request_of(pack, model, out, machine=machine))


def request_of(pack: "Pack", model: Path, out: Path, *, machine: Machine) -> "RunRequest":
    """Return what a pack asks the runner to do; no Parquet, whose library vLLM does not bring along."""
    from ledger.bench.run.progress import ProgressLines
    from ledger.bench.run.run_request import RunRequest

    plan = pack.plan
    request = RunRequest(
        protocol=plan.protocol,
        prompts=pack.prompts,
        suite_items=pack.items,
        model_path=model,
        out_dir=out,
        telemetry=plan.telemetry,
        protocol_commit=plan.protocol_commit,
        planned=plan.planned,
        command=f"python3 {plan.protocol.id}.pyz run",
        inputs=plan.inputs,
        parquet=False,
        progress=ProgressLines(),
    )
    return replace(request, clock=machine.clock or request.clock, backend_factory=machine.backend or request.backend_factory)


def report_end(result: "RunResult", out: Path, pack: "Pack") -> int:
    """Say how a run came out and what to do with its folder, and return the exit code."""
    for deviation in result.deviations:
        say(f"deviation: {deviation}")
    say(f"{result.status}: {len(result.traces)} requests of {pack.plan.protocol.id}. Carry the folder home and type there:")
    say(f"  ledger bench take {out.resolve().name}")
    tell(str(out))
    return ExitCode.DONE if result.status == "complete" else ExitCode.FINDINGS


def plan_lines(pack: "Pack") -> Iterator[str]:
    """Yield what will run, in lines of 80 columns."""
    from ledger.bench.plan.plan import outline

    plan, protocol = pack.plan, pack.plan.protocol
    size = outline(protocol, prompt_count=len(pack.prompts), suite_item_count=len(pack.items))
    kept = plan.telemetry
    facts = {
        "plan": f"{protocol.id}: {protocol.question}",
        "model": protocol.model.source,
        "arms": ", ".join(arm.id for arm in protocol.arms),
        "loads": ", ".join(load.id for load in protocol.loads),
        "size": f"{size.requests} requests, {size.suite_answers} suite answers, about {size.estimate_s / 60:.0f} min, {size.estimate_from}",
        "fixed": "landed before it was packed" if plan.planned else "not landed when it was packed; no verdict may rest on the run",
        "meaning": plan.protocol_meaning,
        "keeps": f"prompts: {kept.prompts}, outputs: {kept.outputs}; allowed by {kept.allowed_by}",
        "vLLM": "there" if find_spec("vllm") else f"not installed for {sys.executable}",
    }
    for name, text in facts.items():
        yield from textwrap.wrap(
            f"{name:<{INDENT}}{text}", WIDTH, subsequent_indent=" " * INDENT, break_long_words=False, break_on_hyphens=False
        )


def tell(text: str) -> None:
    """Write a result to standard output."""
    from ledger.model.values.text import visible

    sys.stdout.write(f"{visible(text)}\n")
    sys.stdout.flush()


def say(text: str) -> None:
    """Write a line that is not a result to standard error."""
    from ledger.model.values.text import visible

    sys.stderr.write(f"{visible(text)}\n")
    sys.stderr.flush()
