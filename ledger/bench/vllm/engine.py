"""vLLM in this process, one life per arm and repeat; the same code for CUDA and CPU."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.bench.engine.interface import Chunk, GenerationRequest, Memory, RequestError, Scalars
from ledger.bench.engine.redaction import anonymous
from ledger.bench.machine.nvml import device_memory, device_memory_in_use
from ledger.bench.machine.resident_memory import resident_peak_bytes
from ledger.bench.models.weights import weights_bytes
from ledger.bench.vllm.configuration import effective_configuration, kv_cache_bytes
from ledger.bench.vllm.engine_log import output_to, start_facts, vllm_logs_to
from ledger.bench.vllm.orphan_killer import OrphanKiller
from ledger.bench.vllm.usage import Counts, EngineUsage, usage_logger
from ledger.errors import EnvironmentFaultError
from ledger.model.records.run import Measure

if TYPE_CHECKING:
    import psutil

QUIET = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "VLLM_WORKER_MULTIPROC_METHOD": "spawn", "TOKENIZERS_PARALLELISM": "false"}
"""No report leaves the machine; workers start afresh, so that they inherit neither our descriptors nor our threads."""
STOP_WITHIN_S = 20.0
OPTIONAL_SAMPLING = ("top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "repetition_penalty")
"""Fields of a request that go by the same name in vLLM's sampling parameters."""


class VllmEngine:
    """One `AsyncLLM`, from start to stop."""

    def __init__(self, arguments: dict[str, Any], log: Path, variables: Mapping[str, str] | None = None) -> None:
        """Keep the arguments of vLLM's engine, the file for its log and the environment variables of its life; `start` loads the model."""
        self._variables = variables_set(variables or {})
        self._life = ExitStack()
        self.arguments = arguments
        self._log = log
        self._llm: Any = None
        self._orphan_killer: OrphanKiller | None = None
        self._usage = EngineUsage()
        self._configuration: Scalars = {}
        self._device_before_bytes: int | None = None

    async def start(self) -> None:
        """Load the model; blocks the event loop, as nothing else can happen meanwhile."""
        os.environ.update(QUIET)
        self._life.enter_context(self._variables)  # until the stop: vLLM asks for some of them with every request
        self._device_before_bytes = device_memory_in_use()
        begins_at = self._log.stat().st_size if self._log.is_file() else 0
        self._orphan_killer = OrphanKiller()
        try:
            with self._orphan_killer, output_to(self._log):
                vllm_logs_to(self._log)
                from vllm.engine.arg_utils import AsyncEngineArgs
                from vllm.v1.engine.async_llm import AsyncLLM

                arguments = AsyncEngineArgs(**self.arguments)
                self._llm = AsyncLLM.from_engine_args(arguments, stat_loggers=[usage_logger(self._usage)])
        except Exception as error:  # vLLM's start ends in whatever the failing part raised; its own log has the rest
            await self.stop()
            raise EnvironmentFaultError(f"vLLM did not start: {first_line(error)}. Its log has the rest: {self._log}") from error
        config = self._llm.vllm_config
        facts = start_facts(self._log_since(begins_at), on_cpu=config.device_config.device_type == "cpu")
        self._configuration = effective_configuration(config) | facts

    def _log_since(self, place: int) -> str:
        with self._log.open("rb") as log:
            log.seek(place)
            return log.read().decode("utf-8", "replace")

    async def stop(self) -> None:
        """Shut the engine down and wait for its processes to be gone."""
        if self._llm is not None:
            self._llm.shutdown()
            self._llm = None
        if self._orphan_killer is not None:
            await asyncio.to_thread(wait_until_gone, self._orphan_killer.processes)
            self._orphan_killer.dismiss()
            self._orphan_killer = None
        self._life.close()

    def kill(self) -> None:
        """Kill core, workers and their helper; multiprocessing's own is left, as it serves every engine of this process."""
        kill_all([process for process in self._engine_processes() if not is_resource_tracker(process)])

    async def generate(self, request: GenerationRequest) -> AsyncGenerator[Chunk, None]:
        """Yield each delivery of the engine as it comes; vLLM merges what a slow reader has not fetched."""
        try:
            prompt = {"type": "token", "prompt_token_ids": list(request.prompt_token_ids)}
            async with aclosing(self._llm.generate(prompt, sampling(request), request.id)) as outputs:  # closing aborts at once
                async for output in outputs:
                    completion = output.outputs[0]
                    if completion.finish_reason is None:
                        yield Chunk(tuple(completion.token_ids), completion.text)
                    else:
                        yield last_chunk(completion, output.num_cached_tokens)
        except Exception as error:  # whatever an engine raises for one request, the run goes on and records it
            raise RequestError(f"{type(error).__name__}: {first_line(error)}", engine_died=bool(self._llm and self._llm.errored)) from error

    async def reset_prefix_cache(self) -> bool:
        """Forget cached prefixes."""
        try:
            return bool(await self._llm.reset_prefix_cache())
        except Exception:
            if self._llm.errored:  # the engine has died, and what that raises depends on where it is noticed
                return False
            raise

    def effective_configuration(self) -> Scalars:
        """The configuration as vLLM settled it at its start."""
        return dict(self._configuration)

    def memory(self) -> Memory:
        """Memory of this engine; ask before `stop`, when its processes still live."""
        config = self._llm.vllm_config
        device_bytes, how = self._device_memory(config)
        return Memory(
            weights_bytes=weights_bytes(
                self.arguments["model"], self.arguments.get("speculative_config", {}).get("model"), config.model_config.dtype.itemsize
            ),
            kv_cache_bytes=kv_cache_bytes(config),
            kv_cache_tokens=config.cache_config.kv_cache_size_tokens,
            kv_cache_peak_share=self._usage.kv_cache_share,
            resident_peak_bytes=resident_peak_bytes(self.process_ids()),
            device_bytes=device_bytes,
            device_how=how,
        )

    def _device_memory(self, config: Any) -> tuple[int | None, str | None]:
        """Memory on this host's GPUs and where the figure comes from; no method of vLLM 0.32's workers reports it."""
        if config.device_config.device_type == "cpu":
            return None, None
        found, how = device_memory(self.process_ids(), before_bytes=self._device_before_bytes)
        parallel = config.parallel_config
        elsewhere = how and (parallel.nnodes > 1 or parallel.distributed_executor_backend == "ray")
        return found, f"{how}; this host alone" if elsewhere else how

    def count_anew(self) -> None:
        """Forget what was counted."""
        self._usage.counts = Counts()

    def counted(self) -> dict[str, Measure]:
        """What vLLM's scheduler told since `count_anew`."""
        return self._usage.counts.measures()

    def process_ids(self) -> tuple[int, ...]:
        """Engine core, workers and their helper."""
        return tuple(process.pid for process in self._engine_processes())

    def _engine_processes(self) -> "tuple[psutil.Process, ...]":
        return self._orphan_killer.processes if self._orphan_killer else ()


@contextmanager
def variables_set(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables while entered; one that the user has set stays as it is."""
    new = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            os.environ.pop(name, None)


def sampling(request: GenerationRequest) -> Any:
    """Return vLLM's sampling parameters: deltas, so that each token is delivered once; what the request leaves out is absent."""
    from vllm.sampling_params import RequestOutputKind, SamplingParams

    optional = {name: value for name in OPTIONAL_SAMPLING if (value := getattr(request, name)) is not None}
    return SamplingParams(
        **optional,
        stop=list(request.stop) or None,
        temperature=request.temperature,
        max_tokens=request.max_tokens,
        ignore_eos=request.ignore_eos,
        seed=request.seed,
        output_kind=RequestOutputKind.DELTA,
    )


def last_chunk(completion: Any, cached_tokens: int | None) -> Chunk:
    """Return the chunk that ends a request, with the speculation steps that vLLM hands over at the end."""
    steps = completion.spec_decode_metrics
    return Chunk(
        token_ids=tuple(completion.token_ids),
        text=completion.text,
        finish_reason=completion.finish_reason,
        cached_tokens=cached_tokens,
        drafted=tuple(steps.per_step_drafted) if steps else None,
        accepted=tuple(steps.per_step_accepted) if steps else None,
    )


def first_line(error: BaseException) -> str:
    """Return the first line of the error that lies at the bottom of a chain, without this machine's names."""
    while (cause := error.__cause__) is not None:
        error = cause
    return anonymous(str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__)


def wait_until_gone(processes: "Sequence[psutil.Process]", *, within_s: float = STOP_WITHIN_S) -> None:
    """Wait for processes to end, and end those that do not; multiprocessing's own helper may stay."""
    engines = [process for process in processes if not is_resource_tracker(process)]
    if not wait_for_end(engines, within_s):
        kill_all(engines)
        wait_for_end(engines, within_s)


def kill_all(processes: "Sequence[psutil.Process]") -> None:
    """Kill those that still run."""
    import psutil

    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def wait_for_end(processes: "Sequence[psutil.Process]", within_s: float) -> bool:
    """Wait for processes to end and return whether they did.

    `active_children` collects those that are ours, which the system keeps as zombies until then; psutil's own waiting
    would take their exit codes away from multiprocessing, which then takes them for alive.
    """
    import multiprocessing

    until_s = time.monotonic() + within_s
    while any(map(is_alive, processes)):
        if time.monotonic() > until_s:
            return False
        time.sleep(0.05)
    multiprocessing.active_children()  # after the last look, or one that ended between the two would stay a zombie
    return True


def is_alive(process: "psutil.Process") -> bool:
    """Whether a process still runs."""
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_resource_tracker(process: "psutil.Process") -> bool:
    """Whether a process is multiprocessing's own helper, which lives as long as this process."""
    import psutil

    try:
        return any("resource_tracker" in argument for argument in process.cmdline())
    except psutil.Error:
        return False
